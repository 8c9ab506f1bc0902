"""Places for the boxes of an argument map, and the lines between them: deterministic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

# Lengths are in units of the drawing, at its first size pixels.
BOX_WIDTH = 156
PAD = 9
TOP = 7
LINE = 14.5
LINES = 6  # rows of words in a box
FONT = 12
ABOVE = 99  # the column of boxes that stand over all columns
COLUMN_GAP = 32
ROW_GAP = 13
PER_COLUMN = 9  # boxes, before a side takes another column
_NARROW = frozenset("iljtfrI.,:;'|!()[]’“”\"/-")
_WIDE = frozenset("mwMW@—%")
_NARROWEST = 0.3


class Box(NamedTuple):
    """A statement's place on a map, its words broken into rows."""

    id: str
    x: float
    y: float
    rows: tuple[str, ...]
    height: float
    column: int

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    @property
    def centre(self) -> float:
        return self.x + BOX_WIDTH / 2


def height(rows: Sequence[str]) -> float:
    """How tall a box is that holds these rows."""
    return len(rows) * LINE + 2 * TOP


@lru_cache(maxsize=65536)
def wrap_text(text: str, room: float = BOX_WIDTH - 2 * PAD - 14) -> tuple[str, ...]:
    """`text` in rows that fit a box, the last one shortened where there are too many."""
    rows: list[str] = []
    row = ""
    for word in text.split():
        word = _cut(word, room)
        longer = f"{row} {word}" if row else word
        if row and _long(longer) > room:
            rows.append(row)
            row = word
        else:
            row = longer
    rows.append(row)
    if len(rows) > LINES:
        rows = rows[:LINES]
        rows[-1] = _cut(rows[-1] + " …", room)
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
        width = 0.92 if letter in _WIDE else 0.34 if letter in _NARROW else 0.56
        if letter == " ":
            width = _NARROWEST
        elif width == 0.56 and letter.isupper():
            width = 0.7
        self[letter] = width
        return width


_WIDTHS = _Widths()


def columns(
    titles: dict[str, str],
    sides: dict[int, Sequence[str]],
    near: dict[str, set[str]],
    above: Sequence[str] = (),
) -> dict[str, Box]:
    """Boxes in columns: 0 in the middle, negative ones left of it, positive ones right.

    `near` says which boxes are joined, so that joined boxes come to stand at similar heights;
    boxes `above` stand in rows over all columns. Without `near` they stand in the given order.
    """
    ordered = _ordered(sides, near)
    rows = {id: wrap_text(titles[id]) for ids in (*ordered.values(), above) for id in ids}
    heights = {id: height(broken) for id, broken in rows.items()}
    lanes = sorted(ordered)
    left = {lane: number * (BOX_WIDTH + COLUMN_GAP) for number, lane in enumerate(lanes)}
    tall = {lane: _tall(heights, ordered[lane]) for lane in lanes}
    tallest = max(tall.values(), default=0.0)
    whole = max(left.values(), default=0) + BOX_WIDTH
    boxes, start = _above(rows, heights, above, whole)
    for lane in lanes:
        y = start + (tallest - tall[lane]) / 2
        for id in ordered[lane]:
            boxes[id] = Box(id, left[lane], y, rows[id], heights[id], lane)
            y += heights[id] + ROW_GAP
    return boxes


def _tall(heights: dict[str, float], ids: Sequence[str]) -> float:
    return sum([heights[id] + ROW_GAP for id in ids]) - ROW_GAP


def _above(
    rows: dict[str, tuple[str, ...]], heights: dict[str, float], above: Sequence[str], whole: float
) -> tuple[dict[str, Box], float]:
    """Rows of boxes over everything, centred, and where the rest begins."""
    boxes: dict[str, Box] = {}
    fit = max(1, int((whole + COLUMN_GAP) // (BOX_WIDTH + COLUMN_GAP)))
    y = 0.0
    for first in range(0, len(above), fit):
        row = above[first : first + fit]
        x = max(0.0, (whole - len(row) * (BOX_WIDTH + COLUMN_GAP) + COLUMN_GAP) / 2)
        for id in row:
            boxes[id] = Box(id, x, y, rows[id], heights[id], ABOVE)
            x += BOX_WIDTH + COLUMN_GAP
        y += max([heights[id] for id in row]) + ROW_GAP * 4
    return boxes, y


def _ordered(sides: dict[int, Sequence[str]], near: dict[str, set[str]]) -> dict[int, list[str]]:
    """Each column in the order that keeps joined boxes at similar heights; two passes settle it."""
    ordered = {lane: list(ids) for lane, ids in sides.items() if ids}
    if not near:
        return ordered
    for _ in range(2):
        for lane in sorted(ordered, key=abs):
            place = {
                id: (i + 0.5) / len(ids) for ids in ordered.values() for i, id in enumerate(ids)
            }
            ordered[lane].sort(
                key=lambda id: (
                    _mean(place[other] for other in near.get(id, ()) if other in place),
                    place[id],
                )
            )
    return ordered


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 9) if found else 0.5


def spread_boxes(ids: Sequence[str], most: int = PER_COLUMN) -> list[list[str]]:
    """One side's boxes in as few even columns as hold them, the first nearest to the middle."""
    if not ids:
        return []
    lanes = -(-len(ids) // most)
    each = -(-len(ids) // lanes)
    return [list(ids[first : first + each]) for first in range(0, len(ids), each)]


# -- graphs --------------------------------------------------------------------------------

STEPS = 40  # of each statement, shorter and shorter
PULL = 0.8  # towards the middle, of the distance from it


def settle(
    start: Mapping[str, tuple[float, float]], edges: Iterable[tuple[str, str]]
) -> dict[str, tuple[float, float]]:
    """Places that springs along `edges` would lead to, from where things stand at the `start`.

    Fruchterman and Reingold's forces with a falling limit on each step: the same start gives
    the same end. A pull to the middle keeps what nothing joins from drifting off. The result is
    centred and lies within -1 and 1.
    """
    import numpy as np

    if not start:
        return {}
    number = {id: at for at, id in enumerate(start)}
    joined = np.zeros((len(start), len(start)), dtype=np.float32)
    for one, other in edges:
        joined[number[one], number[other]] = joined[number[other], number[one]] = 1.0
    x, y = np.array(list(start.values()), dtype=np.float32).T.copy()
    ideal = np.float32(1.6 / math.sqrt(len(start)))
    limit = np.float32(0.1 * max(np.ptp(x), np.ptp(y), 1.0))
    for step in range(STEPS):
        across, down = x[:, None] - x, y[:, None] - y
        far = np.maximum(across * across + down * down, np.float32(1e-4))
        push = ideal * ideal / far - joined * np.sqrt(far) / ideal
        dx = (across * push).sum(axis=1) - np.float32(PULL) * x
        dy = (down * push).sum(axis=1) - np.float32(PULL) * y
        length = np.maximum(np.sqrt(dx * dx + dy * dy), np.float32(0.01))
        length = limit * np.float32(1 - step / (STEPS + 1)) / length
        x, y = x + dx * length, y + dy * length
    x, y = x - x.mean(), y - y.mean()
    largest = max(float(np.abs(x).max()), float(np.abs(y).max())) or 1.0
    return {id: (float(x[at]) / largest, float(y[at]) / largest) for at, id in enumerate(start)}


HEAD = 7.0  # length of an arrow head
NEAR = 60.0  # between boxes over each other that a straight line joins
NUMBERS_KEPT = 65_536  # numbers that are remembered as they were written


class Curve(NamedTuple):
    """A path from one box to another, and where its arrow head begins and points."""

    path: str
    x: float
    y: float
    across: int = 0
    down: int = 0


def curve(one: Box, other: Box) -> Curve:
    """The way from `one` to `other` that crosses fewest boxes."""
    if ABOVE in (one.column, other.column):
        return _upright(one, other)
    if one.column == other.column:
        return _beside(one, other)
    return _sideways(one, other)


def head(line: Curve) -> str:
    """The arrow head at the end of a curve."""
    _, x, y, across, down = line
    if across:
        left, tip = shown(x), f"{shown(x + HEAD * across)},{shown(y)}"
        points = f"{left},{shown(y - 4)} {tip} {left},{shown(y + 4)}"
    else:
        top, tip = shown(y), f"{shown(x)},{shown(y + HEAD * down)}"
        points = f"{shown(x - 4)},{top} {tip} {shown(x + 4)},{top}"
    return f'<polygon points="{points}"></polygon>'


class _Shown(dict[float, str]):
    """Numbers as they were written before: boxes stand in rows, so most come again."""

    def __missing__(self, value: float) -> str:
        text = f"{value + 0.0:.1f}"  # minus zero is zero
        width = text[:-2] if text[-1] == "0" else text
        if len(self) < NUMBERS_KEPT:
            self[value] = width
        return width


shown = _Shown().__getitem__
"""A number as a drawing holds it: one decimal at most."""


def _sideways(one: Box, other: Box) -> Curve:
    """Between the facing sides of boxes in different columns."""
    turn = 1 if other.x > one.x else -1
    x1, x2 = (one.x + BOX_WIDTH, other.x) if turn > 0 else (one.x, other.x + BOX_WIDTH)
    x2 -= turn * HEAD
    bend = turn * max(22.0, abs(x2 - x1) * 0.45)
    y1, y2 = one.middle, other.middle
    top, end = shown(y1), shown(y2)
    bends = f"{shown(x1 + bend)} {top} {shown(x2 - bend)} {end}"
    return Curve(f"M{shown(x1)} {top}C{bends} {shown(x2)} {end}", x2, y2, across=turn)


def _upright(one: Box, other: Box) -> Curve:
    """Between a box in the rows above and one below them."""
    turn = -1 if other.y < one.y else 1
    y1 = one.y if turn < 0 else one.y + one.height
    y2 = other.y + other.height + HEAD if turn < 0 else other.y - HEAD
    bend = turn * max(16.0, abs(y2 - y1) * 0.5)
    x1, x2 = one.centre, other.centre
    left, end = shown(x1), shown(x2)
    bends = f"{left} {shown(y1 + bend)} {end} {shown(y2 - bend)}"
    return Curve(f"M{left} {shown(y1)}C{bends} {end} {shown(y2)}", x2, y2, down=turn)


def _beside(one: Box, other: Box) -> Curve:
    """Between boxes over each other: straight where they are neighbours, else around the side."""
    turn = 1 if other.y > one.y else -1
    upper, lower = (one, other) if turn > 0 else (other, one)
    if lower.y - upper.y - upper.height < NEAR:
        y1 = one.y + one.height if turn > 0 else one.y
        y2 = other.y - HEAD if turn > 0 else other.y + other.height + HEAD
        path = f"M{shown(one.centre)} {shown(y1)}L{shown(other.centre)} {shown(y2)}"
        return Curve(path, other.centre, y2, down=turn)
    side = -1 if one.column < 0 else 1
    x1 = one.x + (BOX_WIDTH if side > 0 else 0)
    x2 = x1 + side * HEAD
    far = x1 + side * 17
    y2 = other.middle
    bend, top, end = shown(far), shown(one.middle), shown(y2)
    path = f"M{shown(x1)} {top}C{bend} {top} {bend} {end} {shown(x2)} {end}"
    return Curve(path, x2, y2, across=-side)
