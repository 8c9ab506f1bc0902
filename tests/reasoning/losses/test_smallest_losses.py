"""Which losses are tried, and that the smallest sets found are those that there are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of
from kg.reasoning.graph.arrays import Bools, Floats
from kg.reasoning.losses.smallest_losses import LossPool, _grow_set, smallest_sets
from kg.reasoning.losses.source_losses import (
    losses_by_source,
    losses_by_source_of_all_statements,
)
from kg.reasoning.reading import Question
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from tests.support.corpus_parts import corpus_of_direct_evidence
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand

WRITTEN = """claim q
claim c
evidence e .7 @s
evidence f .6 @s
evidence g .8 @t
evidence h .9 @u
evidence i .6 @v
e supports q
f supports c
c supports q
g supports q
h contradicts q
i supports q
"""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_shorthand(WRITTEN)


@pytest.fixture(scope="module")
def question(corpus: Corpus) -> Question:
    return reading_of(corpus).question("q")


def test_each_loss_is_the_answer_weighed_without_that_source(question: Question) -> None:
    losses = losses_by_source(question)
    assert losses.complete
    assert {*losses.source_groups} == {"@s", "@t", "@u", "@v"}
    for column, nodes in enumerate(losses.evidence):
        ids = [question.graph.ids[node] for node in nodes.tolist()]
        question_alone = with_muted_statements(question.reading, ids).question("q")
        assert losses.outcome[0, column] == pytest.approx(question_alone.strength_or_nan)
    everyone = losses_by_source_of_all_statements(question)
    assert everyone is not None
    assert everyone.strengths_of(np.array([question.node])) == pytest.approx(
        losses.strengths_of(np.array([question.node]))
    )


@every_row(("method", "bound"), [("evidence", 0.43), ("source", 0.3)])
def test_three_losses_reach_a_goal_that_no_two_do(
    question: Question, method: str, bound: float
) -> None:
    def falls_below(strengths: Floats) -> Bools:
        return strengths[0] < bound

    pool = LossPool(question, method, frozenset())
    assert pool.is_whole
    sets, is_exact = smallest_sets(pool, 3, falls_below)
    assert is_exact
    assert {len(each) for each in sets} == {3}
    assert falls_below(pool.outcomes_without(sets)).all()
    pairs = list(combinations(pool.candidates_to_try, 2))
    assert not falls_below(pool.outcomes_without(pairs)).any()


def test_a_protected_source_is_never_among_the_losses(question: Question) -> None:
    pool = LossPool(question, "source", frozenset({"@t"}))
    assert "@t" not in {name for name, _ in pool.members}


def test_where_not_all_can_be_tried_a_set_is_found_in_which_each_is_needed(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    def falls_below(strengths: Floats) -> Bools:
        return strengths[0] < 0.43

    for limit in (4, 9):  # of ten pairs
        monkeypatch.setattr(LossPool, "scenario_limit", limit)
        pool = LossPool(question, "evidence", frozenset())
        [smallest], is_exact = smallest_sets(pool, 3, falls_below)
        assert (len(smallest), is_exact) == (3, False)
        assert falls_below(pool.outcomes_without([smallest])).all()
        assert not falls_below(pool.outcomes_without(list(combinations(smallest, 2)))).any()


@every_row(("limit", "count"), [(2, 0), (3, 1)])
def test_no_set_of_losses_is_larger_than_the_limit(
    question: Question, limit: int, count: int
) -> None:
    def falls_below(strengths: Floats) -> Bools:
        return strengths[0] < 0.43

    pool = LossPool(question, "evidence", frozenset())
    (needed, *_), _ = smallest_sets(pool, 3, falls_below)
    sets = _grow_set(pool, [], [tuple(needed)], falls_below, limit)
    assert len(sets) == count


def test_over_budget_the_heaviest_losses_are_tried_alone() -> None:
    corpus = corpus_of_direct_evidence(**{f"p{k:02}": 0.1 + 0.02 * k for k in range(18)})
    short, enough = (
        LossPool(
            reading_of(corpus, Reasoning(budget=budget)).question("q"), "evidence", frozenset()
        )
        for budget in (1, 18 * 18)
    )
    assert (short.is_whole, enough.is_whole) == (False, True)
    assert short.names(short.candidates_to_try) == tuple(f"p{k:02}" for k in range(17, 1, -1))
    assert enough.names(enough.candidates_to_try) == tuple(f"p{k:02}" for k in range(18))


def test_an_answer_is_turned_on_the_other_side_and_undone_wherever_it_is_not_on_its_own(
    question: Question,
) -> None:
    pool = LossPool(question, "source", frozenset())
    outcomes = np.array([[0.9, 0.5, 0.1], [2.0, 1.0, 0.0], [0.0, 1.0, 2.0]])
    assert pool.side == 1
    assert pool.is_turned(outcomes).tolist() == [False, False, True]
    assert pool.has_left_side(outcomes).tolist() == [False, True, True]
