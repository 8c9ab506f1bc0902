"""Write below a folder without following links, so that nothing outside of it is changed.

Where the system has folder handles, each folder is opened from the handle of the one above, so
that a link cannot be inserted between check and write. On Windows, each part is checked.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

from kg.files.folder_exchange import copy_access_rights, exchange_folders
from kg.files.read_files import CAN_OPEN_BY_HANDLE, MAX_HANDLES, NOT_A_FOLDER, NotesFolder, StrPath
from kg.files.staging_folder import staging_folder
from kg.files.unsafe_paths import is_device, is_link, is_unsafe_on_windows, leads_to_system_folder
from kg.model.errors import KgError

HIDDEN_STAGING_PREFIX = ".kg-draft-"  # prefix of the folders in which files are staged
MAX_READ_BACK_BYTES = 256 * 1024 * 1024  # our own files are far smaller
_NO_LINK_FLAGS = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
_NO_LINK_FOLLOWED = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK_FLAGS
_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK_FLAGS


class PathBlocked(KgError, RuntimeError):
    """Something blocks the path of a file or folder to write; the message names it."""


class FolderTree:
    """A context manager for files below a folder, by relative paths with slashes.

    Links in `top` are followed; `below`, the path from there to the folder, may not have any.
    """

    def __init__(self, top: Path, below: str = "") -> None:
        """Create the folder if needed. Raises `PathBlocked` if it is a link or a file."""
        self._top = top
        self.path = top / below
        self._handles: dict[str, int] = {}
        self._prefix = f"{below}/" if below else ""
        self._new_folders: list[str] = []
        self._new_folders_above = list(
            takewhile(lambda path: not os.path.lexists(path), (top, *top.parents))
        )
        try:
            top.mkdir(parents=True, exist_ok=True)
            self._folder_handle(below, make=True)
        except BaseException:
            self._remove_new_folders()
            raise

    def __enter__(self) -> FolderTree:
        return self

    def __exit__(self, kind: object, *raised: object) -> None:
        self.close() if kind is None else self._remove_new_folders()

    def _remove_new_folders(self) -> None:
        """Remove the folders that were made here and hold nothing, as on a full disk."""
        for folder in reversed(self._new_folders):
            with suppress(OSError, PathBlocked):
                above, _, name = folder.rpartition("/")
                parent = self._folder_handle(above)
                os.rmdir(self._top / folder if parent is None else name, dir_fd=parent)
        self.close()
        for new_folder in self._new_folders_above:
            with suppress(OSError):
                new_folder.rmdir()

    def close(self) -> None:
        """Close all handles; later calls open them again."""
        handles = self._handles
        self._handles = {}
        for handle in handles.values():
            os.close(handle)

    def stat(self, path: str) -> os.stat_result | None:
        """The stat result for `path`, without following links; None if nothing is there."""
        try:
            name, parent = self._name_and_parent(path)
            return os.stat(name, dir_fd=parent, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError, PathBlocked):
            return None

    def read(self, path: str) -> bytes:
        """The content of a file; raises `OSError` if it is missing, a link or a device."""
        name, parent = self._name_and_parent(path)
        if parent is None and is_link(os.lstat(name)):
            raise OSError(errno.ELOOP, "is a link", path)
        with os.fdopen(os.open(name, _READ_FLAGS, dir_fd=parent), "rb") as file:
            file_stat = os.fstat(file.fileno())
            if not stat.S_ISREG(file_stat.st_mode):
                raise OSError(errno.EINVAL, "is not a file", path)
            if file_stat.st_size > MAX_READ_BACK_BYTES:
                raise OSError(errno.EFBIG, "is larger than any file of ours", path)
            return file.read(file_stat.st_size)

    def make_folder(self, folder: str) -> None:
        """Create a folder and its parents, if needed."""
        self._folder_handle((self._prefix + folder).rstrip("/"), make=True)

    def create(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a new file, and its folders; raises `FileExistsError`.

        Its permissions are `mode`, where the system has modes; by default, the umask decides.
        """
        name, parent = self._name_and_parent(path, make=True)
        # O_EXCL: never write through an existing file or link
        try:
            handle = os.open(name, _CREATE_FLAGS, 0o644, dir_fd=parent)
            try:
                unwritten = memoryview(data)
                while unwritten:  # a system may write less than it is given
                    unwritten = unwritten[os.write(handle, unwritten) :]
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(handle, mode)
            except OSError:  # on a full disk, half a file is worse than none
                os.unlink(name, dir_fd=parent)
                raise
            finally:
                os.close(handle)
        except OSError as error:
            raise self._with_whole_name(error, path) from None

    def create_whole(self, files: Mapping[str, bytes]) -> None:
        """Write new files: all or none, and never part of one.

        Raises `FileExistsError` if one exists. A run that is killed may leave some of them, each
        complete.
        """
        placed: list[str] = []
        failing_path = next(iter(files), "")
        try:
            with staging_folder(self.path, HIDDEN_STAGING_PREFIX) as staging:
                for number, data in enumerate(files.values()):
                    self.create(f"{staging.name}/{number}", data)
                for number, path in enumerate(files):
                    failing_path = path
                    self._move_to_free_path(f"{staging.name}/{number}", path)
                    placed.append(path)
        except (OSError, PathBlocked) as error:
            for placed_path in placed:
                self.remove(placed_path)
            if isinstance(error, OSError):
                error = self._with_whole_name(error, failing_path)
            raise error from None

    def _move_to_free_path(self, path: str, to: str) -> None:
        """Give a file a path that is free (the old may stay); raises `FileExistsError`."""
        with suppress(OSError):  # a disk without hard links, or an existing file, found below
            self.link(path, to)
            return
        if self.stat(to) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to)
        name, parent = self._name_and_parent(path)
        target_name, target_parent = self._name_and_parent(to, make=True)
        os.rename(name, target_name, src_dir_fd=parent, dst_dir_fd=target_parent)

    def move(self, path: str, to: str) -> None:
        """Move a file to `to`, replacing any file; a link there is replaced, not followed."""
        name, parent = self._name_and_parent(path)
        target_name, target_parent = self._name_and_parent(to, make=True)
        try:
            os.replace(name, target_name, src_dir_fd=parent, dst_dir_fd=target_parent)
        except OSError as error:
            raise self._with_whole_name(error, to) from None

    def move_in(self, file: Path, to: str) -> None:
        """Move a file from elsewhere on the same disk to `to`, replacing any file or link."""
        target_stat = self.stat(to)
        target = self.path / to
        # a link to a file is replaced, but never a link of the system, such as /dev/stdout
        if target_stat and (
            is_device(target_stat) or (is_link(target_stat) and leads_to_system_folder(target))
        ):
            raise PathBlocked(f"{target} is a device or a pipe; name a file to write to")
        if target_stat and stat.S_ISDIR(target_stat.st_mode):
            raise PathBlocked(f"{target} is a folder; name a file to write to")
        target_name, target_parent = self._name_and_parent(to, make=True)
        try:
            os.replace(file, target_name, dst_dir_fd=target_parent)
        except OSError as error:
            raise self._with_whole_name(error, to) from None

    def rename(self, folder: str, to: str) -> None:
        """Rename a folder to a name that does not exist."""
        name, parent = self._name_and_parent(folder)
        target_name, target_parent = self._name_and_parent(to)
        os.rename(name, target_name, src_dir_fd=parent, dst_dir_fd=target_parent)
        self.close()  # handles are stored by name, which is no longer valid

    def exchange(self, folder: str, to: str) -> None:
        """Give two folders each other's name in one step; raises `OSError` where that cannot be."""
        name, parent = self._name_and_parent(folder)
        target_name, target_parent = self._name_and_parent(to)
        if parent is None or target_parent is None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        exchange_folders(name, parent, target_name, target_parent)
        self.close()

    def copy_access_rights(self, folder: str, to: str) -> None:
        """Give the folder `to` the owner, mode and attributes of another, so that the same people
        may enter. Raises `OSError`.
        """
        handles = [self._folder_handle(self._prefix + each) for each in (folder, to)]
        if handles[0] is not None and handles[1] is not None:
            copy_access_rights(handles[0], handles[1])

    def link(self, path: str, to: str) -> None:
        """Give a file a second name, that nothing has; raises `OSError`."""
        name, parent = self._name_and_parent(path)
        target_name, target_parent = self._name_and_parent(to, make=True)
        os.link(name, target_name, src_dir_fd=parent, dst_dir_fd=target_parent, **_NO_LINK_FOLLOWED)

    def remove(self, path: str, within: str = "") -> None:
        """Remove a file, and the folders below `within` that it leaves empty.

        What a link leads to stays.
        """
        try:
            name, parent = self._name_and_parent(path)
            os.unlink(name, dir_fd=parent)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PathBlocked):
            pass
        while "/" in path:
            path = path.rpartition("/")[0]
            if path == within or not self._remove_folder(path):
                return

    def remove_empty(self, folder: str) -> None:
        """Remove a folder and its subfolders, as far as they have no files."""
        for name in [name for name, is_folder, _ in self._list_folder(folder) if is_folder]:
            self.remove_empty(f"{folder}/{name}")
        self._remove_folder(folder)

    def remove_with_content(self, folder: str) -> None:
        """Remove a folder with all its content, without following links."""
        with suppress(OSError, PathBlocked):
            name, parent = self._name_and_parent(folder)
            shutil.rmtree(name, ignore_errors=True, dir_fd=parent)
        self.close()

    def walk(self, folder: str, folders: bool = False) -> Iterator[tuple[str, os.stat_result]]:
        """Yield every file below a folder, by its address there, with its stat result.

        With `folders`, these too, by addresses that end in a slash.
        """
        if folder and self.stat(folder) is None:
            return
        waiting = [""]
        while waiting:
            prefix = waiting.pop()
            for name, is_folder, entry_stat in self._list_folder(f"{folder}/{prefix}".strip("/")):
                path = f"{prefix}{name}/" if is_folder else prefix + name
                if is_folder:
                    waiting.append(path)
                if folders or not is_folder:
                    yield path, entry_stat

    def _with_whole_name(self, error: OSError, path: str) -> OSError:
        """The error with the file's whole path in place of its last part."""
        error.filename = str(self.path / path)
        error.filename2 = None
        return error

    def _list_folder(self, folder: str) -> list[tuple[str, bool, os.stat_result]]:
        if len(self._handles) > MAX_HANDLES:
            self.close()
        handle = self._folder_handle(self._prefix + folder)
        with os.scandir(self._top / self._prefix / folder if handle is None else handle) as entries:
            stats = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
        # Windows reports a junction, which leads elsewhere, as a folder
        return [(name, stat.S_ISDIR(s.st_mode) and not is_link(s), s) for name, s in stats]

    def _remove_folder(self, folder: str) -> bool:
        try:
            name, parent = self._name_and_parent(folder)
            os.rmdir(name, dir_fd=parent)
        except (OSError, PathBlocked):
            return False
        self.close()  # one of the handles may be the folder's
        return True

    def _name_and_parent(self, path: str, make: bool = False) -> tuple[str, int | None]:
        """A file's name and the handle of its parent folder, for system calls.

        Without handles, the name is the whole path, and the handle None.
        """
        leads_up = path.startswith("/") or (".." in path and ".." in path.split("/"))
        if leads_up or (not CAN_OPEN_BY_HANDLE and os.name == "nt" and is_unsafe_on_windows(path)):
            raise PathBlocked(f"{path!r} leads outside of {self.path}")
        if len(self._handles) > MAX_HANDLES:
            self.close()
        folder, _, name = (self._prefix + path).rpartition("/")
        handle = self._folder_handle(folder, make)
        return (str(self._top / folder / name), None) if handle is None else (name, handle)

    def _folder_handle(self, folder: str, make: bool = False) -> int | None:
        """The handle of a folder below the top; None on systems without handles."""
        if folder in self._handles:
            return self._handles[folder]
        if not folder:
            handle = os.open(self._top, _FOLDER_FLAGS) if CAN_OPEN_BY_HANDLE else None
        else:
            above, _, name = folder.rpartition("/")
            handle = self._open_subfolder(self._folder_handle(above, make), name, folder, make)
        if handle is not None:
            self._handles[folder] = handle
        return handle

    def _open_subfolder(self, parent: int | None, name: str, folder: str, make: bool) -> int | None:
        """The handle of a folder; None, as `parent` is too, only on systems without handles."""
        path = self._top / folder
        name_or_path = name if parent is not None else str(path)
        if make:
            with suppress(FileExistsError):
                os.mkdir(name_or_path, dir_fd=parent)
                self._new_folders.append(folder)
        try:
            if parent is not None:
                return os.open(name, _FOLDER_FLAGS | _NO_LINK_FLAGS, dir_fd=parent)
            folder_stat = os.lstat(path)
        except OSError as error:
            if error.errno in NOT_A_FOLDER:
                raise _path_blocked_error(path) from None
            error.filename = str(path)
            raise
        if is_link(folder_stat) or not stat.S_ISDIR(folder_stat.st_mode):
            raise _path_blocked_error(path)
        return None


def _path_blocked_error(path: Path) -> PathBlocked:
    obstacle = "a link, which is not followed" if path.is_symlink() else "not a folder"
    return PathBlocked(f"{path} is {obstacle}; move it away, or name another folder to write to")


def folders_around(notes: StrPath | None) -> tuple[Path, ...]:
    """The folders around the notes, which may come from somebody else."""
    if notes is None:
        return ()
    folder = NotesFolder.from_path(notes)
    return Path(os.path.abspath(folder.display_path)).parent, folder.real.parent


def open_folder_tree(folder: Path, guarded: tuple[Path, ...] = ()) -> FolderTree:
    """Open the folder to write to, creating it if needed; raises `PathBlocked`.

    Links are not followed within `guarded` folders, whose content may come from somebody else, nor
    below the current folder if `folder` is a relative path. An absolute path elsewhere may contain
    links, as the user chose it; if one leads into a guarded folder, no link there is followed.
    """
    full_path = Path(os.path.abspath(folder))
    # a relative path may contain a link that came with the current folder
    guarded = guarded if folder.is_absolute() else (*guarded, Path.cwd())
    # from the root on: links are not followed below the outermost of them
    for start in reversed((full_path, *full_path.parents)):
        real = Path(os.path.realpath(start))
        if any(_is_same(one, other) for one in (real, *real.parents) for other in guarded):
            return FolderTree(start, "/".join(full_path.relative_to(start).parts))
    return FolderTree(full_path)


def _is_same(path: Path, other: Path) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False
