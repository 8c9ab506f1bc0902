"""Boxes of an argument map: statements wrapped into rows of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

# Lengths are in units of the drawing, which are pixels: maps are shown at their size or not at all.
PADDING = 9
MARK_ROOM = 15  # beside the words, for the camp's mark
TOP = 7
LINE_HEIGHT = 16
MAX_LINES_IN_BOX = 4  # rows of words in a box
FONT = 13
NUMBERS_KEPT = 65_536  # texts and numbers whose drawn forms are cached: about 10 MB
# Widths of letters as fractions of the font size, as in Arial: most small letters have 0.556. If a
# reader's font is wider, the room for the mark and the padding absorb the difference.
_NARROW = frozenset("iljtfrI.,:;'|!()[]’“”\"/-")
_WIDE = frozenset("mwMW@—%")
_NARROW_WIDTH, _WIDTH, _CAPITAL_WIDTH, _WIDE_WIDTH = 0.34, 0.56, 0.7, 0.92
_NARROWEST = 0.3  # a space
MIN_LINK, MAX_LINK = 1.2, 9.0  # breadth of a link


class Box(NamedTuple):
    """A place on a map, with its words wrapped into rows."""

    x: float
    y: float
    width: float
    height: float
    rows: tuple[str, ...]

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def box_height(rows: Sequence[str]) -> float:
    """The height of a box with these rows."""
    return len(rows) * LINE_HEIGHT + 2 * TOP


def wrap_words(words: Iterable[str], width_of: Callable[[str], float], room: float) -> list[str]:
    """Wrap words into rows no wider than `room`; a wider word has a row to itself."""
    rows: list[str] = []
    for word in words:
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width_of(longer) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def wrap_text(text: str, width: float) -> tuple[str, ...]:
    """`text` in rows that fit a box; if there are too many, the last one is shortened."""
    room = width - 2 * PADDING - MARK_ROOM
    words = (_shorten_word(word, room) for word in text.split())
    rows = wrap_words(words, _text_width, room) or [""]
    if len(rows) > MAX_LINES_IN_BOX:
        rows = rows[:MAX_LINES_IN_BOX]
        rows[-1] = _shorten_word(rows[-1] + " …", room)
    return tuple(rows)


def _shorten_word(word: str, room: float) -> str:
    if _text_width(word) <= room:
        return word
    word = word[: int(room / (_NARROWEST * FONT)) + 1]  # the most that can fit
    while word and _text_width(word + "…") > room:
        word = word[:-1]
    return word + "…"


def _text_width(text: str) -> float:
    """The approximate width of `text`, with some room for other fonts."""
    return sum(map(_WIDTHS.__getitem__, text)) * FONT


class _LetterWidths(dict[str, float]):
    """The width of each letter as a fraction of the font size."""

    def __missing__(self, letter: str) -> float:
        if letter == " ":
            width = _NARROWEST
        elif letter in _WIDE:
            width = _WIDE_WIDTH
        elif letter in _NARROW:
            width = _NARROW_WIDTH
        else:
            width = _CAPITAL_WIDTH if letter.isupper() else _WIDTH
        self[letter] = width
        return width


_WIDTHS = _LetterWidths()


class _FormattedNumbers(dict[float, str]):
    """A cache of formatted numbers: boxes are in rows, so most recur."""

    def __missing__(self, value: float) -> str:
        text = f"{value + 0.0:.1f}"  # minus zero is zero
        text_shown = text[:-2] if text[-1] == "0" else text
        if len(self) < NUMBERS_KEPT:
            self[value] = text_shown
        return text_shown


format_number = _FormattedNumbers().__getitem__
"""A number as a drawing holds it: one decimal at most."""


def breadth_of_link(weight: float, greatest: float) -> float:
    """The breadth of a link, here and in graphs to explore; a reply, which may weigh more than the
    `greatest` of the reasons, has no more.
    """
    return min(max(MIN_LINK, MAX_LINK * weight / (greatest or 1.0)), MAX_LINK)
