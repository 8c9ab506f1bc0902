"""What a note is taken for."""

from __future__ import annotations

from kg.notes.frontmatter.front_matter import split_front_matter
from kg.notes.note_type import likely_type
from tests.support.every_row import every_row


@every_row(
    ("key", "kind"),
    [
        ("proposition: x", "line"),
        ("integrity: ok", "source"),
        ("sample: 5", "evidence"),
        ("camp: x", "claim"),
    ],
)
def test_a_note_without_a_type_is_taken_for_what_its_keys_belong_to(key: str, kind: str) -> None:
    assert likely_type(split_front_matter(f"---\n{key}\n---\n"), ()) == kind
