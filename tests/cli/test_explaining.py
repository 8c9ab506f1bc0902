"""The tree of reasons beneath a claim; revisions, named as git names a range, or one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command import kg
from tests.support.repository import CLAIM, commit, git

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commits that each add a note and have its name, and a note that is not committed."""
    top = tmp_path_factory.mktemp("top")
    for title in ("one", "two", "three"):
        commit(top / "notes", "2026-01-01", **{title: CLAIM.format(title)})
        git(top, "tag", title)
    (top / "notes" / "four.md").write_text(CLAIM.format("four"))
    return top


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
    result = kg(project, "diff", *words, "--format", "markdown")
    assert result.stdout.startswith(f"## {title}\n\n"), result.stderr
    assert {*re.findall(r"^\| (\w+) \| \1 \|", result.stdout, re.MULTILINE)} == changed


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
    result = kg(tmp_path, "why", "sleep", terminal=terminal, COLUMNS=columns, NO_COLOR="1")
    lines = re.sub("\x1b\\[[0-9;]*m", "", result.stdout).splitlines()
    assert [line.rstrip() for line in lines] == message.splitlines()
