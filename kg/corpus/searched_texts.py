"""The texts in which words are looked for: each alone, or all joined, to be searched at once."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

    def __init__(self, parts: Iterable[tuple[bytes, bytes]]) -> None:
        """`parts` are texts joined by `join_texts`."""
        self._parts = [(content, array(_END, ends)) for content, ends in parts]

    def find_containing(self, word: str) -> Iterator[int]:
        """The numbers of the texts that contain a word."""
        first_number = 0
        for content, ends in self._parts:
            yield from (
                first_number + number for number in _numbers_of_texts_with(word, content, ends)
            )
            first_number += len(ends)


def join_texts(texts: Iterable[str]) -> tuple[bytes, bytes]:
    """Texts as one, and their end offsets."""
    encoded_texts = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = array(_END, accumulate(map(len, encoded_texts)))
    return b"".join(encoded_texts), ends.tobytes()


def _numbers_of_texts_with(word: str, content: bytes, ends: Sequence[int]) -> Iterator[int]:
    encoded_word = word.encode("utf-8", "surrogatepass")
    offset = content.find(encoded_word)
    while offset >= 0:
        number = bisect_right(ends, offset)
        if number == len(ends):
            return
        if offset + len(encoded_word) <= ends[number]:
            yield number
            offset = content.find(encoded_word, ends[number])
        else:  # a match across two texts
            offset = content.find(encoded_word, offset + 1)


def searched_texts(records: Mapping[str, object], fields: Iterable[str]) -> Iterator[str]:
    """The searched text of each record, from some fields."""
    parts = [map(attrgetter(name), records.values()) for name in fields]
    return map(searched_text, zip(*parts, strict=True))
