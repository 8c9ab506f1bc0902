"""A word added to or taken out of a list in front matter leaves the rest as it is written."""

from __future__ import annotations

from pathlib import Path

from kg.editing.change import ChangeBuilder
from kg.editing.edit_front_matter import add_words, remove_word, replace_value, set_word
from kg.editing.folder_files import FolderFiles
from tests.support.every_row import every_row

NOTE = "---\ntype: claim\n{0}created: 2026-01-01\n---\n\n# A\n"
LISTS = {
    "first": ("topics: [out, b, c]\n", "topics: [b, c]\n"),
    "middle": ("topics: [a, out, c]\n", "topics: [a, c]\n"),
    "last": ("topics: [a, b, out]\n", "topics: [a, b]\n"),
    "first, quoted": ("topics: ['out', \"b\"]\n", 'topics: ["b"]\n'),
    "middle, quoted": ("topics: ['a', \"out\", 'c']\n", "topics: ['a', 'c']\n"),
    "last, quoted": ("topics: [a, 'out']\n", "topics: [a]\n"),
    "first of a block": ("topics:\n  - out\n  - b\n", "topics:\n  - b\n"),
    "middle of a block": ("topics:\n- a\n- 'out'\n- c\n", "topics:\n- a\n- c\n"),
    "last of a block": ("topics:\n  - a\n  - out\n", "topics:\n  - a\n"),
    "the only one": ("topics: [out]\n", ""),
    "the only one of a block": ("topics:\n  - out\n", ""),
    "none": ("topics: [a, b]\n", "topics: [a, b]\n"),
}


@every_row(("note_text", "left"), LISTS.values())
def test_a_word_is_taken_out(tmp_path: Path, note_text: str, left: str) -> None:
    text = NOTE.format(note_text)
    (tmp_path / "a.md").write_text(text, "utf-8")
    draft = ChangeBuilder(FolderFiles(tmp_path))
    remove_word(draft, "a.md", "topics", "out")
    after = draft.change("").files_after.get("a.md", text.encode())
    assert after == NOTE.format(left).encode()


@every_row(
    ("text", "left"),
    [
        ("topics: [a]\n", "topics: [a, new]\n"),
        ("topics: a\n", "topics: [a, new]\n"),
        ("topics:\n  - a\n", "topics:\n  - a\n  - new\n"),
    ],
)
def test_a_word_is_added_to_a_list_as_it_is_written(tmp_path: Path, text: str, left: str) -> None:
    (tmp_path / "a.md").write_text(NOTE.format(text), "utf-8")
    draft = ChangeBuilder(FolderFiles(tmp_path))
    add_words(draft, "a.md", "topics", ("new",))
    assert draft.change("").files_after["a.md"] == NOTE.format(left).encode()


@every_row(
    ("text", "left"),
    [
        ("# A\n", "---\nstatus: draft\n---\n\n# A\n"),
        ("---\ntype: claim\n---\n# A\n", "---\ntype: claim\nstatus: draft\n---\n# A\n"),
        ("---\nstatus:\n---\n# A\n", "---\nstatus: draft\n---\n# A\n"),
        ("---\nstatus: stable\n---\n# A\n", "---\nstatus: draft\n---\n# A\n"),
    ],
)
def test_a_key_gets_a_word(tmp_path: Path, text: str, left: str) -> None:
    (tmp_path / "a.md").write_text(text, "utf-8")
    draft = ChangeBuilder(FolderFiles(tmp_path))
    set_word(draft, "a.md", "status", "draft")
    assert draft.change("").files_after["a.md"] == left.encode()


@every_row(
    ("note_text", "left"),
    [
        ("topics: [a, 'b']\n", "topics: [a, 'b', new]\n"),
        ("topics: 'a'\n", "topics: ['a', new]\n"),
        ("topics:\n  - a\n  - 'b'\n", "topics:\n  - a\n  - 'b'\n  - new\n"),
        ("topics: # of it\n- a\n", "topics: # of it\n- a\n- new\n"),
        ("topics: -a\n", "topics: [-a, new]\n"),
        ("topics: []\n", "topics: [new]\n"),
        ("topics: [new]\n", "topics: [new]\n"),
    ],
)
def test_a_word_is_added_beside_quotes_comments_and_dashes(
    tmp_path: Path, note_text: str, left: str
) -> None:
    text = NOTE.format(note_text)
    (tmp_path / "a.md").write_text(text, "utf-8")
    draft = ChangeBuilder(FolderFiles(tmp_path))
    add_words(draft, "a.md", "topics", ("new",))
    assert draft.change("").files_after.get("a.md", text.encode()) == NOTE.format(left).encode()


@every_row(
    ("row", "word", "left"),
    [
        ('camp: "left"', 'so "called"', r'camp: "so \"called\""'),
        ("camp: 'left'", "Bob's", "camp: 'Bob''s'"),
        ("camp: left", "right", "camp: right"),
        ("camp: left", "no: 1", 'camp: "no: 1"'),
    ],
)
def test_a_value_keeps_the_quotes_that_it_has(row: str, word: str, left: str) -> None:
    start = row.index("left")
    edit = replace_value(row, start, start + 4, word)
    assert row[: edit.start] + edit.text + row[edit.end :] == left
