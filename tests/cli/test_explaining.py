"""`kg why`, `kg compare` and `kg diff`, whose revisions are named as git names a range."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from kg.cli.shared.output import CLEAR_LINE
from tests.support.command import kg, status
from tests.support.every_row import every_row
from tests.support.repository import CLAIM, commit, git

NOTES = {
    "a": CLAIM.format("Talk grounds")
    + "\n> [!evidence] It was tried ^tried\n> [@early] (method:: experiment)\n",
    "b": CLAIM.format("It does not") + "\n- contradicts:: [[a]] — so ^so\n- supports:: [[c]]\n",
    "c": CLAIM.format("Third"),
    "d": CLAIM.format("Fourth") + "\n- undercuts:: [[a#^tried]]\n- supports:: [[c]]\n",
    "line": "---\ntype: line\n---\n\n# So?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commits that each add a note and have its name, and a note that is not committed."""
    top = tmp_path_factory.mktemp("top")
    for title in ("one", "two", "three"):
        commit(top / "notes", "2026-01-01", **{title: CLAIM.format(title)})
        git(top, "tag", title)
    (top / "notes" / "four.md").write_text(CLAIM.format("four"))
    return top


@pytest.mark.integration
@pytest.mark.parametrize(
    ("words", "title", "changed"),
    [
        (["one..two"], "one → two", {"two"}),
        (["one...two"], "one → two", {"two"}),
        (["one", "two"], "one → two", {"two"}),
        (["one.."], "one → HEAD", {"two", "three"}),
        (["one..."], "one → HEAD", {"two", "three"}),
        (["..two"], "HEAD → two", {"three"}),
        (["...two"], "HEAD → two", {"three"}),
        (["two"], "two → working tree", {"three", "four"}),
        ([], "HEAD → working tree", {"four"}),
    ],
)
def test_a_range_has_two_dots_or_three(
    project: Path, words: list[str], title: str, changed: set[str]
) -> None:
    printed_text = kg(project, "diff", *words, "--format", "markdown")
    assert printed_text.stdout.startswith(f"## {title}\n\n"), printed_text.stderr
    assert {*re.findall(r"^\| (\w+) \| \1 \|", printed_text.stdout, re.MULTILINE)} == changed


WEIGHED = CLAIM.format("Sleep helps") + "\n> [!evidence] It was seen ^seen\n> (reason:: it was)\n"


@pytest.mark.parametrize(
    ("terminal", "columns", "message"),
    [
        (
            *(False, "40"),
            "Sleep helps  sleep\n  rests on 1 item from 1 separate group\n"
            "└── + supports It was seen  sleep#seen\n      it was\n",
        ),
        (
            *(True, "40"),
            "Sleep helps\n  sleep\n  rests on 1 item from 1 separate group\n"
            "└── + supports It was seen\n      sleep#seen\n      it was\n",
        ),
    ],
)
def test_reasons_stand_below_what_they_are_for(
    tmp_path: Path, terminal: bool, columns: str, message: str
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "sleep.md").write_text(WEIGHED)
    printed_text = kg(tmp_path, "why", "sleep", terminal=terminal, COLUMNS=columns, NO_COLOR="1")
    lines = re.sub("\x1b\\[[0-9;]*m", "", printed_text.stdout).splitlines()
    assert [line.rstrip() for line in lines] == message.splitlines()


def test_in_a_narrow_terminal_names_stand_below_their_titles(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.cli.shared.output.FEWEST_TABLE_COLUMNS", 1_000)
    lines = kg(notes.parent, "why", "c").stdout.splitlines()
    assert lines[:2] == ["Third", "  c"]
    assert [line for line in lines if "Fourth" in line] == ["└── + supports Fourth"]
    assert lines[-1] == "      d"


def test_reasons_keep_their_indent(notes: Path) -> None:
    text = CLAIM.format("Fifth") + "\n- supports:: [[c]] — " + "so " * 80 + "\n"
    (notes / "e.md").write_text(text, "utf-8")
    printed_text = kg(notes.parent, "why", "c").stdout.splitlines()
    lines = [line for line in printed_text if line.endswith("so")]
    assert len(lines) > 1
    assert {line.partition("so")[0] for line in lines} == {"      "}


def test_why_with_to_prints_a_path_or_ends_with_2(notes: Path) -> None:
    assert "  contradicts — so\n" in kg(notes.parent, "why", "b", "--to", "a").stdout
    assert kg(notes.parent, "why", "a#tried", "--to", "early").returncode == 2


def test_compare_shows_what_two_statements_share(notes: Path) -> None:
    text = kg(notes.parent, "compare", "b", "d").stdout
    assert "Both are reasons for" in text
    assert "Third" in text
    refused = kg(notes.parent, "compare", "b", "./notes")
    assert "./notes is a folder: compare it with another folder" in refused.stderr
    answer = json.loads(kg(notes.parent, "compare", "a", "b", "--format", "json").stdout)
    assert answer["lines"] == [{"line": "line", "first": "optimist", "second": "skeptic"}]


def test_compare_shows_its_progress_in_a_terminal(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert status("compare", str(notes), str(notes)) == 0
    steps = capsys.readouterr().err.split(CLEAR_LINE)
    assert steps == ["", "reading folder 1", "reading folder 2", "comparing statements: 10", ""]


@every_row(
    ("options", "message"),
    [
        (["--against", "--by-year"], "ask for one at a time: --against or --by-year"),
        (["--to", "c", "--against"], "ask for one at a time: --against or --to"),
        (["--depth", "1", "--to", "c"], "ask for one at a time: --depth or --to"),
    ],
)
def test_options_that_ask_for_different_things_are_refused(
    options: list[str], message: str, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    for name, note in NOTES.items():
        (tmp_path / "notes" / f"{name}.md").write_text(note, "utf-8")
    refused = kg(tmp_path, "why", "a", *options)
    assert (refused.returncode, message in refused.stderr) == (2, True)
