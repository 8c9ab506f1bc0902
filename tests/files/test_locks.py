"""One run changes a folder at a time."""

from __future__ import annotations

import errno
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from kg.files import locks
from kg.files.locks import LockTimeout, delay_signals, hold_lock


def test_a_lock_is_held_by_one_run_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    with (
        hold_lock(place, "here"),
        pytest.raises(LockTimeout, match="another run of kg is working in here"),
        hold_lock(place, "here", 0.01),
    ):
        pass
    with hold_lock(place, "here", 0.01):
        assert place.exists()


def test_a_lock_that_is_let_go_of_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, first = tmp_path / "lock", ExitStack()
    first.enter_context(hold_lock(place, "here"))
    monkeypatch.setattr(locks.time, "sleep", lambda _: first.close())
    with hold_lock(place, "here", 5.0), pytest.raises(LockTimeout), hold_lock(place, "here", 0.0):
        pass


def _no_locks(*_: object) -> None:
    raise OSError(errno.ENOLCK, "No locks available")


@pytest.mark.skipif(sys.platform == "win32", reason="locks are made otherwise there")
def test_a_disk_without_locks_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks.fcntl, "flock", _no_locks)
    with hold_lock(tmp_path / "lock", "here", 0.0):
        assert (tmp_path / "lock").exists()


def test_ctrl_c_counts_at_the_end_of_the_block() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt), delay_signals():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        steps.append("the rest")
    assert steps == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_a_signal_the_block_ends_and_the_handler_is_restored() -> None:
    before = signal.getsignal(signal.SIGINT)
    steps = []
    with delay_signals():
        assert signal.getsignal(signal.SIGINT) is not before
        steps.append("all")
    assert steps == ["all"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_signal_is_delivered_although_the_first_is_ignored() -> None:
    messages: list[int] = []
    before = [
        signal.signal(signal.SIGINT, signal.SIG_IGN),
        signal.signal(signal.SIGTERM, lambda number, _: messages.append(number)),
    ]
    try:
        with delay_signals():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            assert not messages
        assert messages == [signal.SIGTERM]
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
