"""Support that goes in circles."""

from __future__ import annotations

from kg.reasoning import circles
from tests.support.corpus_parts import claim, corpus_of_parts, evidence


def test_a_circle_is_grounded_if_evidence_from_outside_reaches_it() -> None:
    notes = corpus_of_parts(
        *(claim(name) for name in "abcd"),
        evidence("e", quality=0.5),
        "a supports b",
        "b supports a",
        "c supports d",
        "d supports c",
        "e supports c",
    )
    answer = circles(notes)
    assert [(c.statements, c.reached_from_outside) for c in answer.circles] == [
        (("a", "b"), False),
        (("c", "d"), True),
    ]
    assert answer.circles[0].edges == ("a supports b", "b supports a")
    assert answer.sentence == "2 circles of support, 1 without evidence from outside."
    opposed = circles(corpus_of_parts(*map(claim, "ab"), "a contradicts b", "b contradicts a"))
    assert opposed.sentence == "No statements support each other in a circle."
