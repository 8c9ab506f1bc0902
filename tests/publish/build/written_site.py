"""A site of a few files, written twice, and what of it is on the disk."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

from kg.publish.build.writer import CommitResult, Writer


def write(work: Path, files: Mapping[str, str]) -> CommitResult:
    with Writer(work) as writer:
        for url, content in files.items():
            writer.put(url, content)
        return writer.commit()


def files_in(folder: Path) -> dict[str, str]:
    return {
        place.relative_to(folder).as_posix(): place.read_text("utf-8")
        for place in folder.rglob("*")
        if place.is_file()
    }


def site(work: Path) -> dict[str, str]:
    return files_in(work / "html")


BEFORE = {"a.html": "1", "gone.html": "2", "x.js": "3", "f/g.html": "4", "Case.html": "5"}
AFTER = {"a.html": "one", "new/c.html": "2", "x.js": "three", "f": "4", "case.html": "5"}
CALLS = (
    "chmod",
    "link",
    "makedirs",
    "mkdir",
    "open",
    "rename",
    "replace",
    "rmdir",
    "unlink",
    "write",
)


EXCHANGE = "kg.files.folder_tree.exchange_folders"


def refuse(*_: object, **__: object) -> None:
    raise OSError(errno.EINVAL, "Invalid argument")
