"""Whether anything that a site rests on has changed since it was built, told without reading it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import msgspec

from kg.model import Value
from kg.model.config import CONFIG_NAME
from kg.notes.discover import list_files

COARSEST_CLOCK = 2_000_000_000  # nanoseconds: FAT keeps times in steps of two seconds


class Look(Value, frozen=True, array_like=True):
    """How a file looked; `digest` is of its content where its times are too young to trust."""

    size: int
    modified: int
    changed: int
    digest: bytes = b""


Stamp = dict[str, Look]


def find_sources(notes: Path, inputs: Path) -> list[str]:
    """Every file that a site of the folder `notes` is made from, but for the program."""
    found = [*list_files(notes), *map(str, (notes / "judgements").glob("*.csv"))]
    found += [str(notes / "README.md"), *_repository(notes.resolve())]
    found += [str(folder / CONFIG_NAME) for folder in (notes, notes.parent)]
    return [*found, *_walk(inputs)]


def take_stamp(files: Iterable[str]) -> Stamp:
    """How each of the files that are there looks now."""
    now = time.time_ns()
    found = {}
    for file in files:
        try:
            state = os.stat(file)
            is_young = max(state.st_mtime_ns, state.st_ctime_ns) > now - COARSEST_CLOCK
            digest = _digest(file) if is_young else b""
        except OSError:
            continue
        found[file] = Look(state.st_size, state.st_mtime_ns, state.st_ctime_ns, digest)
    return found


def is_same(old: Stamp, new: Stamp) -> bool:
    """Whether the files are surely those of the older stamp, content and all."""
    return old.keys() == new.keys() and all(
        _fits(old[file], look, file) for file, look in new.items()
    )


def _fits(old: Look, new: Look, file: str) -> bool:
    if (old.size, old.modified, old.changed) != (new.size, new.modified, new.changed):
        return False
    try:
        return not old.digest or old.digest == (new.digest or _digest(file))
    except OSError:
        return False


def _digest(file: str) -> bytes:
    return blake2b(Path(file).read_bytes(), digest_size=16).digest()


@cache
def program() -> str:
    """A digest of the program as it is installed, or as it stands in somebody's work."""
    looks = take_stamp(file for file in _walk(Path(str(files("kg")))) if file.endswith(".py"))
    found = sorted((file, look.size, look.modified) for file, look in looks.items())
    return blake2b(msgspec.msgpack.encode(found), digest_size=12).hexdigest()


def _walk(folder: Path) -> list[str]:
    return [
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".")
    ]


def _repository(notes: Path) -> list[str]:
    """Files of the repository around the notes that change with each commit."""
    for folder in (notes, *notes.parents):
        found = folder / ".git"
        if found.is_file():  # a worktree
            found = folder / found.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
        if found.is_dir():
            return [str(found / "HEAD"), str(found / "logs" / "HEAD")]
    return []
