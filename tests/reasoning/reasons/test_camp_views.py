"""Who argues for what, also where a loop leaves open how the answer follows from its evidence."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import case, reading_of, verdict
from kg.reasoning.answers.case import Case
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reading import Reading
from kg.reasoning.reasons.camp_views import camps_of
from kg.reasoning.reasons.shares import slopes_of
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, line

RULES = Reasoning(semantics="dfquad", repeat=0.5, transfer="earned")


def clash() -> Reading:
    """Two claims, as well supported, that contradict each other: under DF-QuAD each takes from the
    other just what it gains, so that a push goes round without end.
    """
    parts = (
        line("l", "a", {"optimist": ["a", "ea"], "skeptic": ["b"]}),
        *(claim(name) for name in ("a", "b")),
        evidence("ea", ["x"], quality=0.6),
        evidence("eb", ["y"], quality=0.6),
        "ea supports a",
        "eb supports b",
        "a contradicts b",
        "b contradicts a",
    )
    return reading_of(corpus_of_parts(*parts), RULES)


def test_a_camp_without_evidence_argues_for_what_its_statements_would_support() -> None:
    places = line("l", "a", {"optimist": ["b"], "skeptic": ["c"]})
    bare = corpus_of_parts(places, *map(claim, "abc"), "b supports a", "c contradicts a")
    camps = camps_of(reading_of(bare, Reasoning(transfer="earned")).question("l"))
    assert dict(camps.side_of_camp) == {"optimist": 1, "skeptic": -1}


@pytest.mark.usefixtures("few_rounds")
def test_where_a_loop_has_no_slopes_camps_argue_for_what_their_reasons_say() -> None:
    reading = clash()
    question = reading.question("l")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(slopes_of(question)).any()
    assert not np.isnan(question.strengths).any()
    assert dict(camps_of(question).side_of_camp) == {"optimist": 1, "skeptic": -1}


@pytest.mark.usefixtures("few_rounds")
def test_where_a_loop_has_no_slopes_there_is_a_verdict_and_a_case() -> None:
    reading = clash()
    answer, of_camp = verdict(reading, "l"), case(reading, "l", "skeptic")
    assert isinstance(answer, Verdict)
    assert [view.side for view in answer.camps] == [1, -1]
    assert isinstance(of_camp, Case)
    assert "“Claim b”" in of_camp.sentence
