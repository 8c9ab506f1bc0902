"""Broken input of every kind makes our own errors, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.__main__ import FOUND_FOLDER, fuzz, try_input
from tests.fuzz.targets import TARGETS

SECONDS = 1  # for each target; `python -m tests.fuzz --seconds 3600` before a release


@pytest.mark.integration
@pytest.mark.parametrize("name", TARGETS)
def test_broken_input_makes_our_own_errors_alone(name: str, tmp_path: Path) -> None:
    assert fuzz(name, SECONDS, seed=1, kept_folder=tmp_path) == 0


@pytest.mark.integration  # a busy machine takes longer
@pytest.mark.parametrize(
    ("name", "part"),
    [("note", part) for part in ("*[^", "[^1]", "![[", "x [[#a]] ", "[[work#b]] ", "> - ")]
    + [("note", "> [!note] x\n> y [@doe]\n\n")]
    + [
        ("mapped", part)
        for part in ("Since [[{}]], so. ", "since [[{}]] ", "(opposes:: [[{}]]) x ")
    ],
)
def test_many_repeated_marks_are_read_in_bounded_time(name: str, part: str) -> None:
    head = "---\ntype: claim\ncamp: optimist\n---\n\n# Naps help\n\n"
    many = "".join(part.format(number) for number in range(50_000 // len(part)))
    try_input(TARGETS[name], (head + many).encode())


def test_what_was_found_is_mended() -> None:
    places = sorted(FOUND_FOLDER.glob("*/*"))
    assert places
    for place in places:
        try_input(TARGETS[place.parent.name], place.read_bytes())
