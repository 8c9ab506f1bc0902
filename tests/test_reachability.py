"""Which node leads to which, by networkx's word."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from kg.reachability import Reachability, walk_from
from tests.support.effort import examples

NODES = "abcdefgh"
EDGES = st.sets(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=16)


@given(EDGES, st.permutations(NODES))
@examples(75)
def test_what_leads_to_what_is_as_networkx_finds_it(
    edges: set[tuple[str, str]], order: list[str]
) -> None:
    graph = nx.DiGraph()
    graph.add_nodes_from(NODES)
    graph.add_edges_from(edges)
    starts = order[:5]
    ways = Reachability(starts, lambda node: set(graph.successors(node)))
    for start in starts:
        behind = set().union(
            *(nx.descendants(graph, one) | {one} for one in graph.successors(start))
        )
        assert {end for end in NODES if ways.leads(start, end)} == behind
    behind_starts = graph.subgraph(
        set(starts).union(*(nx.descendants(graph, one) for one in starts))
    )
    circles = {frozenset(each) for each in nx.strongly_connected_components(behind_starts)}
    assert {*ways.circles()} == {each for each in circles if len(each) > 1}


@given(EDGES, st.lists(st.sampled_from(NODES), max_size=3))
@examples(75)
def test_a_walk_names_each_node_once_the_nearest_first(
    edges: set[tuple[str, str]], starts: list[str]
) -> None:
    graph = nx.DiGraph()
    graph.add_nodes_from(NODES)
    graph.add_edges_from(edges)
    steps = nx.multi_source_dijkstra_path_length(graph, {*starts}) if starts else {}
    nodes = [*walk_from(starts, graph.successors)]
    assert len(nodes) == len({*nodes})
    assert {*nodes} == steps.keys()
    assert sorted(nodes, key=steps.__getitem__) == nodes
