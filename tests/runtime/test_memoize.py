"""What is kept of an object: one result for each set of arguments, of a function or of a method."""

from __future__ import annotations

from kg.runtime.memoize import MemoizedFunction, memoized_function


class Thing:
    """An object, and the calls that were made about it."""

    def __init__(self, like: Thing | None = None) -> None:
        self.calls: list[int] = []
        self.like = like or self


def _double(thing: Thing, number: int) -> int:
    thing.calls.append(number)
    return 2 * number


def test_each_object_keeps_a_result_for_each_argument() -> None:
    double = memoized_function(_double)
    one, other = Thing(), Thing()
    assert [double(one, 1), double(one, 1), double(one, 2), double(other, 1)] == [2, 2, 4, 2]
    assert (one.calls, other.calls) == ([1, 2], [1])


def test_functions_of_one_object_keep_their_results_apart() -> None:
    thing = Thing()
    triple = memoized_function(lambda thing, number: 3 * number)
    assert (memoized_function(_double)(thing, 1), triple(thing, 1)) == (2, 3)


def test_what_is_not_computed_is_not_known_and_what_is_given_is() -> None:
    double, thing = memoized_function(_double), Thing()
    assert double.known(thing, 1) is None
    double.give(thing, 7, 1)
    assert (double.known(thing, 1), double(thing, 1), double.known(thing, 2)) == (7, 7, None)
    assert thing.calls == []


def test_objects_with_one_keeper_share_results() -> None:
    double = MemoizedFunction(_double, lambda thing: thing.like)
    one = Thing()
    other = Thing(one)
    assert (double(one, 1), double(other, 1), other.calls) == (2, 2, [])
