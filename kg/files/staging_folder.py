"""Temporary folders beside the target of what is made in them; stale ones are removed."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kg.files.locks import hold_lock, is_left_lock

LOCK = "lock"
_BY_CHANCE = re.compile(r"\w{8}")  # what `tempfile` appends to a prefix


@contextmanager
def staging_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A temporary folder in `parent`; removes those that killed runs left there first.

    Raises `OSError` if it cannot be created.
    """
    remove_left(parent, prefix)
    while True:
        place = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        try:
            with hold_lock(place / LOCK, str(place)):
                # before it was locked, another run may have removed it as stale
                if place.is_dir():
                    yield place
                    return
        finally:
            _clear(place)


def remove_left(parent: Path, prefix: str) -> None:
    """Remove the draft folders in `parent` of killed runs, whose locks nobody holds."""
    with suppress(OSError):
        for name in os.listdir(parent):
            if name.startswith(prefix) and _BY_CHANCE.fullmatch(name.removeprefix(prefix)):
                _remove_if_left(parent / name)


def _remove_if_left(place: Path) -> None:
    with suppress(OSError):
        look = place.lstat()
        if not stat.S_ISDIR(look.st_mode):
            return
        with is_left_lock(place / LOCK) as is_left:
            if is_left is None:
                place.rmdir()  # if its maker is still running, it makes another
            elif is_left:
                _clear(place)
        if is_left:  # Windows cannot remove an open file, as the lock was
            _clear(place)


def _clear(place: Path) -> None:
    """Remove a draft folder, its lock last, so that a half-removed one is still locked."""
    with suppress(OSError):
        for name in os.listdir(place):
            if name != LOCK:
                shutil.rmtree(place / name, ignore_errors=True)
                (place / name).unlink(missing_ok=True)
        shutil.rmtree(place, ignore_errors=True)
