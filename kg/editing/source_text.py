"""One file as its bytes and as the text that the parser reads, and edits from one to the other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from kg.model import Diagnostic
from kg.model.errors import KgError
from kg.notes.decode import decode_file
from kg.notes.discover import NoteFile
from kg.notes.markdown.parts import LineStarts

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")


class NotEditable(KgError, ValueError):
    """A file that cannot be changed as asked; the message says which and why."""


class TextEdit(NamedTuple):
    """A range of a text, and what is to stand there."""

    start: int
    end: int
    text: str


class SourceText:
    """A file's bytes, and its text without a byte order mark and with `\\n` for all line ends."""

    def __init__(self, path: str, data: bytes, named: str = "") -> None:
        """`named` is the path in messages. Raises `NotEditable` for what is no text."""
        self.path, self.data, self.named = path, data, named or path
        text = decode_file(NoteFile(path, data, b""))
        if isinstance(text, Diagnostic):
            raise NotEditable(f"{self.named}: {text.message}; {text.help}")
        self.text = text

    @cached_property
    def starts(self) -> LineStarts:
        """Where the lines of the text begin."""
        return LineStarts(self.text)

    @cached_property
    def _written(self) -> str:
        return self.data.removeprefix(_BOM).decode("utf-8")

    @cached_property
    def _pairs(self) -> list[int]:
        """Where in the text the line ends of two characters stand."""
        found = (match.start() for match in re.finditer("\r\n", self._written))
        return [at - number for number, at in enumerate(found)]

    @cached_property
    def line_end(self) -> str:
        """How lines end, as far as the first tells."""
        found = _LINE_END.search(self.data)
        return found[0].decode() if found else "\n"

    def apply_edits(self, edits: Iterable[TextEdit]) -> bytes:
        """The bytes of the file with edits made, all else as it was; edits may not overlap."""
        pieces, last = [], 0
        for start, end, text in sorted(edits):
            first = self._place(start)
            if first < last:
                raise NotEditable(f"{self.named}: two edits of one place")
            pieces += [self._written[last:first], text.replace("\n", self.line_end)]
            last = self._place(end)
        head = _BOM if self.data.startswith(_BOM) else b""
        return head + "".join([*pieces, self._written[last:]]).encode("utf-8")

    def _place(self, at: int) -> int:
        """The place in the file's own letters of one in the text."""
        return at + bisect_left(self._pairs, at)
