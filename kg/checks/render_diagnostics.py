"""Render problems in one of several formats: for people, for programs, and for code hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

import msgspec

from kg.checks.problems_as_text import (
    CheckResult,
    blank_unprintable,
    printable_path,
    render_problems,
    summary_of_check,
)
from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.model import Diagnostic, Severity, Span
from kg.version import VERSION

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_GITHUB_LEVELS = _LEVELS | {Severity.INFO: "notice"}


def render_diagnostics(
    problems: Sequence[Diagnostic],
    corpus: Corpus,
    folder: NotesFolder,
    format: str,
    unsaved_texts: Mapping[str, bytes] = {},
    *,
    show_all: bool = True,
) -> str:
    """Render `problems` in one of `PROBLEM_FORMATS`; output for people ends in a summary.

    `unsaved_texts` maps paths to text that replaces the files' content. Unless `show_all`, people
    are shown only the first of very many problems of one rule.
    """
    result = CheckResult(problems, corpus, folder, unsaved_texts, show_all)
    return PROBLEM_FORMATS[format](result)


def _render_lines(result: CheckResult) -> str:
    """A line for each problem, in the format of compilers, which editors parse; then a summary."""
    rows = (_render_line(problem, result.folder) for problem in result.problems)
    return "".join(rows) + summary_of_check(result)


def _render_line(problem: Diagnostic, folder: NotesFolder) -> str:
    label = _LEVELS[problem.severity]
    span = problem.span
    path = printable_path(folder.shown_path(span.path).as_posix())
    position = f"{path}:{span.line}:{span.column}"
    help = f"; {problem.help}" if problem.help else ""
    return f"{position}: {label}: {blank_unprintable(problem.message + help)} [{problem.rule}]\n"


def _render_json(result: CheckResult) -> str:
    folder = result.folder
    records = [
        {
            "rule": problem.rule,
            "severity": problem.severity.value,
            "message": problem.message,
            "help": problem.help,
            "path": folder.shown_path(problem.span.path).as_posix(),
            "line": problem.span.line,
            "column": problem.span.column,
            "related": [
                f"{folder.shown_path(s.path).as_posix()}:{s.line}:{s.column}"
                for s in problem.related
            ],
        }
        for problem in result.problems
    ]
    return msgspec.json.format(msgspec.json.encode(records), indent=2).decode() + "\n"


def _render_sarif(result: CheckResult) -> str:
    """The Static Analysis Results Interchange Format (OASIS), version 2.1.0."""
    folder = result.folder
    results = [
        {
            "ruleId": problem.rule,
            "level": _LEVELS[problem.severity],
            "message": {"text": f"{problem.message}. {problem.help}".removesuffix(". ")},
            "locations": [_sarif_location(problem.span, folder)],
            "relatedLocations": [_sarif_location(span, folder) for span in problem.related],
        }
        for problem in result.problems
    ]
    names = dict.fromkeys(problem.rule for problem in result.problems)
    driver = {"name": "kg", "version": VERSION, "rules": [{"id": name} for name in names]}
    runs = [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}]
    log = {"version": "2.1.0", "runs": runs}
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _sarif_location(span: Span, folder: NotesFolder) -> dict[str, object]:
    artifact = {"uri": quote(folder.shown_path(span.path).as_posix())}
    region = {"startLine": span.line, "startColumn": span.column}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _render_github(result: CheckResult) -> str:
    """Annotations of GitHub's workflows: a command in a line for each problem."""
    return "".join(_github_annotation(problem, result.folder) for problem in result.problems)


def _github_annotation(problem: Diagnostic, folder: NotesFolder) -> str:
    level = _GITHUB_LEVELS[problem.severity]
    text = f"{problem.message}. {problem.help}" if problem.help else problem.message
    text = blank_unprintable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))
    path = printable_path(folder.shown_path(problem.span.path).as_posix())
    path = path.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return (
        f"::{level} file={path},line={problem.span.line},col={problem.span.column},"
        f"title={problem.rule}::{text}\n"
    )


PROBLEM_FORMATS: Mapping[str, Callable[[CheckResult], str]] = {
    "text": render_problems,
    "lines": _render_lines,
    "json": _render_json,
    "github": _render_github,
    "sarif": _render_sarif,
}
