"""What a selection asks for, as small frozen values that any engine can read."""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass
from typing import TypeAlias

from kg.model import Relation

Number: TypeAlias = float | dt.date


class Sort(enum.StrEnum):
    """What a selection is made of."""

    STATEMENT = "statement"
    SOURCE = "source"
    LINE = "line"
    EDGE = "edge"


@dataclass(frozen=True, slots=True)
class Order:
    """One key to sort by; what has no value comes last either way."""

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    """Everything of one sort that meets a condition, sorted, and perhaps only the first few."""

    sort: Sort
    condition: Condition
    order: tuple[Order, ...] = ()
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Anything:
    """No condition."""


@dataclass(frozen=True, slots=True)
class Named:
    """One of these ids."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Has:
    """A field holds one of the values."""

    field: str
    values: tuple[str | bool, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A field holds any value at all."""

    field: str


@dataclass(frozen=True, slots=True)
class Within:
    """A number or date lies between two ends, both included; an end that is None is open."""

    field: str
    low: Number | None = None
    high: Number | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """The text holds each of these, in lower case, somewhere."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """Edges lead to a pick (`onward`) or come from it; over one step, or up to `steps` of them.

    `steps` None means any number.
    """

    relations: tuple[Relation, ...]
    onward: bool
    to: Pick
    steps: int | None = 1


@dataclass(frozen=True, slots=True)
class Citing:
    """The text cites one of the picked sources."""

    sources: Pick


@dataclass(frozen=True, slots=True)
class CitedBy:
    """One of the picked statements or lines cites the source."""

    by: Pick


@dataclass(frozen=True, slots=True)
class Placed:
    """One of the picked lines places the statement, in `camp` or in any."""

    lines: Pick
    camp: str | None = None


@dataclass(frozen=True, slots=True)
class Placing:
    """The line places one of the picked statements, in `camp` or in any."""

    statements: Pick
    camp: str | None = None


@dataclass(frozen=True, slots=True)
class Weighing:
    """The line's proposition is one of the picked statements."""

    statements: Pick


@dataclass(frozen=True, slots=True)
class PartOf:
    """The statement is a callout inside one of the picked statements' notes."""

    whole: Pick


@dataclass(frozen=True, slots=True)
class Starting:
    """The edge starts at one of the picked statements."""

    at: Pick


@dataclass(frozen=True, slots=True)
class Ending:
    """The edge ends at one of the picked statements or edges."""

    at: Pick


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of what a sorted and limited pick holds."""

    pick: Pick


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class All:
    """Every condition holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one condition holds."""

    conditions: tuple[Condition, ...]


Condition: TypeAlias = (
    Anything
    | Named
    | Has
    | Recorded
    | Within
    | Words
    | Linked
    | Citing
    | CitedBy
    | Placed
    | Placing
    | Weighing
    | PartOf
    | Starting
    | Ending
    | Chosen
    | Not
    | All
    | Either
)


def both(one: Condition, other: Condition) -> Condition:
    """The condition that holds where both do."""
    parts = (*_parts(one), *_parts(other))
    if not parts:
        return Anything()
    return parts[0] if len(parts) == 1 else All(parts)


def _parts(condition: Condition) -> tuple[Condition, ...]:
    if isinstance(condition, All):
        return condition.conditions
    return () if isinstance(condition, Anything) else (condition,)


def as_condition(pick: Pick) -> Condition:
    """The condition of being in `pick`."""
    return pick.condition if pick.first is None else Chosen(pick)
