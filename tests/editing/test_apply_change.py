"""A change is written whole or not at all, keeps what it does not touch, and can be taken back."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from kg.editing.apply_change import (
    NotApplied,
    apply_change,
    change_by_undo,
    recover_stopped_change,
    undo_last_change,
)
from kg.editing.change import Change
from kg.files.folder_tree import FolderTree
from kg.files.read_files import NotesFolder


def below(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NotesFolder:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    notes = tmp_path / "notes"
    (notes / "x").mkdir(parents=True)
    (notes / "a.md").write_bytes(b"a\r\n")
    (notes / "x" / "b.md").write_bytes(b"b")
    (notes / "gone.md").write_bytes(b"gone")
    (notes / "a.md").chmod(0o640)
    (tmp_path / "kg.toml").write_bytes(b"t")
    return NotesFolder.from_path(notes)


BEFORE = {
    "a.md": b"a\r\n",
    "x/b.md": b"b",
    "y/c.md": None,
    "gone.md": b"gone",
    "new.md": None,
    "../kg.toml": b"t",
}
AFTER = {
    "a.md": None,
    "x/b.md": b"B",
    "y/c.md": b"c",
    "gone.md": None,
    "new.md": b"a!\r\n",
    "../kg.toml": b"T",
}
CHANGE = Change("try", BEFORE, AFTER, {"a.md": "new.md"})
WHOLE = {"x/b.md": b"B", "y/c.md": b"c", "new.md": b"a!\r\n"}


def test_a_change_is_made_and_taken_back(folder: NotesFolder) -> None:
    was = below(folder.around)
    apply_change(folder, CHANGE)
    assert below(folder.real) == WHOLE
    assert (folder.around / "kg.toml").read_bytes() == b"T"
    if os.name == "posix":
        assert stat.S_IMODE((folder / "new.md").stat().st_mode) == 0o640
    undo_last_change(folder)
    files = below(folder.around)
    assert {k: v for k, v in files.items() if "cache" not in k} == {
        k: v for k, v in was.items() if "cache" not in k
    }
    if os.name == "posix":
        assert stat.S_IMODE((folder / "a.md").stat().st_mode) == 0o640
    with pytest.raises(NotApplied, match="no change"):
        undo_last_change(folder)


class Stopped(BaseException):
    pass


CALLS = {"create": 4, "remove": 6, "move": 4}
"""How often each step is taken to apply the change."""
STEPS = (*CALLS,)


@pytest.mark.parametrize(
    ("step", "count"), [(step, n) for step, last in CALLS.items() for n in range(1, last + 1)]
)
def test_a_run_that_is_stopped_leaves_nothing(folder: NotesFolder, step: str, count: int) -> None:
    was, left = below(folder.real), count
    real = getattr(FolderTree, step)

    def stopping(self: FolderTree, *arguments: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise Stopped
        real(self, *arguments)

    with mock.patch.object(FolderTree, step, stopping), pytest.raises(Stopped):
        apply_change(folder, CHANGE)
    assert recover_stopped_change(folder) == "try"
    assert below(folder.real) == was
    assert (folder.around / "kg.toml").read_bytes() == b"t"
    assert recover_stopped_change(folder) == ""
    apply_change(folder, CHANGE)
    assert below(folder.real) == WHOLE


@pytest.mark.parametrize("step", STEPS)
def test_a_disk_that_refuses_halfway_has_all_put_back_at_once(
    folder: NotesFolder, step: str
) -> None:
    was, calls = below(folder.real), 0
    real = getattr(FolderTree, step)

    def refusing(self: FolderTree, *arguments: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(28, "No space left on device")
        real(self, *arguments)

    with mock.patch.object(FolderTree, step, refusing), pytest.raises(OSError, match="No space"):
        apply_change(folder, CHANGE)
    assert below(folder.real) == was
    assert recover_stopped_change(folder) == ""


def test_ctrl_c_waits_until_a_change_is_whole(folder: NotesFolder) -> None:
    real = FolderTree.move

    def interrupted(self: FolderTree, *arguments: str) -> None:
        signal.raise_signal(signal.SIGINT)
        real(self, *arguments)

    with mock.patch.object(FolderTree, "move", interrupted), pytest.raises(KeyboardInterrupt):
        apply_change(folder, CHANGE)
    assert below(folder.real) == WHOLE


def test_the_next_change_puts_back_what_was_stopped(folder: NotesFolder) -> None:
    was = below(folder.real)
    with mock.patch.object(FolderTree, "move", side_effect=Stopped), pytest.raises(Stopped):
        apply_change(folder, CHANGE)
    with pytest.raises(NotApplied, match="undone"):
        apply_change(folder, CHANGE)
    assert below(folder.real) == was


def test_the_undoing_of_a_stopped_change_is_shown_and_not_done(folder: NotesFolder) -> None:
    was, moved = below(folder.real), 0
    real = FolderTree.move

    def stopping(self: FolderTree, *arguments: str) -> None:
        nonlocal moved
        if moved == 2:
            raise Stopped
        moved += 1
        real(self, *arguments)

    with mock.patch.object(FolderTree, "move", stopping), pytest.raises(Stopped):
        apply_change(folder, CHANGE)
    half = below(folder.around)
    for _ in range(2):  # the first time changes nothing for the second
        change = change_by_undo(folder)
        assert change.title == "undo: try"
        assert change.remarks == ("'try' was stopped halfway",)
        assert change.files_before == {
            "a.md": None,
            "gone.md": None,
            "x/b.md": b"B",
            "y/c.md": b"c",
        }
        assert change.files_after == {
            "a.md": b"a\r\n",
            "gone.md": b"gone",
            "x/b.md": b"b",
            "y/c.md": None,
        }
        assert below(folder.around) == half
    assert recover_stopped_change(folder) == "try"
    assert below(folder.real) == was
    with pytest.raises(NotApplied, match="no change"):
        change_by_undo(folder)


def test_a_file_that_was_changed_since_is_refused(folder: NotesFolder) -> None:
    (folder / "x" / "b.md").write_bytes(b"mine")
    was = below(folder.real)
    with pytest.raises(NotApplied, match=r"x/b\.md has been changed"):
        apply_change(folder, CHANGE)
    assert below(folder.real) == was
    (folder / "x" / "b.md").write_bytes(b"b")
    apply_change(folder, CHANGE)
    (folder / "new.md").write_bytes(b"mine")
    with pytest.raises(NotApplied, match=r"new\.md has been edited since"):
        undo_last_change(folder)
    assert (folder / "new.md").read_bytes() == b"mine"


def tree(folder: NotesFolder) -> dict[str, bytes]:
    return below(folder.real) | {"../kg.toml": (folder.around / "kg.toml").read_bytes()}


@pytest.mark.parametrize("path", ["a.md", "x/b.md", "new.md", "y/c.md", "../kg.toml"])
@pytest.mark.parametrize("back", [False, True])
def test_what_an_editor_saves_while_files_are_written_is_not_lost(
    folder: NotesFolder, path: str, back: bool
) -> None:
    if back:
        apply_change(folder, CHANGE)
    was, create, saved = tree(folder), FolderTree.create, folder.real / path

    def save_first(self: FolderTree, *arguments: Any) -> None:
        saved.parent.mkdir(exist_ok=True)
        saved.write_bytes(b"what an editor saved")
        create(self, *arguments)

    with mock.patch.object(FolderTree, "create", save_first), pytest.raises(NotApplied) as error:
        undo_last_change(folder) if back else apply_change(folder, CHANGE)
    assert str(error.value) == (
        f"{folder.shown_path(path)} has been changed since it was read; try again"
    )
    assert tree(folder) == was | {path: b"what an editor saved"}
    assert recover_stopped_change(folder) == ""


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_never_written_through(folder: NotesFolder) -> None:
    (folder / "x" / "b.md").unlink()
    (folder / "x" / "b.md").symlink_to(folder.around / "kg.toml")
    with pytest.raises(NotApplied, match="is a link"):
        apply_change(folder, CHANGE)
    assert (folder.around / "kg.toml").read_bytes() == b"t"


def test_where_nothing_can_be_kept_nothing_is_written(
    folder: NotesFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_CACHE_DIR", "relative")
    was = below(folder.real)
    with pytest.raises(NotApplied, match="KG_CACHE_DIR"):
        apply_change(folder, CHANGE)
    assert below(folder.real) == was


def test_only_the_last_changes_can_be_undone(
    folder: NotesFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.editing.apply_change.MAX_CHANGES_KEPT", 2)
    for old, new in ((b"b", b"1"), (b"1", b"2"), (b"2", b"3")):
        apply_change(folder, Change(new.decode(), {"x/b.md": old}, {"x/b.md": new}))
    assert [undo_last_change(folder).title for _ in range(2)] == ["undo: 3", "undo: 2"]
    with pytest.raises(NotApplied, match="no change to undo"):
        undo_last_change(folder)
