"""Statements and edges as a network, for programs that draw and measure networks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.exchange.rdf_formats import xml_safe
from kg.model import LineStyle, Relation
from kg.network import as_network

if TYPE_CHECKING:
    import networkx as nx

_STYLES = {
    LineStyle.SOLID: "solid",
    LineStyle.DASHED: "dashed",
    LineStyle.DOTTED: "dotted",
    LineStyle.CHAINED: "bold",  # Graphviz has no chain
}
COLOUR_WITHOUT_CAMP = "#555555"


def write_graphml(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges with their attributes, for Gephi, yEd, Cytoscape, igraph."""
    import networkx as nx

    graph = _labelled(corpus, whole)
    for _, node in graph.nodes(data=True):
        node |= _channels(node["colour"])  # the names that Gephi reads a colour from
    nx.write_graphml(graph, file)


def write_gexf(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges with their attributes, for Gephi."""
    import networkx as nx

    graph = _labelled(corpus, whole)
    for _, node in graph.nodes(data=True):
        node["viz"] = {"color": {**_channels(node["colour"]), "a": 1.0}}
    nx.write_gexf(graph, file)


def _labelled(corpus: Corpus, whole: Corpus | None) -> nx.MultiDiGraph[str]:
    """The network with what drawings show: labels, and statements in the colours of camps."""
    import networkx as nx

    colours = {camp.id: camp.colour for camp in corpus.config.camps}
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(as_network(corpus, whole=whole))
    for id, node in graph.nodes(data=True):
        node |= {
            "label": node.get("title", id),
            "colour": colours.get(node.get("camp", ""), COLOUR_WITHOUT_CAMP),
        }
    for *_, edge in graph.edges(data=True):
        edge["label"] = edge["relation"]
    return graph


def _channels(colour: str) -> dict[str, int]:
    return {name: int(colour[at : at + 2], 16) for name, at in (("r", 1), ("g", 3), ("b", 5))}


def write_dot(corpus: Corpus, file: Path, whole: Corpus | None = None) -> None:
    """Statements and edges for Graphviz, in the colours of their camps."""
    graph = _labelled(corpus, whole)
    rows = [f"digraph {_dot_string(corpus.config.name)} {{", "  node [shape=box];"]
    for id, node in graph.nodes(data=True):
        words = f"label={_dot_string(node['label'])}, color={_dot_string(node['colour'])}"
        rows.append(f"  {_dot_string(id)} [{words}];")
    for source, target, edge in graph.edges(data=True):
        style = _STYLES[Relation(edge["relation"]).entry.stroke]
        words = f"label={_dot_string(edge['label'])}, style={style}{_joined(edge)}"
        rows.append(f"  {_dot_string(source)} -> {_dot_string(target)} [{words}];")
    file.write_text("\n".join([*rows, "}\n"]), "utf-8")


def _joined(edge: dict[str, str]) -> str:
    """What an edge counts together with, or denies, as an attribute that Graphviz keeps and a
    hint shows.
    """
    told = {"together": "together with", "undercuts": "undercuts"}
    return "".join(
        f", {name}={_dot_string(edge[name])}, tooltip={_dot_string(f'{words} {edge[name]}')}"
        for name, words in told.items()
        if name in edge
    )


def _dot_string(text: str) -> str:
    """A quoted string in which DOT reads neither escapes nor its end."""
    inert = xml_safe(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(inert.splitlines())}"'
