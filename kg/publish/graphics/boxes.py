"""Boxes of an argument map: statements as rows of words that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

# Lengths are in units of the drawing, at its first size pixels.
BOX_WIDTH = 148
PAD = 8
MARK_ROOM = 14  # beside the words, for the mark of the camp
TEXT_ROOM = BOX_WIDTH - 2 * PAD - MARK_ROOM
TOP = 7
LINE_HEIGHT = 14.5
MAX_LINES_IN_BOX = 6  # rows of words in a box
FONT = 12
NUMBERS_KEPT = 65_536  # texts and numbers that are remembered as they were drawn: some 10 MB
# Widths of letters in parts of the font's size, as in Arial: most small letters have 0.556. Where a
# reader's font is wider, the room for the mark and the padding take it up.
_NARROW = frozenset("iljtfrI.,:;'|!()[]’“”\"/-")
_WIDE = frozenset("mwMW@—%")
_NARROW_WIDTH, _WIDTH, _CAPITAL_WIDTH, _WIDE_WIDTH = 0.34, 0.56, 0.7, 0.92
_NARROWEST = 0.3  # a space


class Box(NamedTuple):
    """A statement's place on a map, its words broken into rows."""

    id: str
    x: float
    y: float
    rows: tuple[str, ...]
    height: float

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def box_height(rows: Sequence[str]) -> float:
    """How tall a box is that holds these rows."""
    return len(rows) * LINE_HEIGHT + 2 * TOP


def wrap_words(words: Iterable[str], width_of: Callable[[str], float], room: float) -> list[str]:
    """Words in rows no wider than `room`; a word that is wider stands alone."""
    rows: list[str] = []
    for word in words:
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width_of(longer) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


@lru_cache(maxsize=NUMBERS_KEPT)  # a statement stands on the maps of all that it bears on
def wrap_text(text: str) -> tuple[str, ...]:
    """`text` in rows that fit a box, the last one shortened where there are too many."""
    words = (_cut(word, TEXT_ROOM) for word in text.split())
    rows = wrap_words(words, _long, TEXT_ROOM) or [""]
    if len(rows) > MAX_LINES_IN_BOX:
        rows = rows[:MAX_LINES_IN_BOX]
        rows[-1] = _cut(rows[-1] + " …", TEXT_ROOM)
    return tuple(rows)


def _cut(word: str, room: float) -> str:
    if _long(word) <= room:
        return word
    word = word[: int(room / (_NARROWEST * FONT)) + 1]  # no more can fit
    while word and _long(word + "…") > room:
        word = word[:-1]
    return word + "…"


def _long(text: str) -> float:
    """Roughly how wide `text` is drawn, with some room for other fonts."""
    return sum(map(_WIDTHS.__getitem__, text)) * FONT


class _Widths(dict[str, float]):
    """How wide each letter is, in parts of the font's size."""

    def __missing__(self, letter: str) -> float:
        if letter == " ":
            found = _NARROWEST
        elif letter in _WIDE:
            found = _WIDE_WIDTH
        elif letter in _NARROW:
            found = _NARROW_WIDTH
        else:
            found = _CAPITAL_WIDTH if letter.isupper() else _WIDTH
        self[letter] = found
        return found


_WIDTHS = _Widths()


class _Shown(dict[float, str]):
    """Numbers as they were written before: boxes stand in rows, so most come again."""

    def __missing__(self, value: float) -> str:
        text = f"{value + 0.0:.1f}"  # minus zero is zero
        found = text[:-2] if text[-1] == "0" else text
        if len(self) < NUMBERS_KEPT:
            self[value] = found
        return found


shown = _Shown().__getitem__
"""A number as a drawing holds it: one decimal at most."""
