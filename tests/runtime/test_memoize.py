"""What is kept of an object: one result for each set of arguments, of a method or of a function."""

from __future__ import annotations

import gc

from kg.runtime.memoize import MemoizedFunction, memoized_function, memoized_method


class CallCounter:
    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    @memoized_method
    def add(self, one: int, other: int = 0) -> int:
        assert not gc.isenabled()
        self.calls.append((one, other))
        return one + other


def test_a_method_is_computed_once_for_each_object_and_its_arguments() -> None:
    first, second = CallCounter(), CallCounter()
    assert [first.add(1), first.add(1), first.add(1, other=2), first.add(1, other=3)] == [
        1,
        1,
        3,
        4,
    ]
    assert second.add(1) == 1
    assert (first.calls, second.calls) == ([(1, 0), (1, 2), (1, 3)], [(1, 0)])


def _double(thing: CallCounter, number: int) -> int:
    thing.calls.append((number, number))
    return 2 * number


def test_each_object_keeps_a_result_of_a_function_for_each_argument() -> None:
    double, triple = memoized_function(_double), memoized_function(lambda _, number: 3 * number)
    one, other = CallCounter(), CallCounter()
    assert [double(one, 1), double(one, 1), double(one, 2), double(other, 1)] == [2, 2, 4, 2]
    assert (one.calls, other.calls) == ([(1, 1), (2, 2)], [(1, 1)])
    assert triple(one, 1) == 3


def test_what_is_not_computed_is_not_known_and_what_is_given_is() -> None:
    double, thing = memoized_function(_double), CallCounter()
    assert double.recall(thing, 1) is None
    double.give(thing, 7, 1)
    assert (double.recall(thing, 1), double(thing, 1), double.recall(thing, 2)) == (7, 7, None)
    assert thing.calls == []


def test_objects_with_one_keeper_share_results() -> None:
    keeper, one, other = CallCounter(), CallCounter(), CallCounter()
    double = MemoizedFunction(_double, lambda _: keeper)
    assert (double(one, 1), double(other, 1), other.calls) == (2, 2, [])
