"""Signatures that tell if a file has changed since it was read: its times and size, if old
enough.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import NamedTuple

COARSEST_CLOCK_NANOSECONDS = 2_000_000_000  # FAT stores times in steps of two seconds


class FileSignature(NamedTuple):
    """A file's stat signature, and when it was taken."""

    mtime: int
    ctime: int
    size: int
    taken_at: int

    @property
    def is_old_enough(self) -> bool:
        """Whether the times are old enough that any later change would alter the signature."""
        return max(self.mtime, self.ctime) < self.taken_at - COARSEST_CLOCK_NANOSECONDS

    def is_surely_unchanged(self, other: FileSignature) -> bool:
        """Return whether a file with the signature `other` is certainly unchanged."""
        return self[:3] == other[:3] and self.is_old_enough


def file_signature(path: str | bytes) -> FileSignature | None:
    """The file's current stat signature; None if there is no file."""
    moment = time.time_ns()  # before `stat`, so that a change in between is not taken as seen
    try:
        file_stat = os.stat(path)
    except OSError:
        return None
    return FileSignature(file_stat.st_mtime_ns, file_stat.st_ctime_ns, file_stat.st_size, moment)


def signatures_if_settled(paths: Iterable[str]) -> list[tuple[int, int, int]] | None:
    """mtime, ctime and size of each file; None if one is missing, or so recent that it may still
    change unnoticed.
    """
    oldest_young = time.time_ns() - COARSEST_CLOCK_NANOSECONDS  # before the first `stat`
    signatures = []
    for path in paths:
        try:
            file_stat = os.stat(path)
        except OSError:
            return None
        modification_time = file_stat.st_mtime_ns
        change_time = file_stat.st_ctime_ns
        if modification_time >= oldest_young or change_time >= oldest_young:
            return None
        signatures.append((modification_time, change_time, file_stat.st_size))
    return signatures
