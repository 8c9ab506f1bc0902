"""Run work in forked copies of this process, which send back bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MAX_CORES = 4  # with more, joining the results dominates
_THREADS_OF_PROCESS = Path("/proc/self/task")


def available_cores() -> int:
    """The number of cores that this process may use; 1 except on Linux."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def can_fork() -> bool:
    """Return whether this process may fork: on Linux, with at least two cores and only one thread.

    A lock held by another thread at that moment would stay locked in the copy forever.
    """
    if sys.platform != "linux" or available_cores() < 2:
        return False
    try:
        return len(os.listdir(_THREADS_OF_PROCESS)) == 1
    except OSError:
        return False


@dataclass(frozen=True)
class ForkedProcess:
    """A forked copy of this process, and the pipe on which it sends its result."""

    process: int
    pipe: int

    def receive(self) -> bytes | None:
        """Wait for the process and return its result; None if it failed."""
        with os.fdopen(self.pipe, "rb") as pipe_end:
            result = pipe_end.read()
        return result if os.waitpid(self.process, 0)[1] == 0 else None


def fork_process(work: Callable[[], bytes]) -> ForkedProcess:
    """Fork a copy of this process that does `work` and exits."""
    receive, send = os.pipe()
    process = os.fork()
    if process:
        os.close(send)
        return ForkedProcess(process, receive)
    status = 1
    try:
        os.close(receive)
        with os.fdopen(send, "wb") as pipe:
            pipe.write(work())
        status = 0
    finally:
        os._exit(status)  # never return into a copy of the caller's program
