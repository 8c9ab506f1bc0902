"""What an empty answer says: which condition emptied it, and what the nearest question finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kg.model import Kind
from kg.queries.conditions.condition import (
    All,
    Condition,
    Everything,
    FieldIn,
    Not,
    Query,
    all_of,
)
from kg.queries.conditions.fields import Sort
from kg.queries.conditions.inherited import Directly
from kg.queries.engines.memory import Engine

NOUNS = {
    frozenset({Kind.EVIDENCE.value}): ("piece of evidence", "pieces of evidence"),
    frozenset({Kind.CLAIM.value, Kind.COUNTER_CLAIM.value}): ("claim", "claims"),
    frozenset({Kind.CLAIM.value}): ("claim", "claims"),
    frozenset({Kind.COUNTER_CLAIM.value}): ("counter-claim", "counter-claims"),
}


def noun_of(query: Query, number: int) -> str:
    """What a query seeks, as a word for so many of it."""
    kinds, _ = _split(query)
    one, many = NOUNS.get(_values(kinds), (query.sort.value, f"{query.sort}s"))
    return one if number == 1 else many


def explain_empty(engine: Engine, query: Query) -> tuple[str, ...]:
    """Why a query that was not resolved yet holds nothing, in sentences."""
    limit, query = query.first, replace(query, order=(), first=None)
    kinds, parts = _split(query)
    if limit == 0 and (number := _count(engine, query, [query.condition])):
        return (f"The first 0 were asked for; without the limit: {number}.",)
    told = [part for part in parts if part != Directly()]
    if not told:
        return (f"The corpus holds no {noun_of(query, 2)}.",)
    alone = {part: _count(engine, query, [*kinds, part, *_direct(parts)]) for part in told}
    missing = [part for part in told if not alone[part]]
    lines = [f"There is no {noun_of(query, 1)} {part.describe()}." for part in missing]
    if not missing:
        found = "; ".join(f"{n} {noun_of(query, n)} {part.describe()}" for part, n in alone.items())
        are = "is" if next(iter(alone.values())) == 1 else "are"
        lines.append(f"There {are} {found}: none meets all of it.")
    lines += (said for part in missing if (said := _unrecorded(engine, query, kinds, part)))
    return (*lines, *_nearest(engine, query, kinds, parts, missing))


def _unrecorded(engine: Engine, query: Query, kinds: list[Condition], part: Condition) -> str:
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
    condition: Condition = Everything()
    for part in parts:
        condition = all_of(condition, part)
    return len(engine.find_ids(engine.resolve(replace(query, condition=condition))))


def _direct(parts: list[Condition]) -> list[Condition]:
    return [Directly()] if Directly() in parts else []


def _split(query: Query) -> tuple[list[Condition], list[Condition]]:
    """What says of which kind statements are, and all else that is asked of them."""
    whole = query.condition
    parts = list(whole.conditions) if isinstance(whole, All) else [whole] * (whole != Everything())
    kinds = [part for part in parts if _values([part]) and query.sort is Sort.STATEMENT]
    return kinds, [part for part in parts if part not in kinds]


def _values(parts: list[Condition]) -> frozenset[str]:
    found = [
        set(map(str, part.values))
        for part in parts
        if isinstance(part, FieldIn) and part.field == "kind"
    ]
    return frozenset(set.intersection(*found)) if found else frozenset()
