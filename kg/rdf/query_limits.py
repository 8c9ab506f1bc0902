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

Made = TypeVar("Made")
_PAUSE = 0.1  # seconds between two looks at the memory


class QueryStopped(KgError, RuntimeError):
    """A query that took longer, or more memory, than it may; the message says how much."""


class QueryLimits(NamedTuple):
    """What ends a query: seconds, and bytes of memory beyond what the program had before."""

    seconds: float = 60
    bytes: int = 2 * 1024**3  # where the system tells: the answer to all triples of 10,000 notes


class _Asked(threading.Thread, Generic[Made]):
    def __init__(self, ask: Callable[[], Made]) -> None:
        super().__init__(daemon=True)  # so that a program may end before it
        self._ask = ask
        self.made: list[Made] = []
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.made.append(self._ask())
        except BaseException as error:
            self.raised = error


def answer_within(limits: QueryLimits | None, ask: Callable[[], Made]) -> Made:
    """What `ask` returns or raises; without limits, in this thread. Raises `QueryStopped`."""
    if limits is None:
        return ask()
    asked = _Asked(ask)
    most, latest = _peak_memory() + limits.bytes, time.monotonic() + limits.seconds
    asked.start()
    while asked.is_alive():
        asked.join(min(_PAUSE, max(latest - time.monotonic(), 0)))
        if asked.is_alive() and time.monotonic() >= latest:
            raise QueryStopped(f"the query was stopped: it took more than {limits.seconds:g} s")
        if asked.is_alive() and _peak_memory() > most:
            size = limits.bytes / 1024**2
            raise QueryStopped(f"the query was stopped: it took more than {size:,.0f} MiB")
    if asked.raised:
        raise asked.raised
    return asked.made[0]


def _peak_memory() -> int:
    """The most bytes that this process has had; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
