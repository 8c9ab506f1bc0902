"""The corpus as a networkx graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.graphs_with_strengths.networkx_graph import as_network
from kg.rdf.quads import as_quads
from kg.reasoning import quality, strengths
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.own import own_corpus


def test_statements_are_nodes_and_edges_are_keyed_by_id() -> None:
    network = as_network(
        corpus_of_notes(
            a="---\ntype: claim\n---\n# A\n",
            b="---\ntype: evidence\n---\n# B\n\n- supports:: [[a]] — seen ^why\n",
        )
    )
    assert network.nodes["a"]["kind"] == "claim"
    assert network.edges["b", "a", "b#why"]["relation"] == "supports"
    assert network.edges["b", "a", "b#why"]["reason"] == "seen"


def test_an_undercut_leads_to_the_source_of_the_edge_it_denies() -> None:
    network = as_network(
        corpus_of_notes(
            a="---\ntype: claim\n---\n# A\n\n- contradicts:: [[b]] ^no\n",
            b="---\ntype: claim\n---\n# B\n\n- undercuts:: [[a#^no]]\n",
        )
    )
    (undercut,) = (data for *_, data in network.edges(data=True) if "undercuts" in data)
    assert undercut["undercuts"] == "a#no"
    assert list(network.edges) == [("a", "b", "a#no"), ("b", "a", undercut["id"])]


def test_lines_and_sources_that_are_replaced_are_nodes() -> None:
    entry = "---\ntype: source\n---\n# {0}\n\n{1}\n"
    question = "---\ntype: line\n---\n# {0}?\n\nAsked.\n\n{1}\n"
    network = as_network(
        corpus_of_notes(
            old=entry.format("Old", ""),
            new=entry.format("New", "- supersedes:: [[old]]"),
            before=question.format("Before", ""),
            after=question.format("After", "- supersedes:: [[before]]"),
        )
    )
    kinds = {name: data["kind"] for name, data in network.nodes(data=True)}
    assert kinds == {"old": "source", "new": "source", "before": "line", "after": "line"}


def test_a_network_is_frozen() -> None:
    network = as_network(corpus_of_notes(a="---\ntype: claim\n---\n# A\n"))
    with pytest.raises(nx.NetworkXError):
        network.add_node("b")


Write = Callable[[nx.MultiDiGraph, Path], object]
KINDS: dict[str, tuple[Write, Callable[[Path], nx.MultiDiGraph]]] = {
    "graphml": (nx.write_graphml, lambda file: nx.read_graphml(file, force_multigraph=True)),
    "gexf": (nx.write_gexf, nx.read_gexf),
    "gml": (nx.write_gml, nx.read_gml),
    "node-link": (
        lambda graph, file: file.write_text(json.dumps(nx.node_link_data(graph, edges="edges"))),
        lambda file: nx.node_link_graph(json.loads(file.read_text()), edges="edges"),
    ),
}


@pytest.mark.integration
@every_row("kind", KINDS)
def test_every_format_of_networkx_holds_the_same(kind: str, tmp_path: Path) -> None:
    write, read_back = KINDS[kind]
    network = as_network(own_corpus())
    write(network, tmp_path / "x")
    back = read_back(tmp_path / "x")
    assert network.number_of_edges() > 100
    for id, data in network.nodes(data=True):
        assert {name: back.nodes[id][name] for name in data} == data
    edges = {data["id"]: (*ends, data) for *ends, data in back.edges(data=True)}
    for source, target, data in network.edges(data=True):
        *ends, read = edges[data["id"]]
        assert ends == [source, target]
        assert {name: read[name] for name in data} == data


def test_attributes_are_those_of_the_answers() -> None:
    corpus = own_corpus()
    network, known_strengths = as_network(corpus), strengths(corpus)
    strength = nx.get_node_attributes(network, "strength")
    assert strength == {id: number for id, number in known_strengths.items() if number is not None}
    evidence = network.nodes["collabllm-user-study"]
    assert evidence["quality"] == pytest.approx(quality(corpus, "collabllm-user-study").base)
    assert isinstance(evidence["year"], int)
    assert {data["sign"] for *_, data in network.edges(data=True)} == {-1, 0, 1}


def test_records_come_on_request() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n# A\n\n- supports:: [[b]]\n", b="---\ntype: claim\n---\n# B\n"
    )
    network = as_network(corpus, records=True)
    assert network.nodes["a"]["statement"] is corpus.statements["a"]
    assert [data["edge"] for *_, data in network.edges(data=True)] == list(corpus.edges)


@given(random_corpora())
@examples(5)
def test_both_views_state_the_same_edges(corpus: Corpus) -> None:
    network = as_network(corpus)
    quads = [quad for quad in as_quads(corpus) if quad.predicate.value.endswith("#relation")]
    assert network.number_of_edges() == len(quads) == len(corpus.edges)
