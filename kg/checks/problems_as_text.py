"""Render problems for people: each with the line that it is in, then how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.model import Diagnostic, Severity
from kg.model.ids import is_part
from kg.notes.note_files import CorpusFiles
from kg.runtime.memoize import ResultsKeeper, memoize
from kg.text.plurals import pluralize
from kg.text.printable import replace_unprintable

COLOUR_OF_SEVERITY = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
MAX_QUOTED_CHARACTERS = 160  # characters of a line that are quoted
MAX_ALIKE = 20  # with more problems of one rule, only the first are shown
FIRST_ALIKE = 3  # how many then
FEWEST_UNTYPED = 3  # notes without a type from which a folder may be another program's
# Bytes of a file: a bibliography may be larger, and is quoted up to there.
MAX_QUOTED_FILE_BYTES = 5_000_000


class CheckResult(NamedTuple):
    """The problems of the notes in a folder.

    `unsaved_texts` maps paths to text that replaces the files' content.
    """

    problems: Sequence[Diagnostic]
    corpus: Corpus
    folder: NotesFolder
    unsaved_texts: Mapping[str, bytes]
    show_all: bool


def render_problems(result: CheckResult) -> str:
    """Render all problems, or the first of very many of one rule unless `show_all`; then a
    summary.
    """
    problems, rest_text = result.problems, ""
    if not result.show_all:
        problems, rest_text = _first_of_each_rule(problems)
    with CorpusFiles(result.folder) as files:
        texts = _QuotedTexts(result.folder, files, result.unsaved_texts)
        text = "".join(_render_problem(problem, texts) for problem in problems)
    return text + rest_text + summary_of_check(result) + _hint_at_map(result)


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


def _hint_at_map(result: CheckResult) -> str:
    """A hint for a folder most of whose notes were not written for this program."""
    problems, corpus = result.problems, result.corpus
    untyped_count = sum(problem.rule == "missing-type" for problem in problems)
    read_count = len(corpus.lines) + sum(not is_part(id) for id in corpus.statements)
    if untyped_count < FEWEST_UNTYPED or untyped_count <= read_count or corpus.config.map:
        return ""
    return f"notes of another program? `kg init --from {corpus.folder}` proposes how to read them\n"


class _QuotedTexts(ResultsKeeper):
    """Texts of notes, read when a line of one is quoted."""

    def __init__(
        self, folder: NotesFolder, files: CorpusFiles, unsaved_texts: Mapping[str, bytes]
    ) -> None:
        self.folder = folder
        self.files = files
        self.unsaved_texts = unsaved_texts

    def line(self, path: str, number: int) -> str:
        text = self.text(path)
        return text[number - 1] if 0 < number <= len(text) else ""

    @memoize
    def text(self, path: str) -> list[str]:
        file = None if path in self.unsaved_texts else self.files.read(path)
        data = (file.data if file else self.unsaved_texts.get(path, b""))[:MAX_QUOTED_FILE_BYTES]
        return [] if b"\0" in data else data.decode("utf-8", "replace").splitlines()


def blank_unprintable(text: str) -> str:
    """A text with spaces for unprintable characters, so that it stays on one line."""
    return replace_unprintable(text, lambda sign: " ")


def printable_path(path: str) -> str:
    """A file's name with unprintable characters escaped, so that it stays on one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)


def _render_problem(problem: Diagnostic, texts: _QuotedTexts) -> str:
    colour = COLOUR_OF_SEVERITY[problem.severity]
    position = click.style(
        printable_path(str(texts.folder.shown_path(problem.span.path))), bold=True
    )
    position += f":{problem.span.line}:{problem.span.column}: "
    label = click.style(f"{problem.severity.value}[{problem.rule}]", fg=colour, bold=True)
    text_lines = [position + label + " " + blank_unprintable(problem.message)]
    quoted_line = blank_unprintable(
        texts.line(problem.span.path, problem.span.line)[:MAX_QUOTED_CHARACTERS]
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
        text_lines.append(click.style("  help: ", fg="cyan") + blank_unprintable(problem.help))
    see_label = click.style("  see:  ", fg="cyan")
    related_places = [
        (printable_path(str(texts.folder.shown_path(span.path))), span) for span in problem.related
    ]
    text_lines += [f"{see_label}{name}:{span.line}:{span.column}" for name, span in related_places]
    return "\n".join(text_lines) + "\n"


def summary_of_check(result: CheckResult) -> str:
    """Count the problems, what was checked, and the problems that can be fixed, in a sentence."""
    problems, corpus = result.problems, result.corpus
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
    fixes = 0 if result.unsaved_texts else sum(problem.fix is not None for problem in problems)
    fixes_text = ""
    if fixes:
        fixes_text = f"; {fixes} {'has' if fixes == 1 else 'have'} a fix: `kg check --fix`"
    return f"{' and '.join(severity_counts)} in {content}{fixes_text}\n"
