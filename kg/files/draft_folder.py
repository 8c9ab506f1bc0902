"""A folder to make things in, beside where they go; one that a killed run left is removed."""

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
_BY_CHANCE = re.compile(r"\w{8}")  # what `tempfile` puts behind a prefix


@contextmanager
def draft_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `parent` that is gone afterwards; what killed runs left goes before.

    Raises `OSError` where none can be made.
    """
    remove_left(parent, prefix)
    while True:
        place = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        try:
            with hold_lock(place / LOCK, str(place)):
                # another run may have taken it for left, before it was locked
                if place.is_dir():
                    yield place
                    return
        finally:
            _clear(place)


def remove_left(parent: Path, prefix: str) -> None:
    """Remove the draft folders in `parent` whose makers were killed: nobody holds their locks."""
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
                place.rmdir()  # the maker of an empty one that lives makes another
            elif is_left:
                _clear(place)
        if is_left:  # Windows removes no file that is open, as the lock was
            _clear(place)


def _clear(place: Path) -> None:
    """Remove a draft folder, its lock last: what is left of one in between has it still."""
    with suppress(OSError):
        for name in os.listdir(place):
            if name != LOCK:
                shutil.rmtree(place / name, ignore_errors=True)
                (place / name).unlink(missing_ok=True)
        shutil.rmtree(place, ignore_errors=True)
