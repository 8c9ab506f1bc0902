"""A query is answered by the triples that it can touch as by all of them.

Of `kg/rdf/shacl/triple_columns.py`, too.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from kg.rdf.shacl.node_text import RDF, XSD, as_term, from_columns
from kg.rdf.shacl.query_scope import LIST_PROPERTIES, TYPE, query_scope
from kg.rdf.shacl.triple_columns import TripleColumns
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
    "SELECT ?s { ?s ?p .5 }",
    "SELECT ?s { << ?s x:p ?o >> x:q ?v }",
    "SELECT ?s { ?s x:p ?o FILTER(?o<5).?s?p?v.FILTER(?o>1) }",
)
ANY_CLASS = (
    "SELECT ?s { ?s a ?c . ?s x:p ?o }",
    "SELECT ?s { ?s a/x:p ?o }",
    "SELECT ?s { ?s ^a ?o . ?s x:p ?u }",
    "SELECT ?s { ?s x:p/a x:C }",
    "SELECT ?s { ?s a x:C, ?c }",
    'SELECT ?s { ?s a "x" }',
    "SELECT ?s { ?s a (x:C) }",
    "SELECT ?s { ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ?o . ?s x:p ?u }",
)
RESOURCES = [C, D, "<urn:x:1>"]
VALUES = [*RESOURCES, '"x"', f'"0.5"^^<{XSD}decimal>', f"<{RDF}nil>"]
EVERY_ROW = [*product(RESOURCES, [P, Q, TYPE, *sorted(LIST_PROPERTIES)], VALUES)]
ROWS = st.lists(st.sampled_from(EVERY_ROW), max_size=40)

NAMES = st.sampled_from(["x:p", Q, "a", TYPE])
STEPS = NAMES | NAMES.map("^{}".format)
PREDICATES = st.one_of(
    NAMES,
    STEPS,
    st.builds("{}{}{}".format, STEPS, st.sampled_from("/|"), STEPS),
    st.builds("({})+".format, STEPS),
)
DOUBTFUL_PREDICATES = st.one_of(
    st.just("?p"),
    st.builds("{}{}".format, NAMES, st.sampled_from("*?")),
    st.builds("({}){}".format, STEPS, st.sampled_from("*?")),
    st.builds("!{}".format, STEPS),
    st.builds("!({}|{})".format, STEPS, STEPS),
)
OBJECTS = st.sampled_from(["?o", "?s", "?v", "x:C", '"x"', ".5", "()", "(x:C)", "[ a ?v ]"])
OBJECT_LISTS = OBJECTS | st.builds("{}, {}".format, OBJECTS, OBJECTS)
PREDICATES_WITH_OBJECTS = st.builds("{} {}".format, PREDICATES, OBJECT_LISTS)
TRIPLES = st.builds(
    "{} {} .".format,
    st.sampled_from(["?s", "?o", "x:C", "(x:C)", "[]"]),
    PREDICATES_WITH_OBJECTS
    | st.builds("{} ; {}".format, PREDICATES_WITH_OBJECTS, PREDICATES_WITH_OBJECTS),
)
KEYWORDS = st.sampled_from(["OPTIONAL", "MINUS", "FILTER EXISTS", "FILTER NOT EXISTS"])
PATTERNS = st.one_of(
    TRIPLES,
    st.builds("?s {} {} .".format, DOUBTFUL_PREDICATES, OBJECTS),
    st.builds("{} ?s x:p ?o ; {} {} .".format, TRIPLES, DOUBTFUL_PREDICATES, OBJECTS),
    st.builds("{} {}".format, TRIPLES, TRIPLES),
    st.builds("{{ {} }} UNION {{ {} }}".format, TRIPLES, TRIPLES),
    st.builds("{} {} {{ {} }}".format, TRIPLES, KEYWORDS, TRIPLES),
    st.builds("{{ SELECT ?s {{ {} }} }}".format, TRIPLES),
    st.builds("{} # PREFIX x: <urn:y:> ?s ?p ?o\n".format, TRIPLES),
    st.builds('{} FILTER(?s != "?s ?p ?o PREFIX x: <urn:y:>")'.format, TRIPLES),
    st.builds("{} FILTER(?s=?s||?o<5).?s?p?v.FILTER(1>0)".format, TRIPLES),
)


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
def test_a_query_that_may_touch_anything_is_recognised(query: str) -> None:
    assert query_scope(PREFIX + query) is None


@every_row("query", ANY_CLASS)
def test_a_query_that_may_ask_for_any_class_is_recognised(query: str) -> None:
    reach = query_scope(PREFIX + query)
    assert reach is not None
    assert TYPE in reach.properties
    assert reach.classes is None


@given(ROWS | st.just(EVERY_ROW), PATTERNS)
@examples(75)
def test_the_answer_is_that_of_the_whole_graph(
    rows: list[tuple[str, str, str]], pattern: str
) -> None:
    query = f"{PREFIX}SELECT * {{ {pattern} }}"
    assert _solutions(TripleColumns(rows).query(query)) == _solutions(_store_of(rows).query(query))


@given(ROWS, st.sampled_from([*NAMED, *(q for q in ANYTHING if "y:" not in q), *ANY_CLASS]))
@examples(50)
def test_each_form_of_query_and_each_column_has_all_triples(
    rows: list[tuple[str, str, str]], query: str
) -> None:
    graph = TripleColumns(rows)
    assert _rows(graph.query(PREFIX + query)) == _rows(_store_of(rows).query(PREFIX + query))
    for value in (C, D, '"x"'):
        result = graph.column(P, by_value=True).of(value)
        assert set(result) == {s for s, p, o in rows if (p, o) == (P, value)}
        assert graph.subjects_by_value.get(value, set()) == {s for s, _, o in rows if o == value}
    assert set(graph.of(C, P)) == {o for s, p, o in rows if (s, p) == (C, P)}


def test_blank_nodes_keep_their_names_in_an_answer() -> None:
    graph = TripleColumns([("_:a", P, "_:b"), (C, P, "_:b")])
    assert _rows(graph.query(PREFIX + "SELECT ?s { ?s x:p ?o }")) == {("_:a",), (C,)}


def _store_of(rows: list[tuple[str, str, str]]) -> ox.Store:
    store = ox.Store()
    store.bulk_extend(ox.Quad(*map(as_term, row)) for row in rows)
    return store


def _solutions(answer: Any) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(str, solution)) for solution in answer)


def _rows(answer: Any) -> set[tuple[str, ...]]:
    return set(zip(*from_columns(answer), strict=True))
