"""Find the connection of two statements: a shortest chain of edges."""

from __future__ import annotations

from collections.abc import Mapping

from kg.corpus import Corpus
from kg.model import Edge, EdgeId, Relation, StatementId
from kg.queries.conditions.corpus_index import CorpusIndex, index_of
from kg.queries.conditions.related_records import INVERSE_WORDS
from kg.queries.line_scope import statement_or_proposition
from kg.queries.results.reported_result import ReportedResult, captions_of, report_under
from kg.reporting.report import Report

BEARING_RELATIONS = tuple(relation for relation in Relation if not relation.joins_notes)


class Chain(ReportedResult, frozen=True):
    """A chain of edges through statements; edges may be followed against their direction."""

    start: StatementId
    end: StatementId
    through: tuple[StatementId, ...] = ()
    edges: tuple[Edge, ...] = ()

    def report(self) -> Report:
        """The statements from start to end, and the edges between them."""
        lines = [self.title_with_id(self.start)]
        for start, end, edge in zip(self.through, self.through[1:], self.edges, strict=False):
            lines += [f"  {_step_text(start, edge)}", self.title_with_id(end)]
        return report_under(lines, edges=self.edges)


def path(corpus: Corpus, start: str, end: str) -> Chain | None:
    """A shortest chain of edges between two statements, in any direction; None if there is none.

    An undercut links its premise with the statements at both ends of the edge that it denies.
    Raises `UnknownId`.
    """
    first_id = statement_or_proposition(corpus, start).id
    last_id = statement_or_proposition(corpus, end).id
    step_before = _search_from(index_of(corpus), first_id, last_id)
    if last_id not in step_before:
        return None
    edges: list[Edge] = []
    through = [last_id]
    while through[-1] != first_id:
        previous, edge = step_before[through[-1]]
        through.append(previous)
        edges.append(corpus.edges_by_id[edge])
    through.reverse()
    return Chain(
        captions=captions_of(corpus, through),
        start=first_id,
        end=last_id,
        through=tuple(through),
        edges=tuple(reversed(edges)),
    )


def _step_text(start: StatementId, edge: Edge) -> str:
    """An edge that a chain follows from `start`, with its reason."""
    reason = f" — {edge.reason}" if edge.reason else ""
    word = edge.relation.value if start == edge.origin else INVERSE_WORDS[edge.relation]
    return f"{word}{reason}"


def _search_from(
    index: CorpusIndex, first_id: StatementId, last_id: StatementId
) -> Mapping[StatementId, tuple[StatementId, EdgeId]]:
    """Breadth-first search from `first_id`: the predecessor of each statement, and the edge."""
    neighbours = index.neighbours(BEARING_RELATIONS)
    step_before: dict[StatementId, tuple[StatementId, EdgeId]] = {first_id: (first_id, "")}
    frontier = [first_id]
    while frontier and last_id not in step_before:
        next_frontier: list[StatementId] = []
        for current in frontier:
            for other, edge_id in neighbours.get(current, ()):
                if other not in step_before:
                    step_before[other] = (current, edge_id)
                    next_frontier.append(other)
        frontier = next_frontier
    return step_before
