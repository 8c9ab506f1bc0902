"""Where the lines of a text begin, so that places of a long file are found without counting."""

from __future__ import annotations

import re
from bisect import bisect_right


class LineStarts:
    """Offsets in a text as lines and columns, which count from 1, and back."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._end = len(text)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._starts)

    def offset(self, line: int, column: int) -> int:
        """How many characters stand before a place; all of them where there is no such line."""
        return self._starts[line - 1] + column - 1 if line <= len(self._starts) else self._end

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
