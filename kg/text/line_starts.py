"""Offsets in a text as lines and columns, and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property


class TextLineStarts:
    """Converts between offsets in a text and lines and columns, which count from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0] + [line_end.end() for line_end in re.finditer("\n", text)]
        self._end = len(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextLineStarts) and vars(self) == vars(other)

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._starts)

    def offset(self, line_number: int, column: int = 1) -> int:
        """The offset of a line and column; the end of the text if there is no such line."""
        if line_number > len(self._starts):
            return self._end
        return self._starts[line_number - 1] + column - 1

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset."""
        line_number = bisect_right(self._starts, offset)
        return line_number, offset - self._starts[line_number - 1] + 1


class TextWithLines:
    """Something that has a text, by lines."""

    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their line ends."""
        return self.text.split("\n")

    @cached_property
    def starts(self) -> TextLineStarts:
        """The line starts of the text."""
        return TextLineStarts(self.text)
