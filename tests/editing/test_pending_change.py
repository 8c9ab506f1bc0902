"""A change that is being written is known to be so, and no other."""

from __future__ import annotations

from pathlib import Path

from kg.editing.pending_change import has_pending_change, pending_change_file
from kg.files.cache_files import state_folder
from kg.files.read_files import NotesFolder


def test_only_the_folder_being_changed_has_a_pending_change(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    a, b = NotesFolder.from_path(tmp_path / "a"), NotesFolder.from_path(tmp_path / "b")
    assert not has_pending_change(a)
    state_dir = state_folder(a.real)
    assert state_dir is not None
    pending_change_file(state_dir).touch()
    assert has_pending_change(a)
    assert not has_pending_change(b)
