"""Where something stands in a note."""

from __future__ import annotations

import msgspec


class Span(msgspec.Struct, frozen=True, order=True, array_like=True):
    """A place in a file: path relative to the notes folder, line and column from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"
