from __future__ import annotations

import signal

import pytest

from kg.files.locks import delay_signals


def test_ctrl_c_counts_at_the_end_of_the_block() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), delay_signals():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_nothing_came_nothing_counts() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = []
    with delay_signals():
        assert signal.getsignal(signal.SIGINT) is not before
        done.append("all")
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is before


def test_all_that_came_count_where_the_first_is_ignored() -> None:
    told: list[int] = []
    before = [
        signal.signal(signal.SIGINT, signal.SIG_IGN),
        signal.signal(signal.SIGTERM, lambda number, _: told.append(number)),
    ]
    try:
        with delay_signals():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            assert not told
        assert told == [signal.SIGTERM]
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
