"""A source counts once, by its best voice; scenarios side by side are those one by one.

Of `kg/reasoning/default_rule/voice_pass.py`, too.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.default_rule.strengths_by_voices import (
    arc_shares_by_voices,
    slopes_by_voices,
    solve_by_voices,
)
from kg.reasoning.default_rule.voice_pass import VoicePass
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph.graph import Graph, Scenarios
from tests.support.effort import examples
from tests.support.graphs import GraphSpec, graph_of, graph_specs


def strength(graph: Graph, name: str) -> float:
    return float(solve_by_voices(graph, None).state[graph.number_of[name], 0])


def studies(count: int, source_groups: list[str]) -> Graph:
    """A claim with so many equal pieces of evidence, and the source of each."""
    base = {"q": 0.5, **{f"e{k}": 0.7 for k in range(count)}}
    arcs = [(f"e{k}", "q", 1.0) for k in range(count)]
    return graph_of(base, arcs, source_groups={f"e{k}": (source_groups[k],) for k in range(count)})


def test_a_joint_reason_is_as_weak_as_its_weakest_premise() -> None:
    base = {"q": 0.5, "strong": 0.9, "weak": 0.6, "nothing": 0.0}
    arcs = [("strong", "q", 1.0), ("weak", "q", 1.0)]
    joint = strength(graph_of(base, arcs, joint=[(0, 1)]), "q")
    assert joint == pytest.approx(strength(graph_of(base, arcs[1:]), "q"))
    arcs = [("strong", "q", 1.0), ("nothing", "q", 1.0)]
    assert strength(graph_of(base, arcs, joint=[(0, 1)]), "q") == pytest.approx(0.5)


@examples(15)
@given(graph_specs())
def test_shares_add_up_to_the_reasons_for_less_those_against(spec: GraphSpec) -> None:
    graph = spec.graph()
    solve, shares = solve_by_voices(graph, None), np.nan_to_num(arc_shares_by_voices(graph).ravel())
    inner = graph.arc_target < graph.size
    total = np.bincount(graph.arc_target[inner], shares[inner], graph.size)
    nats = (solve.pro - solve.con).ravel()
    assert total[graph.is_claim] == pytest.approx(nats[graph.is_claim], abs=1e-6)


@examples(15)
@given(graph_specs(), st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=2, max_size=4))
def test_scenarios_side_by_side_are_those_one_by_one(spec: GraphSpec, factors: list[float]) -> None:
    graph = spec.graph()
    weights = graph.arc_weight[:, None] * np.array(factors)
    together = solve_by_voices(graph, Scenarios(len(factors), arc_weight=weights)).state
    for column in range(len(factors)):
        state_alone = solve_by_voices(graph, Scenarios(1, arc_weight=weights[:, [column]])).state
        assert together[:, column] == pytest.approx(state_alone[:, 0])


@pytest.mark.parametrize("name", ["held", "base"])
def test_a_claim_raised_by_a_scenario_passes_on_its_strength(name: str) -> None:
    arcs = [("r", "q", 1.0), ("other", "q", 1.0)]
    graph = graph_of({"r": 0.5, "other": 0.5, "q": 0.5}, arcs, claims=["r", "other", "q"])
    value = np.array([[0.9], [0.5], [0.5]])
    scenarios = {
        "held": Scenarios(1, held=value > graph.base[:, None], held_value=value),
        "base": Scenarios(1, base=value),
    }[name]
    state = solve_by_voices(graph, scenarios).state
    assert state[graph.number_of["q"], 0] > 0.6


@examples(10)
@given(graph_specs())
def test_no_voice_counts_more_than_in_full(spec: GraphSpec) -> None:
    graph = spec.graph()
    run = VoicePass(graph, None, plan_voices(graph))
    for level in run.plan.levels:
        run.pass_level(level)
        part = np.asarray(run.heard_parts(level))
        assert ((part >= 0.0) & (part <= 1.0)).all()


def test_the_slope_of_a_claim_at_one_half_is_that_of_raising_it() -> None:
    def graph(step: float) -> Graph:
        base = {"r": 0.5 + step, "e": 0.6, "q": 0.5}
        return graph_of(base, [("r", "q", 1.0), ("e", "q", 1.0)], claims=["r", "q"])

    step = 1e-6
    rise = strength(graph(step), "q") - strength(graph(0.0), "q")
    slopes = slopes_by_voices(graph(0.0), 2)
    assert slopes[0] == pytest.approx(rise / step, abs=1e-4)
    assert slopes[0] > 0.1


@pytest.mark.parametrize("weight", [1.0, -1.0])
@pytest.mark.parametrize("bases", [(0.3, 0.6, 0.5), (0.8, 0.4, 0.2), (0.5, 0.9, 0.7)])
def test_slopes_are_those_of_what_is_weighed_anew(
    bases: tuple[float, float, float], weight: float
) -> None:
    """q hears the evidence e, and e is itself backed or contradicted by f."""

    def graph(moved_count: int = 0, method: float = 0.0) -> Graph:
        moved_bases = [base + method * (place == moved_count) for place, base in enumerate(bases)]
        base = dict(zip(("e", "f", "q"), moved_bases, strict=True))
        return graph_of(base, [("e", "q", 1.0), ("f", "e", weight)], claims=["q"])

    step = 1e-6
    slopes = slopes_by_voices(graph(), 2)
    for place in range(3):
        rise = strength(graph(place, step), "q") - strength(graph(place, -step), "q")
        assert slopes[place] == pytest.approx(rise / (2 * step), abs=1e-5)
