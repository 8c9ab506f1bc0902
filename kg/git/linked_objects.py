"""Give git the objects of a repository, but never by their own path.

Between our check and git's reading, another program might add a file that refers to other
repositories, or links into them. So git gets a private folder. Pack files are opened first, and
appear there as links to our handles. So do folders of loose objects; if one is changed in the
meantime, its ctime shows it, and git is run again. A folder with too recent a ctime is copied, as
is everything on systems where handles have no path.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kg.files.file_signatures import COARSEST_CLOCK_NANOSECONDS
from kg.files.read_files import CAN_OPEN_BY_HANDLE, CHUNK_SIZE, FolderHandles
from kg.git.plain_files import NoHistory, require_plain_folder

HANDLES_FOLDER = "/proc/self/fd"
# on other systems, readers of such a path share one file position
CAN_LINK_HANDLES = sys.platform == "linux" and os.path.isdir(HANDLES_FOLDER)
MAX_BYTES_COPIED = 2 * 1024 * 1024 * 1024  # bytes
_LOOSE_FOLDER_NAME = re.compile(r"[0-9a-f]{2}")
_PACK_SUFFIXES = (".pack", ".idx", ".rev", ".promisor")
_READ_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY"):
    _READ_FLAGS |= getattr(os, _flag, 0)


class LinkedObjects:
    """The objects below `source`, made available to git in the new folder `path`.

    Raises `NoHistory` if one is a link or not a file, or if there are alternates, and `OSError`.
    """

    def __init__(self, source: Path, path: Path) -> None:
        self.path = path if CAN_OPEN_BY_HANDLE else source
        self._source = source
        self._files: list[int] = []
        self._loose: dict[int, int] = {}  # ctime by folder handle
        self._bytes_copied = 0
        if CAN_OPEN_BY_HANDLE:
            self._link_all()
        else:
            require_plain_objects(source)

    @property
    def handles(self) -> tuple[int, ...]:
        """The handles that a process must inherit to read the objects."""
        return (*self._files, *self._loose)

    def confirm_unchanged(self) -> bool:
        """Return whether git can have read only checked objects; if not, they are set up again, and
        git has to be run again.
        """
        if all(_change_time(handle) == change_time for handle, change_time in self._loose.items()):
            return True
        self.close()
        shutil.rmtree(self.path)
        self._link_all()
        return False

    def close(self) -> None:
        """Close the handles of all folders, and forget what was found in them."""
        for handle in self.handles:
            os.close(handle)
        self._files = []
        self._loose = {}

    def _link_all(self) -> None:
        """Take loose objects before packs, as git moves objects from there into packs."""
        require_plain_folder(self._source)
        require_own_objects(self._source)
        self.path.mkdir()
        try:
            with FolderHandles() as folders:
                entries = {entry.name: entry for entry in folders.list(str(self._source))}
                for name in sorted(entries):
                    if not entries[name].is_dir(follow_symlinks=False):
                        _require_file(entries[name], self._source)
                    elif name == "pack" or _LOOSE_FOLDER_NAME.fullmatch(name):
                        self._link_folder(name, folders.open_folder(str(self._source / name)))
        except BaseException:
            self.close()
            raise

    def _link_folder(self, folder: str, handle: int) -> None:
        change_time = _change_time(handle)  # before its content is checked
        stays_open = False
        try:
            names = _regular_file_names(handle, self._source / folder)
            if folder == "pack":
                self._link_packs(handle, [name for name in names if name.endswith(_PACK_SUFFIXES)])
            elif change_time < time.time_ns() - COARSEST_CLOCK_NANOSECONDS and self._has_room(1):
                self._loose[handle] = change_time
                stays_open = True
                (self.path / folder).symlink_to(f"{HANDLES_FOLDER}/{handle}")
            else:
                self._copy_files(handle, folder, names)
        finally:
            if not stays_open:
                os.close(handle)

    def _link_packs(self, handle: int, names: Sequence[str]) -> None:
        if not self._has_room(len(names)):
            self._copy_files(handle, "pack", names)
            return
        (self.path / "pack").mkdir()
        for name in names:
            self._files.append(_open_plain(name, handle, self._source / "pack"))
            (self.path / "pack" / name).symlink_to(f"{HANDLES_FOLDER}/{self._files[-1]}")

    def _has_room(self, count: int) -> bool:
        return CAN_LINK_HANDLES and len(self.handles) + count <= _most_handles()

    def _copy_files(self, handle: int, folder: str, names: Sequence[str]) -> None:
        """Copy or hard-link the files of a folder, which may then change."""
        target = self.path / folder
        target.mkdir()
        for name in names:
            try:
                os.link(name, target / name, src_dir_fd=handle, follow_symlinks=False)
            except FileNotFoundError:
                continue  # it was being written, or has been packed since
            except OSError:  # on another disk, or another user's file
                self._copy_one(name, handle, target)
            else:
                if not stat.S_ISREG(os.lstat(target / name).st_mode):
                    raise _not_a_file_error(self._source / folder / name)

    def _copy_one(self, name: str, handle: int, target: Path) -> None:
        source = self._source / target.name
        with (
            os.fdopen(_open_plain(name, handle, source), "rb") as file,
            (target / name).open("xb") as copied_file,
        ):
            unread = os.fstat(file.fileno()).st_size  # later additions are not copied
            self._bytes_copied += unread
            if self._bytes_copied > MAX_BYTES_COPIED:
                raise NoHistory(f"{self._source} has too much to copy")
            while unread and (data := file.read(min(unread, CHUNK_SIZE))):
                unread -= copied_file.write(data)


def require_own_objects(objects: Path) -> None:
    """Raise `NoHistory` if the repository borrows objects from another one."""
    if os.path.lexists(objects / "info" / "alternates"):
        raise NoHistory(
            f"the repository borrows objects from another ({objects / 'info' / 'alternates'}), "
            "which kg does not read; to complete it, run `git repack -a -d` and remove that file"
        )


def require_plain_objects(objects: Path) -> None:
    """Raise `NoHistory` for anything by which git would leave the folder of objects or block:
    alternates, links, pipes. Also raises `OSError`.
    """
    require_plain_folder(objects)
    require_own_objects(objects)
    waiting = [objects]
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                    require_plain_folder(waiting[-1])
                else:
                    _require_file(entry, folder)


def _regular_file_names(handle: int, folder: Path) -> list[str]:
    """The files in a folder; raises `NoHistory` for links, pipes and devices."""
    names = []
    with os.scandir(handle) as entries:
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                _require_file(entry, folder)
                names.append(entry.name)
    return names


def _require_file(entry: os.DirEntry[str], folder: Path) -> None:
    if not entry.is_file(follow_symlinks=False):
        raise _not_a_file_error(folder / entry.name)


def _open_plain(name: str, handle: int, folder: Path) -> int:
    """A handle for a regular file in a folder; raises `NoHistory` if it is not one."""
    try:
        file = os.open(name, _READ_FLAGS, dir_fd=handle)
    except OSError as error:
        raise NoHistory(f"{folder / name}: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise _not_a_file_error(folder / name)
    return file


def _not_a_file_error(path: Path) -> NoHistory:
    return NoHistory(f"{path} is a link or not a file, and is not followed")


def _change_time(handle: int) -> int:
    return os.fstat(handle).st_ctime_ns


def _most_handles() -> int:
    """Limit the handles that objects may use: to half of the process's limit at most."""
    import resource

    # there are 256 folders of objects, and some dozens of packs, so this is enough where a system
    # has no limit
    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2, 4096)
