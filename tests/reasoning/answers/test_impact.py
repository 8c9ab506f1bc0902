"""What falls if sources or statements fall."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus, UnknownId
from kg.model import Integrity
from kg.reasoning import impact
from tests.support.corpus_parts import (
    claim,
    corpus_of_parts,
    debate_corpus,
    evidence,
    source,
    strength_of_nats,
)
from tests.support.every_row import every_row


def test_the_impact_of_a_source_is_what_its_retraction_changes() -> None:
    answer = impact(debate_corpus(), "c2022")
    assert [change.statement for change in answer.falls] == ["e3", "e4", "strips", "mimics"]
    assert [change.statement for change in answer.rises] == ["p", "grows"]
    assert [(turn.line, turn.turns) for turn in answer.verdicts] == [("talk", True)]
    assert answer.bereft == ("mimics",)
    assert answer.citing == ("e3", "e4")
    assert answer.sentence == (
        "If c2022 falls, 4 statements would be weaker, 1 answer would turn, "
        "and 1 claim would lose the last support."
    )


def test_a_set_of_sources_may_fall_together() -> None:
    answer = impact(debate_corpus(), ["@c2022", "a2020"])
    assert set(answer.bereft) == {"mimics", "strips", "grows"}


def test_works_that_share_their_data_fall_alone_or_all() -> None:
    notes = corpus_of_parts(
        *(source(key, independence=("data:x",)) for key in "xy"),
        *(claim("q"), evidence("e", ["x"]), evidence("f", ["y"]), "e supports q", "f supports q"),
    )
    assert impact(notes, "x").sentence.startswith("If x alone (of the works that share its")
    assert impact(notes, ["x", "y"]).sentence.startswith("If x and y fall, ")


def test_the_impact_of_a_retracted_source_is_what_its_retraction_changed() -> None:
    def notes(integrity: Integrity) -> Corpus:
        return corpus_of_parts(
            claim("q"),
            evidence("e", ["x"], quality=0.8),
            source("x", integrity=integrity),
            "e supports q",
        )

    fallen, standing = impact(notes(Integrity.RETRACTED), "x"), impact(notes(Integrity.OK), "x")
    assert (fallen.already, standing.already) == (("x",), ())
    assert fallen.falls == standing.falls
    assert fallen.falls[1].strength_before == pytest.approx(strength_of_nats(0.8))
    assert fallen.bereft == ("q",)
    assert fallen.sentence == (
        "x has fallen already, being retracted: 2 statements are weaker for it, "
        "no answer has changed, and 1 claim has lost the last support."
    )
    for answer, title in ((fallen, "weaker than they would be if it stood"), (standing, "falls")):
        assert f"\n{title}\n" in str(answer)
    assert ("claims that lost" in str(fallen), "claims that lose" in str(standing)) == (True, True)
    both = impact(notes(Integrity.RETRACTED), ["x", "q"]).sentence
    assert "(x already did, being retracted), 1 statement would be weaker than if x stood" in both


def test_a_retracted_source_on_which_nothing_rests_takes_nothing() -> None:
    answer = impact(corpus_of_parts(claim("q"), source("x", integrity=Integrity.RETRACTED)), "x")
    assert answer.sentence == (
        "x has fallen already, being retracted; nothing else is weaker for it."
    )


def test_a_statement_that_falls_takes_what_depends_on_it() -> None:
    notes = corpus_of_parts(
        claim("q"),
        claim("premise"),
        evidence("e", quality=0.8),
        "e supports q",
        "q depends-on premise",
    )
    answer = impact(notes, "premise")
    assert {c.statement: c.strength_after for c in answer.falls} == pytest.approx(
        {"q": strength_of_nats(0.8 - 1.0)}
    )
    assert "premise" not in {c.statement for c in answer.falls}


@every_row(
    ("fallen", "statements"),
    [([], "nothing falls"), (["bare"], "bare is false"), (["bare", "p"], "bare and p are false")],
)
def test_what_takes_nothing_with_it_is_said_to(fallen: list[str], statements: str) -> None:
    assert impact(debate_corpus(), fallen).sentence == f"Nothing else weakens if {statements}."


@every_row(("fallen", "at_most"), [("c2022", False), ("strips", True)])
def test_trials_are_made_of_what_is_left_without_a_source_but_not_without_a_statement(
    fallen: str, at_most: bool
) -> None:
    (turn,) = impact(debate_corpus(), fallen).verdicts
    assert (turn.sureness_after, turn.at_most) == ("probably" if at_most else "perhaps", at_most)


def test_impact_of_an_unknown_id_is_refused() -> None:
    with pytest.raises(UnknownId, match="source or statement"):
        impact(debate_corpus(), "nothing")
    with pytest.raises(TypeError, match="takes an id, or several"):
        impact(debate_corpus(), 5)
