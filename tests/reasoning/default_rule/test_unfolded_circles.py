"""What is taken over from circles unfolded before gives what unfolding them anew gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph import Graph, Scenarios
from kg.reasoning.imagined_study import PlacedStudy, with_studies
from kg.reasoning.solution import reuse_outer_strengths, solve
from tests.support.effort import examples
from tests.support.reasoning_graph import Spec, specs

quick = examples(20, derandomize=True)
LOOP = [("n0", "n1", 1.0), ("n1", "n2", 0.6), ("n2", "n0", -0.6), ("n2", "n1", 0.3)]


def looped(spec: Spec) -> Graph:
    """The graph of a spec whose first three statements stand in circles, if it has so many."""
    arcs = [row for row in LOOP if {*row[:2]} <= {*spec.base}]
    return Spec(spec.base, (*spec.arcs, *arcs), spec.claims, spec.units, spec.cuts).graph()


@quick
@given(specs(), st.integers(0, 5))
def test_a_plan_for_one_statement_finds_its_strength(spec: Spec, which: int) -> None:
    graph = looped(spec)
    node = which % graph.size
    w = graph.w[:, None] * np.array([1.0, 0.5, 0.0])
    changed = Scenarios(3, w=w)
    ends = np.array([node])
    assert solve(graph, changed, ends=ends).state[node] == pytest.approx(
        solve(graph, changed).state[node], abs=1e-12
    )


def test_a_plan_for_one_statement_leaves_copies_out() -> None:
    base = {f"n{i}": 0.6 for i in range(4)}
    arcs = (*LOOP, ("n3", "n2", 1.0), ("n2", "n3", 0.3), ("n3", "n0", -0.6))
    graph = Spec(base, arcs, tuple(base), dict.fromkeys(base, ())).graph()
    assert unfold_circles(graph).circles
    assert plan_voices(graph, ends=np.array([0])).size < plan_voices(graph).size


def test_a_plan_for_one_statement_takes_over_nothing_of_the_plan_of_all() -> None:
    base = {f"n{i}": 0.6 for i in range(4)}
    arcs = (*LOOP, ("n3", "n2", 1.0))
    graph = Spec(base, arcs, ("n0", "n1", "n2"), dict.fromkeys(base, ())).graph()
    late = next(arc for arc, row in enumerate(arcs) if row[:2] == ("n0", "n1"))
    w = graph.w[:, None] * np.where(np.arange(len(arcs)) == late, 0.5, 1.0)[:, None]
    changed, ends = Scenarios(1, w=w), np.array([1])
    found = solve(graph, changed, near=solve(graph), ends=ends)
    assert found.state[1] == pytest.approx(solve(graph, changed).state[1], abs=1e-12)


@quick
@given(specs(), st.integers(0, 5))
def test_a_part_takes_over_what_the_whole_unfolded(spec: Spec, which: int) -> None:
    whole = looped(spec)
    solve(whole)
    part, numbers = whole.subgraph(whole.ancestors(which % whole.size))
    alone, _ = whole.subgraph(whole.ancestors(which % whole.size))
    reuse_outer_strengths(whole, part, numbers)
    assert part.plans.unfolded is not None
    assert solve(part).state == pytest.approx(solve(alone).state, abs=1e-12)


@quick
@given(specs(), st.lists(st.integers(0, 5), min_size=1, max_size=3), st.sampled_from([-1.0, 1.0]))
def test_studies_added_to_circles_bear_on_every_copy(
    spec: Spec, targets: list[int], sign: float
) -> None:
    graph = looped(spec)
    solve(graph)
    added = [PlacedStudy(target % graph.size, sign, 0.7) for target in targets]
    quick_way = with_studies(graph, added)
    assert quick_way.plans.unfolded is not None
    graph.plans.unfolded = None
    anew = with_studies(graph, added)
    assert anew.plans.unfolded is None
    assert solve(quick_way).state == pytest.approx(solve(anew).state, abs=1e-12)
