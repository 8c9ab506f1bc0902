"""A look for a change of the notes stopped halfway: every command does it, so it loads little."""

from __future__ import annotations

from pathlib import Path

from kg.files.cache_files import state_folder
from kg.files.read_files import NotesFolder

_FILE_NAME = "change-pending"


def pending_change_file(state_dir: Path) -> Path:
    """The file in a state folder that is there while a change is being written."""
    return state_dir / _FILE_NAME


def has_pending_change(folder: NotesFolder) -> bool:
    """Return whether a change of the notes in `folder` is being written, or was stopped halfway."""
    state_dir = state_folder(folder.real)
    return state_dir is not None and pending_change_file(state_dir).exists()
