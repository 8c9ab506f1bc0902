"""The text of a block in nested quotes."""

from __future__ import annotations

from kg.notes.body.body_parts import Quotes
from kg.notes.markdown.blocks import scan_blocks
from tests.support.every_row import every_row


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
