"""Times at which Python's garbage collector pauses, or runs rarely."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause the garbage collector while many values and no cycles are made: halves the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def run_gc_rarely(new_objects: int) -> Iterator[None]:
    """Collect after `new_objects` new ones, and leave out those there are, as most stay."""
    gc.freeze()
    old_threshold = gc.get_threshold()
    gc.set_threshold(new_objects, *old_threshold[1:])
    try:
        yield
    finally:
        gc.set_threshold(*old_threshold)
        gc.unfreeze()
