"""The corpus as a networkx graph, with only text and numbers as attributes, for any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from kg.corpus import Corpus
from kg.model import Kind
from kg.reasoning import strengths
from kg.reasoning.graph.arrays import STABLE_DIGITS
from kg.reasoning.graph.graph_of_corpus import edge_weights_of
from kg.reasoning.reading import reading_of
from kg.text.printable import printable

if TYPE_CHECKING:
    Network = nx.MultiDiGraph[str]


def as_network(
    corpus: Corpus, *, records: bool = False, whole_corpus: Corpus | None = None
) -> Network:
    """Statements as nodes, edges keyed by their ids; frozen.

    Missing values have no attribute; `records` adds the records themselves, as `statement` and
    `edge`. An undercut leads to the premise of the edge that it denies, with that edge's id as
    `undercuts`. Strengths are computed in `whole_corpus`, of which this may be a part.
    """
    graph: Network = nx.MultiDiGraph(name=printable(corpus.config.name))
    attributes_by_id = _statement_attributes(corpus, whole_corpus or corpus)
    for id, statement in corpus.statements.items():
        record: dict[str, Any] = {"statement": statement} if records else {}
        graph.add_node(printable(id), **_xml_attributes(attributes_by_id[id]), **record)
    edge_weights = edge_weights_of(corpus.config.reasoning)
    for edge in corpus.edges:
        undercut_edge = corpus.edges_by_id.get(edge.target)
        premise = printable(edge.origin)
        target = printable(undercut_edge.origin if undercut_edge else edge.target)
        for end in (premise, target):
            if end not in graph:
                graph.add_node(end, kind="line" if end in corpus.lines else "source", title=end)
        words = {
            "id": edge.id,
            "relation": edge.relation.value,
            "weight": edge_weights[edge.relation, edge.strength],
            "sign": edge.relation.entry.side,
            "reason": edge.reason,
            "together": ", ".join(edge.together),
            "undercuts": undercut_edge.id if undercut_edge else "",
        }
        record = {"edge": edge} if records else {}
        graph.add_edge(premise, target, key=printable(edge.id), **_xml_attributes(words), **record)
    frozen: Network = nx.freeze(graph)
    return frozen


def _statement_attributes(corpus: Corpus, whole_corpus: Corpus) -> dict[str, dict[str, Any]]:
    """The attributes of each statement, by its id."""
    reading = reading_of(whole_corpus)
    strengths_by_id = strengths(reading)
    attributes_by_id = {}
    for id, statement in corpus.statements.items():
        cited_years = (
            corpus.sources[key].year for key in statement.sources if key in corpus.sources
        )
        quality = reading.qualities.get(id) if statement.kind is Kind.EVIDENCE else None
        attributes_by_id[id] = {
            "kind": statement.kind.value,
            "title": statement.title,
            "camp": corpus.default_camps.get(id),
            "topics": ", ".join(statement.topics),
            "year": max((year for year in cited_years if year), default=None),
            "method": statement.method,
            "quality": quality and round(quality.base, STABLE_DIGITS),
            "strength": strengths_by_id.get(id),
            "path": statement.span.path,
        }
    return attributes_by_id


def _xml_attributes(words: dict[str, Any]) -> dict[str, Any]:
    """Attributes with a value; text without characters that XML does not allow."""
    return {
        name: printable(str(value)) if isinstance(value, str) else value
        for name, value in words.items()
        if value not in (None, "")
    }
