"""A folder of notes that somebody sent, and what is in a folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

NOTE = "---\ntype: claim\n---\n\n# Sleep helps memory\n\nAs was found.\n"
LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, and what it holds."""
    files = (place for place in folder.rglob("*") if place.is_file())
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in files}
