"""Two revisions are named as git names a range, with two dots or three, or one by one."""

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
    shown = kg(project, "diff", *words, "--format", "markdown")
    assert shown.stdout.startswith(f"## {title}\n\n"), shown.stderr
    assert {*re.findall(r"^\| (\w+) \| \1 \|", shown.stdout, re.MULTILINE)} == changed
