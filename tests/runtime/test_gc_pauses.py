"""The garbage collector is paused, and afterwards as it was."""

from __future__ import annotations

import gc

from kg.runtime.gc_pauses import pause_gc, run_gc_rarely


def test_nested_pauses_leave_the_collector_as_it_was() -> None:
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
