"""Problems for people: the line of each, and how many there are."""

from __future__ import annotations

from pathlib import Path

import click

from kg.checks.problems_as_text import MAX_QUOTED_CHARACTERS
from kg.model import Severity, Span
from kg.model.diagnostic import fix_at
from tests.checks.rendered_problems import problem, rendered_problems


def test_the_text_format_shows_the_line_with_a_caret_under_the_place(tmp_path: Path) -> None:
    output = rendered_problems(tmp_path, "text", problem())
    assert "\x1b[31mtitle" not in output
    place, *rest = click.unstyle(output).splitlines()
    assert place.endswith("a.md:5:3: warning[a-rule] it is wrong")
    assert rest == [
        "  5 | # A  [31mtitle",
        "    |   ^",
        "  help: mend it",
        f"  see:  {tmp_path / 'a.md'}:1:2",
        "1 warning in 1 statement, 0 edges",
    ]


def test_a_place_far_along_a_line_has_no_sign_under_it(tmp_path: Path) -> None:
    near, far = (
        problem(span=Span("a.md", 5, column))
        for column in (MAX_QUOTED_CHARACTERS, MAX_QUOTED_CHARACTERS + 1)
    )
    assert "^" in rendered_problems(tmp_path, "text", near)
    assert "^" not in rendered_problems(tmp_path, "text", far)


def test_a_file_that_cannot_be_read_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "bytes.md").write_bytes(b"one\0two\n")
    for path in ("bytes.md", "gone.md"):
        output = rendered_problems(tmp_path, "text", problem(path, span=Span(path, 1, 1)))
        assert " | " not in output


def test_errors_are_counted_before_warnings(tmp_path: Path) -> None:
    problems = [problem(), problem(severity=Severity.ERROR), problem(severity=Severity.ERROR)]
    assert "2 errors and 1 warning in 1 statement" in rendered_problems(tmp_path, "text", *problems)


def test_fixes_are_counted_unless_the_text_is_not_saved(tmp_path: Path) -> None:
    diagnostic = problem(fix=fix_at(Span("a.md", 5, 3), "A", "B"))
    output = rendered_problems(tmp_path, "text", diagnostic)
    assert output.endswith("; 1 has a fix: `kg check --fix`\n")
    unsaved = {"a.md": b"# A title"}
    assert "a fix" not in rendered_problems(tmp_path, "text", diagnostic, unsaved_texts=unsaved)
