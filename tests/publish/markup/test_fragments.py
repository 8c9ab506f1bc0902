"""Pieces that pages share are made once; each page that shows one has read what it rests on."""

from __future__ import annotations

import pytest

from kg.publish.markup import html
from kg.publish.markup.html import Fragments, Html


def making(made: list[str], kept: Fragments, reads: int) -> Html:
    kept.numbers_read.append(reads)
    made.append(str(reads))
    return Html(f"<p>{reads}</p>")


def ask(kept: Fragments, made: list[str], number: int) -> Html:
    return kept.once(number, making, made, kept, number)


def test_a_piece_is_made_once_and_its_reads_are_told_each_time() -> None:
    kept, made = Fragments(), list[str]()
    assert [ask(kept, made, 7), ask(kept, made, 7)] == ["<p>7</p>", "<p>7</p>"]
    assert made == ["7"]
    assert kept.numbers_read == [7, 7]


def test_a_piece_inside_another_is_read_with_it() -> None:
    kept, made = Fragments(), list[str]()
    for _ in range(2):
        kept.numbers_read.clear()
        kept.once("outer", lambda: Html(f"<div>{ask(kept, made, 7)}{ask(kept, made, 8)}</div>"))
        assert set(kept.numbers_read) == {7, 8}
    assert made == ["7", "8"]


def test_what_is_asked_for_again_stays_and_the_rest_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(html, "FRAGMENTS_ROOM", 10 * len("<p>7</p>"))
    kept, made = Fragments(), list[str]()
    for number in range(10, 100):
        ask(kept, made, number)
        ask(kept, made, 5)
        kept.numbers_read.clear()
        assert ask(kept, made, 5) == "<p>5</p>"
        assert kept.numbers_read == [5]
    assert made.count("5") == 1
    ask(kept, made, 10)
    assert made.count("10") == 2


def test_what_is_larger_than_the_room_is_still_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "FRAGMENTS_ROOM", 3)
    kept, made = Fragments(), list[str]()
    assert ask(kept, made, 1) == "<p>1</p>"
    assert ask(kept, made, 2) == "<p>2</p>"
