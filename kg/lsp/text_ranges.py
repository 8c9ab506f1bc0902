"""Ranges in a text: offsets as lines and columns, and the range of the word at a place."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.model import Edit, Span
from kg.text.line_starts import TextWithLines

# what is underlined as a whole if a problem begins there: a link, a citation, a callout or heading
# to the end of its line, the word of a relation
_TOKEN = re.compile(
    r"!?\[\[[^\]\n]*\]?\]?|\[!.*|\[[^\]\n]*\](?:\([^)\n]*\))?|#.*|\([A-Za-z][\w-]*::[^()\n]*\)?"
    r"|[-*+]\s+[\w-]+::?|\d+[.)]\s+[\w-]+::?|[`@^\"'«“]*[\w.:/^-]*\w[`\"'»”]*|\S+"
)


class TextRange(NamedTuple):
    """A range in a file; lines and columns count from 1, and the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def from_edit(cls, edit: Edit) -> TextRange:
        """The range that an edit replaces."""
        return cls(edit.path, edit.line, edit.column, edit.end_line, edit.end_column)


class DocumentText(TextWithLines):
    """A file's text as the parser reads it: no byte order mark, and `\\n` as line end."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    def line(self, number: int) -> str:
        """A line, counted from 1; empty if there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def offset(self, line_number: int, column: int) -> int:
        """The offset of a line and column."""
        return self.starts.offset(line_number, min(column, len(self.line(line_number)) + 1))

    def range(self, start: int, end: int) -> TextRange:
        """The range between two offsets."""
        return TextRange(self.path, *self.starts.place(start), *self.starts.place(end))

    def range_at(self, span: Span) -> TextRange:
        """The range from a place to the end of the link, heading or word there."""
        text_line = self.line(span.line)
        match = _TOKEN.match(text_line, span.column - 1)
        end = match.end() if match and match.end() > match.start() else len(text_line.rstrip())
        end_column = max(
            len(text_line[:end].rstrip()) + 1, min(span.column + 1, len(text_line) + 1)
        )
        column = min(span.column, end_column)
        return TextRange(self.path, span.line, column, span.line, end_column)
