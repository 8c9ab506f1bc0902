"""The one reader of inputs: regular files alone, of bounded size, inside the folder they belong to.

Whoever sends a folder chooses what stands in it: a pipe that never ends, a link to a device, or
to a private file of the reader's. It may also be changed while it is read. What a path led to when
it was looked at says nothing of what it leads to when it is opened: in between, another program may
put a link in the place of a folder. So each folder is opened from the handle of the one above it,
which `FolderHandles` sees to. Windows has no such handles, and there a path is opened whole. Hard
links cannot be told from files, on any system.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kg.model import Span
from kg.model.errors import KgError

FOLLOW_VARIABLE = "KG_FOLLOW_LINKS"
"""The variable in which a reader names folders that links of a corpus may lead to."""

FIRST_READ = 64 * 1024  # bytes: nearly every note is read whole by the first call
CHUNK_SIZE = 1024 * 1024  # bytes of a large file that are held at once
COARSEST_CLOCK = 2_000_000_000  # nanoseconds: FAT keeps times in steps of two seconds
_FILE_FLAGS = os.O_RDONLY
for _flag in ("O_BINARY", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_CLOEXEC", "O_NOINHERIT"):
    _FILE_FLAGS |= getattr(os, _flag, 0)

StrPath = str | os.PathLike[str]


class FileSignature(NamedTuple):
    """A file's stat signature, and when it was taken."""

    mtime: int
    ctime: int
    size: int
    seen: int

    @property
    def is_settled(self) -> bool:
        """Whether the file is so old that any change after this look makes it look different."""
        return max(self.mtime, self.ctime) < self.seen - COARSEST_CLOCK

    def holds(self, now: FileSignature) -> bool:
        """Whether a file that looks like `now` surely is the one that looked like this."""
        return self[:3] == now[:3] and self.is_settled


def file_signature(place: str | bytes) -> FileSignature | None:
    """The file's stat signature now; None where there is no file."""
    seen = time.time_ns()  # before the look: a change in between must not count as seen
    try:
        look = os.stat(place)
    except OSError:
        return None
    return FileSignature(look.st_mtime_ns, look.st_ctime_ns, look.st_size, seen)


def settled_looks(places: Iterable[str]) -> list[tuple[int, int, int]] | None:
    """Time of change of content and of state, and size, of each file; None where one is gone, or
    so young that it may yet change without looking any different.
    """
    oldest_young = time.time_ns() - COARSEST_CLOCK  # before the first look
    looks = []
    for place in places:
        try:
            look = os.stat(place)
        except OSError:
            return None
        content, state = look.st_mtime_ns, look.st_ctime_ns
        if content >= oldest_young or state >= oldest_young:
            return None
        looks.append((content, state, look.st_size))
    return looks


@dataclass(frozen=True)
class NotesFolder(os.PathLike[str]):
    """A folder of notes: as it was named, and where that was then.

    Whatever the name leads to later, what is read is read there. `around` is the real path of
    the folder in which it was named, whose settings count. As a path it is the real one, and as
    a text it is the name.
    """

    shown: Path
    real: Path
    around: Path

    @classmethod
    def of(cls, named: StrPath) -> NotesFolder:
        """The folder with this name as it is now; one that is known already stays as it was."""
        if isinstance(named, cls):
            return named
        shown = Path(named)
        # `.` and `..` name no folder that their `parent` would stand around
        whole = shown if shown.name not in ("", "..") else Path(os.path.abspath(shown))
        around = os.path.realpath(whole.parent)
        return cls(shown, Path(os.path.realpath(shown)), Path(around))

    def need_within(self, folder: StrPath) -> None:
        """Raises `OutsideFolder` where it lies neither in a folder nor where links may lead."""
        if not is_inside(str(self.real), (os.path.realpath(folder), *allowed_folders())):
            raise OutsideFolder(f"it is a link to {self.real}", self.shown)

    def shown_path(self, path: str) -> Path:
        """A file by its path in this folder, as somebody here names it: from the current folder
        where it lies below that, else as this folder was named.
        """
        place = os.path.normpath(self.shown / path)
        here, whole = os.path.abspath(""), os.path.abspath(place)
        return Path(os.path.relpath(whole, here) if is_inside(whole, (here,)) else place)

    def place(self, span: Span) -> str:
        """A place in a file, as somebody here names it."""
        return f"{self.shown_path(span.path)}:{span.line}:{span.column}"

    def __fspath__(self) -> str:
        return str(self.real)

    def __str__(self) -> str:
        return str(self.shown)

    def __truediv__(self, name: str | Path) -> Path:
        return self.real / name


class UnreadableFile(KgError, OSError):
    """A file that is not read as it is; `strerror` says why."""

    def __init__(self, why: str, place: StrPath) -> None:
        super().__init__(errno.EINVAL, why, str(place))

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class TooLarge(UnreadableFile):
    """More than this kind of file may hold."""


class OutsideFolder(UnreadableFile):
    """A path or a link that leads out of the folder it belongs to."""


def read_file(place: StrPath, limit: int, within: Sequence[str] | None = None) -> bytes:
    """The bytes of a regular file of at most `limit` bytes, links followed.

    With `within`, it has to lie in a folder with one of those real paths. Raises `OutsideFolder`,
    `TooLarge`, `UnreadableFile` for what is no regular file, and `OSError`. A device is not even
    opened.
    """
    real = os.path.realpath(place)
    if within is not None and not is_inside(real, within):
        raise OutsideFolder(f"it leads out of its folder, to {real}", place)
    # before it is opened, since to open a device can do something
    _need_regular(os.stat(real).st_mode, place)
    if within is None:
        return read_regular(real, limit)
    with FolderHandles() as folders:
        return read_regular(real, limit, folders)


def read_input(place: StrPath, limit: int, folder: StrPath) -> bytes:
    """The bytes of a file of the corpus in `folder`; raises what `read_file` does.

    Links may lead to the folders that `KG_FOLLOW_LINKS` names, too.
    """
    return read_file(place, limit, (real_path_of(folder), *allowed_folders()))


def read_regular(
    place: StrPath, limit: int, folders: FolderHandles | None = None, *, listed: bool = False
) -> bytes:
    """The bytes of a file that is no link; raises `UnreadableFile`, `TooLarge` and `OSError`.

    With `folders` the path is a real one, and no part of it may have become a link. `listed` says
    that listing its folder has just told it to be a regular file, which saves asking again for
    each of very many small ones.
    """
    handle = folders.open(str(place), _FILE_FLAGS) if folders else os.open(place, _FILE_FLAGS)
    try:
        data = os.read(handle, FIRST_READ) if listed else b""
        if (
            not data or len(data) == FIRST_READ
        ):  # a pipe or device reads as nothing, without an error
            state = os.fstat(handle)
            _need_regular(state.st_mode, place)
            if state.st_size > limit:
                raise _too_large(limit, place)
            data = _read_rest(handle, data, limit, place)
    finally:
        os.close(handle)
    return data


def is_inside(real: str, folders: Iterable[str]) -> bool:
    """Whether a real path is that of one of these folders, real paths too, or lies below it."""
    path = os.path.normcase(real)
    for folder in map(os.path.normcase, folders):
        # with the separator: `/notes-private` is not in `/notes`; the root has one already
        if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep):
            return True
    return False


def is_link_outside(place: StrPath, folder: StrPath) -> bool:
    """Whether a path leads out of the corpus in `folder` to where links may not lead."""
    return not is_inside(os.path.realpath(place), (real_path_of(folder), *allowed_folders()))


def real_path_of(folder: StrPath) -> str:
    """The real path of a folder; of a `NotesFolder`, the one that it had when it was named."""
    return str(folder.real) if isinstance(folder, NotesFolder) else os.path.realpath(folder)


def allowed_folders() -> tuple[str, ...]:
    """The real paths of the folders that links of any corpus may lead to.

    Only who runs the program can name them: a folder that somebody sent brings its `kg.toml`. A
    relative name would be that of whatever lies in the folder that a command is run in.
    """
    return _resolve_allowed(os.environ.get(FOLLOW_VARIABLE, ""))


@lru_cache(maxsize=4)
def _resolve_allowed(listed: str) -> tuple[str, ...]:
    named = (os.path.expanduser(name) for name in listed.split(os.pathsep) if name.strip())
    return tuple(os.path.realpath(Path(name)) for name in named if os.path.isabs(name))


def _read_rest(handle: int, data: bytes, limit: int, place: StrPath) -> bytes:
    """All of a file of which `data` was read. Its size was asked, but it may have grown since."""
    chunks = [data]
    size = len(data)
    while size <= limit and (more := os.read(handle, CHUNK_SIZE)):
        chunks.append(more)
        size += len(more)
    if size > limit:
        raise _too_large(limit, place)
    return b"".join(chunks)


def _too_large(limit: int, place: StrPath) -> TooLarge:
    return TooLarge(f"it is larger than {render_size(limit)}", place)


def render_size(limit: int) -> str:
    """A bound in words: `4 MiB`."""
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"


def _need_regular(mode: int, place: StrPath) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableFile("it is a folder, not a file", place)
    if not stat.S_ISREG(mode):
        raise UnreadableFile("it is a pipe or a device, not a file", place)


CAN_OPEN_BY_HANDLE = (
    os.name == "posix" and os.open in os.supports_dir_fd and os.scandir in os.supports_fd
)
NO_HANDLE = -1
MAX_HANDLES = 48  # open at once; systems allow a process 256 or more
MAX_PATH_BYTES = 4095  # bytes of a path: what nearly all systems allow
_STEP_FLAGS = os.O_RDONLY
for _flag in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"):
    _STEP_FLAGS |= getattr(os, _flag, 0)
_LIST_FLAGS = _STEP_FLAGS
_STEP_FLAGS |= getattr(
    os, "O_PATH", getattr(os, "O_SEARCH", 0)
)  # to pass one need not read its list
NOT_A_FOLDER = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


class FolderHandles:
    """Handles of folders, kept while it is used as a context: a folder is opened once for many."""

    def __init__(self) -> None:
        self._handles: dict[str, int] = {}
        # of the folder asked for last: files come folder by folder
        self._last_folder, self._last_handle = "", NO_HANDLE
        self._listed = NO_HANDLE

    def __enter__(self) -> FolderHandles:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all handles; the next step looks anew."""
        self._let_go()
        if self._listed != NO_HANDLE:
            os.close(self._listed)
            self._listed = NO_HANDLE

    def open(self, real: str, flags: int) -> int:
        """A handle of the file with this real path; raises `OSError`, also for a link."""
        if not CAN_OPEN_BY_HANDLE:
            return os.open(real, flags)
        folder, _, name = real.rpartition("/")
        if folder != self._last_folder or self._last_handle == NO_HANDLE:
            self._last_handle, self._last_folder = self._reach(folder), folder
        return os.open(name or ".", flags, dir_fd=self._last_handle)

    def open_folder(self, real: str) -> int:
        """A handle of a folder, by which its files can be opened, listed and looked at."""
        try:
            return self.open(real, _LIST_FLAGS)
        except OSError as error:
            raise _with_path(error, real) from None

    def list(self, real: str) -> list[os.DirEntry[str]]:
        """What is in a folder. The entries know their names, and how they look until the next
        folder is listed.
        """
        if not CAN_OPEN_BY_HANDLE:
            with os.scandir(real) as entries:
                return list(entries)
        handle = self.open_folder(real)
        # entries look at their files by it, so it stays open until the next list
        if self._listed != NO_HANDLE:
            os.close(self._listed)
        self._listed = handle
        with os.scandir(handle) as entries:
            return list(entries)

    def _reach(self, folder: str) -> int:
        """The handle of a folder, from the nearest folder around it whose handle is kept."""
        if folder in self._handles:
            return self._handles[folder]
        if len(os.fsencode(folder)) > MAX_PATH_BYTES:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), folder)
        above, missing = folder, []
        while above and above not in self._handles:
            above, _, name = above.rpartition("/")
            missing.append(name)
        try:
            if above not in self._handles:
                self._handles[""] = os.open("/", _STEP_FLAGS)
            handle = self._handles[above]
            for name in reversed(missing):
                above += f"/{name}"
                if name:
                    handle = self._remember(above, os.open(name, _STEP_FLAGS, dir_fd=handle))
        except OSError as error:
            raise _with_path(error, folder) from None
        return handle

    def _remember(self, folder: str, handle: int) -> int:
        if len(self._handles) >= MAX_HANDLES:
            self._let_go()
        self._handles[folder] = handle
        return handle

    def _let_go(self) -> None:
        handles, self._handles, self._last_handle = self._handles, {}, NO_HANDLE
        for handle in handles.values():
            os.close(handle)


def _with_path(error: OSError, place: str) -> OSError:
    """The error with the whole path, of which the system saw only the last part."""
    if error.errno in NOT_A_FOLDER:
        return OSError(error.errno, "a folder on the way to it is none, or became a link", place)
    error.filename = place
    return error
