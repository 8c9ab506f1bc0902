"""Why a statement holds, what speaks against it, and how two statements hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kg.corpus import Corpus
from kg.model import OPPOSING, Edge, EdgeId, Relation, StatementId, Value
from kg.queries.index import Index, index_of

SUPPORTING = frozenset({Relation.SUPPORTS})
BEARING = tuple(relation for relation in Relation if relation is not Relation.SUPERSEDES)
DEEPEST = 50


class Branch(Value, frozen=True):
    """A statement in a tree of reasons, and the edge by which it bears on the one above.

    `seen` marks a statement that already stands higher up, whose branch is not repeated;
    `denied` lists the edges that undercut the branch's own edge.
    """

    statement: StatementId
    edge: Edge | None = None
    branches: tuple[Branch, ...] = ()
    seen: bool = False
    denied: tuple[Edge, ...] = ()

    def __str__(self) -> str:
        return "\n".join("  " * depth + branch._label() for depth, branch in self.walk())

    def _label(self) -> str:
        if self.edge is None:
            return self.statement
        reason = f" — {self.edge.reason}" if self.edge.reason else ""
        return f"{self.edge.relation.value} {self.statement}{reason}"

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
    root = corpus.statement(name).id
    return _tree(corpus, root, _bearing(corpus, root, SUPPORTING), depth)


def against(corpus: Corpus, name: str, depth: int = DEEPEST) -> Branch:
    """What contradicts, qualifies or undercuts a statement, and what supports those.

    A mutual contradiction counts from both sides. Raises `UnknownId`.
    """
    root = corpus.statement(name).id
    edges = [*_bearing(corpus, root, OPPOSING), *_mutual(corpus, root)]
    return _tree(corpus, root, [*edges, *_undercutting(corpus, root)], depth)


def path(corpus: Corpus, start: str, end: str) -> Route | None:
    """A shortest chain of edges between two statements, either way; None where there is none.

    An undercut links what denies a reason with the statements on both sides of that reason.
    Raises `UnknownId`.
    """
    first, last = corpus.statement(start).id, corpus.statement(end).id
    came = _spread(index_of(corpus), first, last)
    if last not in came:
        return None
    edges: list[Edge] = []
    at = last
    while at != first:
        at, edge = came[at]
        edges.append(corpus.edge[edge])
    return Route(start=first, end=last, edges=tuple(reversed(edges)))


def _spread(
    index: Index, first: StatementId, last: StatementId
) -> Mapping[StatementId, tuple[StatementId, EdgeId]]:
    """Breadth-first from `first`: where each statement was reached from, and by which edge."""
    near = index.neighbours(BEARING)
    came: dict[StatementId, tuple[StatementId, EdgeId]] = {first: (first, "")}
    edge = [first]
    while edge and last not in came:
        reached: list[StatementId] = []
        for at in edge:
            for other, id in near.get(at, ()):
                if other not in came:
                    came[other] = (at, id)
                    reached.append(other)
        edge = reached
    return came


def _tree(corpus: Corpus, root: StatementId, edges: list[Edge], depth: int) -> Branch:
    seen = {root}
    branches = [_branch(corpus, edge, root, depth - 1, seen) for edge in edges]
    return Branch(statement=root, branches=tuple(branches))


def _branch(
    corpus: Corpus, edge: Edge, above: StatementId, depth: int, seen: set[StatementId]
) -> Branch:
    here = edge.target if edge.mutual and edge.source == above else edge.source
    denied = corpus.edges_to.get(edge.id, ())
    if here in seen or depth <= 0:
        return Branch(statement=here, edge=edge, seen=here in seen, denied=denied)
    seen.add(here)
    below = [
        _branch(corpus, next_edge, here, depth - 1, seen)
        for next_edge in _bearing(corpus, here, SUPPORTING)
    ]
    return Branch(statement=here, edge=edge, branches=tuple(below), denied=denied)


def _bearing(corpus: Corpus, id: StatementId, relations: frozenset[Relation]) -> list[Edge]:
    return [edge for edge in corpus.edges_to.get(id, ()) if edge.relation in relations]


def _mutual(corpus: Corpus, id: StatementId) -> list[Edge]:
    """Contradictions that the statement itself declares mutual."""
    return [
        edge
        for edge in corpus.edges_from.get(id, ())
        if edge.mutual and edge.relation is Relation.CONTRADICTS
    ]


def _undercutting(corpus: Corpus, id: StatementId) -> list[Edge]:
    """Edges that deny one of the reasons for a statement."""
    return [
        edge
        for support in _bearing(corpus, id, SUPPORTING)
        for edge in corpus.edges_to.get(support.id, ())
    ]
