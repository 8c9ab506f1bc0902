"""The texts in which words are looked for: each alone, or all joined, to be searched at once."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from operator import attrgetter

FIELD_BREAK = "\x1f"  # occurs in no word, as it separates words, and in no phrase
_END = "Q"  # array type code of the ends


def searched_text(fields: Iterable[str]) -> str:
    """The searched text of a record: lower case, single spaces, fields separated."""
    text = FIELD_BREAK.join(fields).lower()
    for mark in "\n\t\r":
        text = text.replace(mark, " ")
    while "  " in text:  # so that phrases match across lines
        text = text.replace("  ", " ")
    return text


class JoinedTexts:
    """Texts joined into one, so that all are searched in one pass."""

    def __init__(self, content: bytes, ends: bytes) -> None:
        self.content = content
        self._ends = array(_END)
        self._ends.frombytes(ends)

    @property
    def ends(self) -> bytes:
        """The end offsets of the texts, as bytes."""
        return self._ends.tobytes()

    @classmethod
    def of(cls, texts: Iterable[str]) -> JoinedTexts:
        """Join these texts."""
        parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        return cls(b"".join(parts), array(_END, accumulate(map(len, parts))).tobytes())

    def find_containing(self, word: str) -> Iterator[int]:
        """The numbers of the texts that contain a word."""
        encoded_word = word.encode("utf-8", "surrogatepass")
        ends = self._ends
        offset = self.content.find(encoded_word)
        while offset >= 0:
            number = bisect_right(ends, offset)
            if number == len(ends):
                return
            if offset + len(encoded_word) <= ends[number]:
                yield number
                offset = self.content.find(encoded_word, ends[number])
            else:  # a match across two texts
                offset = self.content.find(encoded_word, offset + 1)


def searched_texts(records: Mapping[str, object], fields: Iterable[str]) -> Iterator[str]:
    """The searched text of each record, from some fields."""
    parts = [map(attrgetter(name), records.values()) for name in fields]
    return map(searched_text, zip(*parts, strict=True))
