"""Methods whose results are kept by their object: `memoized_method`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar


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


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def memoized_method(
    make: Callable[Concatenate[Any, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Result]:
    """A method that is worked out once for what it is asked; its object keeps what was found."""

    @wraps(make)
    def wrapper(self: Any, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        known = self.__dict__.setdefault("_found", {})
        key = (make, *args, *kwargs.items())
        if key not in known:
            with pause_gc():
                known[key] = make(self, *args, **kwargs)
        found: Result = known[key]
        return found

    return wrapper
