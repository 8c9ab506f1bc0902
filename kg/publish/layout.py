"""Places for the boxes of an argument map: deterministic, and nothing on top of anything else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

WIDTH = 156
PAD = 9
TOP = 7
LINE = 14.5
LINES = 6
FONT = 12
ABOVE = 99
COLUMN_GAP = 32
ROW_GAP = 13
PER_COLUMN = 9
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
        return self.x + WIDTH / 2


def height(rows: Sequence[str]) -> float:
    """How tall a box is that holds these rows."""
    return len(rows) * LINE + 2 * TOP


@lru_cache(maxsize=65536)
def wrap(text: str, room: float = WIDTH - 2 * PAD - 14) -> tuple[str, ...]:
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
        if not rows[-1].endswith("…"):
            rows[-1] += "…"
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
        found = 0.92 if letter in _WIDE else 0.34 if letter in _NARROW else 0.56
        if letter == " ":
            found = _NARROWEST
        elif found == 0.56 and letter.isupper():
            found = 0.7
        self[letter] = found
        return found


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
    rows = {id: wrap(titles[id]) for ids in (*ordered.values(), above) for id in ids}
    heights = {id: height(broken) for id, broken in rows.items()}
    lanes = sorted(ordered)
    left = {lane: number * (WIDTH + COLUMN_GAP) for number, lane in enumerate(lanes)}
    tall = {lane: _tall(heights, ordered[lane]) for lane in lanes}
    tallest = max(tall.values(), default=0.0)
    whole = max(left.values(), default=0) + WIDTH
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
    fit = max(1, int((whole + COLUMN_GAP) // (WIDTH + COLUMN_GAP)))
    y = 0.0
    for first in range(0, len(above), fit):
        row = above[first : first + fit]
        x = max(0.0, (whole - len(row) * (WIDTH + COLUMN_GAP) + COLUMN_GAP) / 2)
        for id in row:
            boxes[id] = Box(id, x, y, rows[id], heights[id], ABOVE)
            x += WIDTH + COLUMN_GAP
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


def spread(ids: Sequence[str], most: int = PER_COLUMN) -> list[list[str]]:
    """One side's boxes in as few even columns as hold them, the first nearest to the middle."""
    if not ids:
        return []
    lanes = -(-len(ids) // most)
    each = -(-len(ids) // lanes)
    return [list(ids[first : first + each]) for first in range(0, len(ids), each)]


# -- graphs --------------------------------------------------------------------------------

STEPS = 40
PULL = 0.8


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
