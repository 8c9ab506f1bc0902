"""A command that is killed, at whichever call: the next one finds everything old or new."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("processes are not split off there", allow_module_level=True)

from tests.support.command import Ended, kg
from tests.support.effort import TIMES
from tests.support.kills import WHOLE, killed_everywhere

pytestmark = pytest.mark.integration

CLAIM = "---\ntype: claim\ncamp: {}\n---\n\n# {}\n\n{}\n"
NOTES = {
    "a.md": CLAIM.format("skeptic", "Naps take time", "See [[b]].  "),
    "b.md": CLAIM.format("optimist", "Naps pay", "- contradicts:: [[a]] — they do"),
    "c.md": CLAIM.format("optimist", "Rest pays", "- contradicts:: [[a]] — it does"),
}
COMMANDS = (
    ("init", "demo"),
    ("new", "claim", "Naps help"),
    ("rename", "a", "naps-take-time"),
    ("export", "csv", "-o", "tables"),
    ("sparql", "SELECT * { ?s ?p ?o }"),
)
EVERY = 1 if TIMES > 1 else 3  # calls, between two at which it is killed
# what stays for a day in the user's own cache folder, in case its writer lives
PASSING = "draft-"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "corpus"
    (place / "notes").mkdir(parents=True)
    for name, text in NOTES.items():
        (place / "notes" / name).write_text(text)
    return place


def files_in(place: Path, hidden: bool = True) -> dict[str, bytes]:
    """The files in a folder but for the cache; with those whose names begin with a dot, or not."""
    found = {
        each.relative_to(place).as_posix(): each.read_bytes()
        for each in place.rglob("*")
        if each.is_file()
    }
    return {
        name: data
        for name, data in found.items()
        if not name.startswith("cache") and (hidden or "/." not in f"/{name}")
    }


def left_in_cache(place: Path) -> list[str]:
    names = (each.name for each in (place / "cache").rglob(".*"))
    return [name for name in names if not name.startswith(PASSING)]


def run(place: Path, *words: str) -> Ended:
    return kg(place, *words, KG_CACHE_DIR=str(place / "cache"))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_wherever_a_command_is_killed_the_next_finds_all_old_or_all_new(
    command: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    before, keep = files_in(folder), tmp_path / "killed"
    kills = 0
    for _ in killed_everywhere(folder, keep, *command, every=EVERY):
        kills += 1
        after = files_in(keep / WHOLE)
        now = files_in(folder, hidden=False)
        assert all(data in (before.get(name), after.get(name)) for name, data in now.items())
        if command[0] == "rename":
            run(folder, "find", "claims")  # also what only reads puts back a half of a change
            assert files_in(folder) in (before, after)
        run(folder, *command)
        assert files_in(folder) == files_in(keep / WHOLE)
        assert left_in_cache(folder) == []
    assert kills > 1


def test_what_is_taken_back_is_taken_back_once_wherever_that_is_killed(
    folder: Path, tmp_path: Path
) -> None:
    before, keep = files_in(folder), tmp_path / "killed"
    run(folder, "fmt")
    formatted = files_in(folder)
    run(folder, "rename", "a", "naps-take-time")
    renamed = files_in(folder)
    assert before != formatted != renamed
    for _ in killed_everywhere(folder, keep, "undo"):
        run(folder, "find", "claims")
        assert files_in(folder) in (formatted, renamed)
        if files_in(folder) == renamed:
            assert run(folder, "undo").returncode == 0
        assert files_in(folder) == formatted
        assert run(folder, "undo").returncode == 0
        assert files_in(folder) == before


def test_to_undo_what_was_stopped_takes_nothing_else_back(folder: Path, tmp_path: Path) -> None:
    run(folder, "fmt")
    formatted = files_in(folder)
    halves = 0
    for _ in killed_everywhere(folder, tmp_path / "killed", "rename", "a", "naps", every=2):
        if files_in(folder, hidden=False) != formatted:
            halves += 1
            run(folder, "undo")
            assert files_in(folder) == formatted
    assert halves
