"""Files are edited where their text says, and keep their bytes everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.folder_files import FileText, FolderFiles, NotEditable, TextEdit, cut_text
from tests.editing.edited_folder import CLAIM, write
from tests.support.every_row import every_row


@every_row(
    ("before", "after"),
    [
        (b"a\nb\nc", b"a\nX\nY\nc"),
        (b"a\r\nb\r\nc", b"a\r\nX\r\nY\r\nc"),
        (b"a\rb\rc", b"a\rX\rY\rc"),
        (b"a\nb\r\nc", b"a\nX\nY\r\nc"),
        (b"\xef\xbb\xbfa\nb\nc", b"\xef\xbb\xbfa\nX\nY\nc"),
    ],
)
def test_an_edit_takes_the_line_ends_of_its_file(before: bytes, after: bytes) -> None:
    text = FileText("a.md", before)
    assert text.text == "a\nb\nc"
    assert text.apply_edits([TextEdit(2, 3, "X\nY")]) == after
    assert text.apply_edits([]) == before


@every_row(("second", "edited"), [(1, "XYc"), (2, "XbY"), (0, None)])
def test_edits_may_touch_but_not_overlap(second: int, edited: str | None) -> None:
    edits = [TextEdit(second, second + 1, "Y"), TextEdit(0, 1, "X")]
    if edited is None:
        with pytest.raises(NotEditable, match="two edits of one place"):
            cut_text("abc", 0, 3, edits)
        with pytest.raises(NotEditable, match=r"a\.md: two edits of one place"):
            FileText("a.md", b"abc").apply_edits(edits)
    else:
        assert cut_text("abc", 0, 3, edits) == edited
        assert FileText("a.md", b"abc").apply_edits(edits) == edited.encode()


def test_ignored_notes_the_readme_and_the_settings_are_among_the_files(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(tmp_path, {"kg.toml": 'ignore = ["Daily/**"]\n'})
    write(notes, {"a.md": CLAIM, "Daily/b.md": CLAIM, "README.md": "# R\n", "c.txt": "c"})
    files = FolderFiles(notes)
    assert {*files.paths()} == {"a.md", "Daily/b.md", "README.md", "../kg.toml"}
    assert files.holds("c.txt"), "there is such a file, though it is not read"
    assert not files.holds("d.md")
    with pytest.raises(NotEditable, match="is not a file of this corpus"):
        files.text("c.txt")


def test_what_is_no_text_is_refused_alone_and_skipped_among_others(tmp_path: Path) -> None:
    files = FolderFiles(write(tmp_path, {"a.md": CLAIM, "b.md": b"\xff\xfe\x00"}))
    with pytest.raises(NotEditable, match=r"b\.md"):
        files.text("b.md")
    assert [text.path for text in files.texts()] == ["a.md"]


def test_changed_files_are_read_as_they_would_be(tmp_path: Path) -> None:
    files = FolderFiles(write(tmp_path, {"a.md": CLAIM, "b.md": CLAIM}))
    changed = files.with_changes({"a.md": b"new", "b.md": None, "c.md": b"c"})
    assert changed.text("a.md").text == "new"
    assert changed.holds("c.md")
    assert files.text("a.md").text == CLAIM
    assert not files.holds("c.md")
