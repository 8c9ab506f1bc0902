"""The ladder of evidence, every term shown."""

from __future__ import annotations

import pytest

from kg.model import Integrity, Method
from kg.model.config import Quality
from kg.reasoning import quality
from kg.reasoning.quality import grade
from tests.data.reasoning_corpus import claim, corpus, evidence, source

TABLE = Quality()


def test_terms_add_up_to_the_level_and_are_shown() -> None:
    found = grade(evidence("e", method=Method.BENCHMARK, sample=555, peer_reviewed=True), (), TABLE)
    assert sum(term.points for term in found.terms) / TABLE.top == pytest.approx(found.base)
    assert str(found) == "benchmark +2.50; n=555 +0.37; peer reviewed +0.25 ⇒ 0.62"


def test_what_is_not_recorded_is_listed_and_adds_nothing() -> None:
    found = grade(evidence("e"), (), TABLE)
    assert found.unknown == (
        "method",
        "sample",
        "replications",
        "failed_replications",
        "peer_reviewed",
        "preregistered",
    )
    assert found.base == pytest.approx(TABLE.unrecorded / TABLE.top)


def test_a_recorded_no_is_known_but_adds_nothing() -> None:
    found = grade(evidence("e", peer_reviewed=False, preregistered=False), (), TABLE)
    assert "peer_reviewed" not in found.unknown
    assert [term.field for term in found.terms] == ["method"]


def test_sources_say_whether_they_were_reviewed_where_the_note_does_not() -> None:
    found = grade(evidence("e", ["a"]), [source("a", peer_reviewed=True)], TABLE)
    assert [term.field for term in found.terms] == ["method", "peer_reviewed"]


def test_very_serious_concerns_weigh_double() -> None:
    item = evidence("e", method=Method.EXPERIMENT, concerns=("very serious: bias", "imprecision"))
    assert [term.points for term in grade(item, (), TABLE).terms] == [3.0, -0.5, -1.0]


def test_a_given_quality_overrides_and_is_marked() -> None:
    found = grade(evidence("e", method=Method.ANECDOTE, quality=1.0), (), TABLE)
    assert (found.base, found.given) == (0.99, True)


def test_retracted_sources_count_for_nothing() -> None:
    gone = source("a", integrity=Integrity.RETRACTED)
    alone = grade(evidence("e", ["a"], quality=0.8), [gone], TABLE)
    shared = grade(evidence("e", ["a", "b"], quality=0.8), [gone, source("b")], TABLE)
    assert (alone.base, alone.standing, alone.retracted) == (0.0, 0.8, ("a",))
    assert shared.base == pytest.approx(0.4)


def test_claims_start_from_one_half_unless_a_number_is_given() -> None:
    notes = corpus(claim("p"), claim("q", quality=0.7))
    assert quality(notes, "p").base == 0.5
    assert (quality(notes, "q").base, quality(notes, "q").given) == (0.7, True)
