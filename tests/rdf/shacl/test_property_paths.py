"""A path leads where Oxigraph says that it leads, whichever way one asks."""

from __future__ import annotations

from itertools import pairwise

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from kg.rdf.shacl.node_text import from_columns
from kg.rdf.shacl.property_paths import (
    AlternativePath,
    InversePath,
    Path,
    PredicatePath,
    RepeatedPath,
    SequencePath,
)
from kg.rdf.shacl.triple_columns import TripleColumns, triples_of
from tests.support.effort import examples

NODES = [f"<urn:{name}>" for name in "abcdef"]
NAMES = [f"<urn:{name}>" for name in "pq"]
ROWS = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(NAMES), st.sampled_from(NODES)), max_size=12
)


def grown(inner: st.SearchStrategy[Path]) -> st.SearchStrategy[Path]:
    parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        inner.map(InversePath),
        parts.map(SequencePath),
        parts.map(AlternativePath),
        st.builds(RepeatedPath, inner, st.sampled_from("*+?")),
    )


PATHS = st.recursive(st.sampled_from(NAMES).map(PredicatePath), grown, max_leaves=5)


@given(ROWS, PATHS)
@examples(40)
def test_a_path_leads_where_sparql_says(rows: list[tuple[str, str, str]], path: Path) -> None:
    known_rows = [
        (node, "<urn:known>", node) for node in NODES
    ]  # `*` begins at what is in the graph
    graph = TripleColumns([*rows, *known_rows])
    pairs = set()
    for node in NODES:
        answer = graph.query(f"SELECT ?o {{ {node} {path} ?o }}")
        pairs |= {(node, end) for end in next(from_columns(answer))}
    every = {(start, end) for start in NODES for end in NODES}
    for some in (set(NODES), set(NODES[:2]), set(NODES[3:4])):
        assert path.image(graph, some) == {end for start, end in pairs if start in some}
        back = {start for start, end in pairs if end in some}
        assert path.image(graph, some, back=True) == back
        assert path.nodes_without_values(graph, some) == some - {start for start, _ in pairs}
    for node in NODES:
        assert sorted(path.of(graph, node)) == sorted(end for start, end in pairs if start == node)
    having = path.nodes_with_values(graph)
    assert (set(NODES) if having is None else having) == {start for start, _ in pairs}
    assert path.linked_pairs(graph, every) == pairs


def test_a_long_way_is_followed_to_its_end() -> None:
    length = 3_000  # more than calls may nest
    row = [f"<urn:{number}>" for number in range(length)]
    graph = TripleColumns((one, NAMES[0], other) for one, other in pairwise(row))
    path = RepeatedPath(PredicatePath(NAMES[0]), "+")
    assert len(path.image(graph, {row[0]})) == length - 1
    assert path.linked_pairs(graph, [(row[0], row[-1]), (row[-1], row[0])]) == {(row[0], row[-1])}


def test_a_triple_said_in_two_graphs_is_one() -> None:
    a, p, b, c = (ox.NamedNode(f"urn:{name}") for name in "apbc")
    store = ox.Store()
    store.extend([ox.Quad(a, p, b, graph) for graph in (b, c)])
    graph = TripleColumns(triples_of(store))
    assert graph.of("<urn:a>", "<urn:p>") == ("<urn:b>",)
    assert list(graph.column("<urn:p>").rows()) == [("<urn:a>", "<urn:b>")]
    assert not graph.column("<urn:p>").several
