"""What a terminal would act on is shown as a sign of its own; all else stays."""

from __future__ import annotations

from kg.text.printable import printable, printable_lines, replace_unprintable, without_line_breaks
from tests.support.every_row import every_row


@every_row(
    ("text", "expected_output"),
    [
        ("plain é 語", "plain é 語"),
        ("a\x1b[31m", "a�[31m"),
        ("a\tb\nc", "a b c"),
        ("a\u202eb\u200b", "a�b�"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # within a Persian word
        ("a\u200db", "a�b"),  # between two letters that need none
        ("\u200cمی", "�می"),  # before a word
    ],
)
def test_signs_that_are_not_seen_are_shown(text: str, expected_output: str) -> None:
    assert printable(text) == expected_output
    assert replace_unprintable(text, lambda _: "") == "".join(
        sign for sign in text if sign.isprintable() or sign in expected_output
    )


def test_line_breaks_stay_or_are_spaces() -> None:
    assert printable_lines("a\x07\nb\tc") == "a�\nb c"
    assert without_line_breaks("a\r\nb\u2028c d") == "a  b c d"
