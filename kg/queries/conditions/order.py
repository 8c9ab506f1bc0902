"""Putting what was found in order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kg.queries.conditions.fields import Value

Values = Mapping[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Order:
    """One key to sort by; what has no value comes last either way."""

    field: str
    descending: bool = False


def in_reading_order(found: Collection[str], reading: Mapping[str, int]) -> list[str]:
    """Ids as they come in the notes."""
    if len(found) < 2:
        return list(found)
    if len(found) * 8 > len(reading):
        return [id for id in reading if id in found]
    return sorted(found, key=reading.__getitem__)


def sorted_by(ids: list[str], order: Iterable[Order], values: Mapping[str, Values]) -> list[str]:
    """Ids by the keys of an order, the first of them first; ties stay as they are."""
    for key in reversed(tuple(order)):
        known = values[key.field]
        having = [id for id in ids if id in known]
        size = _largest(known) if key.descending else _least(known)
        having.sort(key=size, reverse=key.descending)
        ids = [*having, *(id for id in ids if id not in known)]
    return ids


def _least(known: Values) -> Any:
    return lambda id: _key(min(known[id]))


def _largest(known: Values) -> Any:
    return lambda id: _key(max(known[id]))


def _key(value: Value) -> Value:
    return value.casefold() if isinstance(value, str) else value
