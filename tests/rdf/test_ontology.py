"""The ontology's files say what the code says."""

from __future__ import annotations

import json
from pathlib import Path

import owlrl
import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, SKOS

from kg.model import EdgeStrength, Integrity, Kind, Method, Relation, SampleClass, SeenIn, Status
from kg.rdf import ontology
from tests.rdf.ontology_graph import load_graph
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.plain_rdflib_graph import as_rdflib_graph

KG = rdflib.Namespace(ontology.KG)
BASE = "https://example.org/inquiry-lines/"
ALIGNED = (
    "http://purl.org/spar/",
    "http://purl.org/mp/",
    "http://purl.org/ontology/bibo/",
    "https://schema.org/",
    "http://www.w3.org/2004/02/skos/core#",
)


@pytest.fixture(scope="module")
def graph() -> rdflib.Graph:
    return load_graph()


def _names_of_kind(graph: rdflib.Graph, kind: rdflib.URIRef) -> set[str]:
    return {str(term).removeprefix(ontology.KG) for term in graph.subjects(RDF.type, kind)}


def test_every_term_is_known_by_name(graph: rdflib.Graph) -> None:
    own_texts = {str(term) for term in graph.subjects() if str(term).startswith(ontology.KG)}
    assert {ontology.KG + name for name in ontology.term_names()} == own_texts


def test_relations_match_the_ontology(graph: rdflib.Graph) -> None:
    assert _names_of_kind(graph, KG.Relation) == {
        ontology.relation_name(relation) for relation in Relation
    }


def test_kinds_match_the_ontology(graph: rdflib.Graph) -> None:
    declared = {
        str(term).removeprefix(ontology.KG)
        for term in graph.transitive_subjects(RDFS.subClassOf, KG.Statement)
    } - {"Statement"}
    assert declared == {ontology.CLASSES[kind] for kind in Kind}


@every_row("kind", [Method, SampleClass, SeenIn, Status, EdgeStrength, Integrity])
def test_closed_lists_match_the_ontology(graph: rdflib.Graph, kind: type) -> None:
    names = {ontology.individual_name(value): value for value in kind}
    assert _names_of_kind(graph, KG[kind.__name__.removeprefix("Edge")]) == set(names)
    assert names.items() <= ontology.individual_names().items()


def test_every_term_has_a_label_a_definition_and_an_example(graph: rdflib.Graph) -> None:
    terms = set(graph.subjects(RDFS.isDefinedBy))
    assert len(terms) > 100
    for term in terms:
        for expected in (RDFS.label, SKOS.definition, SKOS.example):
            assert graph.value(term, expected), f"{term} has no {expected}"


def test_every_term_of_ours_that_the_file_uses_is_defined_in_it(graph: rdflib.Graph) -> None:
    used = {term for triple in graph for term in triple if str(term).startswith(ontology.KG)}
    assert used == set(graph.subjects(RDFS.isDefinedBy))


def test_sub_properties_of_others_are_of_prov_and_dublin_core_alone(graph: rdflib.Graph) -> None:
    above = {str(term) for term in graph.objects(None, RDFS.subPropertyOf)}
    assert above == {
        "http://purl.org/dc/terms/replaces",
        "http://purl.org/dc/terms/isPartOf",
        "http://purl.org/dc/terms/references",
        "http://www.w3.org/ns/prov#wasDerivedFrom",
    }


def with_conclusions(*graphs: rdflib.Graph) -> rdflib.Graph:
    """All that a reasoner concludes from some graphs together."""
    closed = rdflib.Graph()
    for each in graphs:
        closed += each
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(closed)
    return closed


def contradictions(closed: rdflib.Graph) -> set[object]:
    """What the reasoner calls impossible: members of nothing, and its messages."""
    message = rdflib.URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
    return {*closed.subjects(RDF.type, OWL.Nothing), *closed.objects(None, message)}


@pytest.mark.integration
def test_a_reasoner_finds_no_contradiction_and_no_second_kind(graph: rdflib.Graph) -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n\n> [!evidence] E ^e\n> Seen. [@s]\n\n"
        "- contradicts:: [[b]] ^no\n",
        b="---\ntype: counter-claim\n---\n# B\n\n- undercuts:: [[a#^no]]\n- supersedes:: [[a]]\n",
        l="---\ntype: line\nproposition: a\n---\n# L?\n\nNow.\n\n## Camps\n\n- optimist:: [[a]]\n",
        references="@article{s, title={T}, year={2020}}",
    )
    data = as_rdflib_graph(corpus)
    closed = with_conclusions(data, graph)
    assert contradictions(closed) == set()
    kinds = [KG.Claim, KG.Evidence, KG.Source, KG.Edge, KG.InquiryLine]
    things = {*closed.subjects(RDF.type, KG.Statement), *closed.subjects(RDF.type, KG.Source)}
    local_names = {str(thing).removeprefix(BASE) for thing in things}
    assert local_names == {"statements/a", "statements/a#e", "statements/b", "sources/s"}
    for thing in things:
        assert sum((thing, RDF.type, kind) in closed for kind in kinds) == 1
    (evidence,) = closed.subjects(RDF.type, KG.Evidence)
    of_two_kinds = rdflib.Graph().add((evidence, RDF.type, KG.Claim))
    assert contradictions(with_conclusions(data, graph, of_two_kinds)) != set()


@pytest.mark.integration
def test_a_reasoner_concludes_nothing_in_the_words_of_aligned_vocabularies(
    graph: rdflib.Graph,
) -> None:
    chain = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n\n- supports:: [[b]]\n",
        b="---\ntype: claim\n---\n# B\n\n- supports:: [[c]]\n",
        c="---\ntype: claim\n---\n# C\n\n- contradicts:: [[a]]\n- same-as:: [[b]]\n",
    )
    data = as_rdflib_graph(chain)
    a, b, c = (rdflib.URIRef(BASE + f"statements/{id}") for id in "abc")
    too_much = {(a, KG.supports, c), (a, KG.contradicts, c), (c, OWL.sameAs, b)}
    own_part = {a, b, c, *data.subjects(RDF.type, KG.Edge)}
    assert len(own_part) == 3 + 4

    def words_of_others(closed: rdflib.Graph) -> set[str]:
        words = {term for s, p, o in closed if s in own_part for term in (p, o)}
        return {str(term) for term in words if str(term).startswith(ALIGNED)}

    closed = with_conclusions(data, graph)
    assert {(a, KG.supports, b), (c, KG.contradicts, a), (c, KG.sameAs, b)} <= set(closed)
    assert too_much & set(closed) == set()
    assert words_of_others(closed) == set()

    # an ontology that says too much is found out
    supports = rdflib.URIRef(ALIGNED[0] + "cito/supports")
    bold = rdflib.Graph()
    bold.add((KG.supports, RDF.type, OWL.TransitiveProperty))
    bold.add((KG.contradicts, RDF.type, OWL.SymmetricProperty))
    bold.add((KG.sameAs, RDFS.subPropertyOf, OWL.sameAs))
    bold.add((KG.supports, RDFS.subPropertyOf, supports))
    closed = with_conclusions(data, graph, bold)
    assert too_much <= set(closed)
    assert words_of_others(closed) == {str(supports)}


def test_the_installed_package_is_preferred_over_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "_ontology"
    packed.mkdir()
    (packed / "kg.ttl").write_text("# packed")
    monkeypatch.setattr(ontology, "files", lambda _: tmp_path)
    assert ontology.load_text("kg.ttl") == "# packed"


def test_the_context_names_every_property_of_the_ontology() -> None:
    context = json.loads(ontology.load_text("context.jsonld"))["@context"]
    graph = rdflib.Graph().parse(data=ontology.load_text("kg.ttl"), format="turtle")
    defined = {str(term) for term in graph.subjects(rdflib.RDFS.isDefinedBy)}
    iris = {meaning.replace("kg:", context["kg"]) for meaning in context.values()}
    assert defined <= iris
    assert {name for name in iris if name.startswith(context["kg"])} <= defined | {context["kg"]}
