"""Problems as text: what a note holds can neither break a line nor give an order to a host."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from kg.checks.render_diagnostics import MAX_QUOTED_CHARACTERS, PROBLEM_FORMATS, render_diagnostics
from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.model import Diagnostic, Severity, Span
from kg.model.diagnostic import fix_at

HOSTILE = "a,b:c%\n::error::no"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("---\ntype: claim\n---\n\n# A \x1b[31mtitle\n", "utf-8")
    return tmp_path


@pytest.fixture
def corpus(folder: Path) -> Corpus:
    return load_corpus(folder)


def problem(path: str = "a.md", **more: object) -> Diagnostic:
    told: dict[str, object] = {"help": "mend it", "related": (Span("a.md", 1, 2),), **more}
    return Diagnostic(
        rule="a-rule",
        severity=told.pop("severity", Severity.WARNING),
        message="it is wrong",
        span=told.pop("span", Span(path, 5, 3)),
        **told,
    )


def said(corpus: Corpus, folder: Path, format: str, *problems: Diagnostic) -> str:
    return render_diagnostics(problems, corpus, NotesFolder.of(folder), format)


def test_the_text_format_shows_the_line_with_a_caret_under_the_place(
    corpus: Corpus, folder: Path
) -> None:
    shown = said(corpus, folder, "text", problem())
    assert "\x1b[31mtitle" not in shown
    place, *rest = click.unstyle(shown).splitlines()
    assert place.endswith("a.md:5:3: warning[a-rule] it is wrong")
    assert rest == [
        "  5 | # A  [31mtitle",
        "    |   ^",
        "  help: mend it",
        f"  see:  {folder / 'a.md'}:1:2",
        "1 warning in 1 statement, 0 edges",
    ]


def test_a_place_far_along_a_line_has_no_sign_under_it(corpus: Corpus, folder: Path) -> None:
    near, far = (
        problem(span=Span("a.md", 5, column))
        for column in (MAX_QUOTED_CHARACTERS, MAX_QUOTED_CHARACTERS + 1)
    )
    assert "^" in said(corpus, folder, "text", near)
    assert "^" not in said(corpus, folder, "text", far)


def test_a_file_that_cannot_be_read_is_not_quoted(corpus: Corpus, folder: Path) -> None:
    (folder / "bytes.md").write_bytes(b"one\0two\n")
    for path in ("bytes.md", "gone.md"):
        shown = said(corpus, folder, "text", problem(path, span=Span(path, 1, 1)))
        assert " | " not in shown


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")],
)
def test_a_code_host_is_given_one_order_a_problem(
    corpus: Corpus, folder: Path, severity: Severity, word: str
) -> None:
    shown = said(
        corpus, folder, "github", problem(HOSTILE, severity=severity, help="mend\nit: 100%")
    )
    assert shown.count("\n") == 1
    assert shown.startswith(f"::{word} file=")
    head, _, message = shown.removeprefix("::").partition("::")
    assert ",line=5,col=3,title=a-rule" in head
    assert "a%2Cb%3Ac%25\\n%3A%3Aerror" in head
    assert message == "it is wrong. mend%0Ait: 100%25\n"


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")],
)
def test_an_editor_is_given_one_line_a_problem(
    corpus: Corpus, folder: Path, severity: Severity, word: str
) -> None:
    found = problem(HOSTILE, severity=severity, help="")
    row, summary = said(corpus, folder, "lines", found).splitlines()
    assert row.endswith(f":5:3: {word}: it is wrong [a-rule]")
    assert summary.endswith("in 1 statement, 0 edges")


def test_programs_are_given_every_place(corpus: Corpus, folder: Path) -> None:
    (found,) = json.loads(said(corpus, folder, "json", problem()))
    assert (found["line"], found["column"], found["severity"]) == (5, 3, "warning")
    assert [place.rpartition("/")[2] for place in found["related"]] == ["a.md:1:2"]
    run = json.loads(said(corpus, folder, "sarif", problem(), problem(help="")))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["a-rule"]
    first, second = run["results"]
    assert first["message"]["text"] == "it is wrong. mend it"
    assert second["message"]["text"] == "it is wrong"
    related = first["relatedLocations"][0]["physicalLocation"]["region"]
    assert related == {"startLine": 1, "startColumn": 2}


def test_no_problem_is_said_to_people_alone(corpus: Corpus, folder: Path) -> None:
    shown = {format: said(corpus, folder, format) for format in PROBLEM_FORMATS}
    assert shown["lines"] == shown["text"]
    assert "no problems" in shown["text"]
    assert (shown["github"], json.loads(shown["json"])) == ("", [])


def test_errors_are_counted_before_warnings(corpus: Corpus, folder: Path) -> None:
    found = [problem(), problem(severity=Severity.ERROR), problem(severity=Severity.ERROR)]
    assert "2 errors and 1 warning in 1 statement" in said(corpus, folder, "text", *found)


def test_fixes_are_counted_unless_the_text_is_not_saved(corpus: Corpus, folder: Path) -> None:
    found = problem(fix=fix_at(Span("a.md", 5, 3), "A", "B"))
    assert said(corpus, folder, "text", found).endswith("; 1 has a fix: `kg check --fix`\n")
    files, unsaved = NotesFolder.of(folder), {"a.md": b"# A title"}
    assert "a fix" not in render_diagnostics([found], corpus, files, "text", unsaved)
