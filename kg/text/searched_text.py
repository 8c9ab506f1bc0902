"""Texts in the form in which they are searched for words, and many of them searched at once."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

FIELD_BREAK = "\x1f"  # stands in no word, as words are split there, and in no phrase
_END = "Q"  # how the end of a text is kept


def searched_text(fields: Iterable[str]) -> str:
    """What is searched of a record: lower case, single spaces, fields separated."""
    text = FIELD_BREAK.join(fields).lower()
    for mark in "\n\t\r":
        text = text.replace(mark, " ")
    while "  " in text:  # phrases go on across lines
        text = text.replace("  ", " ")
    return text


class JoinedTexts:
    """Texts one behind the other: all of them are searched in one go."""

    def __init__(self, whole: bytes, ends: bytes) -> None:
        self.whole = whole
        self._ends = array(_END)
        self._ends.frombytes(ends)

    @property
    def ends(self) -> bytes:
        """Where each text ends."""
        return self._ends.tobytes()

    @classmethod
    def of(cls, texts: Iterable[str]) -> JoinedTexts:
        """These texts, joined."""
        parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        return cls(b"".join(parts), array(_END, accumulate(map(len, parts))).tobytes())

    def holding(self, word: str) -> Iterator[int]:
        """The numbers of the texts that hold a word."""
        sought, ends = word.encode("utf-8", "surrogatepass"), self._ends
        at = self.whole.find(sought)
        while at >= 0:
            number = bisect_right(ends, at)
            if number == len(ends):
                return
            if at + len(sought) <= ends[number]:
                yield number
                at = self.whole.find(sought, ends[number])
            else:  # it would go on in the next text
                at = self.whole.find(sought, at + 1)
