"""Read inputs safely: only regular files, of bounded size, inside the folder they belong to.

A folder from somebody else may contain anything: a pipe that never ends, a link to a device, or
to a private file of the reader. It may also be changed while it is read: between checking a path
and opening it, another program may replace a folder by a link. So each folder is opened relative
to the handle of the one above it (`FolderHandles`). Windows has no such handles; there, a path is
opened whole. Hard links cannot be distinguished from files on any system.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.model import Span
from kg.model.errors import KgError

# The environment variable that lists folders to which links in a corpus may lead.
FOLLOW_VARIABLE = "KG_FOLLOW_LINKS"

FIRST_READ = 64 * 1024  # bytes: the first call reads nearly every note whole
CHUNK_SIZE = 1024 * 1024  # bytes of a large file read at once
_FILE_FLAGS = os.O_RDONLY
for _flag in ("O_BINARY", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_CLOEXEC", "O_NOINHERIT"):
    _FILE_FLAGS |= getattr(os, _flag, 0)

StrPath = str | os.PathLike[str]
CAN_OPEN_BY_HANDLE = (
    os.name == "posix" and os.open in os.supports_dir_fd and os.scandir in os.supports_fd
)
NO_HANDLE = -1
MAX_HANDLES = 48  # open at once; systems allow a process 256 or more
MAX_PATH_BYTES = 4095  # the limit of nearly all systems
NOT_A_FOLDER = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


@dataclass(frozen=True)
class NotesFolder(os.PathLike[str]):
    """A folder of notes: its name as given, and its real path at that time.

    Files are always read from that real path, whatever the name leads to later. `around` is the
    real path of the parent folder as named, which may hold the settings. As a path, it is the
    real path; as a string, the name.
    """

    display_path: Path
    real: Path
    around: Path

    @classmethod
    def from_path(cls, name: StrPath) -> NotesFolder:
        """The folder with this name as it is now; a `NotesFolder` is returned unchanged."""
        if isinstance(name, cls):
            return name
        shown_path = Path(name)
        # the `parent` of `.` and `..` is not the folder around them
        has_name = shown_path.name not in ("", "..")
        named_path = shown_path if has_name else Path(os.path.abspath(shown_path))
        around = os.path.realpath(named_path.parent)
        return cls(shown_path, Path(os.path.realpath(shown_path)), Path(around))

    def require_within(self, folder: StrPath) -> None:
        """Raise `OutsideFolder` if it is neither in `folder` nor where links may lead."""
        if not is_inside(str(self.real), (os.path.realpath(folder), *allowed_folders())):
            raise OutsideFolder(f"it is a link to {self.real}", self.display_path)

    def shown_path(self, path: str) -> Path:
        """A file's path for messages: relative to the current folder if below it, else as this
        folder was named.
        """
        return _shown_path(self.display_path, path, os.path.abspath(""))

    def place(self, span: Span) -> str:
        """A place in a file for messages: `path:line:column`."""
        return f"{self.shown_path(span.path)}:{span.line}:{span.column}"

    def __fspath__(self) -> str:
        return str(self.real)

    def __str__(self) -> str:
        return str(self.display_path)

    def __truediv__(self, name: str | Path) -> Path:
        return self.real / name


def _shown_path(folder: Path, path: str, current_folder: str) -> Path:
    whole_path = os.path.normpath(folder / path)
    full_path = os.path.normpath(os.path.join(current_folder, whole_path))
    if is_inside(full_path, (current_folder,)):
        return Path(os.path.relpath(full_path, current_folder))
    return Path(whole_path)


class UnreadableFile(KgError, OSError):
    """A file that cannot be read; `strerror` says why."""

    def __init__(self, why: str, path: StrPath) -> None:
        super().__init__(errno.EINVAL, why, str(path))

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class TooLarge(UnreadableFile):
    """A file larger than allowed for its kind."""


class OutsideFolder(UnreadableFile):
    """A path or a link that leads out of the folder it belongs to."""


def read_file(path: StrPath, limit: int, within: Sequence[str] | None = None) -> bytes:
    """The bytes of a regular file of at most `limit` bytes, links followed.

    With `within`, it must be in a folder with one of those real paths. Raises `OutsideFolder`,
    `TooLarge`, `UnreadableFile` if it is not a regular file, and `OSError`. A device is not even
    opened.
    """
    real = os.path.realpath(path)
    if within is not None and not is_inside(real, within):
        raise OutsideFolder(f"it leads out of its folder, to {real}", path)
    # before opening it, as opening a device may have side effects
    _require_regular_file(os.stat(real).st_mode, path)
    if within is None:
        return read_regular_file(real, limit)
    with FolderHandles() as folders:
        return read_regular_file(real, limit, folders)


def read_input(path: StrPath, limit: int, folder: StrPath) -> bytes:
    """The bytes of a file of the corpus in `folder`; raises as `read_file` does.

    Links may also lead to the folders in `KG_FOLLOW_LINKS`.
    """
    return read_file(path, limit, (real_path_of(folder), *allowed_folders()))


def read_regular_file(
    path: StrPath, limit: int, folders: FolderHandles | None = None, *, listed: bool = False
) -> bytes:
    """The bytes of a file that is not a link; raises `UnreadableFile`, `TooLarge` and `OSError`.

    With `folders`, the path must be a real one, and no part of it may have become a link. `listed`
    means that a listing of its folder has just shown it as a regular file, which saves a check
    for each of very many small files.
    """
    handle = folders.open(str(path), _FILE_FLAGS) if folders else os.open(path, _FILE_FLAGS)
    try:
        data = os.read(handle, FIRST_READ) if listed else b""
        # a pipe or device reads as nothing, without an error
        if not data or len(data) == FIRST_READ:
            file_stat = os.fstat(handle)
            _require_regular_file(file_stat.st_mode, path)
            if file_stat.st_size > limit:
                raise _too_large(limit, path)
            data = _read_rest(handle, data, limit, path)
    finally:
        os.close(handle)
    return data


def is_inside(real: str, folders: Iterable[str]) -> bool:
    """Return whether a real path is one of these folders, also given as real paths, or below
    one.
    """
    path = os.path.normcase(real)
    for folder in map(os.path.normcase, folders):
        # with the separator, as `/notes-private` is not in `/notes`; the root already ends in one
        if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep):
            return True
    return False


def is_link_outside(path: StrPath, folder: StrPath) -> bool:
    """Return whether a path leads out of the corpus in `folder`, and not to an allowed folder."""
    return not is_inside(os.path.realpath(path), (real_path_of(folder), *allowed_folders()))


def real_path_of(folder: StrPath) -> str:
    """The real path of a folder; of a `NotesFolder`, the one at the time it was named."""
    return str(folder.real) if isinstance(folder, NotesFolder) else os.path.realpath(folder)


def allowed_folders() -> tuple[str, ...]:
    """The real paths of the folders to which links in any corpus may lead.

    Only the user can set them, by an environment variable, as `kg.toml` may come from somebody
    else. Relative names are ignored, as they would depend on the current folder.
    """
    listed = os.environ.get(FOLLOW_VARIABLE, "").split(os.pathsep)
    paths = (os.path.expanduser(name) for name in listed if name.strip())
    return tuple(os.path.realpath(Path(name)) for name in paths if os.path.isabs(name))


def _read_rest(handle: int, data: bytes, limit: int, path: StrPath) -> bytes:
    """A whole file of which `data` is read. Check its size again, as it may have grown."""
    chunks = [data]
    size = len(data)
    while size <= limit and (chunk := os.read(handle, CHUNK_SIZE)):
        chunks.append(chunk)
        size += len(chunk)
    if size > limit:
        raise _too_large(limit, path)
    return b"".join(chunks)


def _too_large(limit: int, path: StrPath) -> TooLarge:
    return TooLarge(f"it is larger than {render_size(limit)}", path)


def render_size(limit: int) -> str:
    """A size limit for messages: `4 MiB`."""
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"


def _require_regular_file(mode: int, path: StrPath) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableFile("it is a folder, not a file", path)
    if not stat.S_ISREG(mode):
        raise UnreadableFile("it is a pipe or a device, not a file", path)


_OPEN_FOLDER_FLAGS = os.O_RDONLY
for _flag in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"):
    _OPEN_FOLDER_FLAGS |= getattr(os, _flag, 0)
_LIST_FLAGS = _OPEN_FOLDER_FLAGS
_OPEN_FOLDER_FLAGS |= getattr(
    os, "O_PATH", getattr(os, "O_SEARCH", 0)
)  # passing through a folder does not require the right to list it


class FolderHandles:
    """A context manager for folder handles, so that a folder is opened once for many files."""

    def __init__(self) -> None:
        self._handles: dict[str, int] = {}
        # of the last folder, as files come folder by folder
        self._last_folder = ""
        self._last_handle = NO_HANDLE
        self._listed = NO_HANDLE

    def __enter__(self) -> FolderHandles:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all handles; later calls open them again."""
        self._close_all()
        if self._listed != NO_HANDLE:
            os.close(self._listed)
            self._listed = NO_HANDLE

    def open(self, real: str, flags: int) -> int:
        """A handle for the file with this real path; raises `OSError`, also for a link."""
        if not CAN_OPEN_BY_HANDLE:
            return os.open(real, flags)
        folder, _, name = real.rpartition("/")
        if folder != self._last_folder or self._last_handle == NO_HANDLE:
            self._last_handle = self._handle_of(folder)
            self._last_folder = folder
        return os.open(name or ".", flags, dir_fd=self._last_handle)

    def open_folder(self, real: str) -> int:
        """A handle for a folder, for opening, listing and `stat` of its files."""
        try:
            return self.open(real, _LIST_FLAGS)
        except OSError as error:
            raise _error_with_whole_path(error, real) from None

    def list(self, real: str) -> list[os.DirEntry[str]]:
        """The entries of a folder. Their `stat` methods work only until the next folder is
        listed.
        """
        if not CAN_OPEN_BY_HANDLE:
            with os.scandir(real) as entries:
                return list(entries)
        handle = self.open_folder(real)
        # entries use it for `stat`, so it stays open until the next list
        if self._listed != NO_HANDLE:
            os.close(self._listed)
        self._listed = handle
        with os.scandir(handle) as entries:
            return list(entries)

    def _handle_of(self, folder: str) -> int:
        """The handle of a folder, opened from the nearest folder above whose handle is open."""
        if folder in self._handles:
            return self._handles[folder]
        if len(os.fsencode(folder)) > MAX_PATH_BYTES:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), folder)
        nearest_open = folder
        missing = []
        while nearest_open and nearest_open not in self._handles:
            nearest_open, _, name = nearest_open.rpartition("/")
            missing.append(name)
        try:
            if nearest_open not in self._handles:
                self._handles[""] = os.open("/", _OPEN_FOLDER_FLAGS)
            handle = self._handles[nearest_open]
            path = nearest_open
            for name in reversed(missing):
                path += f"/{name}"
                if name:
                    handle = self._remember_handle(
                        path, os.open(name, _OPEN_FOLDER_FLAGS, dir_fd=handle)
                    )
        except OSError as error:
            raise _error_with_whole_path(error, folder) from None
        return handle

    def _remember_handle(self, folder: str, handle: int) -> int:
        if len(self._handles) >= MAX_HANDLES:
            self._close_all()
        self._handles[folder] = handle
        return handle

    def _close_all(self) -> None:
        handles = self._handles
        self._handles = {}
        self._last_handle = NO_HANDLE
        for handle in handles.values():
            os.close(handle)


def _error_with_whole_path(error: OSError, path: str) -> OSError:
    """The error with the whole path in place of its last part."""
    if error.errno in NOT_A_FOLDER:
        return OSError(error.errno, "a folder on its path is not a folder, or became a link", path)
    error.filename = path
    return error
