"""How long a query may run, and how much memory its answer may take.

Oxigraph cannot be told to stop, but it lets other threads run meanwhile: so the query is asked in
a thread of its own, which is left behind where it takes too much. It ends with the program.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from kg.model.errors import KgError

T = TypeVar("T")
_PAUSE = 0.1  # seconds between two looks at the memory


class QueryStopped(KgError, RuntimeError):
    """A query that took longer, or more memory, than it may; the message says how much."""


class QueryLimits(NamedTuple):
    """What ends a query: seconds, and bytes of memory beyond what the program had before."""

    seconds: float = 60
    bytes: int = 2 * 1024**3  # where the system tells: the answer to all triples of 10,000 notes


class _QueryThread(threading.Thread, Generic[T]):
    def __init__(self, ask: Callable[[], T]) -> None:
        super().__init__(daemon=True)  # so that a program may end before it
        self._ask = ask
        self.results: list[T] = []
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.results.append(self._ask())
        except BaseException as error:
            self.raised = error


def run_within_limits(limits: QueryLimits | None, run: Callable[[], T]) -> T:
    """What `run` returns or raises; in this thread without limits. Raises `QueryStopped`."""
    if limits is None:
        return run()
    thread = _QueryThread(run)
    memory_limit = _peak_memory() + limits.bytes
    deadline = time.monotonic() + limits.seconds
    thread.start()
    while thread.is_alive():
        thread.join(min(_PAUSE, max(deadline - time.monotonic(), 0)))
        if thread.is_alive() and time.monotonic() >= deadline:
            raise QueryStopped(f"the query was stopped: it took more than {limits.seconds:g} s")
        if thread.is_alive() and _peak_memory() > memory_limit:
            size = limits.bytes / 1024**2
            raise QueryStopped(f"the query was stopped: it took more than {size:,.0f} MiB")
    if thread.raised:
        raise thread.raised
    return thread.results[0]


def _peak_memory() -> int:
    """The most bytes that this process has had; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
