"""Why a statement holds, what speaks against it, and how two statements hang together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kg.corpus import Corpus
from kg.model import OPPOSING, Edge, Relation, StatementId, Value

SUPPORTING = frozenset({Relation.SUPPORTS, Relation.DEPENDS_ON, Relation.SAME_AS})
DEEPEST = 50


class Branch(Value, frozen=True):
    """A statement in a tree of reasons, and the edge by which it bears on the one above.

    `seen` marks a statement that already stands higher up, whose branch is not repeated.
    """

    statement: StatementId
    edge: Edge | None = None
    branches: tuple[Branch, ...] = ()
    seen: bool = False

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Branch]]:
        """Every branch with its depth, from the root down."""
        yield depth, self
        for branch in self.branches:
            yield from branch.walk(depth + 1)


class Route(Value, frozen=True):
    """A chain of edges between two statements; any may be followed against its direction."""

    start: StatementId
    end: StatementId
    edges: tuple[Edge, ...] = ()


def why(corpus: Corpus, name: str, depth: int = DEEPEST) -> Branch:
    """What supports a statement, what supports that, and so on. Raises `UnknownId`."""
    return _grow(corpus, corpus.statement(name).id, frozenset({Relation.SUPPORTS}), depth)


def against(corpus: Corpus, name: str, depth: int = DEEPEST) -> Branch:
    """What contradicts, qualifies or undercuts a statement, and what supports those.

    Raises `UnknownId`.
    """
    root = corpus.statement(name).id
    seen = {root}
    branches = [
        _branch(corpus, edge, frozenset({Relation.SUPPORTS}), depth - 1, seen)
        for edge in (*_bearing(corpus, root, OPPOSING), *_undercutting(corpus, root))
    ]
    return Branch(statement=root, branches=tuple(branches))


def path(corpus: Corpus, start: str, end: str) -> Route | None:
    """A shortest chain of edges between two statements, either way; None where there is none.

    Raises `UnknownId`.
    """
    import networkx as nx

    from kg.views.network import as_network

    first, last = corpus.statement(start).id, corpus.statement(end).id
    network = as_network(corpus)
    try:
        steps = nx.shortest_path(network.to_undirected(as_view=True), first, last)
    except nx.NetworkXNoPath:
        return None
    edges = [_edge_between(corpus, a, b) for a, b in pairwise(steps)]
    return Route(start=first, end=last, edges=tuple(edges))


def _grow(corpus: Corpus, root: StatementId, relations: frozenset[Relation], depth: int) -> Branch:
    seen = {root}
    branches = [
        _branch(corpus, edge, relations, depth - 1, seen)
        for edge in _bearing(corpus, root, relations)
    ]
    return Branch(statement=root, branches=tuple(branches))


def _branch(
    corpus: Corpus, edge: Edge, relations: frozenset[Relation], depth: int, seen: set[StatementId]
) -> Branch:
    if edge.source in seen or depth <= 0:
        return Branch(statement=edge.source, edge=edge, seen=edge.source in seen)
    seen.add(edge.source)
    below = [
        _branch(corpus, next_edge, relations, depth - 1, seen)
        for next_edge in _bearing(corpus, edge.source, relations)
    ]
    return Branch(statement=edge.source, edge=edge, branches=tuple(below))


def _bearing(corpus: Corpus, id: StatementId, relations: frozenset[Relation]) -> list[Edge]:
    return [edge for edge in corpus.edges_to.get(id, ()) if edge.relation in relations]


def _undercutting(corpus: Corpus, id: StatementId) -> list[Edge]:
    """Edges that deny one of the reasons for a statement."""
    return [
        edge
        for support in _bearing(corpus, id, frozenset({Relation.SUPPORTS}))
        for edge in corpus.edges_to.get(support.id, ())
    ]


def _edge_between(corpus: Corpus, a: StatementId, b: StatementId) -> Edge:
    both = (*corpus.edges_from.get(a, ()), *corpus.edges_from.get(b, ()))
    return next(edge for edge in both if {edge.source, edge.target} == {a, b})
