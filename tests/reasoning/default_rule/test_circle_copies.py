"""Copies of a circle are the same however many are followed at once; too many are cut short.

Of `kg/reasoning/default_rule/unfolded_circles.py`, too.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from kg.reasoning.default_rule import circle_copies
from kg.reasoning.default_rule.unfolded_circles import UnfoldedGraph, unfold_circles
from kg.reasoning.graph.graph import Graph
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.graphs import GraphSpec, graph_specs

RING_SIZE = 66
RING = [(f"n{i}", f"n{(i + 1) % RING_SIZE}", 1.0) for i in range(RING_SIZE)]


def everyone_bears_on_everyone(count: int) -> Graph:
    """Claims that all support each other, each with evidence of its own."""
    claims = [f"c{i}" for i in range(count)]
    studies = [f"e{i}" for i in range(count)]
    arcs = [(*pair, 1.0) for pair in permutations(claims, 2)]
    arcs += [(study, claim, 1.0) for study, claim in zip(studies, claims, strict=True)]
    base = dict.fromkeys(claims, 0.5) | dict.fromkeys(studies, 0.6)
    source_groups = {**dict.fromkeys(claims, ()), **{study: (study,) for study in studies}}
    return GraphSpec(base, tuple(arcs), tuple(claims), source_groups).graph()


def parts_of(graph: UnfoldedGraph) -> list[list[int]]:
    """Everything that an unfolded graph holds, as lists that can be compared."""
    return [
        getattr(graph, name).tolist()
        for name in ("origin", "arc_premise", "arc_target", "gate", "arc")
    ]


def unfolded_with(copies_at_once: int, spec: GraphSpec) -> list[list[int]]:
    """What is unfolded where circles of `RING_SIZE` members follow so many copies at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(circle_copies, "BITS_AT_ONCE", copies_at_once * RING_SIZE)
        return parts_of(unfold_circles(spec.graph()))


@examples(3, derandomize=True)
@given(graph_specs())
def test_how_many_are_followed_at_once_makes_no_difference(spec: GraphSpec) -> None:
    with pytest.MonkeyPatch.context() as patch:
        at_once = parts_of(unfold_circles(spec.graph()))
        patch.setattr(circle_copies, "BITS_AT_ONCE", 1)
        assert parts_of(unfold_circles(spec.graph())) == at_once


def test_more_at_once_than_a_number_has_bits_makes_no_difference() -> None:
    base = dict.fromkeys((f"n{i}" for i in range(RING_SIZE)), 0.6)
    spec = GraphSpec(base, tuple(RING), tuple(base), dict.fromkeys(base, ()))
    assert unfolded_with(70, spec) == unfolded_with(RING_SIZE**2, spec)


def test_a_long_ring_is_followed_to_its_end() -> None:
    base = dict.fromkeys((f"n{i}" for i in range(RING_SIZE)), 0.5) | {"study": 0.6}
    arcs = (*RING, ("study", "n0", 1.0))
    graph = GraphSpec(
        base, arcs, tuple(base)[:-1], {**dict.fromkeys(base, ()), "study": ("s",)}
    ).graph()
    circles = unfold_circles(graph)
    assert circles.depth is None
    strengths = solve(graph).state[:RING_SIZE]
    # what the one study says goes round whole, and not twice
    assert strengths == pytest.approx(np.full(RING_SIZE, 1 / (1 + np.exp(-0.6))))


def test_a_circle_too_large_is_followed_less_far_but_to_its_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = everyone_bears_on_everyone(5)
    assert unfold_circles(graph).depth is None
    whole_state = solve(graph).state
    monkeypatch.setattr(circle_copies, "MAX_COPIES", 0)
    cut = everyone_bears_on_everyone(5)
    circles = unfold_circles(cut)
    assert circles.depth == 1
    # from each of 5 claims a copy of each of 4 others, which hears its own study alone
    assert len(circles.origin) == cut.node_count + 20
    assert solve(cut).state == pytest.approx(whole_state)


def test_contexts_too_many_to_compare_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    # five claims, each a neighbour of four others: 20 copies, which hear three others each
    monkeypatch.setattr(circle_copies, "MAX_CONTEXTS_COMPARED", 59)
    cut = unfold_circles(everyone_bears_on_everyone(5))
    monkeypatch.setattr(circle_copies, "MAX_COPIES", 0)
    monkeypatch.setattr(circle_copies, "MAX_CONTEXTS_COMPARED", 60)
    assert (cut.depth, parts_of(cut)) == (
        1,
        parts_of(unfold_circles(everyone_bears_on_everyone(5))),
    )
    monkeypatch.setattr(circle_copies, "MAX_COPIES", 1000)
    assert unfold_circles(everyone_bears_on_everyone(5)).depth != 1


def test_contexts_of_many_members_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    # 60 contexts, as above, each of which says of five claims whether they may speak
    monkeypatch.setattr(circle_copies, "MAX_BITS_COMPARED", 60 * 5 - 1)
    assert unfold_circles(everyone_bears_on_everyone(5)).depth == 1
    monkeypatch.setattr(circle_copies, "MAX_BITS_COMPARED", 60 * 5)
    assert unfold_circles(everyone_bears_on_everyone(5)).depth != 1


def test_one_copy_more_than_there_may_be_is_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    full = len(unfold_circles(everyone_bears_on_everyone(5)).origin)
    size = everyone_bears_on_everyone(5).node_count
    monkeypatch.setattr(circle_copies, "MAX_COPIES", full - size)
    assert unfold_circles(everyone_bears_on_everyone(5)).depth is None
    monkeypatch.setattr(circle_copies, "MAX_COPIES", full - size - 1)
    assert unfold_circles(everyone_bears_on_everyone(5)).depth == 3
