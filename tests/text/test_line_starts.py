"""Places of a text are found as by counting its lines."""

from __future__ import annotations

from kg.text.line_starts import TextLineStarts

TEXT = "a\n\nlong line\n\n\nx"


def test_places_are_those_that_counting_gives_and_lead_back() -> None:
    starts = TextLineStarts(TEXT)
    for position in range(len(TEXT) + 1):
        assert starts.place(position) == (
            TEXT.count("\n", 0, position) + 1,
            position - TEXT.rfind("\n", 0, position),
        )
        assert starts.offset(*starts.place(position)) == position
    assert starts.count == 6
    assert starts.offset(7, 1) == len(TEXT)
