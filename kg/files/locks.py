"""Locks between runs, and signals that wait until files are moved."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from kg.model.errors import KgError

LOCK = "lock"  # the name of a lock's file, whatever folder it holds
LOCK_TIMEOUT_SECONDS = 60.0
LOCK_PAUSE_SECONDS = 0.05  # between tries
_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
# The errors for a lock that another process holds; any other means a disk without locks.
LOCK_TAKEN_ERRORS = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
_ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class LockTimeout(KgError, RuntimeError):
    """Another run of kg has held the folder for too long; the message names it."""


@contextmanager
def hold_lock(
    path: Path | None, name: str, timeout: float = LOCK_TIMEOUT_SECONDS
) -> Iterator[None]:
    """Hold the lock file `path`; raises `LockTimeout` after waiting `timeout` seconds for it.

    The error names `name`. If locks are not possible, as on some network disks, none is held.
    """
    try:
        handle = None if path is None else os.open(path, _LOCK_FLAGS, 0o600)
    except OSError:
        handle = None
    if handle is None:
        yield
        return
    try:
        start = time.monotonic()
        while not _try_lock(handle):
            if time.monotonic() - start > timeout:
                raise LockTimeout(f"another run of kg is working in {name}")
            time.sleep(LOCK_PAUSE_SECONDS)
        yield
    finally:
        os.close(handle)


@contextmanager
def hold_abandoned_lock(path: Path) -> Iterator[bool | None]:
    """Whether a lock file was free, and is now held; None if there is no such file.

    Raises `OSError` if locks are not possible, as on some network disks.
    """
    try:
        handle = os.open(path, _LOCK_FLAGS & ~os.O_CREAT)
    except FileNotFoundError:
        yield None
        return
    try:
        yield _lock_file(handle)
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    """Lock a file; False only if another process holds the lock."""
    try:
        return _lock_file(handle)
    except OSError:
        return True


if sys.platform == "win32":
    import msvcrt

    def _take_lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_file(handle: int) -> bool:
    """Lock a file; False if another process has. Raises `OSError` on a disk without locks."""
    try:
        _take_lock(handle)
    except OSError as error:
        if error.errno in LOCK_TAKEN_ERRORS:
            return False
        raise
    return True


@contextmanager
def delay_signals() -> Iterator[None]:
    """Delay Ctrl-C and similar signals to the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are handled only in the main thread
        return
    delayed_signals: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        delayed_signals.append(number)

    former_handlers = {number: signal.signal(number, remember) for number in _ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in former_handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in delayed_signals:  # all of them, as the first may be ignored
            signal.raise_signal(number)
