"""Methods whose results are kept by their object: `memoized_method`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from kg.runtime.gc_pauses import pause_gc

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def memoized_method(
    make: Callable[Concatenate[Any, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Result]:
    """A method that is computed once for each set of arguments; its object keeps the results."""

    @wraps(make)
    def wrapper(self: object, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        results = self.__dict__.setdefault("_memoized_results", {})
        key = (make, *args, *kwargs.items())
        if key not in results:
            with pause_gc():
                results[key] = make(self, *args, **kwargs)
        result: Result = results[key]
        return result

    return wrapper
