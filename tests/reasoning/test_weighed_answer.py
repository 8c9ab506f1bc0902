"""What answers declare about themselves is so."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

import kg.reasoning
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, verdict, weighed_answer
from kg.reasoning.solution import CERTIFICATES
from kg.reasoning.weighed_answer import TERMS
from tests.support.every_row import every_row
from tests.support.reasoning_corpus import direct_evidence, require_verdict

ROOM = Path(kg.reasoning.__file__).parent


@every_row("heading", TERMS)
def test_what_is_explained_is_a_heading(heading: str) -> None:
    explained_in = Path(weighed_answer.__file__)  # which would find its own keys
    others = [path for path in ROOM.rglob("*.py") if path != explained_in]
    declared = "".join(path.read_text("utf-8") for path in others)
    assert re.search(rf'[" ]{re.escape(heading)}[",:]', declared)


@every_row("changed", [{"moderate": 0.7}, {"weak": 0.2}, {"qualifies": 0.5}])
def test_settings_that_are_not_the_usual_are_said(changed: dict[str, float]) -> None:
    held = direct_evidence(pa=0.9, ca=0.6)
    usual = require_verdict(verdict(held, "q"))
    other = require_verdict(verdict(reading_of(held, Reasoning(**changed)), "q"))
    ((name, value),) = changed.items()
    assert f"{name} {value:g}" in str(other.terms(frozenset()))
    assert "how:" not in str(usual.terms(frozenset()))
    assert other.asked.parameters != usual.asked.parameters


def terms_with_proof(name: str | None) -> str:
    """What is said of how an answer was weighed, were it proved so."""
    found = require_verdict(verdict(direct_evidence(pa=0.9, ca=0.6), "q"))
    certificate = found.asked.certificate
    assert certificate is not None
    certificate = replace(certificate, name=name) if name else None
    return str(
        replace(found, asked=replace(found.asked, certificate=certificate)).terms(frozenset())
    )


USUAL_PROOFS = ("acyclic", "unfolded")


@every_row("proof", [None, *USUAL_PROOFS])
def test_a_usual_proof_is_not_said(proof: str | None) -> None:
    assert "how:" not in terms_with_proof(proof)


@every_row("proof", sorted(CERTIFICATES.keys() - USUAL_PROOFS))
def test_a_proof_that_is_not_the_usual_is_said(proof: str) -> None:
    assert re.search(f"how: .*{re.escape(CERTIFICATES[proof])}", terms_with_proof(proof))
