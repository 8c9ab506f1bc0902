"""A change shown as a diff, and refused where it would bring errors.

Of `kg/editing/change_effect.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.change import Change
from kg.editing.change_effect import RefusedChange
from kg.files.read_files import NotesFolder
from kg.model import Diagnostic, Severity, Span
from tests.support.every_row import every_row


@every_row(
    ("name", "expected_output"),
    [("a.md", "a.md"), ("a b.md", "a b.md\t"), ('a"b.md', '"{}/a\\042b.md"')],
)
def test_a_diff_names_files_as_git_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, expected_output: str
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    change = Change("", {name: b"old\n"}, {name: b"new\n"})
    head = change.render_diff(NotesFolder.from_path(Path("."))).split("\n")
    for row, side in zip(head[1:3], ("a", "b"), strict=True):
        text = (
            expected_output.format(side) if "{}" in expected_output else f"{side}/{expected_output}"
        )
        assert row[4:] == text
    assert head[3:] == ["@@ -1 +1 @@", "-old", "+new", ""]


def test_who_is_refused_hears_which_problems_and_what_to_do(tmp_path: Path) -> None:
    problems = tuple(
        Diagnostic(
            rule="unknown-target",
            severity=Severity.ERROR,
            message=message,
            span=Span("a.md"),
            help=help,
        )
        for message, help in (("no `b`", "did you mean `c`?"), ("no `d`", "write it"), ("no", ""))
    )
    words = str(RefusedChange(problems, NotesFolder.from_path(tmp_path))).split("\n")
    assert words[0] == "the notes would have new errors, so nothing was written:"
    assert words[1].endswith("a.md:1:1: no `b`; did you mean `c`?")
    assert words[2].endswith("a.md:1:1: no `d`; write it")
    assert words[3].endswith("a.md:1:1: no")
