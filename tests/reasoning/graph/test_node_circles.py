"""Where circles are."""

from __future__ import annotations

from kg.reasoning.graph.node_circles import NO_CIRCLE, circle_of_nodes
from tests.support.graphs import graph_of


def test_nodes_that_lead_to_themselves_are_in_circles() -> None:
    arcs = [("a", "b", 1.0), ("b", "a", 1.0), ("b", "c", 1.0), ("d", "a", 1.0), ("c", "c", 1.0)]
    circle = circle_of_nodes(graph_of(dict.fromkeys("abcd", 0.5), arcs))
    assert circle[0] == circle[1] != circle[2]
    assert (circle != NO_CIRCLE).tolist() == [True, True, True, False]


def test_what_undercuts_a_reason_for_itself_is_in_a_circle_with_the_gate() -> None:
    graph = graph_of({"p": 0.5, "e": 0.9}, [("e", "p", 1.0)], cuts=[("p", 0, 1.0)])
    assert (circle_of_nodes(graph) != NO_CIRCLE).tolist() == [True, False, True]


def test_an_arc_of_weight_0_closes_no_circle() -> None:
    graph = graph_of(dict.fromkeys("ab", 0.5), [("a", "b", 1.0), ("b", "a", 0.0)])
    assert (circle_of_nodes(graph) == NO_CIRCLE).all()
