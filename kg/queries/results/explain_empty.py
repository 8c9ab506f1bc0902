"""Explain an empty result: which condition excludes all, and what similar queries find."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kg.model import Kind
from kg.queries.conditions.condition import (
    All,
    Condition,
    Everything,
    FieldBetween,
    FieldIn,
    HasWords,
    Not,
    Query,
    all_of,
)
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.conditions.inherited_conditions import WithoutInheritance
from kg.queries.conditions.related_records import Citing
from kg.queries.engines.engine import Engine
from kg.queries.engines.shown_values import ShownValues
from kg.text.plurals import join_first

MAX_VALUES_NAMED = 8  # about one line of a terminal
MAX_EXPLAINED = 32  # conditions: each is looked for alone, and all others without it
NOUNS = {
    frozenset({Kind.EVIDENCE.value}): ("piece of evidence", "pieces of evidence"),
    frozenset({Kind.CLAIM.value, Kind.COUNTER_CLAIM.value}): ("claim", "claims"),
    frozenset({Kind.CLAIM.value}): ("claim", "claims"),
    frozenset({Kind.COUNTER_CLAIM.value}): ("counter-claim", "counter-claims"),
}


def noun_of(query: Query, number: int) -> str:
    """A noun for the records that a query seeks, in the form for `number` of them."""
    kinds, _ = _split_off_kinds(query)
    singular, plural = NOUNS.get(
        _kind_names(kinds), (query.record_kind.value, f"{query.record_kind}s")
    )
    return singular if number == 1 else plural


def explain_empty(engine: Engine, query: Query) -> tuple[str, ...]:
    """Explain in sentences why an unresolved query finds nothing."""
    empty_query = _EmptyQuery(engine, replace(query, order=(), limit=None))
    if query.limit == 0 and (number := empty_query.count([query.condition])):
        return (f"The first 0 were asked for; without the limit: {number}.",)
    if empty_query.kinds and not _kind_names(empty_query.kinds):
        return tuple(empty_query.sentences_on_exclusive_kinds())
    if not empty_query.conditions:
        return (f"The corpus holds no {noun_of(query, 2)}.",)
    if (number := len(empty_query.conditions)) > MAX_EXPLAINED:
        hint = f"there are {number}, and of at most {MAX_EXPLAINED} it is said which nothing meets"
        return (f"No {noun_of(query, 1)} meets all conditions: {hint}.",)
    count_by_condition = {
        each: empty_query.count([*empty_query.kinds, each, *empty_query.direct])
        for each in empty_query.conditions
    }
    unmet = [each for each, number in count_by_condition.items() if not number]
    sentences = [f"There is no {noun_of(query, 1)} {each.describe()}." for each in unmet]
    if not unmet:
        sentences.append(empty_query.describe_counts_of_conditions(count_by_condition))
    sentences += map(empty_query.describe_unrecorded, unmet)
    sentences += map(empty_query.describe_existing_values, unmet)
    sentences.append(empty_query.describe_search())
    return (
        *filter(None, sentences),
        *empty_query.sentences_on_near_queries(unmet or empty_query.conditions),
    )


class _EmptyQuery:
    """A query that finds nothing: the kinds of statements it asks for, and its other conditions.

    `direct` says how the other parts are read, so it is not a condition that could be unmet.
    """

    def __init__(self, engine: Engine, query: Query) -> None:
        self.engine = engine
        self.query = query
        self.kinds, self.parts = _split_off_kinds(query)
        self.direct = [part for part in self.parts if part == WithoutInheritance()]
        self.conditions = [part for part in self.parts if part != WithoutInheritance()]

    def query_of(self, parts: Iterable[Condition]) -> Query:
        """The query with these conditions in place of its own."""
        return self.engine.resolve(replace(self.query, condition=all_of(*parts)))

    def count(self, parts: Iterable[Condition]) -> int:
        return len(self.engine.find_ids(self.query_of(parts)))

    def noun(self, number: int) -> str:
        return noun_of(self.query, number)

    def sentences_on_exclusive_kinds(self) -> Iterator[str]:
        """Say that nothing is of both kinds, and how many there are of each."""
        counts = [
            (noun_of(replace(self.query, condition=kind), 1), self.count([kind, *self.parts]))
            for kind in self.kinds
        ]
        nouns = " and ".join(f"a {noun}" for noun, _ in counts)
        counted_nouns = " or ".join(f"a {noun} ({number})" for noun, number in counts)
        yield f"Nothing is {nouns} at once: ask for {counted_nouns}."
        if {Kind.EVIDENCE.value} in [_kind_names([kind]) for kind in self.kinds]:
            yield "For claims that evidence supports: claims supported_by:(evidence)."

    def describe_counts_of_conditions(self, count_by_condition: Mapping[Condition, int]) -> str:
        """Say how many meet each condition by itself, if some meet each."""
        counts = "; ".join(
            f"{number} {self.noun(number)} {condition.describe()}"
            for condition, number in count_by_condition.items()
        )
        verb = "is" if next(iter(count_by_condition.values())) == 1 else "are"
        return f"There {verb} {counts}: none meets all of it."

    def describe_unrecorded(self, unmet: Condition) -> str:
        """Say how many do not record a flag, if none says no: not recorded does not mean no."""
        if not isinstance(unmet, FieldIn) or unmet.values != (False,):
            return ""
        number = self.count([*self.kinds, Not(FieldIn(unmet.field, (True,)))])
        verb, pronoun = ("does", "it") if number == 1 else ("do", "those")
        suggestion = f"{number} {verb} not record it: -{unmet.field}:yes finds {pronoun}."
        return suggestion if number else ""

    def describe_search(self) -> str:
        """Say what finds some of the words that are sought, as of a question; empty without any."""
        all_words = [
            word for each in self.conditions if isinstance(each, HasWords) for word in each.words
        ]
        words = shlex.quote(" ".join(f'"{word}"' if " " in word else word for word in all_words))
        hint = f"`kg search {words}` finds other forms of words, and misspelt ones."
        return hint if all_words else ""

    def describe_existing_values(self, unmet: Condition) -> str:
        """Say what would find something: the range of values, or the values that occur."""
        if isinstance(unmet, Citing):
            unmet = unmet.query.condition
        field = getattr(unmet, "field", "")
        if (
            field and field not in FIELDS_BY_KIND[self.query.record_kind]
        ):  # a field that only sources have
            return ""
        match unmet:
            case FieldBetween(field=field):
                return self._describe_range(field)
            case FieldIn(field=field, values=values) if not {True, False} & {*values}:
                return self._describe_values(field)
        return ""

    def _describe_range(self, field: str) -> str:
        count_by_value = self._count_values(field)
        if not count_by_value:
            return f"No {self.noun(1)} has a {field}."
        lowest = _short_number(min(count_by_value))
        highest = _short_number(max(count_by_value))
        return f"The values of {field} go from {lowest} to {highest}."

    def _describe_values(self, field: str) -> str:
        values_by_count = [str(value) for value, _ in self._count_values(field).most_common()]
        if not values_by_count:
            return f"No {self.noun(1)} has a {field}."
        return f"There are {join_first(values_by_count, MAX_VALUES_NAMED)}."

    def _count_values(self, field: str) -> Counter[Any]:
        """The values of a field among the statements of these kinds, each with its count."""
        query = self.query_of([*self.kinds, *self.direct])
        ids = self.engine.find_ids(query)
        values = ShownValues(self.engine, query, ids).values(field)
        return Counter(value for id in ids for value in values.get(id, ()))

    def sentences_on_near_queries(self, candidates: Iterable[Condition]) -> Iterator[str]:
        """Say what would be found with a little less: without one of the conditions."""
        if self.direct and (number := self.count([*self.kinds, *self.conditions])):
            yield f"Not directly, but through evidence or claims: {number}."
            return
        if self.kinds and (number := self.count(self.parts)):
            yield f"Statements of another kind for which all of it holds: {number}."
            return
        if len(self.conditions) < 2:
            return
        for condition in candidates:
            other_parts = [each for each in self.parts if each != condition]
            if number := self.count([*self.kinds, *other_parts]):
                yield f"Without “{condition.describe()}”: {number}."


def _short_number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _split_off_kinds(query: Query) -> tuple[list[Condition], list[Condition]]:
    """The conditions on the kind of statements, and all others."""
    match query.condition:
        case All(conditions):
            parts = list(conditions)
        case Everything():
            parts = []
        case single_condition:
            parts = [single_condition]
    kinds = [
        part for part in parts if _kind_names([part]) and query.record_kind is RecordKind.STATEMENT
    ]
    return kinds, [_without_kinds(part, kinds) for part in parts if part not in kinds]


def _without_kinds(part: Condition, kinds: list[Condition]) -> Condition:
    """A negated part without its conditions on `kinds`, which are implied."""
    if isinstance(part, Not) and isinstance(part.condition, All):
        return Not(all_of(*(each for each in part.condition.conditions if each not in kinds)))
    return part


def _kind_names(parts: list[Condition]) -> frozenset[str]:
    values = [
        set(map(str, part.values))
        for part in parts
        if isinstance(part, FieldIn) and part.field == "kind"
    ]
    return frozenset(set.intersection(*values)) if values else frozenset()
