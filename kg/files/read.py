"""The one reader of inputs: regular files alone, of bounded size, inside the folder they belong to.

Whoever sends a folder chooses what stands in it: a pipe that never ends, a link to a device, or
to a private file of the reader's. It may also be changed while it is read: whatever has been
found to lie inside is opened without following links, which `Folders` sees to. Hard links cannot
be told from files, on any system.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from kg.files.folders import Folders

FOLLOW = "KG_FOLLOW_LINKS"
"""The variable in which a reader names folders that links of a corpus may lead to."""

FIRST = 64 * 1024
CHUNK = 1024 * 1024
_FLAGS = os.O_RDONLY
for _flag in ("O_BINARY", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_CLOEXEC", "O_NOINHERIT"):
    _FLAGS |= getattr(os, _flag, 0)

Place = str | os.PathLike[str]


class Unfit(OSError):
    """A file that is not read as it is; `strerror` says why."""

    def __init__(self, why: str, place: Place) -> None:
        super().__init__(errno.EINVAL, why, str(place))

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class TooLarge(Unfit):
    """More than this kind of file may hold."""


class Outside(Unfit):
    """A path or a link that leads out of the folder it belongs to."""


def read_file(place: Place, limit: int, within: Sequence[Place] | None = None) -> bytes:
    """The bytes of a regular file of at most `limit` bytes, links followed.

    With `within`, it has to lie in one of those folders, however it is named. Raises `Outside`,
    `TooLarge`, `Unfit` for what is no regular file, and `OSError`. A device is not even opened.
    """
    real = os.path.realpath(place)
    if within is not None and not is_inside(real, map(real_of, within)):
        raise Outside(f"it leads out of its folder, to {real}", place)
    _need_regular(os.stat(real).st_mode, place)
    if within is None:
        return read_regular(real, limit)
    with Folders() as folders:
        return read_regular(real, limit, folders)


def read_input(place: Place, limit: int, folder: Place) -> bytes:
    """The bytes of a file of the corpus in `folder`; raises what `read_file` does.

    Links may lead to the folders that `KG_FOLLOW_LINKS` names, too.
    """
    return read_file(place, limit, (folder, *allowed_folders()))


def read_regular(
    place: Place, limit: int, folders: Folders | None = None, *, listed: bool = False
) -> bytes:
    """The bytes of a file that is no link; raises `Unfit`, `TooLarge` and `OSError`.

    With `folders` the path is a real one, and no part of it may have become a link. `listed` says
    that listing its folder has just told it to be a regular file, which saves asking again for
    each of very many small ones.
    """
    handle = folders.open(str(place), _FLAGS) if folders else os.open(place, _FLAGS)
    try:
        data = os.read(handle, FIRST) if listed else b""
        if not data or len(data) == FIRST:  # a pipe or device reads as nothing, without an error
            state = os.fstat(handle)
            _need_regular(state.st_mode, place)
            if state.st_size > limit:
                raise _too_large(limit, place)
            data = _read_on(handle, data, limit, place)
    finally:
        os.close(handle)
    return data


def is_inside(real: str, folders: Iterable[str]) -> bool:
    """Whether a real path is that of one of these folders, real paths too, or lies below it."""
    path = os.path.normcase(real)
    for folder in map(os.path.normcase, folders):
        if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep):
            return True
    return False


def leads_outside(place: Place, folder: Place) -> bool:
    """Whether a path leads out of the corpus in `folder`, and nobody allowed that."""
    return not is_inside(os.path.realpath(place), (real_of(folder), *allowed_folders()))


_found: dict[str, str] = {}


def take_found(folder: Place, within: Place) -> None:
    """Take a folder that nobody named for what it leads to now, whatever it leads to later.

    Raises `Outside` where that lies neither in `within` nor where links may lead.
    """
    real = os.path.realpath(folder)
    if not is_inside(real, (os.path.realpath(within), *allowed_folders())):
        raise Outside(f"it is a link to {real}", folder)
    _found[os.path.abspath(folder)] = real


def take_named(folder: Place) -> None:
    """Follow a folder wherever it leads, since who runs the program has named it."""
    _found.pop(os.path.abspath(folder), None)


def real_of(folder: Place) -> str:
    """The real path of a folder: of one that was found, the path that it had then."""
    return (_found and _found.get(os.path.abspath(folder))) or os.path.realpath(folder)


def allowed_folders() -> tuple[str, ...]:
    """The real paths of the folders that links of any corpus may lead to.

    Only who runs the program can name them: a folder that somebody sent brings its `kg.toml`.
    """
    return _allowed(os.environ.get(FOLLOW, ""))


@lru_cache(maxsize=4)
def _allowed(said: str) -> tuple[str, ...]:
    named = (os.path.expanduser(name) for name in said.split(os.pathsep) if name.strip())
    return tuple(os.path.realpath(Path(name)) for name in named)


def _read_on(handle: int, data: bytes, limit: int, place: Place) -> bytes:
    chunks = [data]
    size = len(data)
    while size <= limit and (more := os.read(handle, CHUNK)):
        chunks.append(more)
        size += len(more)
    if size > limit:
        raise _too_large(limit, place)
    return b"".join(chunks)


def _too_large(limit: int, place: Place) -> TooLarge:
    return TooLarge(f"it is larger than {size_of(limit)}", place)


def size_of(limit: int) -> str:
    """A bound in words: `4 MiB`."""
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"


def _need_regular(mode: int, place: Place) -> None:
    if stat.S_ISDIR(mode):
        raise Unfit("it is a folder, not a file", place)
    if not stat.S_ISREG(mode):
        raise Unfit("it is a pipe or a device, not a file", place)
