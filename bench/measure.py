"""How things are measured here: interleaved, medians, as ratios within one run."""

from __future__ import annotations

import gc
import resource
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

Name = TypeVar("Name", str, tuple[str, str])


class Row(NamedTuple):
    """One line of a report: what was done, how long it took, and how often the floor fits in it."""

    what: str
    seconds: float
    floor: float
    note: str = ""

    @property
    def ratio(self) -> float:
        """Time as a multiple of the floor's."""
        return self.seconds / self.floor


def processor_time() -> float:
    """Processor time of this process, and of those that it started and that ended."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


def medians(
    tasks: Mapping[Name, Callable[[], Any]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Name, float]:
    """Median time of each task. Rounds run every task once, so that all share the weather."""
    return {name: statistics.median(taken) for name, taken in _times(tasks, rounds, clock).items()}


def best(
    tasks: Mapping[Name, Callable[[], Any]], rounds: int, clock: Callable[[], float]
) -> dict[Name, float]:
    """Shortest time of each task, in rounds as for `medians`: what noise adds to least."""
    return {name: min(taken) for name, taken in _times(tasks, rounds, clock).items()}


def _times(
    tasks: Mapping[Name, Callable[[], Any]], rounds: int, clock: Callable[[], float]
) -> dict[Name, list[float]]:
    times: dict[Name, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            gc.collect()
            start = clock()
            kept = task()
            times[name].append(clock() - start)
            del kept
    return times


def rounds_for(size: int) -> int:
    """Seven rounds, three for what takes long."""
    return 7 if size <= 10_000 else 3
