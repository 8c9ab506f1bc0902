"""Which fields a selection speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from kg.queries.condition import All, Condition, Either, Has, Not, Pick, Recorded, Within


def fields_in(pick: Pick) -> frozenset[str]:
    """Fields that the pick itself (not what it is linked with) selects or sorts by."""
    return frozenset((*(key.field for key in pick.order), *_fields(pick.condition)))


def _fields(condition: Condition) -> Iterator[str]:
    match condition:
        case Has(field=field) | Recorded(field=field) | Within(field=field):
            yield field
        case Not(inner):
            yield from _fields(inner)
        case All(parts) | Either(parts):
            for part in parts:
                yield from _fields(part)
