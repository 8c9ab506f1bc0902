from __future__ import annotations

from pathlib import Path

import pytest

from kg.publish.lock import Busy, locked


def test_one_build_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    with locked(place), pytest.raises(Busy, match=tmp_path.name), locked(place, patience=0.01):
        pass
    with locked(place, patience=0.01):
        assert place.exists()
