"""Text as the word pieces that BERT-like models read (WordPiece: longest known piece first)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

LONGEST_WORD = 100
BEGIN, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
# Han characters are words of their own: the blocks that BERT's authors listed.
_HAN = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class Vocabulary:
    """The pieces that a model knows, each with its number."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._pieces = lru_cache(maxsize=50_000)(self._split)

    def number(self, text: str, most: int) -> list[int]:
        """The numbers of a text's first `most` pieces, the marks of begin and end included."""
        found = [self._numbers[BEGIN]]
        for word in words(text):
            found.extend(self._pieces(word))
            if len(found) >= most:
                break
        return [*found[: most - 1], self._numbers[END]]

    def _split(self, word: str) -> tuple[int, ...]:
        """A word as the longest known pieces, from its beginning to its end."""
        unknown = (self._numbers[UNKNOWN],)
        if len(word) > LONGEST_WORD:
            return unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._numbers), None)
            if end is None:
                return unknown
            found.append(self._numbers[mark + word[start:end]])
            start = end
        return tuple(found)


def load_vocabulary(file: Path) -> Vocabulary:
    """The vocabulary in a file of one piece a line."""
    pieces = file.read_text("utf-8").split("\n")
    return Vocabulary({piece: number for number, piece in enumerate(pieces) if piece})


def words(text: str) -> Iterator[str]:
    """Words and marks, in lower case and without accents; control characters are left out."""
    plain = "".join(map(_spaced, text)).lower()
    for word in unicodedata.normalize("NFD", plain).split():
        yield from _parted(word)


def _spaced(c: str) -> str:
    if c.isspace():
        return " "
    if c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co"):
        return ""
    return f" {c} " if any(low <= ord(c) <= high for low, high in _HAN) else c


def _parted(word: str) -> Iterator[str]:
    """A word without accents, apart from the marks in it."""
    start = 0
    letters = "".join(c for c in word if unicodedata.category(c) != "Mn")
    for at, c in enumerate(letters):
        if _is_mark(c):
            if start < at:
                yield letters[start:at]
            yield c
            start = at + 1
    if start < len(letters):
        yield letters[start:]


def _is_mark(c: str) -> bool:
    """Punctuation, and every ASCII character that is neither a letter nor a digit."""
    return (c.isascii() and not c.isalnum()) or unicodedata.category(c)[0] == "P"
