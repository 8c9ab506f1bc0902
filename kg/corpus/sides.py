"""What speaks for and against a statement as it is weighed: with its twins' reasons, and without
what is superseded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kg.corpus.corpus import Corpus, opposing_edges
from kg.corpus.units import one_with, superseded
from kg.model import Edge, Relation, SourceKey, StatementId


class Sides(NamedTuple):
    """The edges that support a statement, those that oppose it, and those that would do either if
    what they come from were not superseded.
    """

    pro: tuple[Edge, ...]
    con: tuple[Edge, ...]
    left_out: tuple[Edge, ...]

    @property
    def both(self) -> tuple[Edge, ...]:
        return self.pro + self.con


def sides_of(corpus: Corpus, id: StatementId) -> Sides:
    """What speaks for a statement, or for one that is the same, and what against it."""
    group, replaced = one_with(corpus, id), corpus.derive(superseded)
    pro: list[Edge] = []
    con: list[Edge] = []
    left_out: list[Edge] = []
    for each in group:
        supporting = [e for e in corpus.edges_to.get(each, ()) if e.relation is Relation.SUPPORTS]
        for edges, side in ((supporting, pro), (opposing_edges(corpus, each), con)):
            for edge in edges:
                if other_end(corpus, edge, id) not in group:
                    silent = any(p in replaced for p in speakers_of(corpus, edge, id))
                    (left_out if silent else side).append(edge)
    return Sides(tuple(pro), tuple(con), tuple(left_out))


def speakers_of(corpus: Corpus, edge: Edge, id: StatementId) -> tuple[StatementId, ...]:
    """The statements that speak for or against a statement by an edge at one of its ends."""
    turned = edge.both_ways and edge.source in one_with(corpus, id)
    return (edge.target,) if turned else edge.premises


def other_end(corpus: Corpus, edge: Edge, id: StatementId) -> str:
    """The far end of an edge of a statement, or of one that is the same."""
    return edge.target if edge.source in one_with(corpus, id) else edge.source


def near_end(corpus: Corpus, edge: Edge, id: StatementId) -> str:
    """The end of such an edge that is the statement, or the one that is the same."""
    return edge.source if edge.source in one_with(corpus, id) else edge.target


def undercuts_of(corpus: Corpus, edge: Edge) -> tuple[Edge, ...]:
    """The edges that undercut an edge, but for those of what is superseded."""
    replaced, found = corpus.derive(superseded), corpus.edges_to.get(edge.id, ())
    return tuple(each for each in found if not any(p in replaced for p in each.premises))


def carried_by(corpus: Corpus, id: StatementId) -> Mapping[SourceKey, list[StatementId]]:
    """By source: the statements that cite it, of this one and those directly for or against it."""
    near = (other_end(corpus, edge, id) for edge in sides_of(corpus, id).both)
    found: dict[SourceKey, list[StatementId]] = {}
    for each in dict.fromkeys((*one_with(corpus, id), *near)):
        for key in corpus.statements[each].sources:
            found.setdefault(key, []).append(each)
    return found
