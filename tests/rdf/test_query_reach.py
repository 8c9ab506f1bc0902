"""A query is answered by the triples that it can touch as by all of them."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from kg.rdf.shacl.node_text import as_term, from_columns
from kg.rdf.shacl.triple_columns import TYPE, TripleColumns, query_scope
from tests.support.effort import examples
from tests.support.every_row import every_row

P, Q, C, D = "<urn:x:p>", "<urn:x:q>", "<urn:x:C>", "<urn:x:D>"
PREFIX = "PREFIX x: <urn:x:>\n"
NAMED = {
    "SELECT ?s { ?s x:p ?o }": ({P}, set()),
    "SELECT ?s { ?s <urn:x:p>/x:q ?o . ?o x:p x:C }": ({P, Q}, set()),
    "SELECT ?s { ?s a x:C ; x:q ?o FILTER NOT EXISTS { ?s x:p x:D } }": ({P, Q, TYPE}, {C}),
    'SELECT ?s { ?s x:p "x:q" . # x:q\n}': ({P}, set()),
    "SELECT DISTINCT ?s WHERE { VALUES (?s) { (x:C) } ?s x:p+ ?o }": ({P}, set()),
}
ANYTHING = (
    "SELECT ?s { ?s ?p ?o }",
    "SELECT ?s { ?s x:p ?o ; ?p x:C }",
    "SELECT ?s { [ ?p ?s ] x:q ?o }",
    "SELECT ?s { ?s x:p* ?o }",
    "SELECT ?s { ?s (x:p|x:q)? ?o }",
    "SELECT ?s { ?s !x:p ?o }",
    "SELECT ?s { ?s !(x:p|x:q) ?o }",
    "SELECT ?s { ?s !a ?o }",
    "SELECT ?s { ?s y:p ?o }",
    "SELECT ?s { GRAPH ?g { ?s x:p ?o } }",
)
ANY_CLASS = (
    "SELECT ?s { ?s a ?c . ?s x:p ?o }",
    "SELECT ?s { ?s a/x:p ?o }",
    "SELECT ?s { ?s ^a ?o . ?s x:p ?u }",
    "SELECT ?s { ?s x:p/a x:C }",
    "SELECT ?s { ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ?o . ?s x:p ?u }",
)
RESOURCES = st.sampled_from([C, D, "<urn:x:1>", "<urn:x:2>"])
VALUES = RESOURCES | st.just('"x"')
ROWS = st.lists(st.tuples(RESOURCES, st.sampled_from([P, Q, TYPE]), VALUES))


@every_row("query", NAMED)
def test_names_tell_what_a_query_touches(query: str) -> None:
    properties, classes = NAMED[query]
    reach = query_scope(PREFIX + query)
    assert reach is not None
    assert reach.properties >= properties
    assert reach.properties.isdisjoint({P, Q, TYPE} - properties)
    assert reach.classes is not None
    assert reach.classes >= classes


@every_row("query", ANYTHING)
def test_what_may_touch_anything_is_told(query: str) -> None:
    assert query_scope(PREFIX + query) is None


@every_row("query", ANY_CLASS)
def test_what_may_ask_for_any_class_is_told(query: str) -> None:
    reach = query_scope(PREFIX + query)
    assert reach is not None
    assert TYPE in reach.properties
    assert reach.classes is None


@given(ROWS, st.sampled_from([*NAMED, *(q for q in ANYTHING if "y:" not in q), *ANY_CLASS]))
@examples(50)
def test_the_answer_is_that_of_all_triples(rows: list[tuple[str, str, str]], query: str) -> None:
    graph = TripleColumns(rows)
    whole = ox.Store()
    whole.bulk_extend(ox.Quad(*map(as_term, row)) for row in rows)
    assert _rows(graph.query(PREFIX + query)) == _rows(whole.query(PREFIX + query))
    for value in (C, D, '"x"'):
        result = graph.column(P, by_value=True).of(value)
        assert set(result) == {s for s, p, o in rows if (p, o) == (P, value)}
        assert graph.subjects_by_value().get(value, set()) == {s for s, _, o in rows if o == value}
    assert set(graph.of(C, P)) == {o for s, p, o in rows if (s, p) == (C, P)}


def test_blank_nodes_keep_their_names_in_an_answer() -> None:
    graph = TripleColumns([("_:a", P, "_:b"), (C, P, "_:b")])
    assert _rows(graph.query(PREFIX + "SELECT ?s { ?s x:p ?o }")) == {("_:a",), (C,)}


def _rows(answer: Any) -> set[tuple[str, ...]]:
    return set(zip(*from_columns(answer), strict=True))
