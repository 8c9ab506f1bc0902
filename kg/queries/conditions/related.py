"""Conditions on related records: edges, citations, placements, parts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from kg.model import Relation
from kg.queries.conditions.condition import (
    COST_NARROW,
    NO_IDS,
    ChangeQuery,
    Condition,
    Everything,
    Ids,
    Indexed,
    Query,
    either_of,
    phrase_of,
)
from kg.queries.conditions.fields import Sort
from kg.queries.conditions.index import Index
from kg.queries.conditions.link_index import IdsById, step_along

if TYPE_CHECKING:
    from kg.queries.conditions.patterns import Patterns

INVERSE_WORDS: Mapping[Relation, str] = {
    each: each.entry.inverse.replace("-", " ") for each in Relation
}


@dataclass(frozen=True, slots=True)
class Related(Indexed):
    """Met by records related to a result of a query; subclasses say how.

    `words` go before the query; `joins` is the SPARQL that relates x to y in the query. `sure`
    means that only the query's sort can occur at y, `own` that only one sort can occur at x.
    """

    words: ClassVar[str]
    joins: ClassVar[str]
    sure: ClassVar[bool] = False
    own: ClassVar[bool] = False

    to: Query

    def describe(self) -> str:
        return f"{self.words} {phrase_of(self.to)}"

    def find_all(self, index: Index, sort: Sort) -> Ids:
        return self.follow(index, sort, self.to.ids(index))

    @abstractmethod
    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        """All records of the sort that are related to one of `ids`."""

    def sparql_pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        y = sparql.variable()
        joined = self.joins.format(x=x, y=y)
        return f"{joined} {self.to.sparql_pattern(sparql, y, self.sure)}"

    def implies_sort(self, sort: Sort) -> bool:
        return self.own

    def change_queries(self, sort: Sort, change: ChangeQuery) -> Condition:
        to = change(self.to)
        return self if to is self.to else replace(self, to=to)


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
        words = f"{either_of(names)} {phrase_of(self.to)}"
        words += steps.get(self.steps, f" in up to {self.steps} steps")
        return f"that {words}" if onward else words

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        if self.asks_only_for_support:
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

    def sparql_pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        y = sparql.variable()
        if self.asks_only_for_support:
            return f"{y} kg:supports/(kg:sameAs|^kg:sameAs)* {x} ."
        inner = self.to.sparql_pattern(sparql, y, sort_is_known=self.is_between_statements)
        start, end = (x, y) if self.onward else (y, x)
        ways = sparql.edges(self.relations, start, end, self.steps)
        if len(ways) == 1:
            return f"{ways[0]} {inner}"
        return sparql.either(x, (f"{way} {inner}" for way in ways))

    def implies_sort(self, sort: Sort) -> bool:
        return self.is_between_statements

    @property
    def asks_only_for_support(self) -> bool:
        """Whether it asks only for any support, including that of statements declared the same."""
        one = self.relations == (Relation.SUPPORTS,) and not self.onward and self.steps == 1
        return one and self.to == Query(Sort.STATEMENT, Everything())

    @property
    def is_between_statements(self) -> bool:
        """Whether both ends must be statements: relations such as supersedes may join any notes."""
        return not any(each.joins_notes for each in self.relations)


@dataclass(frozen=True, slots=True)
class Citing(Related):
    """The record cites one of the query's sources."""

    words = "citing"
    joins = "{x} kg:cites {y} ."

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        return step_along(
            index.lines_by_source if sort is Sort.LINE else index.statements_by_source, ids
        )


@dataclass(frozen=True, slots=True)
class CitedBy(Related):
    """One of the query's statements or lines cites the source."""

    words = "cited by"
    joins = "{y} kg:cites {x} ."

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        corpus = index.corpus
        if self.to.sort is Sort.LINE:
            keys = {c.key for id in ids for c in corpus.lines[id].citations}
        else:
            keys = {key for id in ids for key in corpus.statements[id].sources}
        return keys & index.all_ids(Sort.SOURCE)


@dataclass(frozen=True, slots=True)
class PlacementInCamp(Related):
    """The common base of placing and being placed, in `camp` or in any."""

    sure = True
    own = True

    camp: str | None = None

    def sparql_pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        y = sparql.variable()
        line, statement = (x, y) if sort is Sort.LINE else (y, x)
        placed = sparql.placement_pattern(statement, line, self.camp)
        return f"{placed} {self.to.sparql_pattern(sparql, y, sort_is_known=True)}"


@dataclass(frozen=True, slots=True)
class PlacedBy(PlacementInCamp):
    """One of the query's lines places the statement, in `camp` or in any."""

    def describe(self) -> str:
        return f"placed {f'in {self.camp} ' if self.camp else ''}by {phrase_of(self.to)}"

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        places = (place for id in ids for place in index.corpus.lines[id].placements)
        return frozenset(p.statement for p in places if self.camp in (None, p.camp))

    def cost(self, sort: Sort) -> int:
        return COST_NARROW


@dataclass(frozen=True, slots=True)
class PlacesStatement(PlacementInCamp):
    """The line places one of the query's statements, in `camp` or in any."""

    def describe(self) -> str:
        return f"placing {phrase_of(self.to)}{f' as {self.camp}' if self.camp else ''}"

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        places = (place for place in index.corpus.placements if place.statement in ids)
        return frozenset(p.line for p in places if self.camp in (None, p.camp))


@dataclass(frozen=True, slots=True)
class WeighsStatement(Related):
    """The line's proposition is one of the query's statements."""

    words = "weighing"
    joins = "{x} kg:proposition {y} ."
    sure = True
    own = True

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        lines = index.corpus.lines.items()
        return frozenset(id for id, line in lines if line.proposition in ids)


@dataclass(frozen=True, slots=True)
class PartOf(Related):
    """The statement is a callout in the note of one of the query's statements."""

    words = "part of"
    joins = "{x} kg:partOf {y} ."
    sure = True
    own = True

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        return step_along(index.parts_by_parent, ids)

    def cost(self, sort: Sort) -> int:
        return COST_NARROW


@dataclass(frozen=True, slots=True)
class StartsAt(Related):
    """The edge starts at one of the query's statements."""

    words = "from"
    joins = "{x} kg:from {y} ."
    own = True

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        return step_along(index.edges_by_start, ids)


@dataclass(frozen=True, slots=True)
class EndsAt(Related):
    """The edge ends at one of the query's statements or edges."""

    words = "to"
    joins = "{x} kg:to {y} ."
    own = True

    def follow(self, index: Index, sort: Sort, ids: Ids) -> Ids:
        return step_along(index.edges_by_end, ids)


def _find_reached(links: list[IdsById], start: Ids, steps: int | None) -> Ids:
    """All ids to which links lead from `start`, in up to `steps` steps."""
    reached: set[str] = set()
    front: Ids = start
    while front and steps != 0:
        # `start` is not subtracted: in a circle it is reached too
        front = NO_IDS.union(*(step_along(each, front) for each in links)) - reached
        reached |= front
        steps = None if steps is None else steps - 1
    return reached
