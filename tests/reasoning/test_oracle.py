"""Agreement with an independent program: formal-argumentation, on small graphs."""

from __future__ import annotations

import numpy as np
import pytest
from argumentation.core.dung import (
    ArgumentationFramework,
    complete_extensions,
    grounded_extension,
    preferred_extensions,
    stable_extensions,
)
from argumentation.gradual.dfquad import dfquad_strengths
from argumentation.gradual.gradual import WeightedBipolarGraph, quadratic_energy_strengths
from hypothesis import given
from hypothesis import strategies as st

from kg.model.config import Reasoning
from kg.reasoning.answers.positions import labellings
from kg.reasoning.other_rules.dung_labelling import IN, framework_of, grounded_labelling
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.reasoning_graph import graph_of

quick = examples(20, derandomize=True)
PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12, unique=True)


def names(members: object) -> frozenset[str]:
    return frozenset(str(i) for i in members)  # type: ignore[attr-defined]


@quick
@given(st.integers(1, 6), PAIRS)
def test_dung_extensions(size: int, pairs: list[tuple[int, int]]) -> None:
    pairs = [(a, b) for a, b in pairs if a < size and b < size]
    theirs = ArgumentationFramework(
        arguments=names(range(size)), defeats=frozenset((str(a), str(b)) for a, b in pairs)
    )
    graph = graph_of(
        {str(i): 0.5 for i in range(size)}, [(str(a), str(b), -1.0) for a, b in pairs], claims=[]
    )
    ours = framework_of(graph)
    assert names(np.flatnonzero(grounded_labelling(ours) == IN)) == grounded_extension(theirs)
    for semantics, expected in (
        ("complete", complete_extensions(theirs)),
        ("preferred", preferred_extensions(theirs)),
        ("stable", stable_extensions(theirs)),
    ):
        found, whole = labellings(ours, semantics)  # type: ignore[arg-type]
        assert whole
        assert {names(i for i, x in enumerate(label) if x == IN) for label in found} == set(
            expected
        )


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


@examples(8, derandomize=True)
@given(acyclic())
def test_quadratic_energy(case: tuple[dict[str, float], list[tuple[str, str, float]]]) -> None:
    base, arcs = case
    graph = graph_of(base, arcs, claims=[], settings=Reasoning(semantics="qe"))
    found, theirs = solve(graph), quadratic_energy_strengths(bipolar(base, arcs)).strengths
    for name in base:
        assert found.strength_of(name) == pytest.approx(theirs[name], abs=1e-7)


@quick
@given(acyclic())
def test_dfquad(case: tuple[dict[str, float], list[tuple[str, str, float]]]) -> None:
    base, arcs = case
    graph = graph_of(base, arcs, claims=[], settings=Reasoning(semantics="dfquad"))
    found, theirs = solve(graph), dfquad_strengths(bipolar(base, arcs)).strengths
    for name in base:
        assert found.strength_of(name) == pytest.approx(theirs[name], abs=1e-12)
