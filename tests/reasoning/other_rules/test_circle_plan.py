"""Where loops are, and in which order all is solved."""

from __future__ import annotations

from kg.reasoning.other_rules.circle_plan import plan_circles
from tests.support.reasoning_graph import graph_of


def test_loops_are_parts_and_levels_follow_them() -> None:
    arcs = [("a", "b", 1.0), ("b", "a", 1.0), ("b", "c", 1.0), ("d", "a", 1.0)]
    plan = plan_circles(graph_of(dict.fromkeys("abcd", 0.5), arcs))
    assert plan.has_circles
    assert plan.circle_of[0] == plan.circle_of[1] >= 0
    assert (plan.circle_of[[2, 3]] == -1).all()
    assert plan.level[3] < plan.level[0] == plan.level[1] < plan.level[2]
