"""The sorts of things that one can ask for."""

from __future__ import annotations

import enum


class Sort(enum.StrEnum):
    """What a selection is made of."""

    STATEMENT = "statement"
    SOURCE = "source"
    LINE = "line"
    EDGE = "edge"
