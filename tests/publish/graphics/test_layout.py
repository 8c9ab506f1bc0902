"""Boxes of a map never lie on each other, whatever their words."""

from __future__ import annotations

import re
from itertools import combinations, permutations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.graphics import layout
from kg.publish.graphics.layout import (
    BOX_WIDTH,
    HEAD,
    LINES,
    Box,
    columns,
    curve,
    head,
    settle,
    spread_boxes,
    wrap_text,
)

TITLES = st.lists(st.text(max_size=120), min_size=1, max_size=40)


@given(TITLES, st.data())
def test_boxes_do_not_overlap(titles: list[str], data: st.DataObject) -> None:
    ids = [str(number) for number in range(len(titles))]
    lanes = data.draw(
        st.lists(st.sampled_from([-2, -1, 0, 1, 2, 99]), min_size=len(ids), max_size=len(ids))
    )
    sides = {
        lane: [id for id, own in zip(ids, lanes, strict=True) if own == lane]
        for lane in (-2, -1, 0, 1, 2)
    }
    above = [id for id, lane in zip(ids, lanes, strict=True) if lane == 99]
    near = {id: {ids[0]} for id in ids}
    boxes = columns(dict(zip(ids, titles, strict=True)), sides, near, above)
    assert set(boxes) == set(ids)
    assert not [pair for pair in combinations(boxes.values(), 2) if _overlap(*pair)]


def _overlap(one: Box, other: Box) -> bool:
    across = one.x < other.x + BOX_WIDTH and other.x < one.x + BOX_WIDTH
    return across and one.y < other.y + other.height and other.y < one.y + one.height


LANES = st.lists(st.sampled_from([-1, 0, 1, 99]), min_size=2, max_size=8)


@given(LANES, st.lists(st.text("ab ", max_size=90), min_size=8, max_size=8))
def test_columns_are_centred_and_every_curve_joins_two_borders(
    lanes: list[int], titles: list[str]
) -> None:
    ids = [str(number) for number in range(len(lanes))]
    sides = {at: [id for id in ids if lanes[int(id)] == at] for at in (-1, 0, 1, 99)}
    boxes = columns(dict(zip(ids, titles, strict=False)), sides, {}, sides.pop(99))
    middles = [_span([boxes[id].y for id in own], boxes[own[-1]]) for own in sides.values() if own]
    assert middles == pytest.approx(middles[:1] * len(middles))
    for one, other in permutations(boxes.values(), 2):
        line = curve(one, other)
        start, end = _ends(line.path)
        tip = (end[0] + HEAD * line.across, end[1] + HEAD * line.down)
        assert (end, abs(line.across) + abs(line.down)) == (
            pytest.approx((line.x, line.y), abs=0.06),
            1,
        )
        assert _on_border(start, one)
        assert _on_border(tip, other)
        assert not _on_border(end, other)
        drawn = [tuple(map(float, pair.split(","))) for pair in _points(head(line))]
        assert drawn[1] == pytest.approx(tip, abs=0.06)
        assert [dist(point, drawn[1]) for point in drawn[::2]] == pytest.approx(
            [65**0.5] * 2, abs=0.2
        )


def _span(tops: list[float], last: Box) -> float:
    return (min(tops) + last.y + last.height) / 2


def _ends(path: str) -> tuple[tuple[float, float], tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return (numbers[0], numbers[1]), (numbers[-2], numbers[-1])


def _points(polygon: str) -> list[str]:
    return polygon.split('"')[1].split()


def _on_border(point: tuple[float, float], box: Box) -> bool:
    """Whether a point is the middle of one of a box's sides."""
    across, down = (box.x, box.x + BOX_WIDTH), (box.y, box.y + box.height)
    middles = [(x, box.middle) for x in across] + [(box.centre, y) for y in down]
    return min(dist(point, middle) for middle in middles) < 0.1


def test_boxes_over_each_other_are_joined_around_what_stands_between() -> None:
    """Straight where they are neighbours."""
    for side, past in ((-1, -17), (1, BOX_WIDTH + 17)):
        boxes = columns(dict.fromkeys("abcd", "x"), {side: list("abcd")}, {})
        around = [curve(boxes[one], boxes[other]) for one, other in ("ad", "da")]
        assert [line.path.split("C")[1].split()[0] for line in around] == [str(past)] * 2
        straight = [curve(boxes[one], boxes[other]) for one, other in ("ab", "ba")]
        assert [(line.across, line.down) for line in around + straight] == [
            *[(-side, 0)] * 2,
            (0, 1),
            (0, -1),
        ]


def test_boxes_that_nothing_joins_stand_in_the_given_order() -> None:
    boxes = columns(dict.fromkeys("abc", "x"), {-1: list("cab")}, {})
    assert sorted(boxes, key=lambda id: boxes[id].y) == list("cab")


def test_boxes_do_not_depend_on_anything_but_their_input() -> None:
    titles = {"a": "One thing", "b": "Another", "c": "A third"}
    make = lambda: columns(titles, {-1: ["a", "b"], 0: ["c"]}, {"a": {"c"}, "c": {"a"}})  # noqa: E731
    assert make() == make()


def test_joined_boxes_come_to_stand_at_similar_heights() -> None:
    titles = dict.fromkeys("abcdef", "x")
    near = {"a": {"f"}, "f": {"a"}, "b": {"e"}, "e": {"b"}, "c": {"d"}, "d": {"c"}}
    boxes = columns(titles, {-1: list("abc"), 1: list("def")}, near)
    assert [boxes[one].y for one in "abc"] == [boxes[other].y for other in "fed"]


def test_words_are_kept_in_order_and_long_titles_end_with_an_ellipsis() -> None:
    assert " ".join(wrap_text("A short title in a few rows")) == "A short title in a few rows"
    rows = wrap_text("word " * 100)
    assert len(rows) == LINES
    assert rows[-1].endswith("…")


def test_a_word_wider_than_its_box_is_cut() -> None:
    (row,) = wrap_text("W" * 200)
    assert row.endswith("…")
    assert len(row) < 30


def test_a_word_without_end_is_measured_once_and_then_only_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[int] = []

    def long(text: str) -> float:
        measured.append(len(text))
        return whole(text)

    whole = layout._long
    monkeypatch.setattr(layout, "_long", long)
    (row,) = wrap_text("i|" * 20_000)
    assert row.endswith("…")
    assert whole(row) <= BOX_WIDTH
    assert sum(measured) < 2 * 40_000


def test_one_side_is_spread_over_as_few_even_columns_as_hold_it() -> None:
    assert [len(lane) for lane in spread_boxes([str(n) for n in range(14)], 9)] == [7, 7]
    assert spread_boxes([]) == []


def test_a_part_that_nothing_joins_does_not_squeeze_the_rest_into_a_corner() -> None:
    start = {str(number): (number / 30, number % 7 / 7) for number in range(30)}
    joined = [("0", str(number)) for number in range(1, 28)] + [("28", "29")]
    places = settle(start, joined)
    most = [places[str(number)] for number in range(28)]
    across = max(dist(one, other) for one, other in combinations(most, 2))
    apart = min(dist(places[id], one) for id in ("28", "29") for one in most)
    assert apart < across
