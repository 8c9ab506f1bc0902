"""What is worked out once for all lines is what each line would find alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kg.reasoning import gaps, reading_of
from kg.reasoning.losses.evidence_effects import (
    effective_backers,
    removal_effects,
    removal_effects_within,
)
from kg.reasoning.reading import Question, Reading
from kg.reasoning.solution import solution_of, solve
from tests.support.corpora import corpus_of_notes

CLAIM = """---
type: claim
---

# The title of {0}

> [!evidence] Something seen for {0} ^seen
> In one place. [@{1}] (method:: {2}) (reason:: so)

"""
LINE = "---\ntype: line\nproposition: {0}\n---\n\n# Is it so of {0}?\n"
BARE = "---\ntype: claim\n---\n\n# Bare\n\n- {0}:: [[a]] — so\n- {0}:: [[d]] — so\n"
NOTES = {
    "a": CLAIM.format("a", "one", "experiment") + "- contradicts:: [[b]] — so\n",
    "b": CLAIM.format("b", "two", "survey")
    + "- contradicts:: [[a]] — so\n- supports:: [[c]] — so\n",
    "c": CLAIM.format("c", "one", "review") + "- undercuts:: [[a#^seen]] — so\n",
    "d": CLAIM.format("d", "three", "anecdote") + "- supports:: [[b]] — so\n- supports:: [[e]]",
    "e": CLAIM.format("e", "two", "experiment") + "- supports:: [[d]] — so\n",
    "f": BARE.format("contradicts"),
    "g": BARE.format("supports"),
    "first": LINE.format("a"),
    "second": LINE.format("c"),
    "third": LINE.format("d"),
}


@pytest.fixture(scope="module")
def reading() -> Reading:
    return reading_of(corpus_of_notes(**NOTES))


def _questions(reading: Reading) -> list[Question]:
    return [reading.question(line) for line in reading.corpus.lines]


def test_a_part_is_solved_as_the_whole_is(reading: Reading) -> None:
    whole_solution = reading.solution
    assert solution_of.recall(reading.graph) is whole_solution
    for question in _questions(reading):
        solution_alone = solve(question.graph)
        assert np.allclose(question.solution.state, solution_alone.state, atol=1e-9)
        assert question.solution.residual <= 1e-10


def test_a_part_is_as_in_the_whole_to_the_last_digit_whoever_asks_first() -> None:
    reading = reading_of(corpus_of_notes(**NOTES))
    whole_solution = reading.solution
    for question in _questions(reading):
        recall = solution_of.recall(question.graph)
        assert recall is not None
        assert recall.strength.tolist() == whole_solution.strength[question.numbers].tolist()


def test_evidence_is_taken_away_once_for_all(reading: Reading) -> None:
    questions = _questions(reading)
    for question, effects in zip(questions, removal_effects_within(questions), strict=True):
        alone = removal_effects(question)
        assert effects.nodes.tolist() == alone.nodes.tolist()
        assert np.allclose(effects.strengths_added, alone.strengths_added, atol=1e-8)


def test_what_backs_a_claim_is_the_same_for_all_and_for_one(reading: Reading) -> None:
    whole = effective_backers(reading.corpus_question)
    assert whole is not None
    for question in _questions(reading):
        alone, claims = effective_backers(question), question.claim_nodes
        assert alone is not None
        assert np.allclose(whole[question.numbers][claims], alone[claims], atol=1e-8)


def test_gaps_of_all_are_those_of_each_line(reading: Reading) -> None:
    whole = {gap.statement: gap for gap in gaps(reading).gaps}
    by_line = [gap for line in reading.corpus.lines for gap in gaps(reading, line).gaps]
    assert by_line
    for id in {gap.statement for gap in by_line}:
        maximum = max(abs(gap.gain) for gap in by_line if gap.statement == id)
        assert whole[id].line is not None
        assert abs(whole[id].gain) == pytest.approx(maximum, abs=1e-8)
    assert any(gap.line is not None for gap in whole.values())
    for gap in whole.values():
        if gap.line is not None:
            assert any(gap.gain == pytest.approx(g.gain) for g in by_line if g.line == gap.line)
    assert {gap.statement for gap in by_line} <= set(whole)


def test_within_a_small_budget_lines_are_asked_alone(reading: Reading) -> None:
    tight = reading.settings.model_copy(update={"budget": 1})
    small = replace(reading, settings=tight)
    assert {g.statement for g in gaps(small).gaps} <= {g.statement for g in gaps(reading).gaps}
    questions = _questions(small)
    for question, effects in zip(questions, removal_effects_within(questions), strict=True):
        assert effects.nodes.tolist() == removal_effects(question).nodes.tolist()
