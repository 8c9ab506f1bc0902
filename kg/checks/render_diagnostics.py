"""Render problems as text for people, for programs, and for code hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import click
import msgspec

from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.model import Diagnostic, Severity, Span
from kg.model.ids import is_part
from kg.notes.note_files import CorpusFiles
from kg.runtime.memoize import memoized_method
from kg.text.plurals import pluralize
from kg.text.printable import replace_unprintable
from kg.version import VERSION

PROBLEM_FORMATS = ("text", "lines", "json", "github", "sarif")
COLOUR_OF_SEVERITY = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
MAX_QUOTED_CHARACTERS = 160  # characters of a line that are quoted
MAX_ALIKE = 20  # with more problems of one rule, only the first are shown to people
FIRST_ALIKE = 3  # how many then
FEWEST_UNTYPED = 3  # notes without a type from which a folder may be another program's
# Bytes of a file: a bibliography may be larger, and is quoted up to there.
MAX_QUOTED_FILE_BYTES = 5_000_000

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
    if format == "json":
        return _render_json(problems, folder)
    if format == "sarif":
        return _render_sarif(problems, folder)
    if format == "github":
        return "".join(_github_annotation(problem, folder) for problem in problems)
    if format == "lines":
        text = "".join(_render_line(problem, folder) for problem in problems)
        return text + _summary_of_check(problems, corpus, unsaved_texts)
    with CorpusFiles(folder) as files:
        lines = _Lines(folder, files, unsaved_texts)
        shown_problems, rest_text = (problems, "") if show_all else _first_of_each_rule(problems)
        text = "".join(_render_text(problem, lines) for problem in shown_problems)
    return (
        text
        + rest_text
        + _summary_of_check(problems, corpus, unsaved_texts)
        + _hint_at_map(problems, corpus)
    )


def _first_of_each_rule(problems: Sequence[Diagnostic]) -> tuple[list[Diagnostic], str]:
    """The problems to show, and a text on how many more there are of each rule."""
    counts = Counter(problem.rule for problem in problems)
    seen_counts: Counter[str] = Counter()
    shown_problems = []
    for problem in problems:
        seen_counts[problem.rule] += 1
        if counts[problem.rule] <= MAX_ALIKE or seen_counts[problem.rule] <= FIRST_ALIKE:
            shown_problems.append(problem)
    rest_text = "".join(
        f"{count - FIRST_ALIKE} more of {rule}: `kg check --rule {rule}` lists them\n"
        for rule, count in counts.most_common()
        if count > MAX_ALIKE
    )
    return shown_problems, rest_text


def _hint_at_map(problems: Sequence[Diagnostic], corpus: Corpus) -> str:
    """A hint for a folder most of whose notes were not written for this program."""
    untyped_count = sum(problem.rule == "missing-type" for problem in problems)
    read_count = len(corpus.lines) + sum(not is_part(id) for id in corpus.statements)
    if untyped_count < FEWEST_UNTYPED or untyped_count <= read_count or corpus.config.map:
        return ""
    return f"notes of another program? `kg init --from {corpus.folder}` proposes how to read them\n"


class _Lines:
    """Lines of notes, read when needed for quoting."""

    def __init__(
        self, folder: NotesFolder, files: CorpusFiles, unsaved_texts: Mapping[str, bytes]
    ) -> None:
        self.folder = folder
        self.files = files
        self.unsaved_texts = unsaved_texts

    def line(self, path: str, number: int) -> str:
        text = self.text(path)
        return text[number - 1] if 0 < number <= len(text) else ""

    @memoized_method
    def text(self, path: str) -> list[str]:
        file = None if path in self.unsaved_texts else self.files.read(path)
        data = (file.data if file else self.unsaved_texts.get(path, b""))[:MAX_QUOTED_FILE_BYTES]
        return [] if b"\0" in data else data.decode("utf-8", "replace").splitlines()


def _printable(text: str) -> str:
    return replace_unprintable(text, lambda sign: " ")


def _escaped_path(path: Path, spell: Callable[[Path], str] = Path.as_posix) -> str:
    """A file's name with unprintable characters escaped, so that it stays on one line."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in spell(path)
    )


def _render_text(problem: Diagnostic, lines: _Lines) -> str:
    colour = COLOUR_OF_SEVERITY[problem.severity]
    position = click.style(
        _escaped_path(lines.folder.shown_path(problem.span.path), str), bold=True
    )
    position += f":{problem.span.line}:{problem.span.column}: "
    label = click.style(f"{problem.severity.value}[{problem.rule}]", fg=colour, bold=True)
    text_lines = [position + label + " " + _printable(problem.message)]
    quoted_line = _printable(
        lines.line(problem.span.path, problem.span.line)[:MAX_QUOTED_CHARACTERS]
    )
    if quoted_line.strip():
        number = str(problem.span.line)
        margin = " " * len(number)
        text_lines.append(click.style(f"  {number} | ", dim=True) + quoted_line)
        pointer = (
            " " * (problem.span.column - 1) + "^"
            if problem.span.column <= MAX_QUOTED_CHARACTERS
            else ""
        )
        text_lines.append(click.style(f"  {margin} | ", dim=True) + click.style(pointer, fg=colour))
    if problem.help:
        text_lines.append(click.style("  help: ", fg="cyan") + _printable(problem.help))
    see_label = click.style("  see:  ", fg="cyan")
    related_places = [
        (_escaped_path(lines.folder.shown_path(span.path), str), span) for span in problem.related
    ]
    text_lines += [f"{see_label}{name}:{span.line}:{span.column}" for name, span in related_places]
    return "\n".join(text_lines) + "\n"


def _summary_of_check(
    problems: Sequence[Diagnostic], corpus: Corpus, unsaved_texts: Mapping[str, bytes]
) -> str:
    statements = len(corpus.statements)
    edges = len(corpus.edges_by_id)
    content = f"{pluralize(statements, 'statement')}, {pluralize(edges, 'edge')}"
    if not (problems or statements or corpus.lines or corpus.sources):
        return f'no notes in {corpus.folder} yet: `kg new claim "…"` writes one\n'
    if not problems:
        return click.style("no problems", fg="green", bold=True) + f" in {content}\n"
    counts = Counter(problem.severity for problem in problems)
    severity_counts = [
        pluralize(counts[severity], severity.value) for severity in Severity if counts[severity]
    ]
    fixes = 0 if unsaved_texts else sum(problem.fix is not None for problem in problems)
    fixes_text = ""
    if fixes:
        fixes_text = f"; {fixes} {'has' if fixes == 1 else 'have'} a fix: `kg check --fix`"
    return f"{' and '.join(severity_counts)} in {content}{fixes_text}\n"


def _render_json(problems: Sequence[Diagnostic], folder: NotesFolder) -> str:
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
        for problem in problems
    ]
    return msgspec.json.format(msgspec.json.encode(records), indent=2).decode() + "\n"


def _render_line(problem: Diagnostic, folder: NotesFolder) -> str:
    """One line, in the format of compilers, which editors parse."""
    label = _LEVELS[problem.severity]
    span = problem.span
    position = f"{_escaped_path(folder.shown_path(span.path))}:{span.line}:{span.column}"
    help = f"; {problem.help}" if problem.help else ""
    return f"{position}: {label}: {_printable(problem.message + help)} [{problem.rule}]\n"


def _render_sarif(problems: Sequence[Diagnostic], folder: NotesFolder) -> str:
    """The Static Analysis Results Interchange Format (OASIS), version 2.1.0."""
    results = [
        {
            "ruleId": problem.rule,
            "level": _LEVELS[problem.severity],
            "message": {"text": f"{problem.message}. {problem.help}".removesuffix(". ")},
            "locations": [_sarif_location(problem.span, folder)],
            "relatedLocations": [_sarif_location(span, folder) for span in problem.related],
        }
        for problem in problems
    ]
    names = dict.fromkeys(problem.rule for problem in problems)
    driver = {"name": "kg", "version": VERSION, "rules": [{"id": name} for name in names]}
    runs = [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}]
    log = {"version": "2.1.0", "runs": runs}
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _sarif_location(span: Span, folder: NotesFolder) -> dict[str, object]:
    artifact = {"uri": quote(folder.shown_path(span.path).as_posix())}
    region = {"startLine": span.line, "startColumn": span.column}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _github_annotation(problem: Diagnostic, folder: NotesFolder) -> str:
    level = _GITHUB_LEVELS[problem.severity]
    text = f"{problem.message}. {problem.help}" if problem.help else problem.message
    text = _printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))
    path = _escaped_path(folder.shown_path(problem.span.path))
    path = path.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return (
        f"::{level} file={path},line={problem.span.line},col={problem.span.column},"
        f"title={problem.rule}::{text}\n"
    )
