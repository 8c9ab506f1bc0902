"""Problems for people: the line of each, and how many there are."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace

from kg.checks.problems_as_text import (
    FEWEST_UNTYPED,
    FIRST_ALIKE,
    MAX_ALIKE,
    MAX_QUOTED_CHARACTERS,
    CheckResult,
    render_problems,
)
from kg.files.read_files import NotesFolder
from kg.model import Severity, Span
from kg.model.diagnostic import fix_at
from kg.model.settings.config import parse_config
from tests.checks.rendered_problems import problem, rendered_problems
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


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


def test_of_very_many_problems_of_a_rule_the_first_are_shown(tmp_path: Path) -> None:
    def counts_when_shown(count: int, *, show_all: bool = False) -> tuple[int, bool]:
        problems = [problem()] * count
        output = rendered_problems(tmp_path, "text", *problems, show_all=show_all)
        rest = f"{count - FIRST_ALIKE} more of a-rule: `kg check --rule a-rule` lists them\n"
        return output.count("it is wrong"), rest in output

    assert counts_when_shown(MAX_ALIKE) == (MAX_ALIKE, False)
    assert counts_when_shown(MAX_ALIKE + 1) == (FIRST_ALIKE, True)
    assert counts_when_shown(MAX_ALIKE + 1, show_all=True) == (MAX_ALIKE + 1, False)


@every_row(
    ("untyped", "read", "settings", "is_hinted"),
    [
        (FEWEST_UNTYPED, FEWEST_UNTYPED - 1, "", True),
        (FEWEST_UNTYPED, FEWEST_UNTYPED, "", False),
        (FEWEST_UNTYPED - 1, 0, "", False),
        (FEWEST_UNTYPED, 0, '[map.types]\nthought = "claim"', False),
    ],
)
def test_a_folder_of_mostly_untyped_notes_may_be_another_programs(
    untyped: int, read: int, settings: str, is_hinted: bool, tmp_path: Path
) -> None:
    claim = "---\ntype: claim\n---\n\n# It helps\n\n"
    claim += "> [!evidence] Seen\n\n> [!evidence] And seen\n"  # parts are no notes
    line = "---\ntype: line\n---\n\n# Does it?\n"
    notes = dict(zip(["l", "a", "b"][:read], [line, claim, claim], strict=False))
    corpus = corpus_of_notes(config=parse_config(settings, "kg.toml"), **notes)
    problems = [replace(problem(), rule="missing-type")] * untyped
    result = CheckResult(problems, corpus, NotesFolder.from_path(tmp_path), {}, show_all=False)
    assert ("kg init --from" in render_problems(result)) is is_hinted
