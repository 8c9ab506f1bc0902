"""What a key that means nothing here was most likely meant to be."""

from __future__ import annotations

from tests.support.corpora import parsed_note_of
from tests.support.every_row import every_row


@every_row(
    ("key", "expected"),
    [
        ("titel", "title"),
        ("campp", "camp"),
        ("tags", "topics"),  # a word of other programs for the same
        ("state", ""),  # other programs' own: only a few letters are like `status`
        ("start", ""),
        ("layout", ""),
    ],
)
def test_one_slip_is_corrected_and_a_key_of_another_program_is_left(
    key: str, expected: str
) -> None:
    (problem,) = parsed_note_of(f"---\ntype: claim\n{key}: x\n---\n\n# It helps\n").diagnostics
    assert (problem.rule, problem.fix is not None) == ("unknown-key", bool(expected))
    assert expected in problem.help
    assert ("did you mean" in problem.help) == bool(expected)
