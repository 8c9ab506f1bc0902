"""The garbage collector is paused, and afterwards as it was; so is it for what is memoized.

Of `kg/runtime/memoize.py`, too.
"""

from __future__ import annotations

import gc

from kg.runtime.gc_pauses import pause_gc, run_gc_rarely
from kg.runtime.memoize import memoized_method


def test_a_pause_ends_as_it_began() -> None:
    assert gc.isenabled()
    with pause_gc():
        assert not gc.isenabled()
        with pause_gc():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_is_collected_rarely_is_afterwards_as_often_as_before() -> None:
    before = gc.get_threshold()
    with run_gc_rarely(before[0] + 1):
        assert gc.get_threshold() == (before[0] + 1, *before[1:])
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


class Counted:
    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    @memoized_method
    def add(self, one: int, other: int = 0) -> int:
        assert not gc.isenabled()
        self.asked.append((one, other))
        return one + other


def test_a_method_is_computed_once_for_each_object_and_its_arguments() -> None:
    first, second = Counted(), Counted()
    assert [first.add(1), first.add(1), first.add(1, other=2), first.add(1, other=3)] == [
        1,
        1,
        3,
        4,
    ]
    assert second.add(1) == 1
    assert (first.asked, second.asked) == ([(1, 0), (1, 2), (1, 3)], [(1, 0)])
