"""Commands that run in one folder at once: each finds all old or all new, or changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

PATIENCE = 240  # seconds, for commands that wait for each other
CLAIM = "---\ntype: claim\ncamp: optimist\n---\n\n# {}\n\nSee [[b]].\n\n- supports:: [[{}]] - so\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notes = tmp_path / "corpus" / "notes"
    notes.mkdir(parents=True)
    for name, target in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")):
        (notes / f"{name}.md").write_text(CLAIM.format(f"Naps help {name}", target))
    return notes.parent


def _run_at_once(folder: Path, *commands: str) -> list[subprocess.Popen[str]]:
    """The commands, ended; each complained in a line at most."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["KG_CACHE_DIR"] = str(folder.parent / "cache")
    ended = [
        subprocess.Popen(
            [sys.executable, "-m", "kg", *command.split()],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    for each in ended:
        _, complaints = each.communicate(timeout=PATIENCE)
        assert each.returncode in (0, 2), complaints
        assert len(complaints.splitlines()) == (each.returncode != 0), complaints
    return ended


def _texts_in(folder: Path) -> dict[str, bytes]:
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in folder.rglob("*")
        if place.is_file()
    }


def test_changes_at_once_are_made_whole_or_not_at_all(folder: Path) -> None:
    renamed = {"a": "x", "b": "y", "c": "z"}
    *renames, _ = _run_at_once(
        folder, *(f"rename {old} {new}" for old, new in renamed.items()), "fmt"
    )
    success = dict(zip(renamed.values(), (each.returncode == 0 for each in renames), strict=True))
    assert any(success.values())
    names = {place.stem for place in (folder / "notes").iterdir()}
    assert names == {"d", *(new if success[new] else old for old, new in renamed.items())}
    (checked,) = _run_at_once(folder, "check")
    assert checked.returncode == 0  # a link to what went would be an error


def test_a_change_is_taken_back_once(folder: Path) -> None:
    before = _texts_in(folder / "notes")
    _run_at_once(folder, "rename a x")
    codes = [each.returncode for each in _run_at_once(folder, "undo", "undo", "find claims")]
    assert sorted(codes) == [0, 0, 2]
    assert _texts_in(folder / "notes") == before


def test_of_two_builds_at_once_one_makes_the_site(folder: Path) -> None:
    alone, both = folder / "alone", folder / "both"
    _run_at_once(folder, f"build --out {both}", f"build --out {both}")
    _run_at_once(folder, f"build --out {alone}")
    pages = _texts_in(alone)
    assert {name: text for name, text in _texts_in(both).items() if name in pages} == pages
