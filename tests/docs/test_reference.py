"""The reference holds every public name; what it fills in from docstrings is right."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import kg
from kg import reasoning

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
PAGES = sorted(FOLDER.glob("*.md"))
NAMED = [
    name for page in PAGES for name in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.M)
]
"""What the reference documents, by its dotted name."""


def _named(path: str) -> object:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def test_every_public_name_stands_in_the_reference_once() -> None:
    shown = [_named(path) for path in NAMED]
    public = [getattr(room, name) for room in (kg, reasoning) for name in room.__all__]
    assert [name for name in public if name not in shown] == []
    assert len({id(each) for each in shown}) == len(shown)


def test_every_page_is_listed() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text("utf-8")))
    assert listed == {page.name for page in PAGES} - {"README.md"}
