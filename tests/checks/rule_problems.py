"""The problems that one rule finds, in notes beside a claim."""

from __future__ import annotations

from kg.checks import check
from kg.model import Diagnostic
from tests.support import corpora

CLAIM = "---\ntype: claim\nopen: nobody looked\n---\n\n# It helps\n\n"


def problems_of_rule(rule: str, **notes: str) -> list[Diagnostic]:
    """What `rule` tells of these notes, which link the claim as `c`."""
    problems = check(corpora.corpus_of_notes(**{"c": CLAIM, **notes}))
    return [each for each in problems if each.rule == rule]
