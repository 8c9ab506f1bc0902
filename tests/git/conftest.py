from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.git.linked_objects import CAN_LINK_HANDLES, HANDLES_FOLDER
from tests.git.sent import Sent


@pytest.fixture
def sent(tmp_path: Path) -> Iterator[Sent]:
    """A folder that somebody sent; every file that is opened for it is closed again."""
    gc.freeze()  # what other tests left is not looked through again for each test
    before = _open_files()
    yield Sent(tmp_path)
    gc.collect()
    assert _open_files() <= before  # others of this process may close some meanwhile


def _open_files() -> int:
    return len(os.listdir(HANDLES_FOLDER)) if CAN_LINK_HANDLES else 0
