"""Loops come to rest, also where plain iteration does not; and what has no rest has no number.

Of `kg/reasoning/other_rules/strengths_by_reasons.py`, too.
"""

from __future__ import annotations

from itertools import permutations
from math import exp
from typing import Any, Literal

import numpy as np
import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.other_rules.strengths_by_reasons import slopes_by_reasons
from kg.reasoning.solution import certify, solve
from tests.support.graphs import graph_of

NAMES = [f"n{i}" for i in range(12)]


def clique(size: int, base: float, **settings: Any) -> Graph:
    names = NAMES[:size]
    arcs = [(a, b, -1.0) for a, b in permutations(names, 2)]
    return graph_of(
        dict.fromkeys(names, base),
        arcs,
        claims=[],
        settings=Reasoning(transfer="earned", **settings),
    )


def test_twelve_attackers_that_oscillate_settle_in_smaller_steps() -> None:
    graph = clique(12, 0.5, loops="sum")
    state = graph.base.copy()
    for _ in range(500):
        state = 1.0 / (1.0 + np.exp(state.sum() - state))
    again = 1.0 / (1.0 + np.exp(state.sum() - state))
    assert abs(again - state).max() > 0.4, "plain iteration should oscillate here"
    solution = solve(graph)
    assert solution.has_converged
    assert solution.strength_of("n0") == pytest.approx(0.154513, abs=1e-6)


@pytest.mark.usefixtures("few_rounds")
def test_what_does_not_settle_is_reported_and_is_no_number() -> None:
    # Three that attack each other in turn circle for ever once the gain is high: the state in the
    # middle, all equal, is unstable from a slope of 2 on, and log-odds of 6.2 with a gain of 12 put
    # it where the slope is largest. A base that differs a little keeps the start off that state.
    ring = [("a", "b", -1.0), ("b", "c", -1.0), ("c", "a", -1.0), ("a", "q", 1.0)]
    base = 1.0 / (1.0 + exp(-6.2))
    settings = Reasoning(loops="sum", transfer="earned").model_copy(update={"gain": 12.0})
    graph = graph_of(
        {"a": base, "b": base - 0.001, "c": base, "q": 0.5, "other": 0.3},
        ring,
        claims=[],
        settings=settings,
    )
    solution = solve(graph)
    assert not solution.has_converged
    assert [solution.strength_of(name) for name in ("a", "b", "c", "q")] == [None] * 4
    assert solution.strength_of("other") == 0.3
    assert certify(graph, solution).name == "none"
    assert not certify(graph, solution).converged


def test_two_blocs_stay_close_under_cautious_loops() -> None:
    def blocs(loops: Literal["cautious", "sum"]) -> tuple[float, float]:
        left, right = NAMES[:3], NAMES[3:6]
        arcs = [(a, b, -1.0) for a in left for b in right] + [
            (b, a, -1.0) for a in left for b in right
        ]
        base = {**dict.fromkeys(left, 0.71), **dict.fromkeys(right, 0.70)}
        settings = Reasoning(loops=loops, transfer="earned")
        solution = solve(graph_of(base, arcs, claims=NAMES, settings=settings))
        return float(solution.strength[0]), float(solution.strength[3])

    assert blocs("cautious") == pytest.approx((0.653, 0.632), abs=1e-3)
    assert blocs("sum") == pytest.approx((0.71, 0.40), abs=1e-2)


@pytest.mark.usefixtures("few_rounds")
def test_slopes_of_what_settles_are_numbers_beside_a_circle_that_does_not() -> None:
    ring = [("a", "b", -1.0), ("b", "c", -1.0), ("c", "a", -1.0)]
    base = 1.0 / (1.0 + exp(-6.2))
    settings = Reasoning(loops="sum", transfer="earned").model_copy(update={"gain": 12.0})
    graph = graph_of(
        {"a": base, "b": base - 0.001, "c": base, "e": 0.3, "q": 0.5},
        [*ring, ("e", "q", 0.1)],
        claims=[],
        cuts=[("a", 2, 0.01)],
        settings=settings,
    )
    state = solve(graph).state
    assert np.isnan(slopes_by_reasons(graph, state, graph.number_of["a"])).all()
    slopes = slopes_by_reasons(graph, state, graph.number_of["q"])
    assert slopes[:3].tolist() == [0.0] * 3
    assert slopes[3] == pytest.approx(1.2 * 0.589 * 0.411, abs=1e-3)


@pytest.mark.usefixtures("few_rounds")
def test_scenarios_beside_a_column_that_does_not_settle_keep_their_numbers() -> None:
    ring = [("a", "b", -1.0), ("b", "c", -1.0), ("c", "a", -1.0)]
    base = 1.0 / (1.0 + exp(-6.2))
    settings = Reasoning(loops="sum", transfer="earned").model_copy(update={"gain": 12.0})
    graph = graph_of({"a": base, "b": base - 0.001, "c": base}, ring, claims=[], settings=settings)
    bases = np.array([[base, 0.01], [base - 0.001, 0.5], [base, 0.5]])
    strength = solve(graph, Scenarios(2, base=bases)).strength
    assert np.isnan(strength[:, 0]).all()
    assert not np.isnan(strength[:, 1]).any()


def test_scenarios_that_settle_slowly_do_not_bear_on_each_other() -> None:
    arcs = [("e", "a", 1.0), ("f", "b", 1.0), ("a", "b", -1.0), ("b", "a", -1.0)]
    base = {"e": 0.6, "f": 0.6, "a": 0.5, "b": 0.5}
    graph = graph_of(base, arcs, settings=Reasoning(semantics="dfquad", transfer="earned"))
    bases = np.array([[0.6, 0.6, 0.3], [0.6, 0.599, 0.301], [0.5] * 3, [0.5] * 3])
    both = solve(graph, Scenarios(3, base=bases)).strength
    assert not np.isnan(both).any()
    for column in range(3):
        strength_alone = solve(graph, Scenarios(1, base=bases[:, [column]])).strength
        assert both[:, column].tolist() == strength_alone[:, 0].tolist()
