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


def test_the_impact_of_a_source_is_what_its_retraction_changes() -> None:
    answer = impact(debate_corpus(), "c2022")
    assert [change.statement for change in answer.falls] == ["e3", "e4", "strips", "mimics"]
    assert [change.statement for change in answer.rises] == ["p", "grows"]
    assert [(turn.line, turn.turns) for turn in answer.verdicts] == [("talk", True)]
    assert answer.bereft == ("mimics",)
    assert answer.citing == ("e3", "e4")


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
    assert fallen.falls[1].before == pytest.approx(strength_of_nats(0.8))
    assert fallen.bereft == ("q",)
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
    assert {c.statement: c.after for c in answer.falls} == pytest.approx(
        {"q": strength_of_nats(0.8 - 1.0)}
    )
    assert "premise" not in {c.statement for c in answer.falls}


def test_impact_of_an_unknown_id_is_refused() -> None:
    with pytest.raises(UnknownId, match="source or statement"):
        impact(debate_corpus(), "nothing")
