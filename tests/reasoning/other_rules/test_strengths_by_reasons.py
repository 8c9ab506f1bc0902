"""Strengths by reasons: without reasons the base, and otherwise what all reasons lead to.

Of `kg/reasoning/other_rules/counted_reasons.py` and
`kg/reasoning/other_rules/reasons_by_target.py`, too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.other_rules.counted_reasons import (
    counted_reasons,
    join_reasons,
    strengths_in_response,
)
from kg.reasoning.other_rules.reasons_by_target import reasons_by_target
from kg.reasoning.other_rules.strengths_by_reasons import slopes_by_reasons, solve_by_reasons
from tests.support.effort import examples
from tests.support.graphs import GRADES, GraphSpec, graph_of, graph_specs

RULES = st.sampled_from(["logistic", "qe", "dfquad", "euler", "eulertop", "hcat"])
LOOPS = st.sampled_from(["cautious", "sum"])


def settings_of(semantics: str) -> Reasoning:
    return Reasoning(transfer="earned", semantics=semantics)


@examples(10)
@given(RULES, st.sampled_from([0.2, 0.5, 0.9]))
def test_without_reasons_a_statement_stands_at_its_base(semantics: str, base: float) -> None:
    graph = graph_of({"a": base, "b": 0.5}, [], settings=settings_of(semantics))
    assert solve_by_reasons(graph, None)[0][0] == pytest.approx(base)


@examples(15)
@given(graph_specs(max_size=8), RULES, LOOPS)
def test_strengths_do_not_change_when_all_reasons_are_applied_once_more(
    spec: GraphSpec, semantics: str, loops: str
) -> None:
    graph = spec.under(transfer="earned", semantics=semantics, loops=loops).graph()
    state, _ = solve_by_reasons(graph, None)
    assume(not np.isnan(state).any())
    base = np.concatenate([graph.base, np.ones(graph.gate_count + 1)])
    reasons = reasons_by_target(graph)
    sides = join_reasons(graph, reasons, counted_reasons(graph, reasons, state))
    response = strengths_in_response(graph, reasons, sides, base)
    assert response == pytest.approx(state[reasons.targets], abs=1e-9)


@examples(15)
@given(graph_specs(max_size=7), RULES, LOOPS, st.integers(0, 6), GRADES)
def test_a_scenario_comes_out_as_a_graph_with_its_numbers(
    spec: GraphSpec, semantics: str, loops: str, which: int, number: float
) -> None:
    graph = spec.under(transfer="earned", semantics=semantics, loops=loops).graph()
    base = np.repeat(graph.base[:, None], 2, axis=1)
    base[which % graph.size, 0] = number
    weights = np.stack([graph.arc_weight, graph.arc_weight * number], axis=1)
    strengths, _ = solve_by_reasons(graph, Scenarios(2, base=base, arc_weight=weights))
    for column in range(2):
        changed = graph.with_values(base=base[:, column], arc_weight=weights[:, column])
        alone, _ = solve_by_reasons(changed, None)
        assert strengths[:, column] == pytest.approx(alone, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("semantics", ["logistic", "qe", "dfquad"])
@pytest.mark.parametrize("part_left", [0.0, 0.4])
def test_parts_of_sources_are_those_of_each_graph_and_scenario(
    semantics: str, part_left: float
) -> None:
    """Graphs that differ in them alone share what was found about the order of their reasons."""
    base = {"e": 0.6, "f": 0.9, "q": 0.5}
    arcs = [("e", "q", -1.0), ("f", "q", -1.0)]
    source_groups = {"e": "x", "f": "x"}
    graph = graph_of(
        base, arcs, claims="q", source_groups=source_groups, settings=settings_of(semantics)
    )
    parts = graph.source_group_fraction.copy()
    parts[graph.source_group_start[1]] = part_left
    changed = graph.with_values(source_group_fraction=parts)
    alone, _ = solve_by_reasons(changed, None)
    whole, _ = solve_by_reasons(graph, None)
    assert abs(alone[2] - whole[2]) > 0.01  # f rests in part on another source: e is heard, too
    together, _ = solve_by_reasons(graph, Scenarios(1, source_group_fraction=parts[:, None]))
    assert together[:, 0] == pytest.approx(alone, abs=1e-8)
    new_order = changed.with_values(arc_weight=graph.arc_weight)
    assert solve_by_reasons(new_order, None)[0] == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize(
    ("after", "fall"),
    [
        (0.2, 0.75),
        (0.4, 0.5),  # its base, which retractions halved
        (0.8, 0.0),
        (0.9, 0.0),  # a premise that rose is no reason for what depends on it
    ],
)
def test_a_premise_falls_from_its_base_before_retractions(after: float, fall: float) -> None:
    base = {"premise": 0.4, "q": 0.5}
    graph = replace(
        graph_of(base, [("premise", "q", -0.6)], settings=settings_of("logistic")),
        base_unretracted=np.array([0.8, 0.5]),
        fallen=np.array([True]),
    )
    added = counted_reasons(graph, reasons_by_target(graph), np.array([after, 0.5, 1.0]))
    assert added == pytest.approx([-0.6 * fall])


def test_a_slope_is_that_of_the_side_to_which_a_reason_moves() -> None:
    # the claim that objects passes nothing on yet; more of it can only take from .8
    graph = graph_of(
        {"e": 0.8, "c": 0.5}, [("c", "e", -1.0)], claims="c", settings=settings_of("dfquad")
    )
    state, _ = solve_by_reasons(graph, None)
    assert slopes_by_reasons(graph, state, 0) == pytest.approx([1.0, -2 * 0.8])
