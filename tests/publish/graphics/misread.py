"""Finds what can be misread on a map: links that run behind boxes that are not their ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

NEAR = 3.0  # units: a link that comes nearer seems to touch
STEPS = 48  # straight pieces that stand for a curve
Point = tuple[float, float]
_SVG = re.compile(r'<svg(?=[^>]*role="group").*?</svg>', re.DOTALL)
_BOX = re.compile(
    r'<a transform="translate\((?P<x>\S+) (?P<y>\S+)\)"[^>]* data-id="(?P<id>[^"]*)">'
    r'.*?<rect width="(?P<wide>[^"]+)" height="(?P<tall>[^"]+)"',
    re.DOTALL,
)
_EDGE_PATH = re.compile(
    r'data-from="(?P<source>[^"]*)" data-to="(?P<target>[^"]*)"><path d="(?P<path>[^"]+)"'
)


class Area(NamedTuple):
    """Where a box lies."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> Area:
        return Area(self.left - by, self.top - by, self.right + by, self.bottom + by)


class DrawnLink(NamedTuple):
    """A link as a map shows it."""

    source: str
    target: str
    way: list[Point]


def misread_links_on(html: str) -> list[tuple[str, str, str]]:
    """Of all maps in a page: from what to what a link leads, and the box that it seems to touch."""
    return [
        found for svg in _SVG.findall(html) for found in misread_links(areas_of(svg), links_of(svg))
    ]


def areas_of(svg: str) -> dict[str, Area]:
    """The boxes of a map."""
    return {
        box["id"]: Area(
            (x := float(box["x"])),
            (y := float(box["y"])),
            x + float(box["wide"]),
            y + float(box["tall"]),
        )
        for box in _BOX.finditer(svg)
    }


def links_of(svg: str) -> list[DrawnLink]:
    """The links of a map."""
    return [
        DrawnLink(one["source"], one["target"], points_of_path(one["path"]))
        for one in _EDGE_PATH.finditer(svg)
    ]


def misread_links(
    areas: Mapping[str, Area], links: Iterable[DrawnLink], near: float = NEAR
) -> list[tuple[str, str, str]]:
    """The links that come too near to a box that they do not join."""
    return [
        (link.source, link.target, id)
        for link in links
        for id, area in areas.items()
        if id not in (link.source, link.target) and passes_through(link.way, area.grown(near))
    ]


def passes_through(way: Sequence[Point], area: Area) -> bool:
    """Whether a way leads through an area: Liang and Barsky's clipping of each piece."""
    return any(_clipped(one, other, area) for one, other in pairwise(way))


def _clipped(one: Point, other: Point, area: Area) -> bool:
    begin, end = 0.0, 1.0
    across, down = other[0] - one[0], other[1] - one[1]
    for by, room in (
        (-across, one[0] - area.left),
        (across, area.right - one[0]),
        (-down, one[1] - area.top),
        (down, area.bottom - one[1]),
    ):
        if by == 0:
            if room <= 0:
                return False
        elif by < 0:
            begin = max(begin, room / by)
        else:
            end = min(end, room / by)
    return begin < end


def points_of_path(path: str) -> list[Point]:
    """The points of a path of straight lines (M, H, L) and curves (C), all with absolute places."""
    way: list[Point] = []
    for command, written in re.findall(r"([MHLC])([^MHLC]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", written)]
        if command == "H":
            way.append((numbers[0], way[-1][1]))
        elif command == "C":
            way += _points_of_curve(way[-1], *zip(numbers[::2], numbers[1::2], strict=True))
        else:
            way.append((numbers[0], numbers[1]))
    return way


def _points_of_curve(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    parts = [step / STEPS for step in range(1, STEPS + 1)]
    x, y = (
        [
            (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t**2 * r + t**3 * s
            for t in parts
        ]
        for p, q, r, s in zip(a, b, c, d, strict=True)
    )
    return list(zip(x, y, strict=True))
