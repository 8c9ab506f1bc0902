"""Boxes in columns and the routes of the links between them, which never pass behind a box.

The method is that of Sugiyama, Tagawa and Toda (Methods for Visual Understanding of Hierarchical
System Structures, 1981): a link that passes a column gets a stop there, stops are put into an
order with few crossings, then at heights near what they are linked to, and links are drawn from
stop to stop. Between two columns they bend, past a column they are straight. So no link can touch
a box except at its ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias

from kg.publish.graphics.boxes import BOX_WIDTH, Box, box_height, format_number, wrap_text

ROW_GAP = 14  # between boxes above each other
LINK_GAP = 10  # between a box and a passing link
LANE_WIDTH = 8  # between parallel links
PORT_GAP = 10  # between links on one side of a box
HEAD_LENGTH = 7.0  # length of an arrowhead
MAX_PORT_STEP = 16.0  # the same if there is room: about a line of text
MIN_GAP, MAX_GAP = 36.0, 54.0  # between columns, for two stubs and a bend; more links, wider
MAX_BEND = 40.0  # of a loop's control points; the curve reaches 3/4 of that, within `MIN_GAP`
STUB_LENGTH = 10.0  # straight part of a link at a box: bends keep away from other boxes
RANDOM_STARTS = 30  # more make no difference on most maps of this size
MAX_SWEEPS = 4  # back and forth; more make no difference on maps of this size
# how far a link within a column bends out, plus half as much for each level that it goes around
LOOP_WIDTH = 16.0

Stop: TypeAlias = "str | tuple[int, int]"
"""A box by its id, or a link's way past a column: the link's number and the column."""


class LayerLink(NamedTuple):
    """The source and target of a link; with `both`, it also leads back."""

    source: str
    target: str
    both: bool = False


class Head(NamedTuple):
    """An arrowhead: where its tip is, and whether it points right (1) or left (-1)."""

    x: float
    y: float
    turn: int


class DrawnRoute(NamedTuple):
    """A drawn link."""

    path: str
    heads: tuple[Head, ...]


class Drawing(NamedTuple):
    """Placed boxes, in the order of their columns, and the routes of the links, in theirs."""

    boxes: dict[str, Box]
    routes: list[DrawnRoute]
    width: float
    height: float


def lay_out(
    titles: Mapping[str, str], columns: Sequence[Sequence[str]], links: Sequence[LayerLink]
) -> Drawing:
    """Draw statements in columns; the given order within a column is only a preference."""
    plan = _ColumnPlan(columns, links)
    plan.order()
    rows = {id: wrap_text(titles[id]) for column in columns for id in column}
    ports = {id: max(len(plan.left[id]), len(plan.right[id] + plan.loops[id])) for id in rows}
    heights: dict[Stop, float] = {
        id: max(box_height(rows[id]), ports[id] * PORT_GAP + PORT_GAP) for id in rows
    }
    middles = _spread_heights(plan, heights)
    edges = [
        (y - heights.get(stop, 0) / 2, y + heights.get(stop, 0) / 2) for stop, y in middles.items()
    ]
    top, bottom = min(edge for edge, _ in edges), max(edge for _, edge in edges)
    middles = {stop: y - top for stop, y in middles.items()}
    starts, width = _column_positions(plan)
    boxes = {
        id: Box(id, starts[number], middles[id] - heights[id] / 2, rows[id], heights[id])
        for number, column in enumerate(plan.columns)
        for id in column
        if isinstance(id, str)
    }
    routes = _Router(plan, boxes, middles, starts).routes()
    return Drawing(boxes, routes, width, bottom - top)


# -- order ---------------------------------------------------------------------------------


class _ColumnPlan:
    """Stops in columns, and for each stop its neighbours on either side and in its column."""

    def __init__(self, columns: Sequence[Sequence[str]], links: Sequence[LayerLink]) -> None:
        self.columns: list[list[Stop]] = [list(column) for column in columns]
        self.column = {id: index for index, column in enumerate(columns) for id in column}
        self.links = links
        self.left: defaultdict[Stop, list[Stop]] = defaultdict(list)
        self.right: defaultdict[Stop, list[Stop]] = defaultdict(list)
        self.loops: defaultdict[Stop, list[Stop]] = defaultdict(list)
        places = self._place_of_stops()
        self.chains = [self._chain_of_stops(number, link) for number, link in enumerate(links)]
        for chain in self.chains:
            for index, stop in enumerate(chain[1:-1], 1):  # on the straight line between its ends
                fraction = index / (len(chain) - 1)
                start, end = places[chain[0]], places[chain[-1]]
                places[stop] = round((1 - fraction) * start + fraction * end, 9)
        for column in self.columns:
            column.sort(key=places.__getitem__)

    def _chain_of_stops(self, number: int, link: LayerLink) -> list[Stop]:
        """The stops of a link from left to right."""
        left_id, right_id = sorted((link.source, link.target), key=self.column.__getitem__)
        first, last = self.column[left_id], self.column[right_id]
        if first == last:
            self.loops[left_id].append(right_id)
            self.loops[right_id].append(left_id)
            return [left_id, right_id]
        between = ((number, column) for column in range(first + 1, last))
        chain: list[Stop] = [left_id, *between, right_id]
        for column, stop in enumerate(chain[1:-1], first + 1):
            self.columns[column].append(stop)
        for left, right in pairwise(chain):
            self.right[left].append(right)
            self.left[right].append(left)
        return chain

    def order(self) -> None:
        """Reduce crossings by barycentre sweeps, each followed by swaps of neighbours.

        The swaps are the greedy switching of Eades and Kelly (1986). Sweeps end when none of
        them helps, often far from the optimum, so they start from several orders; the best is kept.
        """
        first_columns, best_columns, least_cost = self.columns, self.columns, self._cost_of_order()
        for seed in range(RANDOM_STARTS if least_cost else 0):
            random = Random(seed)
            self.columns = [random.sample(c, len(c)) if seed else list(c) for c in first_columns]
            for sweep in range(2 * MAX_SWEEPS):
                if not least_cost:
                    break
                neighbours = self.right if sweep % 2 else self.left
                for column in self.columns:
                    places = self._place_of_stops()
                    column.sort(
                        key=lambda stop: _mean_or(
                            [places[o] for o in neighbours[stop]], places[stop]
                        )
                    )
                self._exchange_neighbours()
                if (cost := self._cost_of_order()) < least_cost:
                    best_columns, least_cost = [list(column) for column in self.columns], cost
        self.columns = best_columns

    def _place_of_stops(self) -> dict[Stop, float]:
        return {
            stop: (index + 0.5) / len(column)
            for column in self.columns
            for index, stop in enumerate(column)
        }

    def _exchange_neighbours(self) -> None:
        """Swap neighbours while that removes crossings, at most `MAX_SWEEPS` times."""
        places = {stop: index for column in self.columns for index, stop in enumerate(column)}
        for _ in range(MAX_SWEEPS):
            has_swapped = False
            for column in self.columns:
                for index in range(len(column) - 1):
                    upper, lower = column[index], column[index + 1]
                    if self._gain_of_swap(places, upper, lower) > 0:
                        column[index], column[index + 1] = lower, upper
                        places[upper], places[lower] = index + 1, index
                        has_swapped = True
            if not has_swapped:
                return

    def _gain_of_swap(self, places: Mapping[Stop, int], upper: Stop, lower: Stop) -> int:
        """How much a swap of two neighbours in a column lowers the cost."""
        gain = 0
        for neighbours in (self.left, self.right):
            for stop in neighbours[upper]:
                for other in neighbours[lower]:
                    gain += (places[stop] > places[other]) - (places[stop] < places[other])
        for stop in self.loops[upper]:
            if stop != lower:
                gain += 1 if places[stop] > places[upper] else -1
        for stop in self.loops[lower]:
            if stop != upper:
                gain += 1 if places[stop] < places[lower] else -1
        return gain

    def _cost_of_order(self) -> int:
        """Crossings between columns, plus the stops that links within a column go around."""
        places = {stop: index for column in self.columns for index, stop in enumerate(column)}
        cost = 0
        for column in self.columns:
            links = [(places[stop], places[end]) for stop in column for end in self.right[stop]]
            for index, (start, end) in enumerate(links):
                others = links[index + 1 :]
                cost += sum(end > other_end for other, other_end in others if other > start)
            cost += sum(
                abs(places[stop] - places[end]) - 1 for stop in column for end in self.loops[stop]
            )
        return cost


def _mean_or(values: Sequence[float], otherwise: float) -> float:
    return round(sum(values) / len(values), 9) if values else otherwise


# -- places --------------------------------------------------------------------------------


def _spread_heights(plan: _ColumnPlan, heights: Mapping[Stop, float]) -> dict[Stop, float]:
    """The middle of each stop: in the order of its column, and as near as possible to its ends."""
    gaps_by_column = [_least_distances(column, heights) for column in plan.columns]
    middles: dict[Stop, float] = {}
    for column, gaps in zip(plan.columns, gaps_by_column, strict=True):
        column_height = sum(gaps)
        y = -column_height / 2
        for stop, gap in zip(column, gaps, strict=True):
            y += gap
            middles[stop] = y
    both = {stop: plan.left[stop] + plan.right[stop] for stop in middles}
    for sweep in range(2 * MAX_SWEEPS + 1):
        neighbours: Mapping[Stop, list[Stop]] = plan.right if sweep % 2 else plan.left
        direction = -1 if sweep % 2 else 1
        if sweep == 2 * MAX_SWEEPS:
            neighbours = both
        for column, gaps in list(zip(plan.columns, gaps_by_column, strict=True))[::direction]:
            targets = [
                _mean_or([middles[o] for o in neighbours[stop]], middles[stop]) for stop in column
            ]
            middles.update(zip(column, _place_apart(targets, gaps), strict=True))
    return middles


def _least_distances(column: Sequence[Stop], heights: Mapping[Stop, float]) -> list[float]:
    """The least distance of each stop from the one above it; 0 for the first."""
    distances = [0.0]
    for upper, lower in pairwise(column):
        halves = sum(heights.get(stop, 0.0) / 2 for stop in (upper, lower))
        box_count = isinstance(upper, str) + isinstance(lower, str)
        distances.append(halves + (LANE_WIDTH, LINK_GAP, ROW_GAP)[box_count])
    return distances


def _place_apart(targets: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Positions in order, at least so far apart, with the least squared distance from `targets`.

    Pool adjacent violators (Ayer et al., 1955): stops that would be too close move as one block.
    """
    offsets: list[float] = []
    blocks: list[tuple[float, int]] = []
    for target, gap in zip(targets, gaps, strict=True):
        offsets.append(offsets[-1] + gap if offsets else 0.0)
        total, size = target - offsets[-1], 1
        while blocks and blocks[-1][0] * size >= total * blocks[-1][1]:
            total, size = total + blocks[-1][0], size + blocks[-1][1]
            blocks.pop()
        blocks.append((total, size))
    starts = [total / size for total, size in blocks for _ in range(size)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]


def _column_positions(plan: _ColumnPlan) -> tuple[list[float], float]:
    """Where each column begins, and the total width: gaps are wider where more links bend."""
    starts, x = [], 0.0
    for column in plan.columns:
        starts.append(x)
        x += BOX_WIDTH
        right = x
        passing = sum(len(plan.right[stop]) for stop in column)
        loops = sum(len(plan.loops[stop]) for stop in column) // 2
        x += min(MIN_GAP + 2 * (passing + loops), MAX_GAP)
    return starts, x if loops else right


# -- routes --------------------------------------------------------------------------------


class _Router:
    """Draws links between placed boxes."""

    def __init__(
        self,
        plan: _ColumnPlan,
        boxes: Mapping[str, Box],
        middles: Mapping[Stop, float],
        starts: Sequence[float],
    ) -> None:
        self.plan, self.boxes, self.middles, self.starts = plan, boxes, middles, starts
        self.ports = self._ports_of_links()

    def routes(self) -> list[DrawnRoute]:
        loops = self._loops_within_columns()
        return [
            self._loop_route(number, loops[number])
            if number in loops
            else self._route_of_link(number)
            for number in range(len(self.plan.links))
        ]

    def _ports_of_links(self) -> dict[tuple[int, str], float]:
        """Where each link meets each of its boxes: separated, in the order of their other ends."""
        links_by_side = defaultdict[tuple[str, int], list[tuple[int, float, int]]](list)
        for number, chain in enumerate(self.plan.chains):
            link = self.plan.links[number]
            is_loop = self.plan.column[link.source] == self.plan.column[link.target]
            for end, side, stop in ((chain[0], 1, chain[1]), (chain[-1], -1, chain[-2])):
                y = self.middles[stop]
                # Links within the column go around shorter ones, above or below the rest.
                group = 0 if not is_loop else -1 if y < self.middles[end] else 1
                key = (str(end), 1 if is_loop else side)
                links_by_side[key].append((group, -y if group else y, number))
        ports: dict[tuple[int, str], float] = {}
        for (id, _), links in links_by_side.items():
            box, first = self.boxes[id], (1 - len(links)) / 2
            step = min(MAX_PORT_STEP, (box.height - PORT_GAP) / max(len(links) - 1, 1))
            for index, (_, _, number) in enumerate(sorted(links)):
                ports[number, id] = box.middle + (first + index) * step
        return ports

    def _arrow_ends(self, number: int) -> tuple[str, ...]:
        """The ends of a link with an arrowhead: its target and, if it leads back, its source."""
        link = self.plan.links[number]
        return (link.target, link.source) if link.both else (link.target,)

    def _route_of_link(self, number: int) -> DrawnRoute:
        chain = self.plan.chains[number]
        left_id, right_id = str(chain[0]), str(chain[-1])
        first = self.plan.column[left_id]
        left, right = self.starts[first] + BOX_WIDTH, self.boxes[right_id].x
        ends = {left_id: (left, -1), right_id: (right, 1)}
        pointed_ids = self._arrow_ends(number)
        heads = tuple(Head(ends[id][0], self.ports[number, id], ends[id][1]) for id in pointed_ids)
        start = left + HEAD_LENGTH * (left_id in pointed_ids)
        end = right - HEAD_LENGTH * (right_id in pointed_ids)
        ys = [self.middles[stop] for stop in chain]
        ys[0], ys[-1] = self.ports[number, left_id], self.ports[number, right_id]
        path = f"M{format_number(start)} {format_number(ys[0])}"
        for column, (y, next_y) in enumerate(pairwise(ys), first):
            if format_number(y) == format_number(next_y):
                continue
            x1 = self.starts[column] + BOX_WIDTH + STUB_LENGTH
            x2 = self.starts[column + 1] - STUB_LENGTH
            bend = format_number((x1 + x2) / 2)
            control_points = f"{bend} {format_number(y)} {bend} {format_number(next_y)}"
            end_point = f"{format_number(x2)} {format_number(next_y)}"
            path += f"H{format_number(x1)}C{control_points} {end_point}"
        return DrawnRoute(f"{path}H{format_number(end)}", heads)

    def _loops_within_columns(self) -> dict[int, int]:
        """The links within a column, each with the number of links that it goes around."""
        spans = {
            number: (self.plan.column[link.source], *sorted(self.middles[id] for id in link[:2]))
            for number, link in enumerate(self.plan.links)
            if self.plan.column[link.source] == self.plan.column[link.target]
        }
        levels: dict[int, int] = {}
        for number, (column, low, high) in sorted(
            spans.items(), key=lambda item: (item[1][2] - item[1][1], item[0])
        ):
            levels_inside = [
                levels[other]
                for other in levels
                if spans[other][0] == column and spans[other][1] < high and spans[other][2] > low
            ]
            levels[number] = max(levels_inside, default=-1) + 1
        return levels

    def _loop_route(self, number: int, level: int) -> DrawnRoute:
        start_id, end_id = map(str, self.plan.chains[number])
        x = self.boxes[start_id].x + BOX_WIDTH
        pointed_ids = self._arrow_ends(number)
        heads = tuple(Head(x, self.ports[number, id], -1) for id in pointed_ids)
        start_x, end_x = (
            format_number(x + HEAD_LENGTH * (id in pointed_ids)) for id in (start_id, end_id)
        )
        start_y, end_y = (format_number(self.ports[number, id]) for id in (start_id, end_id))
        stub_x = format_number(x + STUB_LENGTH)
        # A curve of this kind reaches three quarters of the way to its control points.
        bend_x = format_number(
            x + STUB_LENGTH + min(LOOP_WIDTH * (1 + level / 2), MAX_BEND - STUB_LENGTH)
        )
        curve = f"C{bend_x} {start_y} {bend_x} {end_y} {stub_x} {end_y}"
        return DrawnRoute(f"M{start_x} {start_y}H{stub_x}{curve}H{end_x}", heads)
