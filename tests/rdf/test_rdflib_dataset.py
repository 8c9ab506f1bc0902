"""The corpus through rdflib's interface."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import rdflib
from hypothesis import given
from rdflib import DCTERMS, RDF, BNode, Dataset, Literal, URIRef

from kg.corpus import Corpus
from kg.rdf.ontology import KG as NAMESPACE
from kg.rdf.quads import as_quads
from kg.rdf.query_bindings import BadBinding
from kg.rdf.rdflib_dataset import NotRdf, as_rdflib_dataset, triples_of_graph
from tests.support.corpora import HOSTILE, corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.plain_rdflib_graph import as_rdflib_graph

KG = rdflib.Namespace(NAMESPACE)
BASE = "https://example.org/inquiry-lines/"


def _two() -> Corpus:
    return corpus_of_notes(
        a="---\ntype: claim\n---\n# A title\n",
        b="---\ntype: evidence\n---\n# B title\n\n- supports:: [[a]] — seen ^why\n",
    )


def test_plain_triples_stand_beside_reified_edges() -> None:
    view = as_rdflib_dataset(_two())
    a, b, edge = (
        URIRef(BASE + "statements/a"),
        URIRef(BASE + "statements/b"),
        URIRef(BASE + "edges/b#why"),
    )
    assert (b, KG.supports, a) in view
    assert (edge, KG.origin, b) in view
    assert view.value(edge, KG.target) == a
    assert view.value(edge, KG.relation) == KG.supports
    assert view.value(edge, KG.reason) == Literal("seen")
    assert view.value(edge, KG.atLine) == Literal(6)


def test_each_note_has_its_own_graph() -> None:
    view = as_rdflib_dataset(_two())
    assert len(view.graph(URIRef(BASE + "notes/a.md"))) < len(view)
    assert (URIRef(BASE + "statements/a"), RDF.type, KG.Claim) in view.graph(
        URIRef(BASE + "notes/a.md")
    )
    assert (None, RDF.type, KG.Claim) not in view.graph(URIRef(BASE + "notes/b.md"))


def test_strings_compare_equal_to_rdflibs_own() -> None:
    view = as_rdflib_dataset(_two())
    assert view.value(URIRef(BASE + "statements/a"), DCTERMS.title) == Literal("A title")
    (row,) = view.query("SELECT ?t { ?s a kg:Claim ; dcterms:title ?t }")
    assert row.t == Literal("A title")
    rows = view.query(
        "CONSTRUCT { ?s dcterms:title ?t } WHERE { ?s a kg:Claim ; dcterms:title ?t }"
    )
    assert (None, DCTERMS.title, Literal("A title")) in rows.graph


def test_bindings_need_not_be_projected() -> None:
    rows = as_rdflib_dataset(_two()).query(
        "SELECT ?s { ?s dcterms:title ?t }", initBindings={"t": Literal("B title")}
    )
    assert [str(row.s) for row in rows] == [BASE + "statements/b"]


def test_a_variable_is_bound_to_whatever_may_be_one() -> None:
    dataset = as_rdflib_dataset(_two())
    nodes = Literal("B title"), URIRef(BASE + "statements/b"), Literal("B", lang="en"), Literal(7)
    for value in nodes:
        text = "SELECT ?same { BIND(?given AS ?same) }"
        (row,) = dataset.query(text, initBindings={"given": value})
        assert row.same == value
    with pytest.raises(BadBinding, match="only IRIs and literals"):
        dataset.query("SELECT ?s { ?s a ?t }", initBindings={"t": BNode()})


def test_from_narrows_to_the_graph_it_names() -> None:
    view = as_rdflib_dataset(_two())
    every = "SELECT ?s { ?s a kg:Statement }"
    assert len(list(view.query(every))) == 2
    one = f"SELECT ?s FROM <{BASE}notes/a.md> {{ ?s a kg:Statement }}"
    assert [str(row.s) for row in view.query(one)] == [BASE + "statements/a"]


def test_truth_is_not_a_count_and_an_empty_corpus_still_has_a_name() -> None:
    assert as_rdflib_dataset(_two())
    assert as_rdflib_dataset(corpus_of_notes())


@every_row(
    "change",
    [
        lambda view: view.add((KG.a, KG.b, KG.c)),
        lambda view: view.remove((None, None, None)),
        lambda view: view.update("CLEAR ALL"),
        lambda view: view.parse(data="<a:b> <a:b> <a:b> .", format="turtle"),
    ],
)
def test_a_view_cannot_be_edited(change: Callable[[Dataset], object]) -> None:
    with pytest.raises(TypeError, match="view cannot be edited"):
        change(as_rdflib_dataset(_two()))


def test_looking_at_an_unknown_graph_adds_nothing() -> None:
    view = as_rdflib_dataset(_two())
    before = {str(graph.identifier) for graph in view.graphs()}
    assert len(view.graph(URIRef(BASE + "notes/none.md"))) == 0
    assert {str(graph.identifier) for graph in view.graphs()} == before


@given(random_corpora())
@examples(3)
def test_the_plain_graph_holds_the_same_triples(corpus: Corpus) -> None:
    quads = set(as_quads(corpus))
    assert len(as_rdflib_graph(corpus)) == len(
        {(quad.subject, quad.predicate, quad.object) for quad in quads}
    )


@every_row("word", HOSTILE)
def test_hostile_titles_and_ids_make_no_triple_of_their_own(word: str) -> None:
    harmless, hostile = (
        corpus_of_notes(
            a=f"---\ntype: claim\nid: {json.dumps(text)}\ntitle: {json.dumps(text)}\n"
            f"topics: [{json.dumps(text)}]\n---\n"
        )
        for text in ("harmless", word)
    )
    assert sorted(q.predicate.value for q in as_quads(harmless)) == sorted(
        q.predicate.value for q in as_quads(hostile)
    )
    assert not any(
        "://evil.example" in str(term)
        for q in as_quads(hostile)
        for term in (q.subject, q.predicate)
    )


@every_row(
    "node",
    [rdflib.URIRef("urn:a> <urn:b"), rdflib.URIRef("relative"), rdflib.BNode("a b")],
)
def test_a_graph_with_what_is_no_node_is_refused(node: rdflib.term.Identifier) -> None:
    graph = rdflib.Graph()
    graph.add((node, rdflib.URIRef("urn:p"), rdflib.Literal("x")))
    with pytest.raises(NotRdf, match="is not valid in a graph"):
        list(triples_of_graph(graph))


def test_the_triples_of_a_graph_are_written_as_n_triples_does() -> None:
    graph = rdflib.Graph()
    a, p = rdflib.URIRef("urn:a"), rdflib.URIRef("urn:p")
    values = (rdflib.BNode("b"), rdflib.Literal('x"\n', lang="en"), rdflib.Literal(5))
    for value in values:
        graph.add((a, p, value))
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    expected = {"_:b", '"x\\"\\n"@en', f'"5"^^{integer}'}
    assert {value for _, _, value in triples_of_graph(graph)} == expected
