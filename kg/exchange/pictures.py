"""The network for programs that draw and measure graphs: GraphML, GEXF, DOT."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.exchange.rdf import inert_in_xml
from kg.model import Edge, LineStyle

if TYPE_CHECKING:
    import networkx as nx

_STYLES = {
    LineStyle.SOLID: "solid",
    LineStyle.DASHED: "dashed",
    LineStyle.DOTTED: "dotted",
    LineStyle.CHAINED: "bold",  # Graphviz has no chain
}


def write_graphml(corpus: Corpus, file: Path) -> None:
    """Statements and edges with their attributes, for Gephi, yEd, Cytoscape, igraph."""
    import networkx as nx

    nx.write_graphml(plain_network(corpus), file)


def write_gexf(corpus: Corpus, file: Path) -> None:
    """Statements and edges with their attributes, for Gephi."""
    import networkx as nx

    nx.write_gexf(plain_network(corpus), file)


def write_dot(corpus: Corpus, file: Path) -> None:
    """Statements and edges for Graphviz, in the colours of their camps."""
    colours = {camp.id: camp.colour for camp in corpus.config.camps}
    with file.open("w", encoding="utf-8") as out:
        out.write(f"digraph {_dot(corpus.config.name)} {{\n  node [shape=box];\n")
        for id, node in plain_network(corpus).nodes(data=True):
            colour = colours.get(node["camp"], "#555555")
            out.write(f"  {_dot(id)} [label={_dot(node['title'])}, color={_dot(colour)}];\n")
        for edge in corpus.edges:
            style = _STYLES[edge.relation.entry.stroke]
            out.write(
                f"  {_dot(edge.source)} -> {_dot(edge.target)}"
                f" [label={_dot(edge.relation)}, style={style}{_joined(edge)}];\n"
            )
        out.write("}\n")


def _joined(edge: Edge) -> str:
    """What an edge counts together with, as an attribute that Graphviz keeps and a hint shows."""
    if not edge.together:
        return ""
    others = ", ".join(edge.together)
    return f", together={_dot(others)}, tooltip={_dot(f'together with {others}')}"


def _dot(text: str) -> str:
    """A quoted string in which DOT reads neither escapes nor its end."""
    inert = inert_in_xml(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(inert.splitlines())}"'


def plain_network(corpus: Corpus) -> nx.MultiDiGraph[str]:
    """The network with words and numbers alone as attributes, fit for XML."""
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for statement in corpus.statements.values():
        _add_node(
            graph,
            statement.id,
            kind=statement.kind,
            title=statement.title,
            camp=corpus.default_camps.get(statement.id, ""),
            topics=", ".join(statement.topics),
            path=statement.span.path,
        )
    for edge in corpus.edges:
        _add_edge(graph, corpus, edge)
    return graph


def _add_node(graph: nx.MultiDiGraph[str], id: str, **words: str) -> None:
    attributes = {key: inert_in_xml(str(value)) for key, value in words.items()}
    graph.add_node(inert_in_xml(id), **attributes)


def _add_edge(graph: nx.MultiDiGraph[str], corpus: Corpus, edge: Edge) -> None:
    for end in (edge.source, edge.target):
        if inert_in_xml(end) not in graph:
            kind = "edge" if end in corpus.edge else "line" if end in corpus.lines else "source"
            _add_node(graph, end, kind=kind, title=end, camp="", topics="", path="")
    words = {
        "relation": edge.relation.value,
        "reason": edge.reason,
        "strength": edge.strength.value if edge.strength else "",
        "together": ", ".join(edge.together),
    }
    graph.add_edge(
        inert_in_xml(edge.source),
        inert_in_xml(edge.target),
        key=inert_in_xml(edge.id),
        **{name: inert_in_xml(value) for name, value in words.items()},
    )
