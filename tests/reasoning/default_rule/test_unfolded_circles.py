"""What is taken over from circles unfolded before gives what unfolding them anew gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.default_rule.appended_nodes import AppendedNode, with_appended_nodes
from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.solution import reuse_outer_strengths, solve
from tests.support.effort import examples
from tests.support.graphs import GraphSpec, graph_specs, graph_with_loops

quick = examples(10, derandomize=True)


@quick
@given(graph_specs(), st.integers(0, 5))
def test_a_part_takes_over_what_the_whole_unfolded(spec: GraphSpec, which: int) -> None:
    whole_graph = graph_with_loops(spec)
    solve(whole_graph)
    part, numbers = whole_graph.restrict_to(whole_graph.ancestors(which % whole_graph.size))
    alone, _ = whole_graph.restrict_to(whole_graph.ancestors(which % whole_graph.size))
    reuse_outer_strengths(whole_graph, None, part, numbers)
    assert unfold_circles.recall(part) is not None
    assert solve(part).state == pytest.approx(solve(alone).state, abs=1e-12)


@quick
@given(
    graph_specs(), st.lists(st.integers(0, 5), min_size=1, max_size=3), st.sampled_from([-1.0, 1.0])
)
def test_studies_added_to_circles_bear_on_every_copy(
    spec: GraphSpec, targets: list[int], sign: float
) -> None:
    graph = graph_with_loops(spec)
    solve(graph)
    added = [AppendedNode(target % graph.size, sign, 0.7) for target in targets]
    quick_way = with_appended_nodes(graph, added)
    assert unfold_circles.recall(quick_way) is not None
    anew = with_appended_nodes(graph_with_loops(spec), added)
    assert unfold_circles.recall(anew) is None
    assert solve(quick_way).state == pytest.approx(solve(anew).state, abs=1e-12)
