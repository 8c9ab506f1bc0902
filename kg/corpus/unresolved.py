"""References that lead nowhere yet: kept, so that the checks can explain them."""

from __future__ import annotations

import enum

from kg.model import Span, Value
from kg.notes.parsed import PendingEdge


class Why(enum.Enum):
    """What keeps a reference from being resolved."""

    UNKNOWN_TARGET = enum.auto()
    AMBIGUOUS = enum.auto()
    WRONG_KIND = enum.auto()
    NOT_AN_EDGE = enum.auto()
    UNKNOWN_RELATION = enum.auto()
    UNKNOWN_CAMP = enum.auto()
    NOT_LINKABLE = enum.auto()
    OWN_PREMISE = enum.auto()


class Unresolved(Value, frozen=True):
    """An edge that could not be made; `candidates` are the ids that it does lead to, if any."""

    edge: PendingEdge
    why: Why
    candidates: tuple[str, ...] = ()


class Duplicate(Value, frozen=True):
    """A second use of an id; the first one keeps it."""

    id: str
    span: Span
    first: Span
