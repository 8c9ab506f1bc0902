"""What a selection asks for: small frozen values, to be shown, found or written as SPARQL.

A condition is one class here or in `related`. It knows its words, how the corpus in memory finds
what meets it, and the pattern that a SPARQL engine finds it by: nothing else lists conditions.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kg.queries.conditions.fields import FIELDS_OF_SORT, Sort
from kg.queries.conditions.index import Index
from kg.queries.conditions.ranges import Number, Order, render_range, sort_by, sort_in_reading_order

if TYPE_CHECKING:
    from kg.queries.conditions.patterns import Patterns


Ids: TypeAlias = Set[str]
ChangeQuery: TypeAlias = "Callable[[Query], Query]"
NO_IDS: frozenset[str] = frozenset()
# Cheap and narrow first; scans and what must be computed last, on what is left by then.
COST_NARROW, COST_WIDE, COST_TAKEN_AWAY, COST_SCANNED, COST_COMPUTED = range(5)


class Condition(ABC):
    """Something that records of a sort meet, or do not."""

    __slots__ = ()

    @abstractmethod
    def describe(self) -> str:
        """In words: `whose kind is claim`; nothing for no condition."""

    @abstractmethod
    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        """Ids of what meets it in memory, out of `among` (None: everything)."""

    @abstractmethod
    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        """A pattern that narrows what the variable `x` is bound to."""

    def cost(self, sort: Sort) -> int:
        """When to look at it, among conditions that must all hold."""
        return COST_WIDE

    def implies(self, sort: Sort) -> bool:
        """Whether only things of the sort can meet it, so that SPARQL need not say so."""
        return False

    def changed(self, sort: Sort, change: ChangeQuery) -> Condition:
        """The condition with every query in it changed: itself, if none of them is."""
        return self


@dataclass(frozen=True, slots=True)
class Query:
    """Everything of one sort that meets a condition, sorted, and perhaps only the first few."""

    sort: Sort
    condition: Condition
    order: tuple[Order, ...] = ()
    first: int | None = None

    def describe(self) -> str:
        """As a phrase: `statements whose kind is claim, supported by evidence-1`."""
        said = self.condition.describe()
        text = f"{self.sort}s" + (f" {said}" if said else "")
        if self.order:
            keys = (f"{'-' if key.descending else ''}{key.field}" for key in self.order)
            text += f", sorted by {', '.join(keys)}"
        return text if self.first is None else f"the first {self.first} of {text}"

    def ids(self, index: Index) -> Ids:
        """What it holds in memory, in no order."""
        if self.first is None:
            return self.condition.find_ids(index, self.sort, None)
        return frozenset(self.in_order(index))

    def in_order(self, index: Index) -> tuple[str, ...]:
        """What it holds in memory, in its order, else in reading order."""
        found = self.condition.find_ids(index, self.sort, None)
        ids = sort_in_reading_order(found, index.reading_order(self.sort))
        if self.order:
            values = {key.field: index.ranks(self.sort, key.field) for key in self.order}
            ids = sort_by(ids, self.order, values)
        return tuple(ids[: self.first])

    def pattern(self, sparql: Patterns, x: str, sort_is_known: bool = False) -> str:
        """A pattern that binds `x` to what it holds; the sort is known where no other can stand."""
        narrowing = self.condition.pattern(sparql, self.sort, x)
        if sort_is_known or self.condition.implies(self.sort):
            return narrowing
        return f"{sparql.is_a(self.sort, x)} {narrowing}"


# -- what joins conditions -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Everything(Condition):
    """No condition."""

    def describe(self) -> str:
        return ""

    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        return index.everything(sort) if among is None else among

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The condition does not hold."""

    condition: Condition

    def describe(self) -> str:
        if isinstance(self.condition, FieldIn):
            return self.condition.describe().replace(" is ", " is not ", 1)
        return f"not {self.condition.describe() or 'anything'}"

    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        base = index.everything(sort) if among is None else among
        return base - self.condition.find_ids(index, sort, base)

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return f"MINUS {{ {Query(sort, self.condition).pattern(sparql, x)} }}"

    def cost(self, sort: Sort) -> int:
        return COST_TAKEN_AWAY

    def changed(self, sort: Sort, change: ChangeQuery) -> Condition:
        (inner,) = _change_parts((self.condition,), sort, change)
        return self if inner is self.condition else Not(inner)


@dataclass(frozen=True, slots=True)
class _Several(Condition):
    conditions: tuple[Condition, ...]

    def changed(self, sort: Sort, change: ChangeQuery) -> Condition:
        parts = _change_parts(self.conditions, sort, change)
        return self if parts is self.conditions else type(self)(parts)


@dataclass(frozen=True, slots=True)
class All(_Several):
    """Every condition holds."""

    def describe(self) -> str:
        return ", ".join(part.describe() for part in self.conditions)

    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        for part in sorted(self.conditions, key=lambda part: part.cost(sort)):
            among = part.find_ids(index, sort, among)
            if not among:
                break
        return index.everything(sort) if among is None else among

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        later = sorted(self.conditions, key=lambda part: isinstance(part, Not | Words))
        return " ".join(part.pattern(sparql, sort, x) for part in later)

    def implies(self, sort: Sort) -> bool:
        return any(part.implies(sort) for part in self.conditions)


@dataclass(frozen=True, slots=True)
class AnyOf(_Several):
    """At least one condition holds."""

    def describe(self) -> str:
        said = dict.fromkeys(part.describe() or "any" for part in self.conditions)
        return f"({either_of(said)})" if len(said) > 1 else either_of(said)

    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        return NO_IDS.union(*(part.find_ids(index, sort, among) for part in self.conditions))

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        sides = (Query(sort, part).pattern(sparql, x) for part in self.conditions)
        return sparql.either(x, sides)


class Indexed(Condition):
    """A condition that an index answers for the whole corpus at once."""

    __slots__ = ()

    @abstractmethod
    def find_all(self, index: Index, sort: Sort) -> Ids:
        """Ids of everything that meets it."""

    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        met = self.find_all(index, sort)
        return met if among is None else met & among


@dataclass(frozen=True, slots=True)
class Chosen(Indexed):
    """One of what a sorted and limited query holds."""

    query: Query

    def describe(self) -> str:
        return f"among {phrase_of(self.query)}"

    def find_all(self, index: Index, sort: Sort) -> Ids:
        return self.query.ids(index)

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        raise AssertionError("a limited query is answered first, and its ids stand in the query")

    def changed(self, sort: Sort, change: ChangeQuery) -> Condition:
        query = change(self.query)
        return self if query is self.query else as_condition(query)


def _change_parts(
    parts: tuple[Condition, ...], sort: Sort, change: ChangeQuery
) -> tuple[Condition, ...]:
    """The parts changed: the same tuple, if none of them is."""
    changed = tuple([change(Query(sort, part)).condition for part in parts])
    return parts if all(map(operator.is_, parts, changed)) else changed


# -- what a record says --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IdIn(Indexed):
    """One of these ids; if nothing has the id that was named, one of these kinds."""

    ids: tuple[str, ...]
    kinds: tuple[str, ...] = ()

    def describe(self) -> str:
        return f"called {either_of(self.ids)}"

    def find_all(self, index: Index, sort: Sort) -> Ids:
        return frozenset(self.ids)

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return sparql.id_pattern(sort, self.ids, x)

    def cost(self, sort: Sort) -> int:
        return COST_NARROW

    def implies(self, sort: Sort) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class FieldIn(Indexed):
    """A field holds one of the values."""

    field: str
    values: tuple[str | bool, ...]

    def describe(self) -> str:
        return f"whose {self.field} is {either_of(map(str, self.values))}"

    def find_all(self, index: Index, sort: Sort) -> Ids:
        holding = index.ids_by_value(sort, self.field)
        if len(self.values) == 1:
            return holding.get(self.values[0], NO_IDS)
        return NO_IDS.union(*(holding.get(value, NO_IDS) for value in self.values))

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return sparql.has(sort, self.field, self.values, x)

    def cost(self, sort: Sort) -> int:
        return COST_NARROW

    def implies(self, sort: Sort) -> bool:
        return FIELDS_OF_SORT[sort][self.field].telling


@dataclass(frozen=True, slots=True)
class FieldRecorded(Indexed):
    """A field holds any value at all."""

    field: str

    def describe(self) -> str:
        return f"whose {self.field} is recorded"

    def find_all(self, index: Index, sort: Sort) -> Ids:
        return index.ids_with_value(sort, self.field)

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return sparql.recorded_pattern(sort, self.field, x)

    def cost(self, sort: Sort) -> int:
        return COST_NARROW


@dataclass(frozen=True, slots=True)
class FieldBetween(Indexed):
    """A number or date lies between two ends, both included; an end that is None is open."""

    field: str
    low: Number | None = None
    high: Number | None = None

    def describe(self) -> str:
        return f"whose {self.field} is {render_range(self.low, self.high)}"

    def find_all(self, index: Index, sort: Sort) -> Ids:
        return index.ids_between(sort, self.field, self.low, self.high)

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return sparql.within(sort, self.field, self.low, self.high, x)

    def cost(self, sort: Sort) -> int:
        return COST_WIDE if FIELDS_OF_SORT[sort][self.field].path else COST_COMPUTED

    def implies(self, sort: Sort) -> bool:
        return FIELDS_OF_SORT[sort][self.field].telling


@dataclass(frozen=True, slots=True)
class Words(Condition):
    """The text holds each of these, in lower case, somewhere."""

    words: tuple[str, ...]

    def describe(self) -> str:
        return f"saying {' and '.join(repr(word) for word in self.words)}"

    def find_ids(self, index: Index, sort: Sort, among: Ids | None) -> Ids:
        return index.ids_with_words(sort, self.words, among)

    def pattern(self, sparql: Patterns, sort: Sort, x: str) -> str:
        return sparql.words(sort, self.words, x)

    def cost(self, sort: Sort) -> int:
        return COST_SCANNED


# -- joining -------------------------------------------------------------------------------------


def all_of(one: Condition, other: Condition) -> Condition:
    """The condition that holds where both do."""
    parts = (*_parts(one), *_parts(other))
    if not parts:
        return Everything()
    return parts[0] if len(parts) == 1 else All(parts)


def _parts(condition: Condition) -> tuple[Condition, ...]:
    if isinstance(condition, All):
        return condition.conditions
    return () if isinstance(condition, Everything) else (condition,)


def as_condition(query: Query) -> Condition:
    """The condition of being in `query`."""
    return query.condition if query.first is None else Chosen(query)


def phrase_of(query: Query) -> str:
    """What a query holds, as part of a longer phrase."""
    if isinstance(query.condition, IdIn) and query.first is None:
        return either_of(query.condition.ids)
    if isinstance(query.condition, Everything) and query.first is None:
        return f"any {query.sort}"
    return f"({query.describe()})"


def either_of(names: Iterable[str]) -> str:
    """“one or other”"""
    return " or ".join(names) or "nothing"
