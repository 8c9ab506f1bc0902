"""Lines between the boxes of a map, and the heads of their arrows."""

from __future__ import annotations

from typing import NamedTuple

from kg.publish.layout import ABOVE, WIDTH, Box

HEAD = 7.0
NEAR = 60.0
KEPT = 65_536


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
        found = text[:-2] if text[-1] == "0" else text
        if len(self) < KEPT:
            self[value] = found
        return found


shown = _Shown().__getitem__
"""A number as a drawing holds it: one decimal at most."""


def _sideways(one: Box, other: Box) -> Curve:
    """Between the facing sides of boxes in different columns."""
    turn = 1 if other.x > one.x else -1
    x1, x2 = (one.x + WIDTH, other.x) if turn > 0 else (one.x, other.x + WIDTH)
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
    x1 = one.x + (WIDTH if side > 0 else 0)
    x2 = x1 + side * HEAD
    far = x1 + side * 17
    y2 = other.middle
    bend, top, end = shown(far), shown(one.middle), shown(y2)
    path = f"M{shown(x1)} {top}C{bend} {top} {bend} {end} {shown(x2)} {end}"
    return Curve(path, x2, y2, across=-side)
