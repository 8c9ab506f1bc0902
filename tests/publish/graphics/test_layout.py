"""Boxes of a map never lie on each other, whatever their words."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.graphics import layout
from kg.publish.graphics.layout import LINES, WIDTH, Box, columns, settle, spread_boxes, wrap_text

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
    across = one.x < other.x + WIDTH and other.x < one.x + WIDTH
    return across and one.y < other.y + other.height and other.y < one.y + one.height


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
    assert whole(row) <= WIDTH
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
