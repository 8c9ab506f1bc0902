"""What a graph tells of its arcs, and what is left of it in a part."""

from __future__ import annotations

import numpy as np
import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import (
    NOT_JOINT,
    Graph,
    mark_reached_by_support,
    number_source_groups,
)
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

BASE = {"e": 0.8, "f": 0.6, "p": 0.5, "q": 0.5, "apart": 0.5}
ARCS = [("e", "p", 1.0), ("p", "q", 0.6), ("f", "q", -1.0), ("f", "p", 0.0)]
CUTS = [("f", 1, 0.3)]  # f undercuts that p supports q
CLAIMS = ("p", "q", "apart")


@pytest.fixture
def graph() -> Graph:
    return graph_of(BASE, ARCS, claims=CLAIMS, cuts=CUTS)


def names(graph: Graph, mask: np.ndarray) -> list[str]:
    return [graph.ids[node] for node in np.flatnonzero(mask[: graph.size])]


def test_gates_are_numbered_after_the_statements(graph: Graph) -> None:
    assert (graph.size, graph.node_count, graph.open_gate) == (5, 6, 6)
    assert graph.gate.tolist() == [6, 5, 6, 6, 6]
    assert graph.arc_target.tolist() == [2, 3, 3, 2, 5]


def test_the_arrays_of_a_graph_are_read_only(graph: Graph) -> None:
    with pytest.raises(ValueError, match="read-only"):
        graph.base[0] = 1.0


def test_arcs_that_bear_on_a_node_and_leave_it_are_found(graph: Graph) -> None:
    number = graph.number_of
    assert sorted(graph.arcs_bearing_on(number["p"])) == [0, 3]
    assert sorted(graph.arcs_bearing_on(number["q"])) == [1, 2]
    assert list(graph.arcs_bearing_on(5)) == [4]
    # neither an arc without weight nor one to a gate bears on a statement
    assert list(graph.out_of(number["f"])) == [2]


def test_ancestors_are_found_through_arcs_and_their_gates(graph: Graph) -> None:
    number = graph.number_of
    assert names(graph, graph.ancestors(number["q"])) == ["e", "f", "p", "q"]
    assert graph.ancestors(number["q"])[5:].tolist() == [True, False]
    gated = graph_of(BASE, ARCS[:2], claims=CLAIMS, cuts=CUTS)
    assert names(gated, gated.ancestors(number["q"])) == ["e", "f", "p", "q"]
    assert names(gated, gated.ancestors(number["p"])) == ["e", "p"]


@every_row("size", [0, 90])
def test_a_part_keeps_the_arcs_whose_ends_it_keeps(size: int) -> None:
    others = {f"other{n}": 0.5 for n in range(size)}
    graph = graph_of(others | BASE, ARCS, claims=CLAIMS, cuts=CUTS, source_groups={"p": ["x", "y"]})
    keep = np.zeros(graph.node_count + 1, dtype=bool)
    keep[[graph.number_of[name] for name in ("e", "p", "q")]] = True
    part, old = graph.restrict_to(keep)
    assert part.ids == ("e", "p", "q")
    assert part.number_of == {"e": 0, "p": 1, "q": 2}
    assert [graph.ids[number] for number in old] == ["e", "p", "q"]
    assert (part.edge_of_arc, part.arc_weight.tolist()) == (("0", "1"), [1.0, 0.6])
    assert (part.arc_premise.tolist(), part.arc_target.tolist()) == ([0, 1], [1, 2])
    assert part.gate.tolist() == [part.open_gate] * 2, "it is undercut no longer"
    assert part.source_group_start.tolist() == [0, 1, 3, 4]
    assert part.source_group_fraction.tolist() == [1.0, 0.5, 0.5, 1.0]
    keep[graph.size] = True
    part, old = graph.restrict_to(keep)
    assert part.gate.tolist() == [4, 3]
    assert old[-1] == graph.size


def test_premises_that_count_together_go_together() -> None:
    arcs = [("e", "p", 1.0), ("f", "p", 1.0), ("apart", "p", 0.5)]
    graph = graph_of(BASE, arcs, joint=[(0, 1)])
    assert graph.has_joint_premises
    assert graph.with_joint_partners(np.array([True, False, False])).tolist() == [True, True, False]
    assert graph.with_joint_partners(np.array([False, False, True])).tolist() == [
        *(False, False, True)
    ]
    keep = np.array([name != "f" for name in BASE] + [False])
    part, _ = graph.restrict_to(keep)
    assert part.edge_of_arc == ("2",)
    assert part.joint.tolist() == [NOT_JOINT]
    assert not part.has_joint_premises
    assert graph.with_values(arc_weight=np.array([0.0, 1.0, 0.5])).arc_weight.tolist() == [
        0.0,
        0.0,
        0.5,
    ]


def test_other_weights_need_other_plans_and_other_bases_do_not(graph: Graph) -> None:
    assert graph.with_values(base=graph.base * 0.5).plans is graph.plans
    assert graph.with_values(arc_weight=graph.arc_weight * 0.5).plans is not graph.plans
    settings = Reasoning(gain=0.5)
    other = graph.with_values(settings=settings)
    assert (other.settings, graph.with_values().settings) == (settings, graph.settings)
    assert other.base is graph.base


def test_a_claim_passes_on_what_it_earned_above_its_start() -> None:
    earned, plain = (
        graph_of(BASE, ARCS, claims=CLAIMS, settings=Reasoning(transfer=transfer))  # type: ignore[arg-type]
        for transfer in ("earned", "plain")
    )
    assert earned.passing_threshold.tolist() == [0.0, 0.0, 0.5, 0.5, 0.5]
    assert plain.passing_threshold.tolist() == [0.0] * 5
    slope, offset = earned.transfer
    # of e and of p: all of it, and twice what is above one half
    assert (slope[:2].tolist(), offset[:2].tolist()) == ([1.0, 2.0], [0.0, -1.0])


def test_ids_that_share_a_number_are_listed_together(graph: Graph) -> None:
    assert graph.ids_of == tuple((name,) for name in BASE)


def test_arcs_of_one_source_to_one_target_are_marked() -> None:
    source_groups = {"e": ["x"], "f": ["y", "x"], "p": ["y"]}
    arcs = [("e", "q", 1.0), ("f", "q", 1.0), ("p", "apart", 1.0), ("f", "p", 1.0)]
    assert graph_of(BASE, arcs, source_groups=source_groups).shared.tolist() == [
        True,
        True,
        False,
        False,
    ]


def test_sources_are_numbered_as_they_come_and_parts_add_up() -> None:
    start, group, part = number_source_groups([{"x": 1.0, "y": 3.0}, {}, {"y": 2.0}, {"z": 0.0}])
    assert start.tolist() == [0, 2, 3, 4, 5]
    assert group.tolist() == [0, 1, 2, 1, 3]
    assert part.tolist() == [0.25, 0.75, 1.0, 1.0, 0.0]


def test_support_reaches_through_supports_alone(graph: Graph) -> None:
    reached_nodes = mark_reached_by_support(graph, graph.base)
    assert names(graph, reached_nodes) == ["e", "f", "p", "q"]
    none = mark_reached_by_support(graph, np.where(graph.is_claim, 0.5, 0.0))
    assert names(graph, none) == []
    denied = graph_of(BASE, [("e", "p", -1.0), ("p", "q", 1.0)], claims=CLAIMS)
    assert names(denied, mark_reached_by_support(denied, denied.base)) == ["e", "f"]
