"""The parts that reasons have in a strength: by slopes, by fair shares, by removal."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.reasons.shares import (
    arc_shares,
    arc_shares_unless_undercut,
    gradient,
    removal_effect_of,
    sample_shapley_values,
    shapley_values,
)
from kg.reasoning.scenarios import run_muted
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.graphs import SEMANTICS, GraphSpec, graph_of, graph_specs

quick = examples(8, derandomize=True)
CLOSE = 1e-8


@quick
@given(graph_specs())
def test_shares_add_up_to_the_change_in_log_odds(spec: GraphSpec) -> None:
    graph = spec.graph()
    solution = solve(graph)
    shares = arc_shares(graph, solution.state)
    assert shares.shape == graph.arc_weight.shape
    assert (arc_shares(graph, solution.state[:, None]) == shares[:, None]).all()
    for node in range(graph.size):
        s, base = float(solution.strength[node]), float(graph.base[node])
        moved = log(s / (1.0 - s)) - log(base / (1.0 - base))
        assert shares[graph.arc_target == node].sum() == pytest.approx(moved, abs=1e-7)


@every_row("settings", [Reasoning(), Reasoning(transfer="earned")])
def test_an_undercut_reason_would_add_more_if_nothing_undercut_it(settings: Reasoning) -> None:
    arcs = [("a", "q", 1.0), ("b", "q", 1.0)]
    base = {"a": 0.6, "b": 0.7, "c": 0.8, "d": 0.5, "q": 0.5}
    graph = graph_of(base, arcs, claims="q", cuts=[("c", 0, 0.9), ("d", 0, 0.9)], settings=settings)
    unless_undercut = arc_shares_unless_undercut(graph)
    assert unless_undercut[0] == pytest.approx(settings.gain * 0.6)
    assert np.isnan(unless_undercut[1:]).all()
    assert arc_shares(graph, solve(graph).state)[0] < unless_undercut[0] / 2.0
    assert np.isnan(arc_shares_unless_undercut(graph_of(base, arcs, settings=settings))).all()


@quick
@given(
    graph_specs(),
    st.sampled_from(SEMANTICS),
    st.sampled_from(["cautious", "sum"]),
    st.integers(0, 2**31),
)
def test_gradient_is_the_finite_difference(
    spec: GraphSpec, semantics: str, loops: str, seed: int
) -> None:
    graph = spec.under(semantics=semantics, loops=loops, gain=0.8, transfer="earned").graph()
    shaken = np.random.default_rng(seed).uniform(
        -0.04, 0.04, (2, len(graph.arc_weight) + graph.size)
    )
    graph = graph.with_values(
        base=graph.base + shaken[0, : graph.size],
        arc_weight=graph.arc_weight * (1.0 + shaken[1, : len(graph.arc_weight)]),
    )
    step, size = 1e-5, graph.size
    bases = np.repeat(graph.base[:, None], 2 * size, axis=1)
    bases[np.arange(size), np.arange(size)] += step
    bases[np.arange(size), size + np.arange(size)] -= step
    solved = solve(graph)
    moved_strength = solve(graph, Scenarios(2 * size, base=bases)).strength
    zero = graph.passing_threshold
    if (np.abs(solved.strength - zero)[zero > 0.0] < 1e-3).any():
        return  # at the level where a claim begins to count the derivative is one-sided
    for node in range(size):
        expected = (moved_strength[node, :size] - moved_strength[node, size:]) / (2.0 * step)
        assert np.allclose(gradient(graph, solved, node), expected, atol=2e-4)


@quick
@given(graph_specs(), st.integers(0, 2**31))
def test_gradient_along_routes_is_the_finite_difference(spec: GraphSpec, seed: int) -> None:
    graph = spec.graph()
    shaken = np.random.default_rng(seed).uniform(
        -0.04, 0.04, (2, len(graph.arc_weight) + graph.size)
    )
    graph = graph.with_values(
        base=graph.base + shaken[0, : graph.size],
        arc_weight=graph.arc_weight * (1.0 + shaken[1, : len(graph.arc_weight)]),
    )
    step, size = 1e-6, graph.size
    base = np.repeat(graph.base[:, None], 2 * size, axis=1)
    base[np.arange(size), np.arange(size)] += step
    base[np.arange(size), size + np.arange(size)] -= step
    solved, moved_strength = solve(graph), solve(graph, Scenarios(2 * size, base=base)).strength
    strength_here = solved.strength[:, None]
    up, down = moved_strength[:, :size] - strength_here, strength_here - moved_strength[:, size:]
    for node in range(size):
        smooth = np.abs(up[node] - down[node]) < 1e-4 * step  # not where one route gives way
        slopes = gradient(graph, solved, node)
        assert np.allclose(slopes[smooth], up[node][smooth] / step, atol=2e-4)
    assert smooth.any()


@quick
@given(graph_specs(max_size=5), st.integers(0, 4))
def test_shapley_values_add_up(spec: GraphSpec, which: int) -> None:
    graph = spec.graph()
    node = which % graph.size
    players = np.array([i for i in range(graph.size) if i != node])
    fair = shapley_values(graph, node, players)
    alone = run_muted(graph, [players])[node, 0]
    assert fair.sum() == pytest.approx(float(solve(graph).strength[node] - alone), abs=1e-7)


def test_sampled_shapley_values_add_up_and_lie_near_the_exact_ones() -> None:
    base = {"q": 0.5, "c": 0.5, **{f"e{k}": 0.1 + 0.1 * k for k in range(7)}}
    arcs = [(f"e{k}", "qc"[k % 2], (-1.0) ** (k // 3)) for k in range(7)]
    graph = graph_of(base, [*arcs, ("c", "q", 1.0)])
    players = np.arange(2, 9)
    exact = shapley_values(graph, 0, players)
    sampled, error = sample_shapley_values(graph, 0, players, 200, seed=3)
    assert sampled.sum() == pytest.approx(exact.sum(), abs=1e-12)
    assert (np.abs(sampled - exact) <= 4.0 * error + 1e-9).all()
    assert error.max() < 0.01
    again, _ = sample_shapley_values(graph, 0, players, 200, seed=3)
    assert (again == sampled).all()


def test_shapley_refuses_what_it_cannot_do_exactly() -> None:
    base = {f"n{i}": 0.5 for i in range(16)}
    with pytest.raises(ValueError, match="15 players"):
        shapley_values(graph_of(base, []), 0, np.arange(1, 16))


def test_removal_of_an_only_reason_is_all_it_gave() -> None:
    graph = graph_of({"q": 0.5, "e": 0.8}, [("e", "q", 1.0)])
    solution = solve(graph)
    removal_effect = removal_effect_of(graph, solution, 0, [1])
    assert removal_effect[0] == pytest.approx(1.0 / (1.0 + exp(-0.8)) - 0.5)
