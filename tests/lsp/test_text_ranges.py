"""Where a problem is marked, of what is known only where it begins."""

from __future__ import annotations

from kg.lsp.text_ranges import DocumentText
from kg.model import Span
from tests.support.every_row import every_row


@every_row(
    ("line", "column", "marked_text"),
    [
        (1, 1, "# A title"),
        (1, 10, " "),
        (2, 4, "[[naps]]"),
        (2, 13, "word"),
        (2, 20, "a"),
        (2, 23, "[@doe2024]"),
        (3, 1, "- supports::"),
        (4, 3, "[!evidence] Seen"),
        (5, 1, ""),
        (6, 2, "nd"),
        (6, 4, ""),
    ],
)
def test_a_problem_is_marked_to_the_end_of_what_stands_there(
    line: int, column: int, marked_text: str
) -> None:
    rows = ("# A title  \r", "In [[naps]] word, (a) [@doe2024]", "- supports:: [[naps]]")
    text = DocumentText(
        "x.md", "\n".join(("\ufeff" + rows[0], *rows[1:], "> [!evidence] Seen", "", "end"))
    )
    text_range = text.range_at(Span("x.md", line, column))
    assert text.line(line)[text_range.column - 1 : text_range.end_column - 1] == marked_text
    assert (text_range.line, text_range.end_line) == (line, line)


def test_an_offset_is_at_most_that_of_the_end_of_its_line() -> None:
    text = DocumentText("x.md", "ab\ncd")
    places = [(1, 1), (1, 2), (1, 3), (1, 9), (2, 1), (2, 9)]
    assert [text.offset(*place) for place in places] == [0, 1, 2, 2, 3, 5]
