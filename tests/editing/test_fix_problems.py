"""Fixes made as one change: which are, and which wait."""

from __future__ import annotations

from pathlib import Path

from kg.editing.fix_problems import fix_problems
from kg.editing.folder_files import FolderFiles
from kg.model import Diagnostic, Severity, Span
from kg.model.value import fix_at


def problem(path: str, line: int, column: int, old: str, new: str) -> Diagnostic:
    place = Span(path, line, column)
    fix = fix_at(place, old, new)
    return Diagnostic(rule="r", severity=Severity.ERROR, message="m", span=place, fix=fix)


def test_fixes_that_meet_wait_and_each_file_keeps_its_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one two\r\nthree\r\n")
    (tmp_path / "b.md").write_bytes(b"four\n")
    found = [
        problem("a.md", 1, 5, "two", "2"),
        problem("a.md", 1, 6, "wo", "w"),
        problem("a.md", 1, 5, "two", "2"),
        problem("a.md", 2, 1, "three\n", "3\n3\n"),
        problem("b.md", 1, 1, "four", "4"),
        problem("../beside.bib", 1, 1, "x", "y"),
        problem("b.md", 9, 1, "x", "y"),
    ]
    change = fix_problems(FolderFiles(tmp_path), found)
    assert change.after == {"a.md": b"one 2\r\n3\r\n3\r\n", "b.md": b"4\n"}
    assert change.title == "fix 4 problems"
    assert change.remarks[-1] == "1 more problem after these: run it again"
    assert change.remarks[0] == f"{tmp_path}/a.md:1:5: Write `2` for `two`"
