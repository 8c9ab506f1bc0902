"""Selections: immutable descriptions of what to find, independent of the engine."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

from kg.model import Edge, InquiryLine, Kind, Relation, Source, Statement
from kg.model.errors import Misuse, require_type
from kg.queries.conditions.condition import (
    Condition,
    Everything,
    FieldBetween,
    FieldIn,
    FieldIsRecorded,
    HasWords,
    IdIn,
    Not,
    Query,
    all_of,
    any_of,
    as_condition,
)
from kg.queries.conditions.field_types import FieldType, RecordKind
from kg.queries.conditions.fields import (
    FIELDS_BY_KIND,
    field_name,
    field_of,
    parse_closed_words,
)
from kg.queries.conditions.ordering import Order
from kg.queries.conditions.related_records import Citing, Linked
from kg.queries.conditions.value_ranges import BadRange, Range, as_range, require_possible_range
from kg.queries.language.query_words import MissingValue, narrow_by_words

Thing: TypeAlias = "str | Statement | Source | InquiryLine | Edge | Selection | Iterable[str]"
_PHRASE_OR_WORD = re.compile(r'"([^"]+)"|(\S+)')
# The kinds that a word stands for where a statement is expected and none has that id.
KINDS_BY_WORD = {
    "statement": tuple(Kind),
    "claim": (Kind.CLAIM, Kind.COUNTER_CLAIM),
    "counter-claim": (Kind.COUNTER_CLAIM,),
    "evidence": (Kind.EVIDENCE,),
}

UNIT_INTERVAL_FIELDS = ("strength", "quality")


class NotAlike(Misuse, TypeError):
    """Selections of different kinds cannot be combined."""


@dataclass(frozen=True)
class Selection:
    """A question, narrowed by methods, combined by `&`, `|` and `-`, and run by `corpus.find(…)`.

    Every method returns a new selection. Nothing is looked up before it is run.
    """

    query: Query
    record_kind: ClassVar[RecordKind]

    # -- combining -----------------------------------------------------------------------

    def __and__(self, other: Self) -> Self:
        return self.all_of(other)

    def __or__(self, other: Self) -> Self:
        return self.any_of(other)

    def __sub__(self, other: Self) -> Self:
        return self._with_condition(
            all_of(as_condition(self.query), Not(as_condition(self._query_of_same_kind(other))))
        )

    def without(self, other: Self | None = None, **values_by_word: object) -> Self:
        """Exclude what another selection finds, or what matches the words.

        `claims().without(answered_by=statements().camp("optimist"))`
        """
        selection = self if other is None else self - other
        all_records = type(self)(Query(self.record_kind, Everything()))
        for name, value in values_by_word.items():
            selection = selection - all_records.where(**{name: value})
        return selection

    def where(self, **values_by_word: object) -> Self:
        """Narrow by words: `claims().where(camp="skeptic")`; raises `UnknownWord`."""
        if not values_by_word:
            return self
        return narrow_by_words(self, values_by_word)

    # -- shape ---------------------------------------------------------------------------

    def order_by(self, *fields: str) -> Self:
        """Sort by fields, `-` in front for the largest first: `sources().order_by("-year")`.

        Records without a value come last. By default results are in reading order.
        """
        for name in fields:
            require_type(name, str, "a field is named by a text")
        order = tuple(
            Order(field_name(self.record_kind, name.removeprefix("-")), name.startswith("-"))
            for name in fields
        )
        return type(self)(replace(self._narrowable_query(), order=order))

    def limit(self, count: int) -> Self:
        """Keep only the first `count`: `claims().limit(5)`."""
        require_type(count, int, "a limit is a whole number")
        if count < 0:
            raise ValueError("a limit cannot be negative")
        limit = count if self.query.limit is None else min(count, self.query.limit)
        return type(self)(replace(self.query, limit=limit))

    def count(self) -> Counted:
        """Ask only for the number of results: `claims().count()`."""
        return Counted(self.query)

    def group_by(self, *fields: str) -> Grouped:
        """Groups by the value of a field, or by the values of several. A record with several
        values of a field is in several groups.

        `claims().group_by("camp", "line")`
        """
        if not fields:
            raise NotCounted("group_by takes a field: group_by('method')")
        for field in fields:
            field_of(self.record_kind, field)
        return Grouped(self.query, fields)

    def aggregate(self, **figures: str | Iterable[str]) -> GroupSizes:
        """Ask for the number of results and summaries of fields:
        `evidence().aggregate(sum="sample")`.
        """
        return Grouped(self.query, ()).aggregate(**figures)

    # -- for every kind of record ------------------------------------------------------------

    def named(self, *ids: str) -> Self:
        """Keep only these ids (or aliases): `claims().named("gap-is-a-matter-of-incentives")`."""
        for id in ids:
            require_type(id, str, "an id is text")
        return self._narrow(IdIn(ids))

    def text(self, *words: str) -> Self:
        """Keep those whose text contains every word (`"…"` for a phrase), ignoring case.

        `claims().text('reward "next turn"')`
        """
        for part in words:
            require_type(part, str, "what is searched for is text")
        phrases = [
            " ".join((phrase or word).lower().split())
            for part in words
            for phrase, word in _PHRASE_OR_WORD.findall(part)
        ]
        if words and not any(phrases):
            raise MissingValue("text")
        return self._narrow(HasWords(tuple(filter(None, phrases)))) if phrases else self

    def has(self, field: str, *values: str | bool) -> Self:
        """Keep those whose field has one of the values or, if none are given, any value.

        `evidence().has("sample")`
        """
        name = field_name(self.record_kind, field)
        definition = FIELDS_BY_KIND[self.record_kind][name]
        if not values:
            return self._narrow(FieldIsRecorded(name))
        if definition.has_order:
            return self._within(name, as_range(*values))
        if definition.words:
            values = parse_closed_words(
                name.replace("_", " "),
                definition.words,
                map(str, values),
                extensible=definition.extensible,
            )
        # a flag that a note need not write is a no wherever there is no yes
        if definition.type is FieldType.FLAG and definition.default is False and values == (False,):
            return self._narrow(Not(FieldIn(name, (True,))))
        return self._narrow(FieldIn(name, values))

    def all_of(self, *others: Self) -> Self:
        """Keep what this selection and all others find; for very many, quicker than `&` for each.

        `claims().all_of(claims().camp("skeptic"), claims().topic("norms"))`
        """
        conditions = (as_condition(self._query_of_same_kind(other)) for other in others)
        return self._with_condition(all_of(as_condition(self.query), *conditions))

    def any_of(self, *others: Self) -> Self:
        """Find what this selection or any other finds; for very many, quicker than `|` for each.

        `claims().any_of(claims().camp("skeptic"), claims().topic("norms"))`
        """
        conditions = (as_condition(self._query_of_same_kind(other)) for other in others)
        return self._with_condition(any_of(as_condition(self.query), *conditions))

    # -- helpers for subclasses ------------------------------------------------------------

    def _narrow(self, condition: Condition) -> Self:
        query = self._narrowable_query()
        return type(self)(Query(query.record_kind, all_of(query.condition, condition), query.order))

    def _within(self, field: str, span: Range) -> Self:
        low, high = span
        takes_dates = FIELDS_BY_KIND[self.record_kind][field].type is FieldType.DAY
        for end in (low, high):
            if end is not None and isinstance(end, dt.date) is not takes_dates:
                raise BadRange(str(end))
        if low is None and high is None:
            return self._narrow(FieldIsRecorded(field))
        require_possible_range(
            field,
            low,
            high,
            UNIT_INTERVAL_FIELDS if self.record_kind is RecordKind.STATEMENT else (),
        )
        return self._narrow(FieldBetween(field, low, high))

    def _narrow_to_linked(
        self, relations: tuple[Relation, ...], onward: bool, x: Thing | None, steps: int | None = 1
    ) -> Self:
        return self._narrow(Linked(as_query(RecordKind.STATEMENT, x), relations, onward, steps))

    def _narrow_to_citing(self, x: Thing | None) -> Self:
        return self._narrow(Citing(as_query(RecordKind.SOURCE, x)))

    def _narrowable_query(self) -> Query:
        """The query to narrow; one with a limit is wrapped, so that the limit applies first."""
        if self.query.limit is None:
            return self.query
        return Query(self.record_kind, as_condition(self.query), self.query.order)

    def _with_condition(self, condition: Condition) -> Self:
        return type(self)(Query(self.record_kind, condition, self.query.order))

    def _query_of_same_kind(self, other: Selection) -> Query:
        if not isinstance(other, Selection):
            raise TypeError(f"a selection can be joined with a selection, not with {other!r}")
        if other.record_kind is not self.record_kind:
            raise NotAlike(
                f"{self.record_kind}s and {other.record_kind}s cannot be joined in one selection"
            )
        return other.query

    def __repr__(self) -> str:
        return self.query.describe()


@dataclass(frozen=True)
class Counted:
    """The number of results of a query."""

    query: Query


class NotCounted(Misuse, ValueError):
    """Grouping needs a field, or a field has no such summary."""


@dataclass(frozen=True)
class Grouped:
    """A query with its results grouped by the values of fields."""

    query: Query
    fields: tuple[str, ...]
    max_groups: int | None = None

    def limit(self, count: int) -> Grouped:
        """Keep only the first `count` groups, the largest:
        `claims().group_by("topic").limit(3)`.
        """
        require_type(count, int, "a limit is a whole number")
        if count < 0:
            raise ValueError("a limit cannot be negative")
        return replace(self, max_groups=count)

    def count(self) -> GroupSizes:
        """Ask only for the number of results per group: `claims().group_by("camp").count()`."""
        return GroupSizes(self.query, self.fields, max_groups=self.max_groups)

    def aggregate(
        self,
        *,
        mean: str | Iterable[str] = (),
        min: str | Iterable[str] = (),
        max: str | Iterable[str] = (),
        sum: str | Iterable[str] = (),
    ) -> GroupSizes:
        """The number of results per group, and summaries of fields: `aggregate(mean="sample")`.

        Raises `NotCounted` for a field without numbers.
        """
        fields_by_summary = {"mean": mean, "min": min, "max": max, "sum": sum}
        figures = tuple(
            (summary, _get_summable_field(self.query.record_kind, field, summary))
            for summary, fields in fields_by_summary.items()
            for field in ((fields,) if isinstance(fields, str) else fields)
        )
        return GroupSizes(self.query, self.fields, figures, self.max_groups)


@dataclass(frozen=True)
class GroupSizes:
    """The numbers of results of a query by the values of fields, and summaries of other fields."""

    query: Query
    fields: tuple[str, ...]
    figures: tuple[tuple[str, str], ...] = ()
    max_groups: int | None = None


def _get_summable_field(record_kind: RecordKind, name: str, summary: str) -> str:
    """The field called `name`, if it can be summarised so; else raise `NotCounted`."""
    field = field_of(record_kind, name)
    is_summable = field.has_order if summary in ("min", "max") else field.type is FieldType.NUMBER
    if not (is_summable or (field.type is FieldType.YEAR and summary == "mean")):
        numbers = [
            number_field
            for number_field, definition in FIELDS_BY_KIND[record_kind].items()
            if definition.type is FieldType.NUMBER
        ]
        hint = f"such as {numbers[0]}" if numbers else f"and {record_kind}s have none"
        raise NotCounted(f"{name} has no {summary}: that takes a field of numbers, {hint}")
    return field_name(record_kind, name)


def as_query(record_kind: RecordKind, x: Thing | None) -> Query:
    """The query that an argument stands for: an id, a record, ids, a selection, or None for all."""
    if x is None:
        return Query(record_kind, Everything())
    if isinstance(x, str):
        kinds = (
            KINDS_BY_WORD.get(x.removesuffix("s"), ())
            if record_kind is RecordKind.STATEMENT
            else ()
        )
        return Query(record_kind, IdIn((x,), kinds))
    if isinstance(x, Selection):
        if x.record_kind is not record_kind:
            raise NotAlike(f"{record_kind}s are expected here, but {x!r} selects {x.record_kind}s")
        return x.query
    if isinstance(x, Statement | Source | InquiryLine | Edge):
        return Query(record_kind, IdIn((x.id,)))
    require_type(x, Iterable, f"a {record_kind} is named by an id, a record or a selection")
    return Query(record_kind, IdIn(tuple(str(id) for id in x)))


def ids_that_may_be_kinds(query: Query) -> list[IdIn]:
    """The parts of a query that name a statement by a word that may also be a kind."""
    conditions: list[IdIn] = []

    def visit(subquery: Query) -> Query:
        if isinstance(subquery.condition, IdIn) and subquery.condition.kinds:
            conditions.append(subquery.condition)
        subquery.condition.change_queries(subquery.record_kind, visit)
        return subquery

    visit(query)
    return conditions
