"""One run changes a folder at a time."""

from __future__ import annotations

import errno
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from kg.files import locks
from kg.files.locks import LockTimeout, hold_lock


def test_one_build_at_a_time(tmp_path: Path) -> None:
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
