"""The corpus as a networkx graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from kg.corpus import Corpus
from kg.model import Edge

if TYPE_CHECKING:
    Network = nx.MultiDiGraph[str]


def as_network(corpus: Corpus) -> Network:
    """Statements as nodes (`statement`), edges keyed by their ids (`relation`, `edge`); frozen.

    An edge that another undercuts is a node too (`undercut`), since an undercut points at it.
    """
    graph: Network = nx.MultiDiGraph(name=corpus.config.name)
    for id, statement in corpus.statements.items():
        graph.add_node(id, kind=statement.kind.value, title=statement.title, statement=statement)
    for edge in corpus.edges:
        _add_target(graph, corpus, edge)
        graph.add_edge(
            edge.source, edge.target, key=edge.id, relation=edge.relation.value, edge=edge
        )
    frozen: Network = nx.freeze(graph)
    return frozen


def _add_target(graph: Network, corpus: Corpus, edge: Edge) -> None:
    """Make a node for an end that is no statement: an edge, a superseded line or source."""
    for end in (edge.source, edge.target):
        if end in graph:
            continue
        if end in corpus.edge:
            graph.add_node(end, kind="edge", title=end, undercut=corpus.edge[end])
        else:
            graph.add_node(end, kind="line" if end in corpus.lines else "source", title=end)
