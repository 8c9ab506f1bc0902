"""The command line as a stranger meets it.

Of `kg/cli/shared/output.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.cli import COMMAND_SYNONYMS, COMMANDS
from kg.cli.shared.output import CLOSED_PIPE_STATUS
from kg.files.cache_files import state_folder
from tests.support.command import status
from tests.support.every_row import every_row

CLAIM = """---
type: claim
---

# Sleep helps \x1b[31mmemory

> [!evidence] It was seen ^seen
> Here. (reason:: it was)
"""
NOTES = {"sleep": CLAIM}
BOOKS = ""


def test_escape_codes_in_titles_are_inert(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("find",), ("show", "sleep"), ("why", "sleep"), ("check",)):
        status(*command)
    assert "\x1b[31m" not in capsys.readouterr().out


@pytest.mark.parametrize("command", [
    ("find", "--topic", "none"), ("find", "--format", "json"), ("show", "sleep", "--format=json"),
    ("sparql", "SELECT ?t { ?s kg:topic ?t }", "--format", "csv"), ("export", "nq"),
])  # fmt: skip
def test_no_control_character_reaches_a_terminal(
    command: tuple[str, ...],
    notes: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    odd = 'type: claim\ntopics: ["a\\e]0;b\\a\\u009bc"]'
    (notes / "sleep.md").write_text(CLAIM.replace("type: claim", odd), "utf-8")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    status(*command)
    said = "".join(capsys.readouterr())
    assert "]0;b" in said
    assert not any(mark in said for mark in ("\x1b]", "\a", "\x9b"))


def test_names_of_the_program_are_not_looked_for_in_the_corpus(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (("help", "rules", "unsuported-claim"), ("check", "--rule", "unsuported-claim")):
        assert status(*command) == 2
        assert "no rule 'unsuported-claim'; did you mean unsupported-claim" in (
            capsys.readouterr().err
        )
    assert status("sparql", "clashs") == 2
    assert "no query or file 'clashs'; did you mean clashes" in capsys.readouterr().err


@every_row(
    ("word", "meant"),
    [
        ("ls", "find"),
        ("lint", "check"),
        ("source", "show KEY"),
        ("flips", "verdict --flips"),
        ("serch", "search"),
    ],
)
def test_words_that_are_tried_for_a_command_lead_to_it(
    word: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(word) == 2
    told = f"there is no command {word!r}. Did you mean `kg {meant}`"
    assert told in capsys.readouterr().err


def test_every_word_that_is_tried_leads_to_a_command_and_is_none() -> None:
    names = {name for name, _, _ in COMMANDS}
    assert {meant.split()[0] for meant in COMMAND_SYNONYMS.values()} <= names
    assert not COMMAND_SYNONYMS.keys() & names


def test_a_camp_or_topic_that_nobody_has_lists_those_there_are(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "nap.md").write_text("---\ntype: claim\ntopics: [sleep, rest]\n---\n\n# Nap\n")
    assert status("find", "--camp", "zzz") == 2
    assert "no camp 'zzz' in the corpus, which has optimist, skeptic" in capsys.readouterr().err
    assert status("find", "--topic", "zzz") == 2
    assert "no topic 'zzz' in the corpus, which has rest, sleep" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [("find",), ("show",), ("show", "sleep"), ("why", "sleep"), ("help", "rules")]
)
def test_json_is_json(
    notes: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert status(*command, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) is not None


def test_stats_count_what_is_there(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status("show", "--format", "json")
    counts = json.loads(capsys.readouterr().out)
    assert (counts["claims"], counts["evidence"], counts["edges_by_relation"]["supports"]) == (
        1,
        1,
        1,
    )


def test_no_colour_where_none_is_wanted(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click._compat.should_strip_ansi", lambda *_: False)  # as at a terminal
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda stream, color: color is False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    status("check")
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    status("check")
    status("check", "--notes", "nowhere")
    told = capsys.readouterr()
    assert "\x1b[" not in told.out + told.err


@pytest.mark.parametrize("command", [["find"], ["why", "a"], ["check"]])
def test_no_colour_prevails_where_colours_are_forced(
    notes: Path,
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    status(*command)
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "")  # as if it were not set
    status("find")
    assert "\x1b[" in capsys.readouterr().out
    assert status("verdict", "sleep") == 0
    assert "\x1b[2msleep#seen" in capsys.readouterr().out  # a last column of ids is dim


def test_in_a_narrow_terminal_cells_stand_below_each_other(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.cli.shared.output.FEWEST_TABLE_COLUMNS", 1_000_000)
    status("help", "rules")
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ["unreadable-file", "  severity: error"]
    status("find", "--limit", "1")
    first, id, kind, *_ = capsys.readouterr().out.splitlines()
    assert first[0] != " "
    assert (id.startswith("  id: "), kind.startswith("  kind: ")) == (True, True)
    status("find", "--columns", "id,kind,sample,about")
    assert not [line for line in capsys.readouterr().out.splitlines() if line.endswith(": ")]


@pytest.mark.integration
@pytest.mark.parametrize(
    "arguments", [("find",), ("show", "sleep"), ("help", "rules"), ("--help",)]
)
def test_a_reader_who_leaves_is_no_problem_in_the_notes(
    notes: Path, arguments: tuple[str, ...]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "kg", *arguments],
            cwd=notes.parent,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=writing,
            stderr=subprocess.PIPE,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (CLOSED_PIPE_STATUS, b"")


def test_nothing_is_kept_where_that_is_not_wanted(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.loader.FEWEST_NOTES_TO_REMEMBER", 0)
    monkeypatch.setenv("KG_NO_CACHE", "1")
    room = state_folder(notes)
    assert room is not None
    status("show")
    assert not (room / "notes").exists()
    monkeypatch.delenv("KG_NO_CACHE")
    status("show")
    assert (room / "notes").is_file()


@every_row(
    ("count", "said"),
    [
        (0, ""),
        (1, "1 draft left out; --drafts shows it\n"),
        (2, "2 drafts left out; --drafts shows them\n"),
    ],
)
def test_drafts_that_are_left_out_are_counted(
    notes: Path, capsys: pytest.CaptureFixture[str], count: int, said: str
) -> None:
    for number in range(2):
        draft = notes / f"draft-{number}.md"
        status_line = "status: draft\n" if number < count else ""
        draft.write_text(f"---\ntype: claim\n{status_line}---\n\n# D {number}\n", "utf-8")
    for options, told in (((), said), (("--drafts",), "")):
        assert status("find", *options) == 0
        assert capsys.readouterr().err == told
