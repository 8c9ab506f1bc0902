"""Maps are true: no box lies on another, and no link leads where it could be misread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import dist
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.graphics.boxes import BOX_WIDTH, LINE_HEIGHT, TOP
from kg.publish.graphics.layers import HEAD_LENGTH, Drawing, LayerLink, lay_out
from tests.publish.graphics.misread import (
    Area,
    DrawnLink,
    misread_links,
    passes_through,
    points_of_path,
)

Columns = list[list[str]]
ROUNDED = 0.11  # what is written has one decimal


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[str, str], Columns, list[LayerLink]]:
    """Up to 15 statements in up to 5 columns, and any links between them."""
    ids = [str(number) for number in range(draw(st.integers(2, 15)))]
    lanes = draw(st.lists(st.integers(0, 4), min_size=len(ids), max_size=len(ids)))
    columns = [
        [id for id, own in zip(ids, lanes, strict=True) if own == lane] for lane in sorted({*lanes})
    ]
    titles = {id: draw(st.text("ab iW", max_size=90)) for id in ids}
    ends = st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(lambda two: len({*two}) > 1)
    pairs = draw(st.lists(ends, max_size=40))
    return titles, columns, [LayerLink(*pair, draw(st.booleans())) for pair in pairs]


def _areas(drawing: Drawing) -> dict[str, Area]:
    return {
        id: Area(box.x, box.y, box.x + BOX_WIDTH, box.y + box.height)
        for id, box in drawing.boxes.items()
    }


def _links(drawing: Drawing, links: Sequence[LayerLink]) -> list[DrawnLink]:
    """Each link as it is drawn, up to the tips of its arrow heads."""
    found = []
    for link, route in zip(links, drawing.routes, strict=True):
        way = points_of_path(route.path)
        for head in route.heads:
            back = (head.x - head.turn * HEAD_LENGTH, head.y)
            tip = (head.x, head.y)
            way = [tip, *way] if dist(back, way[0]) < ROUNDED else [*way, tip]
        found.append(DrawnLink(link.source, link.target, way))
    return found


@given(graphs())
def test_boxes_lie_apart_within_the_drawing_and_hold_their_words(
    graph: tuple[dict[str, str], Columns, list[LayerLink]],
) -> None:
    drawing = lay_out(*graph)
    areas = _areas(drawing)
    assert set(areas) == set(graph[0])
    for one, other in combinations(areas.values(), 2):
        aside = one.right < other.left or other.right < one.left
        assert aside or one.bottom < other.top or other.bottom < one.top
    whole = Area(0, 0, drawing.width, drawing.height).grown(ROUNDED)
    points = [point for link in _links(drawing, graph[2]) for point in link.way]
    points += [corner for area in areas.values() for corner in (area[:2], area[2:])]
    assert all(whole.left <= x <= whole.right and whole.top <= y <= whole.bottom for x, y in points)
    if not any({link.source, link.target} <= {*graph[1][-1]} for link in graph[2]):
        assert drawing.width == max(area.right for area in areas.values())
    for box in drawing.boxes.values():
        assert len(box.rows) * LINE_HEIGHT + 2 * TOP <= box.height


@given(graphs())
def test_no_link_passes_through_a_box_or_within_three_units_of_one_that_is_not_its_end(
    graph: tuple[dict[str, str], Columns, list[LayerLink]],
) -> None:
    drawing = lay_out(*graph)
    areas, links = _areas(drawing), _links(drawing, graph[2])
    assert misread_links(areas, links) == []
    for link in links:
        for id in (link.source, link.target):
            assert not passes_through(link.way, areas[id].grown(-ROUNDED))


@given(graphs())
def test_links_meet_their_own_boxes_at_sides_and_each_at_a_place_of_its_own(
    graph: tuple[dict[str, str], Columns, list[LayerLink]],
) -> None:
    drawing = lay_out(*graph)
    areas = _areas(drawing)
    meets: defaultdict[tuple[str, bool], list[float]] = defaultdict(list)
    for link, drawn, route in zip(graph[2], _links(drawing, graph[2]), drawing.routes, strict=True):
        ends = [drawn.way[0], drawn.way[-1]]
        for id in (link.source, link.target):
            [x, y] = next(end for end in ends if _at_side(end, areas[id]))
            ends.remove((x, y))
            meets[id, x > areas[id].left + 1].append(y)
            tips = [head for head in route.heads if dist((head.x, head.y), (x, y)) < ROUNDED]
            assert len(tips) == (link.both or id == link.target)
            assert all(head.turn == (-1 if x > areas[id].left + 1 else 1) for head in tips)
    for heights in meets.values():
        assert all(low - high > 9 for high, low in pairwise(sorted(heights)))


def _at_side(point: tuple[float, float], area: Area) -> bool:
    across = min(abs(point[0] - area.left), abs(point[0] - area.right))
    return across < ROUNDED and area.top < point[1] < area.bottom


@given(graphs())
def test_a_map_depends_on_nothing_but_what_it_shows(
    graph: tuple[dict[str, str], Columns, list[LayerLink]],
) -> None:
    assert lay_out(*graph) == lay_out(*graph)


def test_links_uncross_and_a_chain_is_straight() -> None:
    titles = dict.fromkeys("abcdef", "x")
    links = [LayerLink("d", "a"), LayerLink("e", "b"), LayerLink("f", "c")]
    drawing = lay_out(titles, [list("abc"), list("fed")], links)
    assert all("C" not in route.path for route in drawing.routes)


def test_a_chain_is_straight_though_its_first_box_stands_beside_others() -> None:
    """Heights pass from column to column in the direction in which they are looked for."""
    titles = dict.fromkeys("abcd", "x")
    drawing = lay_out(
        titles, [list("ab"), ["c"], ["d"]], [LayerLink("c", "a"), LayerLink("d", "c")]
    )
    assert all("C" not in route.path for route in drawing.routes)


def test_links_that_pass_a_column_pass_it_between_its_boxes_and_beside_each_other() -> None:
    titles = dict.fromkeys(["top", *"abcdefgh"], "Some words")
    links = [LayerLink(id, "top") for id in "abcdefgh"]
    drawing = lay_out(titles, [["top"], list("abcd"), list("efgh")], links)
    boxes = drawing.boxes
    middle = boxes["a"].x + BOX_WIDTH / 2
    heights = [
        y1
        for route in drawing.routes[4:]
        for (x1, y1), (x2, _) in pairwise(points_of_path(route.path))
        if x1 <= middle <= x2 or x2 <= middle <= x1
    ]
    assert len(heights) == 4
    assert all(abs(one - other) > 6 for one, other in combinations(heights, 2))
    assert boxes["a"].y < min(heights) < max(heights) < boxes["d"].y
    tops = [boxes[id].middle for id in "eh"]
    assert sum(tops) / 2 == pytest.approx(boxes["top"].middle, abs=1)


def test_a_joined_box_stands_beside_what_it_is_joined_to() -> None:
    titles = dict.fromkeys("abcde", "x")
    drawing = lay_out(titles, [list("abc"), list("de")], [LayerLink("e", "a"), LayerLink("d", "c")])
    boxes = drawing.boxes
    assert boxes["a"].middle == pytest.approx(boxes["e"].middle)
    assert boxes["c"].middle == pytest.approx(boxes["d"].middle)


def test_of_links_within_a_column_the_longest_goes_around_the_others() -> None:
    links = [LayerLink("a", "b"), LayerLink("b", "c"), LayerLink("a", "c")]
    drawing = lay_out(dict.fromkeys("abc", "x"), [list("abc")], links)
    far = sorted(
        (
            abs(drawing.boxes[link.source].y - drawing.boxes[link.target].y),
            max(points_of_path(route.path)),
        )
        for link, route in zip(links, drawing.routes, strict=True)
    )
    assert far[0][1][0] == far[1][1][0] < far[2][1][0] - 3


def test_many_links_within_a_column_stay_out_of_the_next_one() -> None:
    ids = list("abcdefgh")
    links = [LayerLink(*pair) for pair in combinations(ids, 2)]
    drawing = lay_out(dict.fromkeys([*ids, *"xyz"], "Word " * 20), [ids, list("xyz")], links)
    assert misread_links(_areas(drawing), _links(drawing, links)) == []
    assert (
        max(x for route in drawing.routes for x, _ in points_of_path(route.path))
        < drawing.boxes["x"].x
    )


@given(st.lists(st.integers(0, 13), min_size=3, max_size=14), st.randoms(use_true_random=False))
def test_links_of_a_tree_do_not_cross(parents: list[int], chance: Random) -> None:
    depth, links = {0: 0}, []
    for child, parent in enumerate(parents, 1):
        parent %= child
        depth[child] = depth[parent] + 1
        links.append(LayerLink(str(child), str(parent)))
    columns = [
        [str(id) for id, at in depth.items() if at == step]
        for step in range(max(depth.values()) + 1)
    ]
    for column in columns:
        chance.shuffle(column)
    boxes = lay_out({str(id): "x" for id in depth}, columns, links).boxes
    above = {link.source: boxes[link.target].y for link in links}
    for column in columns[1:]:
        column.sort(key=lambda id: boxes[id].y)
        assert [above[id] for id in column] == sorted(above[id] for id in column)
