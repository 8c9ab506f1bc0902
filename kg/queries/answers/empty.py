"""What an empty answer says: which condition emptied it, and what the nearest question finds."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from kg.model import Kind
from kg.queries.conditions.condition import (
    All,
    Condition,
    Everything,
    FieldBetween,
    FieldIn,
    Not,
    Query,
    Words,
    all_of,
)
from kg.queries.conditions.fields import Sort
from kg.queries.conditions.inherited import Directly
from kg.queries.conditions.related import Citing
from kg.queries.engines.engine import Engine
from kg.queries.engines.shown_values import ShownValues

MOST_VALUES_NAMED = 8  # values that are named
NOUNS = {
    frozenset({Kind.EVIDENCE.value}): ("piece of evidence", "pieces of evidence"),
    frozenset({Kind.CLAIM.value, Kind.COUNTER_CLAIM.value}): ("claim", "claims"),
    frozenset({Kind.CLAIM.value}): ("claim", "claims"),
    frozenset({Kind.COUNTER_CLAIM.value}): ("counter-claim", "counter-claims"),
}


def noun_of(query: Query, number: int) -> str:
    """What a query seeks, as a word for so many of it."""
    kinds, _ = _split_off_kinds(query)
    one, many = NOUNS.get(_values(kinds), (query.sort.value, f"{query.sort}s"))
    return one if number == 1 else many


def explain_empty(engine: Engine, query: Query) -> tuple[str, ...]:
    """Why a query that was not resolved yet holds nothing, in sentences."""
    limit, query = query.first, replace(query, order=(), first=None)
    kinds, parts = _split_off_kinds(query)
    if limit == 0 and (number := _count(engine, query, [query.condition])):
        return (f"The first 0 were asked for; without the limit: {number}.",)
    told = [part for part in parts if part != Directly()]
    if kinds and not _values(kinds):
        return tuple(_two_kinds(engine, query, kinds, parts))
    if not told:
        return (f"The corpus holds no {noun_of(query, 2)}.",)
    alone = {part: _count(engine, query, [*kinds, part, *_direct(parts)]) for part in told}
    missing = [part for part in told if not alone[part]]
    lines = [f"There is no {noun_of(query, 1)} {part.describe()}." for part in missing]
    if not missing:
        found = "; ".join(f"{n} {noun_of(query, n)} {part.describe()}" for part, n in alone.items())
        are = "is" if next(iter(alone.values())) == 1 else "are"
        lines.append(f"There {are} {found}: none meets all of it.")
    lines += (said for part in missing if (said := _explain_unrecorded(engine, query, kinds, part)))
    whole = [*kinds, *_direct(parts)]
    lines += (said for part in missing if (said := _what_there_is(engine, query, whole, part)))
    return (*lines, *_nearest(engine, query, kinds, parts, missing))


def _two_kinds(
    engine: Engine, query: Query, kinds: list[Condition], parts: list[Condition]
) -> Iterator[str]:
    """That nothing is of both kinds, and how many there are of each."""
    found = []
    for kind in kinds:
        number = _count(engine, query, [kind, *parts])
        found.append((noun_of(replace(query, condition=kind), 1), number))
    both = " and ".join(f"a {noun}" for noun, _ in found)
    counted = " or ".join(f"a {noun} ({number})" for noun, number in found)
    yield f"Nothing is {both} at once: ask for {counted}."
    if {Kind.EVIDENCE.value} in [_values([kind]) for kind in kinds]:
        yield "For claims that evidence supports: claims supported_by:(evidence)."


def _what_there_is(engine: Engine, query: Query, whole: list[Condition], part: Condition) -> str:
    """What would find something: the range or the values that there are."""
    if isinstance(part, Citing):
        part = part.to.condition
    match part:
        case Words(words):
            said = " ".join(f'"{word}"' if " " in word else word for word in words)
            return f"`kg search {shlex.quote(said)}` finds other forms of words, and misspelt ones."
        case FieldBetween(field=field):
            known = _count_known_values(engine, query, whole, field)
            if not known:
                return f"No {noun_of(query, 1)} has a {field}."
            low, high = min(known), max(known)
            return f"There, {field} goes from {_short(low)} to {_short(high)}."
        case FieldIn(field=field, values=values) if not {True, False} & {*values}:
            ranked = [
                str(value)
                for value, _ in _count_known_values(engine, query, whole, field).most_common()
            ]
            if not ranked:
                return f"No {noun_of(query, 1)} has a {field}."
            more = (
                f" and {len(ranked) - MOST_VALUES_NAMED} more"
                if len(ranked) > MOST_VALUES_NAMED
                else ""
            )
            return f"There are {', '.join(ranked[:MOST_VALUES_NAMED])}{more}."
    return ""


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _count_known_values(
    engine: Engine, query: Query, parts: list[Condition], field: str
) -> Counter[Any]:
    """The values of a field that there are where the parts hold, each with its number."""
    whole = engine.resolve(replace(query, condition=_all(parts)))
    ids = engine.find_ids(whole)
    found = ShownValues(engine, whole, ids).values(field)
    return Counter(value for id in ids for value in found.get(id, ()))


def _explain_unrecorded(
    engine: Engine, query: Query, kinds: list[Condition], part: Condition
) -> str:
    """That a flag is not recorded is no “no”: how many leave it open, where none says no."""
    if not isinstance(part, FieldIn) or part.values != (False,):
        return ""
    number = _count(engine, query, [*kinds, Not(FieldIn(part.field, (True,)))])
    do = "does" if number == 1 else "do"
    found = (
        f"{number} {do} not record it: -{part.field}:yes finds {'it' if number == 1 else 'those'}."
    )
    return found if number else ""


def _nearest(
    engine: Engine,
    query: Query,
    kinds: list[Condition],
    parts: list[Condition],
    missing: list[Condition],
) -> Iterable[str]:
    """What is found by those who ask for a little less."""
    if Directly() in parts:
        others = [part for part in parts if part != Directly()]
        if number := _count(engine, query, [*kinds, *others]):
            yield f"Not directly, but through evidence or claims: {number}."
            return
    if kinds and (number := _count(engine, query, parts)):
        yield f"Statements of another kind for which all of it holds: {number}."
        return
    told = [part for part in parts if part != Directly()]
    if len(told) < 2:
        return
    for part in missing or told:
        if number := _count(engine, query, [*kinds, *(each for each in parts if each != part)]):
            yield f"Without “{part.describe()}”: {number}."


def _count(engine: Engine, query: Query, parts: Iterable[Condition]) -> int:
    return len(engine.find_ids(engine.resolve(replace(query, condition=_all(parts)))))


def _all(parts: Iterable[Condition]) -> Condition:
    condition: Condition = Everything()
    for part in parts:
        condition = all_of(condition, part)
    return condition


def _direct(parts: list[Condition]) -> list[Condition]:
    return [Directly()] if Directly() in parts else []


def _split_off_kinds(query: Query) -> tuple[list[Condition], list[Condition]]:
    """What says of which kind statements are, and all else that is asked of them."""
    whole = query.condition
    parts = list(whole.conditions) if isinstance(whole, All) else [whole] * (whole != Everything())
    kinds = [part for part in parts if _values([part]) and query.sort is Sort.STATEMENT]
    return kinds, [_without_kinds(part, kinds) for part in parts if part not in kinds]


def _without_kinds(part: Condition, kinds: list[Condition]) -> Condition:
    """What is taken away, whatever its kind: of these kinds it is anyway."""
    if isinstance(part, Not) and isinstance(part.condition, All):
        return Not(_all(each for each in part.condition.conditions if each not in kinds))
    return part


def _values(parts: list[Condition]) -> frozenset[str]:
    found = [
        set(map(str, part.values))
        for part in parts
        if isinstance(part, FieldIn) and part.field == "kind"
    ]
    return frozenset(set.intersection(*found)) if found else frozenset()
