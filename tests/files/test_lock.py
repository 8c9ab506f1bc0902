from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from kg.files import state as module
from kg.files.state import LockTimeout, locked


def test_one_build_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    with (
        locked(place, "here"),
        pytest.raises(LockTimeout, match="in here"),
        locked(place, "here", 0.01),
    ):
        pass
    with locked(place, "here", 0.01):
        assert place.exists()


def _no_locks(*_: object) -> None:
    raise OSError(errno.ENOLCK, "No locks available")


@pytest.mark.skipif(sys.platform == "win32", reason="locks are made otherwise there")
def test_a_disk_without_locks_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.fcntl, "flock", _no_locks)
    with locked(tmp_path / "lock", "here", 0.0):
        assert (tmp_path / "lock").exists()
