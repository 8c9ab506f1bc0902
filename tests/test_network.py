"""The corpus as a networkx graph."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.network import as_network
from kg.rdf.quads import as_quads
from tests.support.corpora import corpora, read
from tests.support.effort import examples


def test_statements_are_nodes_and_edges_are_keyed_by_id() -> None:
    network = as_network(
        read(
            a="---\ntype: claim\n---\n# A\n",
            b="---\ntype: evidence\n---\n# B\n\n- supports:: [[a]] — seen ^why\n",
        )
    )
    assert network.nodes["a"]["kind"] == "claim"
    assert network.edges["b", "a", "b#why"]["relation"] == "supports"
    assert network.edges["b", "a", "b#why"]["edge"].reason == "seen"


def test_an_undercut_leads_to_the_edge_it_denies() -> None:
    network = as_network(
        read(
            a="---\ntype: claim\n---\n# A\n\n- contradicts:: [[b]] ^no\n",
            b="---\ntype: claim\n---\n# B\n\n- undercuts:: [[a#^no]]\n",
        )
    )
    assert network.has_edge("b", "a#no")
    assert network.nodes["a#no"]["kind"] == "edge"


def test_lines_and_sources_that_are_replaced_are_nodes() -> None:
    entry = "---\ntype: source\n---\n# {0}\n\n{1}\n"
    question = "---\ntype: line\n---\n# {0}?\n\nAsked.\n\n{1}\n"
    network = as_network(
        read(
            old=entry.format("Old", ""),
            new=entry.format("New", "- supersedes:: [[old]]"),
            before=question.format("Before", ""),
            after=question.format("After", "- supersedes:: [[before]]"),
        )
    )
    kinds = {name: data["kind"] for name, data in network.nodes(data=True)}
    assert kinds == {"old": "source", "new": "source", "before": "line", "after": "line"}


def test_a_network_is_frozen() -> None:
    network = as_network(read(a="---\ntype: claim\n---\n# A\n"))
    with pytest.raises(nx.NetworkXError):
        network.add_node("b")


@given(corpora())
@examples(10)
def test_both_views_state_the_same_edges(corpus: Corpus) -> None:
    network = as_network(corpus)
    stated = [quad for quad in as_quads(corpus) if quad.predicate.value.endswith("#relation")]
    assert network.number_of_edges() == len(stated) == len(corpus.edges)
