"""A plan for some statements finds what the plan of all finds of them.

Of `kg/reasoning/default_rule/voice_plan.py`, too.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.graphs import LOOP_ARCS, GraphSpec, graph_specs, graph_with_loops

quick = examples(10, derandomize=True)


@quick
@given(graph_specs(), st.integers(0, 5))
def test_a_plan_for_one_statement_finds_its_strength(spec: GraphSpec, which: int) -> None:
    graph = graph_with_loops(spec)
    node = which % graph.size
    w = graph.arc_weight[:, None] * np.array([1.0, 0.5, 0.0])
    changed = Scenarios(3, arc_weight=w)
    ends = np.array([node])
    assert solve(graph, changed, ends=ends).state[node] == pytest.approx(
        solve(graph, changed).state[node], abs=1e-12
    )


def test_a_plan_for_one_statement_leaves_copies_out() -> None:
    base = {f"n{i}": 0.6 for i in range(4)}
    arcs = (*LOOP_ARCS, ("n3", "n2", 1.0), ("n2", "n3", 0.3), ("n3", "n0", -0.6))
    graph = GraphSpec(base, arcs, tuple(base), dict.fromkeys(base, ())).graph()
    assert unfold_circles(graph).circles
    assert plan_voices(graph, ends=np.array([0])).size < plan_voices(graph).size


def test_a_plan_for_one_statement_takes_over_nothing_of_the_plan_of_all() -> None:
    base = {f"n{i}": 0.6 for i in range(4)}
    arcs = (*LOOP_ARCS, ("n3", "n2", 1.0))
    graph = GraphSpec(base, arcs, ("n0", "n1", "n2"), dict.fromkeys(base, ())).graph()
    late = next(arc for arc, row in enumerate(arcs) if row[:2] == ("n0", "n1"))
    w = graph.arc_weight[:, None] * np.where(np.arange(len(arcs)) == late, 0.5, 1.0)[:, None]
    changed, ends = Scenarios(1, arc_weight=w), np.array([1])
    solution = solve(graph, changed, ends=ends)
    assert solution.state[1] == pytest.approx(solve(graph, changed).state[1], abs=1e-12)
