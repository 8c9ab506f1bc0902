"""Many changed graphs weighed at once: muted, or held at a strength."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.scenarios import keep_all_strengths, run_held, run_muted
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.graphs import GRADES, GraphSpec, graph_specs

quick = examples(8, derandomize=True)

CLOSE = 1e-8


@quick
@given(graph_specs(), st.lists(st.integers(0, 5), min_size=1, max_size=3))
def test_muting_a_node_gives_the_strengths_without_it(
    spec: GraphSpec, chosen_nodes: list[int]
) -> None:
    graph = spec.graph()
    groups = [np.array([k % graph.size]) for k in chosen_nodes]
    muted = run_muted(graph, groups)
    for column, group in enumerate(groups):
        lost_ids = {graph.ids[i] for i in group.tolist()}
        kept_arcs = [k for k, (a, b, _) in enumerate(spec.arcs) if not {a, b} & lost_ids]
        deleted = replace(
            spec,
            base={name: x for name, x in spec.base.items() if name not in lost_ids},
            arcs=tuple(spec.arcs[k] for k in kept_arcs),
            claims=tuple(name for name in spec.claims if name not in lost_ids),
            cuts=tuple(
                (a, kept_arcs.index(k), w)
                for a, k, w in spec.cuts
                if k in kept_arcs and a not in lost_ids
            ),
        )
        rest = solve(deleted.graph())
        for name in deleted.base:
            expected = rest.strength_of(name)
            assert muted[graph.number_of[name], column] == pytest.approx(expected, abs=CLOSE)


@quick
@given(graph_specs(), st.lists(st.tuples(st.integers(0, 5), GRADES), min_size=1, max_size=5))
def test_scenarios_solved_together_give_the_strengths_of_each_alone(
    spec: GraphSpec, chosen_nodes: list[tuple[int, float]]
) -> None:
    graph = spec.graph()
    nodes, values = [k % graph.size for k, _ in chosen_nodes], [x for _, x in chosen_nodes]
    together = run_held(graph, nodes, values)
    for column, (node, value) in enumerate(zip(nodes, values, strict=True)):
        alone = run_held(graph, [node], [value])[:, 0]
        assert np.allclose(together[:, column], alone, atol=CLOSE)
        assert together[node, column] == value


@quick
@given(graph_specs(), st.integers(0, 5))
def test_holding_a_statement_where_it_stands_changes_nothing(spec: GraphSpec, which: int) -> None:
    """In a circle others hear a statement without what they say about it themselves."""
    graph = spec.graph()
    if unfold_circles(graph).circles:
        graph = spec.under(transfer="earned").graph()
    strengths = solve(graph).strength
    node = which % graph.size
    held_strengths = run_held(graph, [node], [float(strengths[node])], keep_all_strengths)[:, 0]
    assert np.allclose(held_strengths, strengths, atol=1e-7)
