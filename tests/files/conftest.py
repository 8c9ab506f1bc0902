from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.files.folders import NOTE, files_below


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of the victim's with files that matter; nothing in it may change."""
    folder = tmp_path / "home"
    (folder / "site" / "html").mkdir(parents=True)
    for name in (".bashrc", "index.html", "precious", "site/html/index.html"):
        (folder / name).write_text("mine")
    return folder


@pytest.fixture
def sent(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that somebody sent, in which the victim stands."""
    folder = tmp_path / "sent"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "a.md").write_text(NOTE, "utf-8")
    (folder / "build" / "site").mkdir(parents=True)
    monkeypatch.chdir(folder)
    before = files_below(home)
    yield folder
    assert files_below(home) == before
