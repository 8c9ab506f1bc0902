"""Locks of files, by which two runs of the program do not change one thing at once."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.model.errors import KgError

LOCK_PATIENCE = 60.0  # seconds
LOCK_PAUSE = 0.05  # seconds between tries
_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
# What a system says of a lock that another process holds; anything else is a disk without locks.
LOCK_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class LockTimeout(KgError, RuntimeError):
    """Another run of kg has held the folder for too long; the message names it."""


@contextmanager
def hold_lock(place: Path | None, what: str, patience: float = LOCK_PATIENCE) -> Iterator[None]:
    """Hold the lock file `place`; raises `LockTimeout` after waiting `patience` seconds for it.

    `what` is named then. Where there can be no lock, as on some disks of networks, none is held.
    """
    try:
        handle = None if place is None else os.open(place, _LOCK_FLAGS, 0o600)
    except OSError:
        handle = None
    if handle is None:
        yield
        return
    try:
        start = time.monotonic()
        while not _try_lock(handle):
            if time.monotonic() - start > patience:
                raise LockTimeout(f"another run of kg is at work in {what}")
            time.sleep(LOCK_PAUSE)
        yield
    finally:
        os.close(handle)


@contextmanager
def is_left_lock(place: Path) -> Iterator[bool | None]:
    """Whether nobody holds a lock file, which is held meanwhile; None where there is none.

    Where no lock can be had, as on some disks of networks, it counts as held.
    """
    try:
        handle = os.open(place, _LOCK_FLAGS & ~os.O_CREAT)
    except FileNotFoundError:
        yield None
        return
    try:
        yield _lock(handle)
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    """Lock a file, and say whether it can be gone on: it is locked, or nobody can lock it."""
    try:
        return _lock(handle)
    except OSError:
        return True


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock(handle: int) -> bool:
    """Lock a file; False where another process has. Raises `OSError` on a disk without locks."""
    try:
        _take(handle)
    except OSError as error:
        if error.errno in LOCK_TAKEN:
            return False
        raise
    return True
