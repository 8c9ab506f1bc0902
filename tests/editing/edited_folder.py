"""Notes in a folder, and what a change of them writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles
from kg.editing.rename import rename
from kg.loader import load_corpus


def write(folder: Path, texts: Mapping[str, str | bytes]) -> Path:
    for path, text in texts.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def change_by_rename(folder: Path, old: str, new: str, **more: Any) -> Change:
    return rename(FolderFiles(folder), load_corpus(folder), old, new, **more)


def apply_here(folder: Path, change: Change) -> None:
    for path, data in change.files_after.items():
        place = folder / path
        place.unlink(missing_ok=True)
        if data is not None:
            write(folder, {path: data})


def files_of(folder: Path) -> dict[str, bytes]:
    files = sorted(place for place in folder.rglob("*") if place.is_file())
    return {str(place.relative_to(folder)): place.read_bytes() for place in files}


CLAIM = "---\ntype: claim\n---\n\n# Said of {}\n\n"


def text_after(change: Change, path: str) -> str:
    return (change.files_after[path] or b"").decode()
