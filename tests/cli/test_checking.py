"""`kg check` of some files, of a text that is not saved, and again and again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.notes.discover import MAX_NOTE_BYTES
from tests.support.command import status

CLAIM = """---
type: claim
---

# Sleep helps

> [!evidence] It was seen ^seen
> Here. (reason:: so)
"""
NOTES = {"sleep": CLAIM}
BOOKS = ""
BROKEN = CLAIM.replace("# Sleep helps", "# Naps help").replace("^seen", "^seen\n> [@nobody]")


def test_notes_are_checked_again_when_they_change_and_broken_settings_are_told(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def edit_twice(
        find: Callable[[], list[str]], react: Callable[[set[str]], None], _: object
    ) -> None:
        assert [Path(file).name for file in find()][:1] == ["sleep.md"]
        (notes / "sleep.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
        react({"sleep.md"})
        (notes.parent / "kg.toml").write_text("name = ", "utf-8")
        react({"kg.toml"})
        raise KeyboardInterrupt

    monkeypatch.setattr("kg.serve.watch_and_serve.watch_files", edit_twice)
    assert status("check", "--watch") == 0
    told = capsys.readouterr()
    assert "1 warning in 2 statements" in told.out
    assert "there is no type of note `clam`" in told.out
    assert told.err.splitlines()[:2] == ["watching; Ctrl-C to stop", "checking"]
    assert "not valid TOML" in told.err


@pytest.fixture
def two_notes(notes: Path) -> Path:
    (notes / "naps.md").write_text(BROKEN, "utf-8")
    (notes / "rest.md").write_text(BROKEN.replace("Naps help", "Rest helps"), "utf-8")
    return notes


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (["notes/naps.md"], {"naps.md"}),
        (["naps.md"], {"naps.md"}),
        (["notes/naps.md", "notes/sleep.md"], {"naps.md"}),
        (["notes/sleep.md"], set()),
        (["notes"], {"naps.md", "rest.md"}),
        ([], {"naps.md", "rest.md"}),
    ],
)
def test_files_are_checked_in_the_corpus_they_stand_in(
    files: list[str], told: set[str], two_notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--format", "json", "--rule", "unknown-citation", *files) == bool(told)
    found = json.loads(capsys.readouterr().out)
    assert {Path(each["path"]).name for each in found} == told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.md"], "there is no file `gone.md`"),
        (["../gone.md"], "`../gone.md` is not a file of the corpus in `notes`"),
        (["notes/sleep.md", "--as", "notes/sleep.md"], "--as goes with `-`"),
        (["-", "--as", "notes/sleep.txt"], "`sleep.txt` is not a note"),
        (["-", "notes/sleep.md"], "`-` cannot be combined with"),
        (["-", "--watch"], "`-` cannot be combined with"),
    ],
)
def test_a_file_that_cannot_be_checked_is_misuse(
    arguments: list[str], said: str, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", *arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "told"), [("notes/sleep.md", ["sleep.md"]), (None, ["new-note.md"])]
)
def test_a_text_is_checked_as_if_it_stood_in_the_corpus(
    place: str | None,
    told: list[str],
    two_notes: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = (two_notes / "sleep.md").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    arguments = ["--as", place] if place else []
    assert status("check", "-", "--rule", "unknown-citation", *arguments) == 1
    shown = capsys.readouterr().out
    assert [Path(line.partition(":")[0]).name for line in shown.splitlines() if "[unk" in line] == (
        told
    )
    assert "  8 | > [@nobody]\n" in shown
    assert (two_notes / "sleep.md").read_bytes() == before


def test_what_the_text_leaves_without_an_end_is_told_of_the_text(
    two_notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = CLAIM.replace("type: claim", "type: claim\nid: naps")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(twin.encode())))
    assert status("check", "-", "--rule", "duplicate-id", "--format", "lines") == 1
    assert "`naps`" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--rule", "unknown-key"], 0),
        (["--rule", "unknown-key", "--strict"], 1),
        (["--rule", "self-edge", "--strict"], 0),
        (["--rule", "unknown-citation"], 1),
        (["kg.toml", "--rule", "unknown-citation"], 1),
    ],
)
def test_errors_fail_and_warnings_where_that_is_wanted(
    arguments: list[str], code: int, two_notes: Path
) -> None:
    (two_notes.parent / "kg.toml").touch()
    (two_notes / "odd.md").write_text(CLAIM.replace("claim", "claim\ncolour: red"), "utf-8")
    assert status("check", *arguments) == code


@pytest.mark.parametrize("size", [MAX_NOTE_BYTES, MAX_NOTE_BYTES + 1])
def test_a_text_is_no_longer_than_a_note(
    size: int, notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CLAIM.encode().ljust(size, b"\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    is_too_long = size > MAX_NOTE_BYTES
    assert status("check", "-", "--rule", "self-edge") == (2 if is_too_long else 0)
    assert ("a note holds at most" in capsys.readouterr().err) is is_too_long


@pytest.mark.parametrize("place", ["a.md", "a.bib", "kg.toml"])
def test_what_is_not_saved_may_be_any_file_of_a_corpus(
    place: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert status("check", "-", "--as", place, "--rule", "self-edge") == 0


@pytest.mark.parametrize(
    "words", [["--watch"], ["--shacl"], ["--format", "json"], ["-"]], ids=" ".join
)
def test_fixing_goes_with_nothing_that_changes_no_file(
    words: list[str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--fix", *words) == 2
    assert "--fix changes files, and prints text only" in capsys.readouterr().err


def test_a_rule_that_is_not_there_is_told_with_what_may_be_meant(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--rule", "self-egde") == 2
    assert "did you mean self-edge?" in capsys.readouterr().err
    assert status("check", "--rule", "zzzzzz") == 2
    assert "see `kg help rules`" in capsys.readouterr().err
