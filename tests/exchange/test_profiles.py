"""Each profile, judged by a program or a schema that others wrote."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from nanopub import Nanopub
from prov.model import ProvDocument
from rdflib import DCTERMS, OWL, PROV, RDF, RDFS, SDO, URIRef

from kg.corpus import Corpus
from kg.exchange import profiles
from kg.exchange.formats import render_export
from kg.exchange.profiles import NANOPUB_GRAPHS, PROFILES, profile_quads
from kg.rdf.ontology import load_text
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.every_row import every_row

BASE = "https://example.org/inquiry-lines/"
CITO = rdflib.Namespace("http://purl.org/spar/cito/")
DG = rdflib.Namespace("https://discoursegraphs.com/schema/dg_core#")
DGB = rdflib.Namespace("https://discoursegraphs.com/schema/dg_base#")
VOCABULARIES = Path(__file__).parents[1] / "data" / "vocabularies"
NANOPUB_QUERIES = [("nanopub", f"{graph}.rq") for graph in NANOPUB_GRAPHS]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_notes(
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
        citing, kind, cited_value = (
            graph.value(act, CITO[f"hasCit{end}"])
            for end in ("ingEntity", "ationCharacterization", "edEntity")
        )
        assert (citing, kind, cited_value) in graph


def _published_vocabulary(vocabulary: str) -> rdflib.Graph:
    """A vocabulary as its authors publish it."""
    return rdflib.Graph().parse(VOCABULARIES / f"{vocabulary}.ttl", format="turtle")


@every_row(
    ("profile", "vocabulary", "namespace"),
    [
        ("cito", "cito", CITO),
        ("prov", "prov-o", PROV),
        ("nanopub", "prov-o", PROV),
        ("discourse-graph", "dg_core", DG),
    ],
)
def test_profiles_use_terms_that_their_vocabulary_defines(
    profile: str, vocabulary: str, namespace: rdflib.Namespace
) -> None:
    """All that a profile's query may write, whatever a corpus holds."""
    query = "".join(
        load_text("profiles", *path)
        for path in ([(f"{profile}.rq",)] if profile != "nanopub" else NANOPUB_QUERIES)
    )
    prefix = re.search(rf"PREFIX (\w+): <{re.escape(str(namespace))}>", query)
    assert prefix
    used = {namespace[name] for name in re.findall(rf"\b{prefix[1]}:(\w+)", query)}
    defined = _published_vocabulary(vocabulary)
    kinds = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, DGB.NodeSchema, DGB.RelationDef}
    assert used
    assert [term for term in used if not kinds & set(defined.objects(term, RDF.type))] == []


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


@given(random_corpora())
@examples(3)
def test_discourse_graphs_keep_to_the_domains_of_their_schema(corpus: Corpus) -> None:
    graph, schema = _graph(corpus, "discourse-graph"), _published_vocabulary("dg_core")
    assert set(schema.subjects(RDFS.domain)) & set(schema.subjects(RDFS.range))
    for subject, predicate, value in graph:
        if not str(predicate).startswith(str(DG)):
            continue
        for node, end in ((subject, RDFS.domain), (value, RDFS.range)):
            allowed = set(schema.transitive_subjects(RDFS.subClassOf, schema.value(predicate, end)))
            assert allowed & set(graph.objects(node, RDF.type)), (node, predicate)


def test_discourse_graphs_hold_nodes_and_relations(corpus: Corpus) -> None:
    graph = _graph(corpus, "discourse-graph")
    assert (_node("statements/a#e"), DG.supports, _node("statements/a")) in graph
    assert (_node("statements/a#c"), DG.opposes, _node("statements/a")) in graph
    assert (_node("statements/a"), DG.opposes, _node("statements/b")) in graph
    assert (_node("statements/a"), DG.addresses, _node("lines/l")) in graph
    assert (_node("statements/a#e"), DG.sourceDocument, _node("sources/s")) in graph


def test_nanopublications_are_valid_one_by_one(corpus: Corpus) -> None:
    quads = list(profile_quads(corpus, "nanopub"))
    names = {str(q.subject.value) for q in quads if str(q.object).endswith("Nanopublication>")}
    assert names == {BASE + "nanopubs/a", BASE + "nanopubs/a/e", BASE + "nanopubs/a/c"}
    for name in names:
        own_quads = [quad for quad in quads if quad.graph_name.value.rpartition("#")[0] == name]
        dataset = rdflib.Dataset(default_union=True)
        dataset.parse(data=ox.serialize(own_quads, format=ox.RdfFormat.TRIG), format="trig")
        assert Nanopub(rdf=dataset).is_valid
        assert len(list(dataset.objects(URIRef(name), DCTERMS.created))) == 1


@pytest.mark.parametrize("profile", [name for name, _ in PROFILES])
@given(corpus=random_corpora())
@examples(3)
def test_profiles_are_rdf_whatever_the_notes_hold(profile: str, corpus: Corpus) -> None:
    data = render_export(corpus, "nq", profile)
    assert set(ox.parse(data, format=ox.RdfFormat.N_QUADS)) == set(profile_quads(corpus, profile))


@every_row("end", [" ", "\n", ";", ".", " # and not ?created\n"])
def test_a_value_is_bound_whatever_follows_its_variable(
    corpus: Corpus, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = f"CONSTRUCT {{ ?np a ?statement{end} }} WHERE {{ }}"
    monkeypatch.setattr(profiles, "load_text", lambda *_: query)
    rows = {(q.subject.value, str(q.object)) for q in profile_quads(corpus, "nanopub")}
    name = f"{BASE}nanopubs/a", f"<{BASE}statements/a>"
    assert name in rows
    assert len(rows) == 3
