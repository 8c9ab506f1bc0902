"""Files by their real paths, opened so that no part of the path may have become a link.

What a path led to when it was looked at says nothing of what it leads to when it is opened: in
between, another program may put a link in the place of a folder. So each folder is opened from
the handle of the one above it. Windows has no such handles, and there a path is opened whole.
"""

from __future__ import annotations

import errno
import os
from types import TracebackType

BY_HANDLE = os.name == "posix" and os.open in os.supports_dir_fd and os.scandir in os.supports_fd
MOST_HANDLES = 48
LONGEST = 4095  # bytes of a path: what nearly all systems allow
_STEP = os.O_RDONLY
for _flag in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"):
    _STEP |= getattr(os, _flag, 0)
_LIST = _STEP
_STEP |= getattr(os, "O_PATH", getattr(os, "O_SEARCH", 0))  # to pass one need not read its list
_NO_FOLDER = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


class Folders:
    """Handles of folders, kept while it is used as a context: a folder is opened once for many."""

    def __init__(self) -> None:
        self._handles: dict[str, int] = {}
        self._last, self._at = "", -1
        self._listed = -1

    def __enter__(self) -> Folders:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all handles; the next step looks anew."""
        self._let_go()
        if self._listed >= 0:
            os.close(self._listed)
            self._listed = -1

    def open(self, real: str, flags: int) -> int:
        """A handle of the file with this real path; raises `OSError`, also for a link."""
        if not BY_HANDLE:
            return os.open(real, flags)
        folder, _, name = real.rpartition("/")
        if folder != self._last or self._at < 0:
            self._at, self._last = self._reach(folder), folder
        return os.open(name or ".", flags, dir_fd=self._at)

    def open_folder(self, real: str) -> int:
        """A handle of a folder, by which its files can be opened, listed and looked at."""
        try:
            return self.open(real, _LIST)
        except OSError as error:
            raise _told(error, real) from None

    def list(self, real: str) -> list[os.DirEntry[str]]:
        """What is in a folder. The entries know their names, and how they look until the next
        folder is listed.
        """
        if not BY_HANDLE:
            with os.scandir(real) as entries:
                return list(entries)
        handle = self.open_folder(real)
        if self._listed >= 0:
            os.close(self._listed)
        self._listed = handle
        with os.scandir(handle) as found:
            return list(found)

    def _reach(self, folder: str) -> int:
        """The handle of a folder, from the nearest folder around it whose handle is kept."""
        if folder in self._handles:
            return self._handles[folder]
        if len(os.fsencode(folder)) > LONGEST:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), folder)
        above, missing = folder, []
        while above and above not in self._handles:
            above, _, name = above.rpartition("/")
            missing.append(name)
        try:
            if above not in self._handles:
                self._handles[""] = os.open("/", _STEP)
            handle = self._handles[above]
            for name in reversed(missing):
                above += f"/{name}"
                if name:
                    handle = self._keep(above, os.open(name, _STEP, dir_fd=handle))
        except OSError as error:
            raise _told(error, folder) from None
        return handle

    def _keep(self, folder: str, handle: int) -> int:
        if len(self._handles) >= MOST_HANDLES:
            self._let_go()
        self._handles[folder] = handle
        return handle

    def _let_go(self) -> None:
        handles, self._handles, self._at = self._handles, {}, -1
        for handle in handles.values():
            os.close(handle)


def _told(error: OSError, place: str) -> OSError:
    """The error with the whole path, of which the system was told the last part alone."""
    if error.errno in _NO_FOLDER:
        return OSError(error.errno, "a folder on the way to it is none, or became a link", place)
    error.filename = place
    return error
