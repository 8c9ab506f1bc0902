"""A disk that takes no more: one line says so, and nothing is left half written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("no limit on the size of files is known there", allow_module_level=True)

from tests.support.patience import PATIENCE
from tests.support.split_off import run_split_off

pytestmark = pytest.mark.integration

NOTE = "---\ntype: claim\ncamp: skeptic\n---\n\n# Naps take time\n\nSee [[b]].\n\n" + "Text. " * 300
OTHER = "---\ntype: claim\ncamp: optimist\n---\n\n# Naps pay\n\n- contradicts :: [[a]] - they do\n"
# where Python wrote what it compiles, half of a module would be left behind
SETTINGS = {"PATH": "", "PYTHONPATH": ":".join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
COMMANDS = (
    ("init", "new"),
    ("init", "over/there"),
    ("new", "claim", "Naps help " * 9),
    ("fmt",),
    ("rename", "a", "naps-take-time"),
    ("check", "--fix"),
    ("retire", "a"),
    ("export", "ttl", "-o", "graph.ttl"),
    ("export", "csv", "-o", "tables"),
    ("export", "ttl", "-o", "out/of/graph.ttl"),
    ("export", "jsonld", "-o", "graph.json"),
    ("export", "aif", "-o", "graph.json"),
    ("build",),
)


def all_below(folder: Path) -> dict[str, bytes | None]:
    """Each file with its content, and each folder."""
    return {
        place.relative_to(folder).as_posix(): place.read_bytes() if place.is_file() else None
        for place in folder.rglob("*")
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "corpus"
    (place / "notes").mkdir(parents=True)
    (place / "notes" / "a.md").write_text(NOTE)
    (place / "notes" / "b.md").write_text(OTHER)
    return place


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_one_line_and_leaves_nothing_half_written(
    command: tuple[str, ...], folder: Path
) -> None:
    before = all_below(folder)
    for maximum in (0, 40, 700):
        home = {"PATH": "", "HOME": str(folder.parent)}
        result = run_split_off(command, folder, home, limits={"RLIMIT_FSIZE": maximum})
        if result.returncode == 2:
            assert all_below(folder) == before
            assert len(result.stderr.strip().splitlines()) == 1, result.stderr
            assert result.stderr.startswith(b"error: ")
        else:  # all files that it writes are that small
            assert result.returncode in (0, 1), result.stderr
            assert maximum == 700


@pytest.mark.parametrize("command", [("find", "claims"), ("check",), ("verdict", "a")])
def test_where_few_files_may_be_open_a_command_answers_all_or_says_so(
    command: tuple[str, ...], folder: Path
) -> None:
    """A note that cannot be opened for this is not passed over as if it had not been there."""
    usual = None
    for maximum in (64, 9, 8, 7, 6, 5, 4):
        home = {"PATH": "", "HOME": str(folder.parent)}
        result = run_split_off(command, folder, home, limits={"RLIMIT_NOFILE": maximum})
        usual = usual or result.stdout
        if result.returncode == 2:
            assert result.stderr.endswith(b"Too many open files\n")
            assert len(result.stderr.splitlines()) == 1, result.stderr
        else:
            assert (result.stdout, result.stderr) == (usual, b"")
    assert usual


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no such device")
@pytest.mark.parametrize("command", [("find", "claims"), ("export", "ttl"), ("show", "a")])
def test_output_that_goes_to_a_full_disk_is_one_line(
    command: tuple[str, ...], folder: Path
) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-c", "from kg.cli import run; run()", *command],
            cwd=folder,
            env={**SETTINGS, "HOME": str(folder.parent)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.endswith(": No space left on device\n")
    assert result.returncode == 2


def test_a_process_that_starts_where_nothing_can_be_kept_answers_as_elsewhere(folder: Path) -> None:
    answers = []
    for settings in ({"HOME": str(folder.parent)}, {"HOME": "/proc", "LC_ALL": "C"}):
        result = subprocess.run(
            [sys.executable, "-m", "kg", "find", "claims"],
            cwd=folder,
            env=SETTINGS | settings,
            capture_output=True,
            timeout=PATIENCE,
        )
        answers.append((result.returncode, result.stdout, result.stderr))
    assert answers[0] == answers[1]
    assert answers[0][0] == 0


def test_closed_input_and_output_cause_no_traceback(folder: Path) -> None:
    run = f"{sys.executable!r} -c 'from kg.cli import run; run()'"
    for command, status in (("find claims", 0), ("check", 0), ("export ttl", 0), ("show none", 2)):
        result = subprocess.run(
            ["/bin/sh", "-c", f"{run} {command} <&- >&-"],
            cwd=folder,
            env={**SETTINGS, "HOME": str(folder.parent)},
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
        assert "Traceback" not in result.stderr
        assert (result.returncode == 2) is (status == 2), result.stderr


NO_PLACES: tuple[dict[str, str | None], ...] = (
    {"HOME": None},
    {"HOME": "/nonexistent", "TMPDIR": "/nonexistent", "PATH": None},
    {"HOME": "/proc"},
    {"KG_CACHE_DIR": ""},
    {"KG_CACHE_DIR": "kept"},
    {"KG_CACHE_DIR": "/dev/null", "HOME": None, "TMPDIR": "/nonexistent"},
    {"KG_CACHE_DIR": "/dev/null/kg"},
    {"XDG_CACHE_HOME": "kept"},
    {"XDG_CACHE_HOME": "/dev/full"},
)
"""Environments that name no place for what is kept, or one that takes nothing."""


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check",),
    ("find", "claims"),
    ("search", "naps"),
    ("sparql", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"),
    ("rename", "a", "c", "--dry-run"),
    ("build", "--out", "../site"),
)


@pytest.mark.parametrize(
    "position", range(len(COMMANDS)), ids=lambda position: " ".join(COMMANDS[position])
)
def test_where_nothing_can_be_kept_a_command_answers_as_elsewhere(
    position: int, folder: Path
) -> None:
    command = COMMANDS[position]
    usual: dict[str, str | None] = {"PATH": "", "HOME": str(folder.parent)}
    before, answers = all_below(folder), []
    # each command meets every third of them, and each of them two commands
    for settings in ({}, *NO_PLACES[position % 3 :: 3]):
        values = {name: value for name, value in (usual | settings).items() if value is not None}
        result = run_split_off(command, folder, values)
        shutil.rmtree(folder.parent / "site", ignore_errors=True)
        answers.append((result.returncode, result.stdout, result.stderr))
        assert answers[-1] == answers[0], settings
    assert answers[0][0] == 0
    assert all_below(folder) == before
