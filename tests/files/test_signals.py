from __future__ import annotations

import signal

import pytest

from kg.files.signals import signals_wait


def test_ctrl_c_counts_at_the_end_of_the_block() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), signals_wait():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_nothing_came_nothing_counts() -> None:
    with signals_wait():
        pass
