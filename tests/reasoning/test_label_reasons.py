"""Why a statement has its label under Dung's semantics."""

from __future__ import annotations

from kg.model import Statement
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of
from kg.reasoning.label_reasons import describe_grounded_label
from tests.support.corpus_parts import claim, corpus_of_parts, evidence


def explained(
    id: str, *parts: Statement | str, settings: Reasoning | None = None
) -> tuple[str, str]:
    """The label of a statement, and why it has that."""
    return describe_grounded_label(reading_of(corpus_of_parts(*parts), settings).question(id))


def test_the_strongest_objection_that_stands_is_named() -> None:
    parts = (claim("p"), evidence("s", quality=0.9), "s supports p")
    assert explained("p", *parts) == ("in", "every clear objection to it is denied in turn")
    parts += (evidence("a", quality=0.5), evidence("b", quality=0.7))
    parts += ("a contradicts p", "b contradicts p")
    text = "the objection “Evidence b” has not been refuted"
    assert explained("p", *parts) == ("out", text)
    answered = explained("p", *parts, evidence("c", quality=0.9), "c contradicts b")
    assert answered == ("out", text.replace("Evidence b", "Evidence a"))


def test_no_clear_line_of_evidence_is_not_called_an_objection() -> None:
    parts = (claim("p"), evidence("s", quality=0.9), "s supports p")
    answer = explained("p", *parts, settings=Reasoning(prima_facie=0.95))
    assert answer == ("out", "every chain of reasons from evidence to it has a weak link")


def test_an_unreached_premise_is_not_called_an_unreached_claim() -> None:
    parts = (claim("q"), claim("p"), evidence("e", quality=0.9), "e supports q", "q depends-on p")
    text = (
        "it depends on “Claim p”, but every chain of reasons from evidence to that has a weak link"
    )
    assert explained("q", *parts) == ("out", text)


def test_a_premise_that_is_objected_to_is_named_where_it_stands() -> None:
    parts = (
        *(claim("q"), claim("p"), claim("r"), evidence("e", quality=0.9)),
        *(evidence("f", quality=0.9), evidence("g", quality=0.6)),
        *("e supports r", "r depends-on p", "f supports p", "g contradicts p"),
    )
    text = "depends on “Claim p”, but an objection to that has not been refuted"
    assert explained("r", *parts) == ("out", f"it {text}")
    assert explained("q", *parts, "r supports q") == ("out", f"evidence for it {text}")


def test_a_line_of_evidence_that_is_cut_is_said_to_meet_an_objection() -> None:
    parts = (
        *(claim("p"), claim("q")),
        *(evidence("s", quality=0.9), evidence("a", quality=0.9)),
        *("s supports q", "q supports p", "a contradicts q"),
        *(evidence("t", quality=0.2), "t supports p"),
    )
    text = "every chain of reasons from evidence to it meets an unrefuted objection"
    assert explained("p", *parts) == ("out", text)
