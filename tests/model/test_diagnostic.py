"""Where a fix begins and ends, and what a conflict is told with."""

from __future__ import annotations

from kg.model import Span
from kg.model.diagnostic import fix_at
from tests.support.every_row import every_row


@every_row(
    ("old", "end"),
    [("abc", (7, 8)), ("", (7, 5)), ("ab\ncdef", (8, 5)), ("ab\n", (8, 1)), ("a\nb\nc", (9, 2))],
)
def test_a_fix_ends_where_the_old_words_do(old: str, end: tuple[int, int]) -> None:
    (edit,) = fix_at(Span("a.md", 7, 5), old, "new").edits
    assert (edit.line, edit.column, edit.text) == (7, 5, "new")
    assert (edit.end_line, edit.end_column) == end
