"""Strengths of two semantics are those of an independent program: formal-argumentation."""

from __future__ import annotations

import numpy as np
import pytest
from argumentation.gradual.dfquad import dfquad_strengths
from argumentation.gradual.gradual import WeightedBipolarGraph, quadratic_energy_strengths
from hypothesis import given
from hypothesis import strategies as st

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.other_rules.semantics import DFQUAD, HCAT, SEMANTICS, Semantics
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

quick = examples(10, derandomize=True)


@st.composite
def acyclic(draw: st.DrawFn) -> tuple[dict[str, float], list[tuple[str, str, float]]]:
    size = draw(st.integers(2, 5))
    base = {str(i): draw(st.floats(0.05, 0.95)) for i in range(size)}
    place = st.integers(0, size - 1)
    pairs = draw(
        st.lists(st.tuples(place, place), max_size=7, unique_by=lambda p: tuple(sorted(p)))
    )
    arcs = [
        (str(min(pair)), str(max(pair)), draw(st.sampled_from([1.0, -1.0])))
        for pair in pairs
        if pair[0] != pair[1]
    ]
    return base, arcs


def bipolar(base: dict[str, float], arcs: list[tuple[str, str, float]]) -> WeightedBipolarGraph:
    return WeightedBipolarGraph(
        arguments=frozenset(base),
        initial_weights=base,
        attacks=frozenset((a, b) for a, b, w in arcs if w < 0.0),
        supports=frozenset((a, b) for a, b, w in arcs if w > 0.0),
    )


@every_row("rule", SEMANTICS.values())
def test_slopes_are_those_of_the_strength(rule: Semantics) -> None:
    query = [-0.8, -0.3] if rule is HCAT else [-0.8, -0.3, 0.4, 0.9]  # HCAT knows attacks alone
    bases, totals = (each.ravel() for each in np.meshgrid([0.2, 0.5, 0.7], query))
    step = 1e-7
    by_total = rule.influence(bases, totals + step) - rule.influence(bases, totals - step)
    for rises in (True, False):
        slope = rule.slope(bases, totals, np.full(len(bases), rises))
        assert slope == pytest.approx(by_total / (2 * step), abs=1e-7)
    by_base = rule.influence(bases + step, totals) - rule.influence(bases - step, totals)
    assert rule.base_slope(bases, totals) == pytest.approx(by_base / (2 * step), abs=1e-7)


def test_where_reasons_balance_each_side_has_its_own_slope() -> None:
    base, total = np.array([0.8, 0.8]), np.zeros(2)
    assert DFQUAD.slope(base, total, np.array([True, False])) == pytest.approx([0.2, 0.8])


@examples(4, derandomize=True)
@given(acyclic())
def test_quadratic_energy_agrees_with_another_library(
    case: tuple[dict[str, float], list[tuple[str, str, float]]],
) -> None:
    base, arcs = case
    graph = graph_of(base, arcs, claims=[], settings=Reasoning(semantics="qe"))
    solution, theirs = solve(graph), quadratic_energy_strengths(bipolar(base, arcs)).strengths
    for name in base:
        assert solution.strength_of(name) == pytest.approx(theirs[name], abs=1e-7)


@quick
@given(acyclic())
def test_dfquad_agrees_with_another_library(
    case: tuple[dict[str, float], list[tuple[str, str, float]]],
) -> None:
    base, arcs = case
    graph = graph_of(base, arcs, claims=[], settings=Reasoning(semantics="dfquad"))
    solution, theirs = solve(graph), dfquad_strengths(bipolar(base, arcs)).strengths
    for name in base:
        assert solution.strength_of(name) == pytest.approx(theirs[name], abs=1e-12)
