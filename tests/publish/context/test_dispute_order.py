"""How disputed a claim is, by its lighter side, and which claims are listed at all."""

from __future__ import annotations

import pytest

from kg.publish.context.dispute_order import how_disputed, most_disputed
from kg.publish.context.standings import Standing
from kg.reasoning.sureness_words import LimitedSureness, Sureness
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text


def standing(pro: float, con: float, sureness: str = "", word: str = "contested") -> Standing:
    basis = LimitedSureness(Sureness(sureness))
    return Standing(strength=0.5, word=word, pro=pro, con=con, sureness_basis=basis)


@every_row(
    ("pro", "con", "amount"),
    [
        (2.0, 2.0, 2.0),
        (3.0, 3.0, 3.0),  # heavier on both sides
        (2.0, 4.0, 1.0),  # one side is heavier
        (4.0, 2.0, 1.0),
        (2.0, 0.0, 0.0),
        (0.0, 2.0, 0.0),
        (0.0, 0.0, 0.0),
    ],
)
def test_the_lighter_side_counts_the_more_the_nearer_it_comes_to_the_other(
    pro: float, con: float, amount: float
) -> None:
    assert how_disputed(standing(pro, con)) == pytest.approx(amount)


@every_row(
    ("sureness", "is_disputed"),
    [("perhaps", True), ("probably", False), ("very probably", False)],
)
def test_a_claim_whose_answer_is_probable_on_either_side_is_not_disputed(
    sureness: str, is_disputed: bool
) -> None:
    for word in ("leans supported", "leans refuted"):
        assert (how_disputed(standing(2.0, 2.0, sureness, word)) > 0.0) is is_disputed, word


def test_claims_in_dispute_are_listed_by_it_but_not_the_clear_and_the_superseded() -> None:
    notes = {"new": claim_text("New", "optimist", "supersedes:: [[old]]")}
    reasons_for = {"even": 1, "uneven": 2, "clear": 3, "old": 1}  # each claim has one against it
    for id, count in reasons_for.items():
        notes[id] = claim_text(id, "optimist")
        notes[f"{id}-con"] = evidence_text("Con", 0.8, f"contradicts:: [[{id}]]")
        for n in range(count):
            notes[f"{id}-pro{n}"] = evidence_text("Pro", 0.8, f"supports:: [[{id}]]")
    notes["objection"] = evidence_text("Objection", 0.4, "contradicts:: [[clear-con]]")
    context = builder_of(corpus_of_notes(**notes)).context
    tensions = context.standings.tensions
    assert tensions is not None
    assert {each.statement for each in tensions.conflicts} == {*reasons_for}
    assert context.standings.of("clear").sureness == "probably"
    assert most_disputed(context) == ["even", "uneven"]
    without_successor = builder_of(
        corpus_of_notes(**notes | {"new": claim_text("New", "optimist")})
    ).context
    assert most_disputed(without_successor) == ["even", "old", "uneven"]
