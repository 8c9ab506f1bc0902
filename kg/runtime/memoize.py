"""Memoization: results computed once of an object that does not change, and kept by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from kg.runtime.gc_pauses import pause_gc


class ResultsKeeper:
    """The base of a class whose objects keep what memoized functions computed of them."""

    @cached_property
    def memoized_results(self) -> dict[object, Any]:
        """The results, by function and further arguments."""
        return {}


Owner = TypeVar("Owner")
OwnKeeper = TypeVar("OwnKeeper", bound=ResultsKeeper)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class MemoizedFunction(Generic[Owner, Arguments, Result]):
    """A function of an object, or a method of its class, computed once for each set of arguments.
    `keeper` is what keeps the results of the object, where several share them.
    """

    def __init__(
        self,
        make: Callable[Concatenate[Owner, Arguments], Result],
        keeper: Callable[[Owner], ResultsKeeper],
    ) -> None:
        update_wrapper(self, make)
        self._make = make
        self._keeper = keeper

    def __call__(self, owner: Owner, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        results = self._keeper(owner).memoized_results
        key = _result_key(self, args, kwargs)
        if key not in results:
            with pause_gc():
                results[key] = self._make(owner, *args, **kwargs)
        result: Result = results[key]
        return result

    @overload
    def __get__(self, owner: None, owner_class: type) -> Self: ...

    @overload
    def __get__(self, owner: Owner, owner_class: type) -> Callable[Arguments, Result]: ...

    def __get__(self, owner: Owner | None, owner_class: type) -> Self | Callable[Arguments, Result]:
        """Bind it, as a method, to the object on which it is called."""
        return self if owner is None else partial(self, owner)

    def recall(
        self, owner: Owner, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result | None:
        """The result if it has been computed, else None."""
        return self._keeper(owner).memoized_results.get(_result_key(self, args, kwargs))

    def give(
        self, owner: Owner, result: Result, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> None:
        """Let `result`, found in another way, be that of `owner`."""
        self._keeper(owner).memoized_results[_result_key(self, args, kwargs)] = result


def memoize(
    make: Callable[Concatenate[OwnKeeper, Arguments], Result],
) -> MemoizedFunction[OwnKeeper, Arguments, Result]:
    """A function, or method, whose results the object keeps that is its first argument."""
    return MemoizedFunction(make, lambda owner: owner)


def _result_key(make: object, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
    """The key of a result. Types are part of it, as `1 == True == 1.0`; those within a tuple are
    not told apart.
    """
    if not args and not kwargs:
        return make
    types = tuple(map(type, (*args, *kwargs.values())))
    return make, args, tuple(kwargs.items()), types
