"""The problems that one rule finds, in notes beside a claim."""

from __future__ import annotations

from kg.checks import check
from kg.model import Diagnostic
from tests.support import corpora

CLAIM = "---\ntype: claim\nopen: nobody looked\n---\n\n# It helps\n\n"


def told(rule: str, **notes: str) -> list[Diagnostic]:
    """What `rule` tells of these notes, which link the claim as `c`."""
    found = check(corpora.read(**{"c": CLAIM, **notes}))
    return [each for each in found if each.rule == rule]
