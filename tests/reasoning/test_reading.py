"""A corpus read as a graph, once for the same settings."""

from __future__ import annotations

import math

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, solution
from tests.support.corpus_parts import claim, corpus_of_parts, edge, evidence, line


def test_a_reading_is_reused_under_the_same_settings() -> None:
    notes = corpus_of_parts(claim("p"))
    assert reading_of(notes) is reading_of(notes)
    assert reading_of(notes, Reasoning(gain=0.5)) is not reading_of(notes)


def test_questions_take_their_strengths_from_the_whole_once_it_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    circle = [edge("p supports q"), edge("q supports p"), edge("e supports p")]
    corpus = corpus_of_parts(claim("p"), claim("q"), evidence("e", quality=0.7), *circle)
    reading = reading_of(corpus, Reasoning(semantics="qe"))
    reading.solve_whole(["dfquad"])
    monkeypatch.delattr(solution, "solve")
    question, whole = reading.question("p"), reading.corpus_question
    assert question.solution.strength_of("p") == whole.solution.strength_of("p")
    by_dfquad = [each.solution_under(semantics="dfquad") for each in (question, whole)]
    assert by_dfquad[0].strength_of("p") == by_dfquad[1].strength_of("p")


def test_a_line_without_a_proposition_has_no_strength_and_all_evidence() -> None:
    parts = line("open"), claim("p"), evidence("e", quality=0.7), evidence("last", quality=0.9)
    question = reading_of(corpus_of_parts(*parts)).question("open")
    assert math.isnan(question.strength_or_nan)
    assert [question.graph.ids[node] for node in question.evidence] == ["e", "last"]
    with pytest.raises(IndexError):
        question.strengths[question.node]
