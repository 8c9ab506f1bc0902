"""Each profile, judged by a program or a schema that others wrote."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from nanopub import Nanopub
from prov.model import ProvDocument
from rdflib import PROV, RDF, SDO, URIRef

from kg.corpus import Corpus
from kg.exchange.formats import render_export
from kg.exchange.rdf_formats import PROFILES, profile_quads
from tests.support.corpora import corpora, read
from tests.support.effort import examples

BASE = "https://example.org/inquiry-lines/"
CITO = rdflib.Namespace("http://purl.org/spar/cito/")
DG = rdflib.Namespace("https://discoursegraphs.com/schema/dg_core#")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read(
        a="---\ntype: claim\nasserted_by: [Ann Other]\ncreated: 2026-01-02\n---\n# A\n\n"
        "Body. [@s]\n\n"
        "> [!evidence] Seen ^e\n> Counted. [@s]\n> (seen_in:: primary)\n\n"
        "> [!counter-evidence] Not seen ^c\n> Looked. [@s]\n\n- contradicts:: [[b]] ^no\n",
        b="---\ntype: counter-claim\n---\n# B\n\n- undercuts:: [[a#^no]]\n- supersedes:: [[a]]\n",
        l="---\ntype: line\nproposition: a\n---\n# L?\n\nNow.\n\n## Camps\n\n- optimist:: [[a]]\n",
        references="@article{s, title={T}, author={W, A}, year={2020}, doi={10.1/x}}",
    )


def _graph(corpus: Corpus, profile: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=render_export(corpus, "ttl", profile), format="turtle")


def _node(name: str) -> URIRef:
    return URIRef(BASE + name)


def test_cito_states_each_edge_plainly_and_as_a_citation(corpus: Corpus) -> None:
    graph = _graph(corpus, "cito")
    assert (_node("statements/a#e"), CITO.supports, _node("statements/a")) in graph
    assert (_node("statements/a"), CITO.disputes, _node("statements/b")) in graph
    assert (_node("statements/a#e"), CITO.citesAsEvidence, _node("sources/s")) in graph
    assert (_node("statements/a"), CITO.cites, _node("sources/s")) in graph
    for act in graph.subjects(RDF.type, CITO.Citation):
        citing, kind, cited = (
            graph.value(act, CITO[f"hasCit{end}"])
            for end in ("ingEntity", "ationCharacterization", "edEntity")
        )
        assert (citing, kind, cited) in graph


CITO_TERMS = {
    *("supports", "disputes", "qualifies", "critiques", "usesConclusionsFrom", "agreesWith"),
    *("updates", "extends", "discusses", "citesAsEvidence", "cites", "Citation"),
    *("hasCitingEntity", "hasCitedEntity", "hasCitationCharacterization"),
}


def test_cito_uses_terms_that_cito_defines(corpus: Corpus) -> None:
    graph = _graph(corpus, "cito")
    used = {str(term) for triple in graph for term in triple if str(term).startswith(str(CITO))}
    assert used <= {str(CITO[name]) for name in CITO_TERMS}


def test_prov_is_read_by_the_prov_library(corpus: Corpus) -> None:
    graph = _graph(corpus, "prov")
    for predicate in set(graph.predicates()):
        assert predicate in PROV or predicate in (RDF.type, rdflib.RDFS.label)
    text = graph.serialize(format="turtle")
    document = ProvDocument.deserialize(content=text, format="rdf", rdf_format="turtle")
    kinds = {type(record).__name__ for record in document.get_records()}
    assert {
        "ProvEntity",
        "ProvAgent",
        "ProvDerivation",
        "ProvAttribution",
        "ProvMembership",
    } <= kinds
    assert (_node("statements/a#e"), PROV.hadPrimarySource, _node("sources/s")) in graph
    assert (_node("statements/b"), PROV.wasRevisionOf, _node("statements/a")) in graph


def test_schema_uses_terms_that_schema_org_defines(corpus: Corpus) -> None:
    graph = _graph(corpus, "schema")
    for predicate in set(graph.predicates()) - {RDF.type}:
        assert predicate in SDO, predicate
    assert (_node("statements/a"), RDF.type, SDO.Claim) in graph
    assert (_node("sources/s"), RDF.type, SDO.ScholarlyArticle) in graph
    assert (_node("lines/l"), SDO.suggestedAnswer, _node("statements/a")) in graph
    types = set(graph.objects(None, RDF.type))
    assert types == {SDO.Claim, SDO.Question, SDO.ScholarlyArticle, SDO.Person}


# Domains and ranges as the Discourse Graphs schema (dg_core) declares them.
DG_RELATIONS = {
    DG.supportsCE: (DG.Evidence, DG.Claim),
    DG.opposesCE: (DG.Evidence, DG.Claim),
    DG.supportsCC: (DG.Claim, DG.Claim),
    DG.opposesCC: (DG.Claim, DG.Claim),
    DG.addresses: (DG.Claim, DG.Question),
    DG.curatedTo: (DG.Evidence, DG.Source),
}


@given(corpora())
@examples(8)
def test_discourse_graphs_keep_to_the_domains_of_their_schema(corpus: Corpus) -> None:
    graph = _graph(corpus, "discourse-graph")
    for subject, predicate, value in graph:
        if predicate in DG_RELATIONS:
            domain, range = DG_RELATIONS[predicate]
            assert (subject, RDF.type, domain) in graph
            assert (value, RDF.type, range) in graph
        else:
            assert not str(predicate).startswith(str(DG))


def test_discourse_graphs_hold_nodes_and_relations(corpus: Corpus) -> None:
    graph = _graph(corpus, "discourse-graph")
    assert (_node("statements/a#e"), DG.supportsCE, _node("statements/a")) in graph
    assert (_node("statements/a#c"), DG.opposesCE, _node("statements/a")) in graph
    assert (_node("statements/a"), DG.opposesCC, _node("statements/b")) in graph
    assert (_node("statements/a"), DG.addresses, _node("lines/l")) in graph
    assert (_node("statements/a#e"), DG.curatedTo, _node("sources/s")) in graph


def test_nanopublications_are_valid_one_by_one(corpus: Corpus) -> None:
    quads = list(profile_quads(corpus, "nanopub"))
    names = {str(q.subject.value) for q in quads if str(q.object).endswith("Nanopublication>")}
    assert names == {BASE + "nanopubs/a", BASE + "nanopubs/a/e", BASE + "nanopubs/a/c"}
    for name in names:
        own = [quad for quad in quads if quad.graph_name.value.rpartition("#")[0] == name]
        dataset = rdflib.ConjunctiveGraph()
        dataset.parse(data=ox.serialize(own, format=ox.RdfFormat.TRIG), format="trig")
        assert Nanopub(rdf=dataset).is_valid


@pytest.mark.parametrize("profile", [name for name, _ in PROFILES])
@given(corpus=corpora())
@examples(4)
def test_profiles_are_rdf_whatever_the_notes_hold(profile: str, corpus: Corpus) -> None:
    data = render_export(corpus, "nq", profile)
    assert set(ox.parse(data, format=ox.RdfFormat.N_QUADS)) == set(profile_quads(corpus, profile))
