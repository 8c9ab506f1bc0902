"""A corpus of two claims and a line, as an editor opens it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.files.read_files import NotesFolder
from kg.lsp.workspace import Workspace

NAPS = """---
type: claim
camp: optimist
topics: [sleep]
status: stable
---

# Naps help memory

They do. See [[rest]] and [@doe2024].

> [!evidence] It was seen ^seen
> In a trial. [@doe2024] (method:: experiment) (reason:: seeing it is a reason)

- contradicts:: [[rest]] — rest is not enough
"""
REST = """---
type: claim
topics: [sleep]
open: nobody looked
---

# Rest is enough

It is. 😀 Says who?
"""
LINE = """---
type: line
---

# May pupils nap?

- optimist:: [[naps]] — they help
- skeptic:: [[rest]] — it is enough
"""
BOOKS = "@book{doe2024,\n  title = {On naps},\n  author = {Doe, Jo},\n  year = {2024},\n}\n"
CAMPS = """[[camps]]
id = "optimist"
label = "Optimists"

[[camps]]
id = "skeptic"
label = "Skeptics"
"""


@pytest.fixture(autouse=True)
def own_pace() -> Iterator[None]:
    """A session sets how often threads take turns, and when garbage is collected."""
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)
    gc.enable()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    return write_corpus(tmp_path / "corpus")


def write_corpus(folder: Path) -> Path:
    (folder / "notes").mkdir(parents=True)
    notes = {"naps.md": NAPS, "rest.md": REST, "line.md": LINE, "references.bib": BOOKS}
    for name, text in notes.items():
        (folder / "notes" / name).write_text(text, "utf-8")
    (folder / "kg.toml").write_text(CAMPS, "utf-8")
    return folder


@pytest.fixture
def workspace(root: Path) -> Workspace:
    """The same, read and weighed, without an editor."""
    workspace_of_notes = Workspace(NotesFolder.from_path(root / "notes"))
    workspace_of_notes.open()
    workspace_of_notes.join()
    workspace_of_notes.weigh()
    return workspace_of_notes
