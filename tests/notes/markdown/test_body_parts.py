"""The text of a block in nested quotes, and headings that links name."""

from __future__ import annotations

from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.body_parts import Headings, Quotes
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


@every_row(
    ("anchor", "is_there", "nearest"),
    [
        ("Costs of naps", True, "Costs of naps"),
        ("costs-of-naps-2", True, "Costs of naps"),
        ("Costs%20of%20naps", True, "Costs of naps"),
        ("Costs of nasp", False, "Costs of naps"),
        ("Elsewhere", False, None),
    ],
)
def test_a_heading_is_named_by_its_letters_and_else_the_nearest_is_meant(
    anchor: str, is_there: bool, nearest: str | None
) -> None:
    headings = Headings(["Costs of naps", "After"])
    assert (anchor in headings) is is_there
    assert headings.nearest(anchor) == nearest
