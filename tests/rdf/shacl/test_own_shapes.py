"""Our own shapes on the store of a corpus: the report that pySHACL gives of the same graph."""

from __future__ import annotations

from dataclasses import replace

import pyoxigraph as ox
import rdflib
from hypothesis import given

from kg.checks.check_shapes import check_shapes, validate
from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.rdf.ontology import KG, load_text
from kg.rdf.quads import as_quads
from kg.rdf.shacl.triple_columns import TripleColumns, triples_of
from tests.checks.broken_rules import BROKEN, arguments
from tests.rdf.ontology_graph import load_graph
from tests.rdf.shacl.pyshacl_report import Line, our_report, their_report
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.plain_rdflib_graph import as_rdflib_graph


def require_same_reports(*corpora: Corpus) -> set[Line]:
    """Hold both reports of all in one graph equal, and what each alone is told; our results."""
    store = ox.Store()
    store.bulk_load(load_text("kg.ttl"), format=ox.RdfFormat.TURTLE)
    shapes, whole_graph = load_graph("shapes.ttl"), rdflib.Graph() + load_graph()
    for corpus in corpora:
        graph = as_rdflib_graph(corpus)
        assert check_shapes(corpus) == validate(graph)
        store.extend(as_quads(corpus))
        whole_graph += graph
    ours = our_report(TripleColumns(triples_of(store)), shapes)
    assert ours == their_report(whole_graph, shapes)
    return ours


def test_reports_agree_on_notes_that_break_all_shared_rules() -> None:
    """Each under an address of its own, in one graph: pySHACL takes long for every graph."""
    corpora = {
        f"https://{rule}.example/": replace(
            corpus, config=Config(base_iri=f"https://{rule}.example/")
        )
        for rule, corpus in BROKEN.items()
    }
    results = require_same_reports(*corpora.values())
    for base in corpora:
        assert any(base in result.focus for result in results), base


@given(arguments())
@examples(3)
def test_reports_agree_on_any_argument(corpus: Corpus) -> None:
    require_same_reports(corpus)


def test_reports_agree_on_a_graph_that_is_broken_all_over() -> None:
    """Each property of a shape of ours taken away, and given a value too many of the wrong kind."""
    claim = (
        "---\ntype: claim\ncamp: optimist\n---\n# A\n\n> [!evidence] Seen ^e\n> Counted. [@s]\n\n"
    )
    corpus = corpus_of_notes(
        a=claim + "- supports:: [[b]]\n- contradicts:: [[b]] (mutual:: yes)\n",
        b="---\ntype: counter-claim\nopen: yes\n---\n# B\n\n- same-as:: [[a]]\n",
        l="---\ntype: line\nproposition: a\n---\n# L?\n\nNow.\n\n## Camps\n\n- optimist:: [[a]]\n",
        references="@book{s, title={T}}",
    )
    shapes = load_graph("shapes.ttl")
    path = rdflib.URIRef("http://www.w3.org/ns/shacl#path")
    names = sorted(name for name in shapes.objects(None, path) if isinstance(name, rdflib.URIRef))
    lines = set()
    for some in (names[::2], names[1::2]):
        for wrong in (rdflib.Literal("wrong"), rdflib.URIRef(KG + "nothing"), None):
            graph = as_rdflib_graph(corpus)
            for name in some:
                subjects = sorted({*graph.subjects(name, None), *graph.subjects()})[:12]
                if wrong is None:
                    graph.remove((None, name, None))
                for subject in subjects * (wrong is not None):
                    graph.add((subject, name, wrong))
            graph += load_graph()
            ours = our_report(graph, shapes)
            assert ours == their_report(graph, shapes)
            lines |= ours
    assert len(lines) > 60
