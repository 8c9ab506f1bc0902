"""The sorts of things that one can ask for, and the error for what cannot be asked."""

from __future__ import annotations

import enum


class Misuse(Exception):
    """A question that cannot be asked as it stands; the message says why and what would do."""


class Sort(enum.StrEnum):
    """What a selection is made of."""

    STATEMENT = "statement"
    SOURCE = "source"
    LINE = "line"
    EDGE = "edge"
