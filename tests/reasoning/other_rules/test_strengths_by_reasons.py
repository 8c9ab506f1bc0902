"""Strengths by reasons: without reasons the base, and the same whether from near or anew.

Of `kg/reasoning/other_rules/counted_reasons.py` and `kg/reasoning/other_rules/equilibrium.py`,
too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.other_rules.strengths_by_reasons import solve_by_reasons
from tests.support.effort import examples
from tests.support.reasoning_graph import GraphSpec, graph_of, specs

RULES = st.sampled_from(["logistic", "qe", "dfquad", "euler", "eulertop", "hcat"])


def settings_of(semantics: str) -> Reasoning:
    return Reasoning(transfer="earned", semantics=semantics)


@examples(10)
@given(RULES, st.sampled_from([0.2, 0.5, 0.9]))
def test_without_reasons_a_statement_stands_at_its_base(semantics: str, base: float) -> None:
    graph = graph_of({"a": base, "b": 0.5}, [], settings=settings_of(semantics))
    assert solve_by_reasons(graph, None, None).state[0] == pytest.approx(base)


@examples(15)
@given(specs(), RULES, st.sampled_from([0.5, 0.9]))
def test_from_near_comes_out_what_comes_out_anew(
    spec: GraphSpec, semantics: str, factor: float
) -> None:
    graph = replace(spec, settings=settings_of(semantics)).graph()
    known = solve_by_reasons(graph, None, None)
    columns = Scenarios(1, arc_weight=graph.arc_weight[:, None] * factor)
    anew = solve_by_reasons(graph, columns, None)
    near = solve_by_reasons(graph, columns, known.state)
    assume(known.converged and anew.converged and near.converged)
    assert np.asarray(near.state) == pytest.approx(np.asarray(anew.state), abs=1e-4)
