"""Places of a text are found as by counting its lines."""

from __future__ import annotations

import random

from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.body_parts import LineCounter, LineStarts, Quotes
from tests.support.every_row import every_row

TEXT = "a\n\nlong line\n\n\nx"


def _counted(at: int) -> tuple[int, int]:
    return TEXT.count("\n", 0, at) + 1, at - TEXT.rfind("\n", 0, at)


def test_places_are_those_that_counting_gives_and_lead_back() -> None:
    starts = LineStarts(TEXT)
    for at in range(len(TEXT) + 1):
        assert starts.place(at) == _counted(at)
        assert starts.offset(*starts.place(at)) == at
    assert starts.count == 6
    assert starts.offset(7, 1) == len(TEXT)


def test_a_counter_gives_the_same_in_any_order() -> None:
    span = LineCounter(TEXT, "a.md", 1).span
    chance = random.Random(1)
    for _ in range(200):
        at = chance.randint(0, len(TEXT))
        assert (span(at).line, span(at).column) == _counted(at)


@every_row(
    ("text", "blank"),
    [
        ("> a\n> b", "a\n  b"),
        ("> a\n>b\nc", "a\n b\nc"),
        ("> > a\n> > b", "a\n    b"),
        ("> > a\n>> b\n> c", "a\n   b\n  c"),
    ],
)
def test_marks_of_quotes_are_blank_in_the_text_of_a_block(text: str, blank: str) -> None:
    scan = scan_blocks(text)
    [block] = scan.blocks
    assert Quotes(text, scan.quotes).text_of(block) == blank
