"""Work shared out among copies of this process, each of which sends back bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MAX_CORES = 4  # beyond which joining what was made is what takes time
_OWN_THREADS = Path("/proc/self/task")


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def may_fork() -> bool:
    """Whether this process may be copied: on Linux, with two cores, and no thread beside this one.

    A lock that another thread holds at that moment would stay locked in the copy for ever.
    """
    if sys.platform != "linux" or available_cores() < 2:
        return False
    try:
        return len(os.listdir(_OWN_THREADS)) == 1
    except OSError:
        return False


@dataclass(frozen=True)
class ProcessCopy:
    """A copy of this process at work, and the pipe on which it sends what it makes."""

    process: int
    pipe: int

    def receive(self) -> bytes | None:
        """The result of the process, once it has ended; None if the process was lost."""
        with os.fdopen(self.pipe, "rb") as sent:
            made = sent.read()
        return made if os.waitpid(self.process, 0)[1] == 0 else None


def start_copy(work: Callable[[], bytes]) -> ProcessCopy:
    """A copy of this process that does `work`, and ends."""
    receive, send = os.pipe()
    process = os.fork()
    if process:
        os.close(send)
        return ProcessCopy(process, receive)
    status = 1
    try:
        os.close(receive)
        with os.fdopen(send, "wb") as pipe:
            pipe.write(work())
        status = 0
    finally:
        os._exit(status)  # never return into a copy of the caller's program
