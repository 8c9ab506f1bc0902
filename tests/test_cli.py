"""The command line as a stranger meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.cli import run
from kg.cli.options import find_folder

CLAIM = """---
type: claim
---

# Sleep helps \x1b[31mmemory

> [!evidence] It was seen ^seen
> Here. (reason:: it was)
"""


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "sleep.md").write_text(CLAIM, "utf-8")
    return folder


def status(*arguments: str) -> int:
    try:
        run(list(arguments))
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_a_missing_folder_is_one_clear_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("check", "--notes", "missing") == 2
    assert "there is no folder 'missing'" in capsys.readouterr().err


def test_an_unknown_id_suggests_the_nearest(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("why", "slep") == 2
    assert "no statement 'slep' in the corpus; did you mean sleep" in capsys.readouterr().err


def test_an_unknown_command_suggests_the_nearest(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("chek") == 2
    assert "`kg check`" in capsys.readouterr().err


def test_escape_codes_in_titles_are_inert(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("find",), ("show", "sleep"), ("why", "sleep"), ("check",)):
        status(*command)
    assert "\x1b[31m" not in capsys.readouterr().out


def test_a_broken_config_is_one_clear_message(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes.parent / "kg.toml").write_text("[[camps]]\nid = 'A B'\nlabel = 'x'\n", "utf-8")
    assert status("check") == 2
    assert "camps.0.id" in capsys.readouterr().err


def test_the_notes_folder_is_found_from_below(notes: Path) -> None:
    below = notes / "deep" / "er"
    below.mkdir(parents=True)
    assert (below / find_folder(None, below)).resolve() == notes.resolve()


@pytest.mark.parametrize(
    "command", [("find",), ("stats",), ("show", "sleep"), ("why", "sleep"), ("line",), ("rules",)]
)
def test_json_is_json(
    notes: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert status(*command, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) is not None


def test_stats_count_what_is_there(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status("stats", "--format", "json")
    counts = json.loads(capsys.readouterr().out)
    assert (counts["claims"], counts["evidence"], counts["edges_by_relation"]["supports"]) == (
        1,
        1,
        1,
    )


def test_init_writes_a_corpus_that_passes_and_never_overwrites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("init", "demo") == 0
    assert status("check", "--notes", "demo/notes", "--strict") == 0
    kept = (tmp_path / "demo" / "kg.toml").read_bytes()
    assert status("init", "demo") == 2
    assert "already there" in capsys.readouterr().err
    assert (tmp_path / "demo" / "kg.toml").read_bytes() == kept


def test_check_fails_on_errors_and_strictly_on_warnings(notes: Path) -> None:
    (notes / "open.md").write_text("---\ntype: claim\n---\n\n# Nothing supports this\n", "utf-8")
    assert status("check") == 0
    assert status("check", "--strict") == 1
    (notes / "wrong.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
    assert status("check") == 1
    assert status("check", "--rule", "self-edge") == 0


def test_github_annotations_name_file_and_line(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "wrong.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
    status("check", "--format", "github")
    assert (
        "::error file=notes/wrong.md,line=2,col=1,title=missing-type::" in capsys.readouterr().out
    )
