"""Statements and edges as a network, for programs that draw and measure networks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.exchange.writers.diagrams import COLOUR_WITHOUT_CAMP, colours_of
from kg.network import as_network

if TYPE_CHECKING:
    import networkx as nx


def write_graphml(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges with their attributes, for Gephi, yEd, Cytoscape, igraph."""
    import networkx as nx

    graph = _network_with_labels(corpus, whole)
    for _, node in graph.nodes(data=True):
        node |= _channels(node["colour"])  # the names that Gephi reads a colour from
    nx.write_graphml(graph, file)


def write_gexf(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges with their attributes, for Gephi."""
    import networkx as nx

    graph = _network_with_labels(corpus, whole)
    for _, node in graph.nodes(data=True):
        node["viz"] = {"color": {**_channels(node["colour"]), "a": 1.0}}
    nx.write_gexf(graph, file)


def _network_with_labels(corpus: Corpus, whole: Corpus | None) -> nx.MultiDiGraph[str]:
    """The network with what drawings show: labels, and statements in the colours of camps."""
    import networkx as nx

    colours = colours_of(corpus)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(as_network(corpus, whole=whole))
    for id, node in graph.nodes(data=True):
        node |= {
            "label": node.get("title", id),
            "colour": colours.get(id, COLOUR_WITHOUT_CAMP),
        }
    for *_, edge in graph.edges(data=True):
        edge["label"] = edge["relation"]
    return graph


def _channels(colour: str) -> dict[str, int]:
    return {name: int(colour[at : at + 2], 16) for name, at in (("r", 1), ("g", 3), ("b", 5))}
