"""The order of ids: as in the notes, or by the values of fields."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from kg.model import Edge
from kg.queries.conditions.field_types import FieldValue

Values = Mapping[str, tuple[FieldValue, ...]]
COST_OF_SORTING = 8  # to sort an id takes about as long as to pass so many in the order of all


@dataclass(frozen=True, slots=True)
class Order:
    """One sort key; records without a value come last in either direction."""

    field: str
    descending: bool = False


def sort_in_reading_order(ids: Collection[str], places: Mapping[str, int]) -> list[str]:
    """Ids in the order in which they occur in the notes."""
    if len(ids) < 2:
        return list(ids)
    if len(ids) * COST_OF_SORTING > len(places):
        return [id for id in places if id in ids]
    return sorted(ids, key=places.__getitem__)


def edges_in_order(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Edges in the order in which they occur in the notes."""
    return tuple(sorted(edges, key=lambda edge: (edge.span, edge.id)))


def sort_by(ids: list[str], order: Iterable[Order], values: Mapping[str, Values]) -> list[str]:
    """Ids sorted by keys, the first key first; ties keep their order."""
    for key in reversed(tuple(order)):
        values_by_id = values[key.field]
        pick = max if key.descending else min
        sort_keys = {id: _sort_key(pick(values_by_id[id])) for id in ids if id in values_by_id}
        ids_with_values = sorted(sort_keys, key=sort_keys.__getitem__, reverse=key.descending)
        ids = [*ids_with_values, *(id for id in ids if id not in values_by_id)]
    return ids


def _sort_key(value: FieldValue) -> FieldValue:
    return value.casefold() if isinstance(value, str) else value
