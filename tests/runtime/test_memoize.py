"""What is kept of an object: one result for each set of arguments, of a method or of a function."""

from __future__ import annotations

import gc
from typing import Any

from kg.runtime.memoize import MemoizedFunction, ResultsKeeper, memoize
from tests.support.every_row import every_row


class CallCounter(ResultsKeeper):
    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    @memoize
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


class TextOfArguments(ResultsKeeper):
    @memoize
    def text(self, one: object = None, *, b: object = None) -> str:
        return f"{one} {b}"


def _text_of(_: TextOfArguments, one: object = None, *, b: object = None) -> str:
    return f"{one} {b}"


@every_row(
    ("first", "second"),
    [
        (((("b", 1),), {}), ((), {"b": 1})),
        (((("b", (1,)),), {}), ((), {"b": (1,)})),
        (((1,), {}), ((True,), {})),
        (((1,), {}), ((1.0,), {})),
        (((), {"b": 0}), ((), {"b": False})),
        (((), {}), ((None,), {"b": 1})),
    ],
)
def test_arguments_that_only_look_alike_have_results_of_their_own(
    first: tuple[Any, Any], second: tuple[Any, Any]
) -> None:
    text_of, owner = memoize(_text_of), TextOfArguments()
    assert text_of.__name__ == "_text_of"
    for args, kwargs in (first, second):
        expected = _text_of(owner, *args, **kwargs)
        assert owner.text(*args, **kwargs) == expected
        assert text_of.recall(owner, *args, **kwargs) is None
        assert text_of(owner, *args, **kwargs) == expected
        assert text_of.recall(owner, *args, **kwargs) == expected


def _double(thing: CallCounter, number: int) -> int:
    thing.calls.append((number, number))
    return 2 * number


def test_each_object_keeps_a_result_of_a_function_for_each_argument() -> None:
    double, triple = memoize(_double), memoize(lambda _, number: 3 * number)
    one, other = CallCounter(), CallCounter()
    assert [double(one, 1), double(one, 1), double(one, 2), double(other, 1)] == [2, 2, 4, 2]
    assert (one.calls, other.calls) == ([(1, 1), (2, 2)], [(1, 1)])
    assert triple(one, 1) == 3


def test_what_is_not_computed_is_not_known_and_what_is_given_is() -> None:
    double, thing = memoize(_double), CallCounter()
    assert double.recall(thing, 1) is None
    double.give(thing, 7, 1)
    assert (double.recall(thing, 1), double(thing, 1), double.recall(thing, 2)) == (7, 7, None)
    assert thing.calls == []


def test_objects_with_one_keeper_share_results() -> None:
    keeper, one, other = CallCounter(), CallCounter(), CallCounter()
    double = MemoizedFunction(_double, lambda _: keeper)
    assert (double(one, 1), double(other, 1), other.calls) == (2, 2, [])
