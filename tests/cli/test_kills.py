"""A command that is killed, at whichever call: the next one finds everything old or new."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pyoxigraph as ox
import pytest

if os.name == "nt":
    pytest.skip("processes are not split off there", allow_module_level=True)

from kg.loader import load_corpus
from kg.rdf.quad_store import as_store
from kg.rdf.quads import as_quads
from tests.cli.kills import WHOLE, kill_at_each_call
from tests.support.command import CompletedCommand, kg
from tests.support.effort import TIMES
from tests.support.store_endpoints import serve_store_by_token

pytestmark = pytest.mark.integration

CLAIM = "---\ntype: claim\ncamp: {}\n---\n\n# {}\n\n{}\n"
MORE = """See [[b]].

> [!evidence] Pauses were rare ^found
> So it was.

## Teaching takes pauses

- supports :: [[c]] - they do
"""
NOTES = {
    "a.md": CLAIM.format("skeptic", "Naps take time", MORE),
    "b.md": CLAIM.format("optimist", "Naps pay", "- contradicts:: [[a]] — they do"),
    "c.md": CLAIM.format(
        "optimist", "Rest pays", "- contradicts:: [[a]] — it does\n- suports:: [[b]]"
    ),
}
COMMANDS = (
    ("init", "demo"),
    ("new", "claim", "Naps help"),
    ("export", "csv", "-o", "tables"),
    ("sparql", "SELECT * { ?s ?p ?o }"),
)
CHANGES_OF_NOTES = (
    ("rename", "a", "naps-take-time"),
    ("fmt",),
    ("promote", "a#^found"),
    ("merge", "b", "c"),
    ("split", "a", "--at", "Teaching takes pauses"),
    ("retire", "a"),
    ("check", "--fix"),
    ("import", "kialo", "outline.txt"),
)
EVERY = 1 if TIMES > 1 else 3  # calls, between two at which it is killed
SELDOM = 1 if TIMES > 1 else 5  # for commands that write in a way that is tried oftener elsewhere
# what stays for a day in the user's own cache folder, in case its writer lives
PASSING = "draft-"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "corpus"
    (place / "notes").mkdir(parents=True)
    for name, text in NOTES.items():
        (place / "notes" / name).write_text(text)
    (place / "outline.txt").write_text("1. Rain should be banned.\n1.1. Pro: Rain is wet.\n")
    return place


def files_in(place: Path, with_hidden_files: bool = True) -> dict[str, bytes]:
    """The files in a folder but for the cache; with those whose names begin with a dot, or not."""
    record = {
        each.relative_to(place).as_posix(): each.read_bytes()
        for each in place.rglob("*")
        if each.is_file()
    }
    return {
        name: data
        for name, data in record.items()
        if not name.startswith("cache") and (with_hidden_files or "/." not in f"/{name}")
    }


def left_in_cache(place: Path) -> list[str]:
    names = (each.name for each in (place / "cache").rglob(".*"))
    return [name for name in names if not name.startswith(PASSING)]


def run(place: Path, *words: str, **environment: str) -> CompletedCommand:
    return kg(place, *words, KG_CACHE_DIR=str(place / "cache"), **environment)


@pytest.mark.parametrize("command", [*COMMANDS, *CHANGES_OF_NOTES], ids=" ".join)
def test_wherever_a_command_is_killed_the_next_finds_all_old_or_all_new(
    command: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    before, keep = files_in(folder), tmp_path / "killed"
    every = SELDOM if command in CHANGES_OF_NOTES[1:] else EVERY
    kills = 0
    for _ in kill_at_each_call(folder, keep, *command, every=every):
        kills += 1
        after = files_in(keep / WHOLE)
        files = files_in(folder, with_hidden_files=False)
        assert all(data in (before.get(name), after.get(name)) for name, data in files.items())
        if command in CHANGES_OF_NOTES:
            run(folder, "find", "claims")  # also what only reads puts back a half of a change
            assert files_in(folder) in (before, after)
        run(folder, *command)
        assert files_in(folder) == files_in(keep / WHOLE)
        assert left_in_cache(folder) == []
    assert files_in(keep / WHOLE) != before or command[0] == "sparql"
    assert kills > 1


def test_undo_killed_at_any_call_undoes_one_change_or_none(folder: Path, tmp_path: Path) -> None:
    before, keep = files_in(folder), tmp_path / "killed"
    run(folder, "fmt")
    formatted = files_in(folder)
    run(folder, "rename", "a", "naps-take-time")
    renamed = files_in(folder)
    assert before != formatted != renamed
    for _ in kill_at_each_call(folder, keep, "undo"):
        run(folder, "find", "claims")
        assert files_in(folder) in (formatted, renamed)
        if files_in(folder) == renamed:
            assert run(folder, "undo").returncode == 0
        assert files_in(folder) == formatted
        assert run(folder, "undo").returncode == 0
        assert files_in(folder) == before


def test_undoing_a_change_that_was_killed_halfway_leaves_earlier_changes(
    folder: Path, tmp_path: Path
) -> None:
    run(folder, "fmt")
    formatted = files_in(folder)
    halves = 0
    for _ in kill_at_each_call(folder, tmp_path / "killed", "rename", "a", "naps", every=2):
        if files_in(folder, with_hidden_files=False) != formatted:
            halves += 1
            half = files_in(folder)
            result = run(folder, "undo", "--dry-run")
            assert (result.returncode, files_in(folder)) == (0, half)
            assert "was stopped halfway" in result.stderr
            assert result.stdout.startswith("diff --git a/")
            run(folder, "undo")
            assert files_in(folder) == formatted
    assert halves


def test_wherever_a_push_is_killed_nobody_pulls_a_mixture_and_the_next_mends_it(
    folder: Path, tmp_path: Path
) -> None:
    before = as_store(load_corpus(folder / "notes"))
    topics = ", ".join(f"t{number}" for number in range(1200))  # more than one update takes
    text = NOTES["c.md"].replace("camp:", f"topics: [{topics}]\ncamp:")
    for name in ("c.md", "d.md"):
        (folder / "notes" / name).write_text(text)
    (folder / "notes" / "b.md").unlink()
    after = set(as_quads(load_corpus(folder / "notes")))
    stores: defaultdict[str, ox.Store] = defaultdict(lambda: _copy(before))
    refused = 0
    with serve_store_by_token(stores.__getitem__) as url:
        words = ("push", "--endpoint", url)
        for number in kill_at_each_call(folder, tmp_path / "killed", *words, every=EVERY):
            store = stores[str(number)]
            pull = ("pull", "nq", "--endpoint", url, "-o", "graph.nq")
            pulled = run(folder, *pull, KG_ENDPOINT_TOKEN=str(number))
            if set(store) not in (set(before), after):
                refused += 1
                assert "incomplete" in pulled.stderr
            assert (pulled.returncode == 0) is (set(store) in (set(before), after))
            assert run(folder, *words, KG_ENDPOINT_TOKEN=str(number)).returncode == 0
            assert set(store) == after
    assert refused


def _copy(store: ox.Store) -> ox.Store:
    copy = ox.Store()
    copy.extend(store)
    return copy


def test_wherever_a_pull_is_killed_each_file_is_old_or_new(folder: Path, tmp_path: Path) -> None:
    run(folder, "export", "csv", "-o", "tables")
    (folder / "notes" / "b.md").unlink()
    before, keep = files_in(folder), tmp_path / "killed"
    store = as_store(load_corpus(folder / "notes"))
    with serve_store_by_token(lambda _: store) as url:
        words = ("pull", "csv", "--endpoint", url, "-o", "tables")
        for _ in kill_at_each_call(folder, keep, *words, every=SELDOM):
            after = files_in(keep / WHOLE)
            assert before != after
            files = files_in(folder, with_hidden_files=False)
            assert all(data in (before.get(name), after.get(name)) for name, data in files.items())
            assert run(folder, *words).returncode == 0
            assert files_in(folder) == after
