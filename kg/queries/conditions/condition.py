"""The conditions of a selection: small frozen values, to be shown, evaluated or compiled to SPARQL.

Each condition is a class here or in `related_records`. It knows its description, how to find in
memory what meets it, and its SPARQL pattern; no other module lists the conditions.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kg.queries.conditions.corpus_index import CorpusIndex
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.conditions.ordering import Order, sort_by, sort_in_reading_order
from kg.queries.conditions.value_ranges import Number, render_range

if TYPE_CHECKING:
    from kg.queries.conditions.sparql_patterns import Patterns


Ids: TypeAlias = Set[str]
ChangeQuery: TypeAlias = "Callable[[Query], Query]"
NO_IDS: frozenset[str] = frozenset()


class Condition(ABC):
    """A condition on records of one kind."""

    __slots__ = ()

    @abstractmethod
    def describe(self) -> str:
        """The condition in words: `whose kind is claim`; empty for no condition."""

    @abstractmethod
    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        """Ids in memory that meet it, out of `candidates` (None: all)."""

    @abstractmethod
    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        """A SPARQL pattern that restricts the variable `x`."""

    def implies_kind(self, record_kind: RecordKind) -> bool:
        """Return whether only records of the kind can meet it, so that SPARQL need not check
        that.
        """
        return False

    def change_queries(self, record_kind: RecordKind, change: ChangeQuery) -> Condition:
        """The condition with `change` applied to each query in it; itself if none changes."""
        return self


@dataclass(frozen=True, slots=True)
class Query:
    """The records of one kind that meet a condition, sorted, and possibly limited to the first."""

    record_kind: RecordKind
    condition: Condition
    order: tuple[Order, ...] = ()
    limit: int | None = None

    def describe(self) -> str:
        """Say it in words: `statements whose kind is claim, supported by evidence-1`."""
        condition_text = self.condition.describe()
        text = f"{self.record_kind}s" + (f" {condition_text}" if condition_text else "")
        if self.order:
            keys = (f"{'-' if key.descending else ''}{key.field}" for key in self.order)
            text += f", sorted by {', '.join(keys)}"
        return text if self.limit is None else f"the first {self.limit} of {text}"

    def describe_within(self) -> str:
        """Say it in words within a longer phrase: `evidence-1`, `any source`, `(claims …)`."""
        if isinstance(self.condition, IdIn) and self.limit is None:
            return either_of(self.condition.ids)
        if isinstance(self.condition, Everything) and self.limit is None:
            return f"any {self.record_kind}"
        return f"({self.describe()})"

    def ids(self, index: CorpusIndex) -> Ids:
        """The ids that it finds in memory, unordered."""
        if self.limit is None:
            return self.condition.find_ids(index, self.record_kind, None)
        return frozenset(self.ordered_ids(index))

    def ordered_ids(self, index: CorpusIndex) -> tuple[str, ...]:
        """The ids that it finds in memory, in its order, by default in reading order."""
        unordered_ids = self.condition.find_ids(index, self.record_kind, None)
        ids = sort_in_reading_order(unordered_ids, index.reading_order(self.record_kind))
        if self.order:
            values = {key.field: index.sort_keys(self.record_kind, key.field) for key in self.order}
            ids = sort_by(ids, self.order, values)
        return tuple(ids[: self.limit])

    def sparql_pattern(self, patterns: Patterns, x: str, kind_is_known: bool = False) -> str:
        """A pattern that binds `x` to the results; `kind_is_known` if `x` can have no other."""
        condition_pattern = self.condition.sparql_pattern(patterns, self.record_kind, x)
        if kind_is_known or self.condition.implies_kind(self.record_kind):
            return condition_pattern
        return f"{patterns.type_pattern(self.record_kind, x)} {condition_pattern}"


# -- conditions made of conditions ---------------------------------------------------------------


class Unrestricted(Condition):
    """A condition that leaves out no record."""

    __slots__ = ()

    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        return index.all_ids(record_kind) if candidates is None else candidates

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Everything(Unrestricted):
    """No condition."""

    def describe(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The condition does not hold."""

    condition: Condition

    def describe(self) -> str:
        if isinstance(self.condition, FieldIn):
            return self.condition.describe().replace(" is ", " is not ", 1)
        return f"not {self.condition.describe() or 'anything'}"

    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        base = index.all_ids(record_kind) if candidates is None else candidates
        return base - self.condition.find_ids(index, record_kind, base)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return f"MINUS {{ {Query(record_kind, self.condition).sparql_pattern(patterns, x)} }}"

    def change_queries(self, record_kind: RecordKind, change: ChangeQuery) -> Condition:
        (inner,) = _change_parts((self.condition,), record_kind, change)
        return self if inner is self.condition else Not(inner)


@dataclass(frozen=True, slots=True)
class _Several(Condition):
    """The common base of conditions that combine others."""

    conditions: tuple[Condition, ...]

    def change_queries(self, record_kind: RecordKind, change: ChangeQuery) -> Condition:
        parts = _change_parts(self.conditions, record_kind, change)
        return self if parts is self.conditions else type(self)(parts)


@dataclass(frozen=True, slots=True)
class All(_Several):
    """Every condition holds."""

    def describe(self) -> str:
        return ", ".join(part.describe() for part in self.conditions)

    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        for part in self._lookups_first():
            candidates = part.find_ids(index, record_kind, candidates)
            if not candidates:
                break
        return index.all_ids(record_kind) if candidates is None else candidates

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return " ".join(
            part.sparql_pattern(patterns, record_kind, x) for part in self._lookups_first()
        )

    def implies_kind(self, record_kind: RecordKind) -> bool:
        return any(part.implies_kind(record_kind) for part in self.conditions)

    def _lookups_first(self) -> list[Condition]:
        """Put the conditions that an index answers first; the others then read only the records
        left.
        """
        return sorted(self.conditions, key=lambda part: isinstance(part, Not | HasWords))


@dataclass(frozen=True, slots=True)
class AnyOf(_Several):
    """A condition that holds if at least one of several holds."""

    def describe(self) -> str:
        texts = dict.fromkeys(part.describe() or "any" for part in self.conditions)
        return f"({either_of(texts)})" if len(texts) > 1 else either_of(texts)

    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        return NO_IDS.union(
            *(part.find_ids(index, record_kind, candidates) for part in self.conditions)
        )

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        alternatives = (
            Query(record_kind, part).sparql_pattern(patterns, x) for part in self.conditions
        )
        return patterns.union_pattern(x, alternatives)


class Indexed(Condition):
    """A condition that an index evaluates for the whole corpus at once."""

    __slots__ = ()

    @abstractmethod
    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        """Ids of everything that meets it."""

    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        matching_ids = self.find_all(index, record_kind)
        return matching_ids if candidates is None else matching_ids & candidates


@dataclass(frozen=True, slots=True)
class InLimitedQuery(Indexed):
    """One of the results of a sorted and limited query."""

    query: Query

    def describe(self) -> str:
        return f"among {self.query.describe_within()}"

    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        return self.query.ids(index)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        raise AssertionError("a limited query is run first, and replaced by its ids")

    def change_queries(self, record_kind: RecordKind, change: ChangeQuery) -> Condition:
        query = change(self.query)
        return self if query is self.query else as_condition(query)


def _change_parts(
    parts: tuple[Condition, ...], record_kind: RecordKind, change: ChangeQuery
) -> tuple[Condition, ...]:
    """The parts with `change` applied; the same tuple if none changes."""
    changed_parts = tuple([change(Query(record_kind, part)).condition for part in parts])
    # by identity, which costs nothing, however large a condition is
    return parts if all(map(operator.is_, parts, changed_parts)) else changed_parts


# -- conditions on a record itself ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IdIn(Indexed):
    """One of these ids; if no record has the id, one of these kinds."""

    ids: tuple[str, ...]
    kinds: tuple[str, ...] = ()

    def describe(self) -> str:
        return f"called {either_of(self.ids)}"

    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        return frozenset(self.ids)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return patterns.id_pattern(record_kind, self.ids, x)

    def implies_kind(self, record_kind: RecordKind) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class FieldIn(Indexed):
    """A field holds one of the values."""

    field: str
    values: tuple[str | bool, ...]

    def describe(self) -> str:
        return f"whose {self.field} is {either_of(map(str, self.values))}"

    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        ids_by_value = index.ids_by_value(record_kind, self.field)
        if len(self.values) == 1:
            return ids_by_value.get(self.values[0], NO_IDS)
        return NO_IDS.union(*(ids_by_value.get(value, NO_IDS) for value in self.values))

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return patterns.values_pattern(record_kind, self.field, self.values, x)

    def implies_kind(self, record_kind: RecordKind) -> bool:
        return FIELDS_BY_KIND[record_kind][self.field].implies_kind


@dataclass(frozen=True, slots=True)
class FieldIsRecorded(Indexed):
    """A field holds any value at all."""

    field: str

    def describe(self) -> str:
        return f"whose {self.field} is recorded"

    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        return index.ids_with_value(record_kind, self.field)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return patterns.recorded_pattern(record_kind, self.field, x)


@dataclass(frozen=True, slots=True)
class FieldBetween(Indexed):
    """A number or date lies between two inclusive bounds; None is no bound."""

    field: str
    low: Number | None = None
    high: Number | None = None

    def describe(self) -> str:
        return f"whose {self.field} is {render_range(self.low, self.high)}"

    def find_all(self, index: CorpusIndex, record_kind: RecordKind) -> Ids:
        return index.ids_between(record_kind, self.field, self.low, self.high)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return patterns.range_pattern(record_kind, self.field, self.low, self.high, x)

    def implies_kind(self, record_kind: RecordKind) -> bool:
        return FIELDS_BY_KIND[record_kind][self.field].implies_kind


@dataclass(frozen=True, slots=True)
class HasWords(Condition):
    """The text contains each of these words, which are in lower case, ignoring case."""

    words: tuple[str, ...]

    def describe(self) -> str:
        return f"saying {' and '.join(repr(word) for word in self.words)}"

    def find_ids(self, index: CorpusIndex, record_kind: RecordKind, candidates: Ids | None) -> Ids:
        return index.ids_with_words(record_kind, self.words, candidates)

    def sparql_pattern(self, patterns: Patterns, record_kind: RecordKind, x: str) -> str:
        return patterns.words_pattern(record_kind, self.words, x)


# -- joining -------------------------------------------------------------------------------------


def all_of(*conditions: Condition) -> Condition:
    """The condition that all of them hold, each of them once."""
    parts = tuple(dict.fromkeys(part for condition in conditions for part in _conjuncts(condition)))
    if not parts:
        return Everything()
    return parts[0] if len(parts) == 1 else All(parts)


def any_of(*conditions: Condition) -> Condition:
    """The condition that one of them holds at least: each once, none within another."""
    # flat, since a chain of `a | b | c | …` would else nest as deep as it is long
    sides = tuple(
        dict.fromkeys(
            side
            for condition in conditions
            for side in (condition.conditions if isinstance(condition, AnyOf) else (condition,))
        )
    )
    return sides[0] if len(sides) == 1 else AnyOf(sides)


def _conjuncts(condition: Condition) -> tuple[Condition, ...]:
    if isinstance(condition, All):
        return condition.conditions
    return () if isinstance(condition, Everything) else (condition,)


def as_condition(query: Query) -> Condition:
    """The condition of being in `query`."""
    return query.condition if query.limit is None else InLimitedQuery(query)


def either_of(names: Iterable[str]) -> str:
    """`claim or evidence`: names of which any will do; `nothing` if there are none."""
    return " or ".join(names) or "nothing"
