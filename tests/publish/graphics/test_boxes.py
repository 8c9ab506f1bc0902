"""Words fit the boxes of a map, whatever they are."""

from __future__ import annotations

from kg.publish.graphics.boxes import MAX_LINES_IN_BOX, wrap_text

WIDTH = 148.0


def test_words_are_kept_in_order_and_long_titles_end_with_an_ellipsis() -> None:
    assert (
        " ".join(wrap_text("A short title in a few rows", WIDTH)) == "A short title in a few rows"
    )
    rows = wrap_text("word " * 100, WIDTH)
    assert len(rows) == MAX_LINES_IN_BOX
    assert rows[-1].endswith("…")


def test_a_word_wider_than_its_box_is_cut() -> None:
    (row,) = wrap_text("W" * 200, WIDTH)
    assert row.endswith("…")
    assert len(row) < 30


def test_a_word_without_end_is_cut_in_a_moment() -> None:
    """Letter by letter from its end, it would take longer than a test may."""
    (row,) = wrap_text("i|" * 500_000, WIDTH)
    assert row.endswith("…")
    assert wrap_text(row, WIDTH) == (row,), "it fits"
