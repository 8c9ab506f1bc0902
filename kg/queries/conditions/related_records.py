"""Conditions on related records: edges, citations, placements, parts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from kg.model import Relation
from kg.queries.conditions.condition import (
    NO_IDS,
    ChangeQuery,
    Condition,
    Everything,
    Ids,
    Indexed,
    Query,
    either_of,
)
from kg.queries.conditions.corpus_index import CorpusIndex
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.link_index import IdsById, step_along

if TYPE_CHECKING:
    from kg.queries.conditions.sparql_patterns import Patterns

INVERSE_WORDS: Mapping[Relation, str] = {
    each: each.entry.inverse.replace("-", " ") for each in Relation
}


@dataclass(frozen=True, slots=True)
class Related(Indexed):
    """Met by records related to a result of a query; subclasses say how.

    `words` go before the query; `join_pattern` is the SPARQL that relates x to y in the query.
    `implies_kind_of_y` means that only the query's kind can occur at y, `implies_kind_of_x` that
    only one kind can occur at x.
    """

    words: ClassVar[str]
    join_pattern: ClassVar[str]
    implies_kind_of_y: ClassVar[bool] = False
    implies_kind_of_x: ClassVar[bool] = False

    query: Query

    def describe(self) -> str:
        return f"{self.words} {self.query.describe_within()}"

    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        return self.follow(index, record_kind, self.query.ids(index))

    @abstractmethod
    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        """Return all records of the kind that are related to one of `ids`."""

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        y = patterns.variable()
        join_pattern = self.join_pattern.format(x=x, y=y)
        return f"{join_pattern} {self.query.sparql_pattern(patterns, y, self.implies_kind_of_y)}"

    def implies_kind(self, record_kind: RecordKind) -> bool:
        return self.implies_kind_of_x

    def change_queries(self, record_kind: RecordKind, change: ChangeQuery) -> Condition:
        query = change(self.query)
        return self if query is self.query else replace(self, query=query)


@dataclass(frozen=True, slots=True)
class Linked(Related):
    """Edges lead to a query's results (`onward`) or come from them, in up to `steps` steps.

    `steps` None means any number.
    """

    relations: tuple[Relation, ...]
    onward: bool
    steps: int | None = 1

    def describe(self) -> str:
        onward = self.onward and not all(each.is_symmetric for each in self.relations)
        names = (r.value if onward else INVERSE_WORDS[r] for r in self.relations)
        steps = {1: "", None: " in any number of steps"}
        words = f"{either_of(names)} {self.query.describe_within()}"
        words += steps.get(self.steps, f" in up to {self.steps} steps")
        return f"that {words}" if onward else words

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        if self.asks_only_for_support:  # as the rule `unsupported-claim` and its shape ask
            return index.supported_statements
        if self.steps == 1:
            # from `ids` back to what leads there, or on to what they lead to
            reached_by_relation = [
                index.linked_ids(relation, ids, self.onward) for relation in self.relations
            ]
            return (
                reached_by_relation[0]
                if len(reached_by_relation) == 1
                else NO_IDS.union(*reached_by_relation)
            )
        step = index.incoming_ids if self.onward else index.outgoing_ids
        return _find_reached([step(each) for each in self.relations], ids, self.steps)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        y = patterns.variable()
        if self.asks_only_for_support:
            return f"{y} kg:supports/(kg:sameAs|^kg:sameAs)* {x} ."
        query_pattern = self.query.sparql_pattern(
            patterns, y, kind_is_known=self.is_between_statements
        )
        start, end = (x, y) if self.onward else (y, x)
        edge_patterns = patterns.edge_patterns(self.relations, start, end, self.steps)
        if len(edge_patterns) == 1:
            return f"{edge_patterns[0]} {query_pattern}"
        return patterns.union_pattern(
            x, (f"{pattern} {query_pattern}" for pattern in edge_patterns)
        )

    def implies_kind(self, record_kind: RecordKind) -> bool:
        return self.is_between_statements

    @property
    def asks_only_for_support(self) -> bool:
        """Whether it asks only for any support, including that of statements declared the same."""
        is_direct_support = (
            self.relations == (Relation.SUPPORTS,) and not self.onward and self.steps == 1
        )
        return is_direct_support and self.query == Query(RecordKind.STATEMENT, Everything())

    @property
    def is_between_statements(self) -> bool:
        """Whether both ends must be statements: relations such as supersedes may join any notes."""
        return not any(each.joins_notes for each in self.relations)


@dataclass(frozen=True, slots=True)
class Citing(Related):
    """The record cites one of the query's sources."""

    words = "citing"
    join_pattern = "{x} kg:cites {y} ."

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        return step_along(
            index.lines_by_source if record_kind is RecordKind.LINE else index.statements_by_source,
            ids,
        )


@dataclass(frozen=True, slots=True)
class CitedBy(Related):
    """One of the query's statements or lines cites the source."""

    words = "cited by"
    join_pattern = "{y} kg:cites {x} ."

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        corpus = index.corpus
        if self.query.record_kind is RecordKind.LINE:
            keys = {c.key for id in ids for c in corpus.lines[id].citations}
        else:
            keys = {key for id in ids for key in corpus.statements[id].sources}
        return keys & index.all_ids(RecordKind.SOURCE)


@dataclass(frozen=True, slots=True)
class PlacementInCamp(Related):
    """The common base of placing and being placed, in `camp` or in any."""

    implies_kind_of_y = True
    implies_kind_of_x = True

    camp: str | None = None

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        y = patterns.variable()
        line, statement = (x, y) if record_kind is RecordKind.LINE else (y, x)
        placement_pattern = patterns.placement_pattern(statement, line, self.camp)
        return f"{placement_pattern} {self.query.sparql_pattern(patterns, y, kind_is_known=True)}"


@dataclass(frozen=True, slots=True)
class PlacedBy(PlacementInCamp):
    """One of the query's lines places the statement, in `camp` or in any."""

    def describe(self) -> str:
        return f"placed {f'in {self.camp} ' if self.camp else ''}by {self.query.describe_within()}"

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        placements = (placement for id in ids for placement in index.corpus.lines[id].placements)
        return frozenset(p.statement for p in placements if self.camp in (None, p.camp))


@dataclass(frozen=True, slots=True)
class PlacesStatement(PlacementInCamp):
    """The line places one of the query's statements, in `camp` or in any."""

    def describe(self) -> str:
        return f"placing {self.query.describe_within()}{f' as {self.camp}' if self.camp else ''}"

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        placements = (
            placement for placement in index.corpus.placements if placement.statement in ids
        )
        return frozenset(p.line for p in placements if self.camp in (None, p.camp))


@dataclass(frozen=True, slots=True)
class WeighsStatement(Related):
    """The line's proposition is one of the query's statements."""

    words = "weighing"
    join_pattern = "{x} kg:proposition {y} ."
    implies_kind_of_y = True
    implies_kind_of_x = True

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        lines = index.corpus.lines.items()
        return frozenset(id for id, line in lines if line.proposition in ids)


@dataclass(frozen=True, slots=True)
class PartOf(Related):
    """The statement is a callout in the note of one of the query's statements."""

    words = "part of"
    join_pattern = "{x} kg:partOf {y} ."
    implies_kind_of_y = True
    implies_kind_of_x = True

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        return step_along(index.parts_by_parent, ids)


@dataclass(frozen=True, slots=True)
class StartsAt(Related):
    """The edge starts at one of the query's statements."""

    words = "origin"
    join_pattern = "{x} kg:origin {y} ."
    implies_kind_of_x = True

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        return step_along(index.edges_by_start, ids)


@dataclass(frozen=True, slots=True)
class EndsAt(Related):
    """The edge ends at one of the query's statements or edges."""

    words = "target"
    join_pattern = "{x} kg:target {y} ."
    implies_kind_of_x = True

    def follow(self, index: CorpusIndex, record_kind: RecordKind, ids: Ids) -> Ids:
        return step_along(index.edges_by_end, ids)


def _find_reached(links: list[IdsById], start_ids: Ids, steps: int | None) -> Ids:
    """Return all ids to which links lead from `start_ids`, in up to `steps` steps."""
    reached_ids: set[str] = set()
    new_ids: Ids = start_ids
    while new_ids and steps != 0:
        # `start_ids` is not subtracted: in a circle it is reached too
        new_ids = NO_IDS.union(*(step_along(each, new_ids) for each in links)) - reached_ids
        reached_ids |= new_ids
        steps = None if steps is None else steps - 1
    return reached_ids
