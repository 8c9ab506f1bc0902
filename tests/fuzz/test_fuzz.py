"""Broken input of every kind makes our own errors, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.__main__ import FOUND, fuzz, try_input
from tests.fuzz.targets import TARGETS

SECONDS = 3  # for each target; `python -m tests.fuzz --seconds 3600` before a release


@pytest.mark.integration
@pytest.mark.parametrize("name", TARGETS)
def test_broken_input_makes_our_own_errors_alone(name: str, tmp_path: Path) -> None:
    assert fuzz(name, SECONDS, seed=1, kept=tmp_path) == 0


@pytest.mark.parametrize("part", ["*[^", "[^1]", "![[", "x [[#a]] ", "[[work#b]] "])
def test_marks_that_took_ever_longer_take_as_long_as_they_are(part: str) -> None:
    head = b"---\ntype: claim\ncamp: optimist\n---\n\n# Naps help\n\n"
    try_input(TARGETS["note"], head + part.encode() * (100_000 // len(part)))


def test_what_was_found_is_mended() -> None:
    for place in sorted(FOUND.glob("*/*")):
        try_input(TARGETS[place.parent.name], place.read_bytes())
