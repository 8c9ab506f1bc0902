"""Putting what was found in order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kg.queries.condition import Pick
from kg.queries.fields import Value

Values = Mapping[str, tuple[Value, ...]]


def arranged(
    found: Collection[str], pick: Pick, reading: Mapping[str, int], values: Mapping[str, Values]
) -> tuple[str, ...]:
    """Ids in the pick's order, then in reading order; only the first if it says so."""
    if len(found) < 2:
        ids = list(found)
    elif len(found) * 8 > len(reading):
        ids = [id for id in reading if id in found]
    else:
        ids = sorted(found, key=reading.__getitem__)
    for key in reversed(pick.order):
        known = values[key.field]
        having = [id for id in ids if id in known]
        size = _largest(known) if key.descending else _least(known)
        having.sort(key=size, reverse=key.descending)
        ids = [*having, *(id for id in ids if id not in known)]
    return tuple(ids if pick.first is None else ids[: pick.first])


def _least(known: Values) -> Any:
    return lambda id: _key(min(known[id]))


def _largest(known: Values) -> Any:
    return lambda id: _key(max(known[id]))


def _key(value: Value) -> Value:
    return value.casefold() if isinstance(value, str) else value
