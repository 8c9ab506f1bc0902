"""A folder that is written without following links: whatever stands below it, nothing else is hit.

Where the system knows handles of folders, each step is taken from the handle of the one before,
so that a link cannot be put in between looking and writing. On Windows each part is looked at.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from kg.files.draft_folder import draft_folder
from kg.files.folder_exchange import copy_rights, exchange_folders
from kg.files.read import CAN_OPEN_BY_HANDLE, MAX_HANDLES, NOT_A_FOLDER, NotesFolder, StrPath
from kg.model.errors import KgError

_OF_THE_SYSTEM = ("/dev/", "/proc/")  # where a terminal or a redirected output is named
DRAFTS = ".kg-draft-"  # folders that files are made in; their names begin so
MAX_READ_BACK_BYTES = 256 * 1024 * 1024  # of the files that are read; what we write is far smaller
_NO_LINK_FLAGS = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
_NO_LINK_FOLLOWED = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK_FLAGS
_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK_FLAGS


class PathBlocked(KgError, RuntimeError):
    """Something stands where a file or folder is to be written; the message names it."""


class Tree:
    """Files below a folder, by addresses that are joined by slashes; use it as a context.

    `top` is followed wherever it leads; `below` leads from there to the folder, without links.
    """

    def __init__(self, top: Path, below: str = "") -> None:
        """Make the folder if need be. Raises `PathBlocked` where a link or a file stands for it."""
        top.mkdir(parents=True, exist_ok=True)
        self.place = top / below
        self._handles: dict[str, int] = {}
        self._top = top
        self._prefix = f"{below}/" if below else ""
        try:
            self._folder(below, make=True)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all handles; the next step looks anew."""
        handles, self._handles = self._handles, {}
        for handle in handles.values():
            os.close(handle)

    def look(self, url: str) -> os.stat_result | None:
        """The stat result of what is at `url`, links not followed; None where nothing is."""
        try:
            name, at = self._locate(url)
            return os.stat(name, dir_fd=at, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError, PathBlocked):
            return None

    def read(self, url: str) -> bytes:
        """The content of a file; raises `OSError` where there is none, or a link or a device."""
        name, at = self._locate(url)
        if at is None and _is_link(os.lstat(name)):
            raise OSError(errno.ELOOP, "is a link", url)
        with os.fdopen(os.open(name, _READ_FLAGS, dir_fd=at), "rb") as file:
            look = os.fstat(file.fileno())
            if not stat.S_ISREG(look.st_mode):
                raise OSError(errno.EINVAL, "is not a file", url)
            if look.st_size > MAX_READ_BACK_BYTES:
                raise OSError(errno.EFBIG, "is larger than any file of ours", url)
            return file.read(look.st_size)

    def make(self, folder: str) -> None:
        """Make a folder if need be, and those it is in."""
        self._folder((self._prefix + folder).rstrip("/"), make=True)

    def create(self, url: str, data: bytes, mode: int | None = None) -> None:
        """Write a file that is not there yet, and its folders; raises `FileExistsError`.

        Who may read it is said by `mode`, where the system knows one; else the user's mask decides.
        """
        name, at = self._locate(url, make=True)
        # O_EXCL: what stands there, a link too, is never written through
        try:
            handle = os.open(name, _CREATE_FLAGS, 0o644, dir_fd=at)
            try:
                unwritten = memoryview(data)
                while unwritten:  # a system may write less than it is given
                    unwritten = unwritten[os.write(handle, unwritten) :]
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(handle, mode)
            except OSError:  # the disk is full: half a file is worse than none
                os.unlink(name, dir_fd=at)
                raise
            finally:
                os.close(handle)
        except OSError as error:
            raise self._with_whole_name(error, url) from None

    def create_whole(self, files: Mapping[str, bytes]) -> None:
        """Write files that are not there yet: all of them, and at no time a part of one.

        Raises `FileExistsError` rather than write over anything. A run that is killed leaves some
        of them, each whole.
        """
        placed: list[str] = []
        url = next(iter(files))
        try:
            with draft_folder(self.place, DRAFTS) as drafts:
                for number, data in enumerate(files.values()):
                    self.create(f"{drafts.name}/{number}", data)
                for number, url in enumerate(files):
                    self._place(f"{drafts.name}/{number}", url)
                    placed.append(url)
        except (OSError, PathBlocked) as error:
            for done in placed:
                self.remove(done)
            raise (
                self._with_whole_name(error, url) if isinstance(error, OSError) else error
            ) from None

    def _place(self, url: str, to: str) -> None:
        """Give a file another name, that nothing has; raises `FileExistsError`."""
        with suppress(OSError):  # of a disk without such links; else it is found by the look
            self.link(url, to)
            return
        if self.look(to) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to)
        name, at = self._locate(url)
        target, into = self._locate(to, make=True)
        os.rename(name, target, src_dir_fd=at, dst_dir_fd=into)

    def move(self, url: str, to: str) -> None:
        """Move a file over what stands at `to`: a link there is replaced, and not followed."""
        name, at = self._locate(url)
        target, into = self._locate(to, make=True)
        try:
            os.replace(name, target, src_dir_fd=at, dst_dir_fd=into)
        except OSError as error:
            raise self._with_whole_name(error, to) from None

    def move_in(self, file: Path, to: str) -> None:
        """Move a file from elsewhere on the same disk over the file or link that stands at `to`."""
        there = self.look(to)
        # a link to a file is replaced; one that the system keeps, as /dev/stdout, never
        if there and (_is_device(there) or (_is_link(there) and _is_of_system(self.place / to))):
            raise PathBlocked(f"{self.place / to} is a device or a pipe; name a file to write to")
        if there and stat.S_ISDIR(there.st_mode):
            raise PathBlocked(f"{self.place / to} is a folder; name a file to write to")
        target, into = self._locate(to, make=True)
        try:
            os.replace(file, target, dst_dir_fd=into)
        except OSError as error:
            raise self._with_whole_name(error, to) from None

    def rename(self, folder: str, to: str) -> None:
        """Give a folder another name, that nothing has."""
        name, at = self._locate(folder)
        target, into = self._locate(to)
        os.rename(name, target, src_dir_fd=at, dst_dir_fd=into)
        self.close()  # handles are kept by names, which lead elsewhere now

    def exchange(self, folder: str, to: str) -> None:
        """Give two folders each other's name in one step; raises `OSError` where that cannot be."""
        name, at = self._locate(folder)
        target, into = self._locate(to)
        if at is None or into is None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        exchange_folders(name, at, target, into)
        self.close()

    def copy_rights(self, folder: str, to: str) -> None:
        """Let those enter the folder `to` who may enter the other; raises `OSError`."""
        handles = [self._folder(self._prefix + each) for each in (folder, to)]
        if handles[0] is not None and handles[1] is not None:
            copy_rights(handles[0], handles[1])

    def link(self, url: str, to: str) -> None:
        """Give a file a second name, that nothing has; raises `OSError`."""
        name, at = self._locate(url)
        target, into = self._locate(to, make=True)
        os.link(name, target, src_dir_fd=at, dst_dir_fd=into, **_NO_LINK_FOLLOWED)

    def remove(self, url: str, within: str = "") -> None:
        """Remove a file, and the folders below `within` that it leaves empty.

        What a link leads to stays.
        """
        try:
            name, at = self._locate(url)
            os.unlink(name, dir_fd=at)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PathBlocked):
            pass
        while "/" in url:
            url = url.rpartition("/")[0]
            if url == within or not self._remove_folder(url):
                return

    def remove_empty(self, folder: str) -> None:
        """Remove a folder of nothing but folders."""
        for name in [name for name, is_folder, _ in self._list(folder) if is_folder]:
            self.remove_empty(f"{folder}/{name}")
        self._remove_folder(folder)

    def clear(self, folder: str) -> None:
        """Remove a folder of our own with all that is in it; never what a link leads to."""
        with suppress(OSError, PathBlocked):
            name, at = self._locate(folder)
            shutil.rmtree(name, ignore_errors=True, dir_fd=at)
        self.close()

    def walk(self, folder: str, folders: bool = False) -> Iterator[tuple[str, os.stat_result]]:
        """Every file below a folder, by its address there, with its stat result.

        With `folders`, these too, by addresses that end in a slash.
        """
        if folder and self.look(folder) is None:
            return
        waiting = [""]
        while waiting:
            prefix = waiting.pop()
            for name, is_folder, look in self._list(f"{folder}/{prefix}".strip("/")):
                if is_folder:
                    waiting.append(f"{prefix}{name}/")
                if folders and is_folder:
                    yield f"{prefix}{name}/", look
                elif not is_folder:
                    yield prefix + name, look

    def _with_whole_name(self, error: OSError, url: str) -> OSError:
        """The error with the whole name of the file, of which the system saw only the last part."""
        error.filename, error.filename2 = str(self.place / url), None
        return error

    def _list(self, folder: str) -> list[tuple[str, bool, os.stat_result]]:
        if len(self._handles) > MAX_HANDLES:
            self.close()
        at = self._folder(self._prefix + folder)
        with os.scandir(self._top / self._prefix / folder if at is None else at) as entries:
            looks = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
        # to Windows a junction is a folder, and leads elsewhere
        return [(name, stat.S_ISDIR(s.st_mode) and not _is_link(s), s) for name, s in looks]

    def _remove_folder(self, folder: str) -> bool:
        try:
            name, at = self._locate(folder)
            os.rmdir(name, dir_fd=at)
        except (OSError, PathBlocked):
            return False
        self.close()  # among the handles may be that of the folder
        return True

    def _locate(self, url: str, make: bool = False) -> tuple[str, int | None]:
        """The name and the folder's handle by which the system finds a file.

        Without handles, the name is a whole path.
        """
        leads_up = url.startswith("/") or (".." in url and ".." in url.split("/"))
        if leads_up or (not CAN_OPEN_BY_HANDLE and os.name == "nt" and _is_odd_on_windows(url)):
            raise PathBlocked(f"{url!r} leads outside of {self.place}")
        if len(self._handles) > MAX_HANDLES:
            self.close()
        folder, _, name = (self._prefix + url).rpartition("/")
        at = self._folder(folder, make)
        return (str(self._top / folder / name), None) if at is None else (name, at)

    def _folder(self, folder: str, make: bool = False) -> int | None:
        """The handle of a folder below the top, or None where the system knows none."""
        if folder in self._handles:
            return self._handles[folder]
        if not folder:
            handle = os.open(self._top, _FOLDER_FLAGS) if CAN_OPEN_BY_HANDLE else None
        else:
            above, _, name = folder.rpartition("/")
            handle = self._step(self._folder(above, make), name, folder, make)
        if handle is not None:
            self._handles[folder] = handle
        return handle

    def _step(self, above: int | None, name: str, folder: str, make: bool) -> int | None:
        """The handle of a folder from that of the one above it; None where there are no handles."""
        place = self._top / folder
        if above is None:
            name = str(place)
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=above)
        try:
            if above is not None:
                return os.open(name, _FOLDER_FLAGS | _NO_LINK_FLAGS, dir_fd=above)
            look = os.lstat(place)
        except OSError as error:
            if error.errno in NOT_A_FOLDER:
                raise _in_the_way(place) from None
            error.filename = str(place)
            raise
        if _is_link(look) or not stat.S_ISDIR(look.st_mode):
            raise _in_the_way(place)
        return None


def _in_the_way(place: Path) -> PathBlocked:
    what = "a link, and nothing is written through it" if place.is_symlink() else "no folder"
    return PathBlocked(f"{place} is {what}; move it away, or name another folder to write to")


def _is_device(found: os.stat_result) -> bool:
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode) or _is_link(found))


def _is_of_system(link: Path) -> bool:
    """Whether a link stands among devices and processes, or leads to one of them."""
    places = link, link.parent / os.readlink(link)
    return any(os.path.abspath(each).startswith(_OF_THE_SYSTEM) for each in places)


def _is_link(look: os.stat_result) -> bool:
    """Whether it is a link, or what Windows calls a junction."""
    if sys.platform == "win32":
        tags = (stat.IO_REPARSE_TAG_SYMLINK, stat.IO_REPARSE_TAG_MOUNT_POINT)
        if look.st_reparse_tag in tags:
            return True
    return stat.S_ISLNK(look.st_mode)


def _is_odd_on_windows(url: str) -> bool:
    """Whether Windows reads something else in a name than we do: another folder, disk or stream."""
    return "\\" in url or ":" in url


def folders_around(notes: StrPath | None) -> tuple[Path, ...]:
    """The folders around the notes, which come from whoever wrote these."""
    if notes is None:
        return ()
    folder = NotesFolder.of(notes)
    return Path(os.path.abspath(folder.shown)).parent, folder.real.parent


def open_tree(folder: Path, own: tuple[Path, ...] = ()) -> Tree:
    """The folder to write to, made if need be; raises `PathBlocked`.

    What lies in one of the folders `own`, which may be somebody else's work, is reached without
    following links, and so is what is named from the folder that one stands in; another folder
    may itself be a link, since whoever named it from the root chose it.
    """
    whole = Path(os.path.abspath(folder))
    # what is named from the current folder may be a link that came with what lies there
    own = own if folder.is_absolute() else (*own, Path.cwd())
    # from the root on: the outermost of them is where links stop being followed
    for start in reversed((whole, *whole.parents)):
        if any(_is_same(start, place) for place in own):
            return Tree(start, "/".join(whole.relative_to(start).parts))
    return Tree(whole)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
