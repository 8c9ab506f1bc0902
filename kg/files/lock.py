"""One build at a time in a folder: a lock that dies with its process."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0
PAUSE = 0.05
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


# What a system says of a lock that another process holds; anything else is a disk without locks.
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class Busy(RuntimeError):
    """Another build has held the folder for too long; the message names it."""


@contextmanager
def locked(place: Path | None, what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock file `place`; raises `Busy` after waiting `patience` seconds for it.

    `what` is named then. Where there can be no lock, as on some disks of networks, none is held.
    """
    try:
        handle = None if place is None else os.open(place, _FLAGS, 0o600)
    except OSError:
        handle = None
    if handle is None:
        yield
        return
    try:
        start = time.monotonic()
        while not _try_lock(handle):
            if time.monotonic() - start > patience:
                raise Busy(f"another build is at work in {what}")
            time.sleep(PAUSE)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return error.errno not in TAKEN
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in TAKEN
        return True
