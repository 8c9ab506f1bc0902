"""`kg check`: what is wrong in the notes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kg.cli.shared.options import (
    folder_option,
    format_option,
    load_notes,
    path_in_corpus,
    prepare_folder,
    rule_names,
)
from kg.cli.shared.output import print_error, print_text
from kg.corpus import Corpus, UnknownId
from kg.files.read_files import NotesFolder
from kg.model import Severity
from kg.model.settings.config import CONFIG_NAME
from kg.notes.note_listing import BIBLIOGRAPHY_SUFFIXES, MAX_NOTE_BYTES, NOTE_SUFFIX
from kg.text.spelling import similar_names

if TYPE_CHECKING:
    from kg.model import Diagnostic

NEW_NOTE = "new-note.md"  # the assumed path of a text that is not in a file


@click.command(
    epilog="""\b
Examples:
  kg check                      every problem, with the line and a suggestion
  kg check notes/naps.md        the problems in some files of a corpus
  kg check - --as notes/naps.md       standard input, as if it were that file
  kg check --format lines       one line each, for editors
  kg check --format github      annotations of a pull request (or `sarif`)
  kg check --rule unsupported-claim         (`kg help rules` lists them)
  kg check --shacl              validate the graph with the SHACL shapes
  kg check --fix --dry-run      the fixes of problems with just one solution
  kg check --watch              again whenever a note is saved, until Ctrl-C

Exit status: 0 without errors (warnings do not count), 1 with errors, 2 when misused."""
)
@click.argument("files", nargs=-1, metavar="[FILE…|-]")
@click.option(
    "--as",
    "assumed_path",
    metavar="PATH",
    help="The path to assume for the text from `-`.  [default: a new note]",
)
@folder_option
@format_option("text", "lines", "json", "github", "sarif")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME",
    shell_complete=rule_names,
    help="Only this rule (may be repeated).",
)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--shacl", is_flag=True, help="Validate the graph with the SHACL shapes instead.")
@click.option("--watch", is_flag=True, help="Check again whenever a note is saved.")
@click.option("--fix", is_flag=True, help="Fix problems that have just one solution, then check.")
@click.option("--dry-run", is_flag=True, help="With --fix: print the diff, and change nothing.")
@click.pass_context
def check_command(
    ctx: click.Context,
    files: tuple[str, ...],
    assumed_path: str | None,
    notes: Path | None,
    format: str,
    rules: tuple[str, ...],
    strict: bool,
    shacl: bool,
    watch: bool,
    fix: bool,
    dry_run: bool,
) -> None:
    """List the problems in the notes: where, what, and what to do.

    With FILE, only the problems in these files, or related to a place in them.
    """
    from kg.checks import RULES

    names = [rule.name for rule in RULES]
    for name in rules:
        if name not in names:
            nearest = similar_names(name, names)
            raise UnknownId(name, nearest, "rule", where="" if nearest else "; see `kg help rules`")
    folder = prepare_folder(notes)
    if fix and ("-" in files or watch or shacl or format != "text"):
        raise click.UsageError("--fix changes files, and prints text only")
    if dry_run and not fix:
        raise click.UsageError("--dry-run goes with --fix")
    unsaved = _read_unsaved(folder, files, assumed_path, watch)
    chosen_paths = tuple(unsaved) or tuple(_get_existing(folder, file) for file in files)
    choice = _ProblemChoice(folder, chosen_paths, unsaved, rules, shacl)
    report = partial(_report_problems, choice, format, strict)
    if fix:
        _apply_fixes(choice, dry_run)
        if dry_run:
            return
    status = report()
    if watch:
        _watch_notes(folder, report)
    ctx.exit(status)


class _ProblemChoice(NamedTuple):
    """The problems to list: with or without `shacl`, in some files, of some rules.

    Without paths or rules, those of all. `unsaved_texts` are read in place of files.
    """

    folder: NotesFolder
    paths: tuple[str, ...]
    unsaved_texts: Mapping[str, bytes]
    rules: tuple[str, ...]
    shacl: bool

    def problems_in(self, corpus: Corpus) -> list[Diagnostic]:
        """The chosen problems of a corpus, such as those of one file by two rules."""
        from kg.checks import check, diagnostics_in
        from kg.checks.check_shapes import check_shapes
        from kg.checks.diagnostics_cache import cached_diagnostics

        if self.shacl:
            problems = cached_diagnostics(corpus, "shapes", check_shapes)
        else:
            problems = cached_diagnostics(corpus, "problems", check)
        # settings concern all notes
        is_of_all = any(path.rpartition("/")[2] in (CONFIG_NAME, ".") for path in self.paths)
        if self.paths and not is_of_all:
            problems = diagnostics_in(problems, self.paths)
        return [problem for problem in problems if not self.rules or problem.rule in self.rules]


def _apply_fixes(choice: _ProblemChoice, dry_run: bool) -> None:
    """Apply the fixes of the problems that would be listed."""
    from kg.cli.editing import run_change
    from kg.editing.fix_problems import make_fixes

    if not any(each.fix for each in choice.problems_in(load_notes(choice.folder, drafts=True))):
        click.echo("no problem has a fix")
        return
    run_change(
        choice.folder,
        "text",
        dry_run,
        lambda files, corpus: make_fixes(files, corpus, choice.problems_in),
    )


def _get_existing(folder: NotesFolder, file: str) -> str:
    path = path_in_corpus(folder, file)
    if not (folder / path).exists():
        raise click.UsageError(f"there is no file `{file}`")
    return path


def _read_unsaved(
    folder: NotesFolder, files: tuple[str, ...], assumed_path: str | None, watch: bool
) -> dict[str, bytes]:
    """The text from standard input by its assumed path; empty if `-` is not among the files."""
    if "-" not in files:
        if assumed_path is not None:
            raise click.UsageError("--as goes with `-`")
        return {}
    if files != ("-",) or watch:
        raise click.UsageError("`-` cannot be combined with files or --watch")
    path = path_in_corpus(folder, assumed_path or NEW_NOTE)
    if not path.endswith((NOTE_SUFFIX, *BIBLIOGRAPHY_SUFFIXES, CONFIG_NAME)):
        raise click.UsageError(f"`{path}` is not a note, a bibliography or `{CONFIG_NAME}`")
    data = sys.stdin.buffer.read(MAX_NOTE_BYTES + 1)
    if len(data) > MAX_NOTE_BYTES:
        raise click.UsageError(f"a note holds at most {MAX_NOTE_BYTES} bytes")
    return {path: data}


def _report_problems(choice: _ProblemChoice, format: str, strict: bool) -> int:
    """Print the current problems; return 1 if any of them is a failure, else 0."""
    from kg.checks.render_diagnostics import render_diagnostics
    from kg.loader import load_changed

    folder, paths, unsaved, rules, _ = choice
    corpus = load_changed(folder, unsaved) if unsaved else load_notes(folder, drafts=True)
    problems = choice.problems_in(corpus)
    show_all = bool(rules or paths)
    print_text(render_diagnostics(problems, corpus, folder, format, unsaved, show_all=show_all))
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(problem.severity in failing for problem in problems))


def _watch_notes(notes: NotesFolder, report: Callable[[], int]) -> None:
    from kg.serve.watch_and_serve import watch_files, watched_files

    def react(changed_files: set[str]) -> None:
        click.clear()
        click.secho("checking", dim=True, err=True)
        try:
            report()
        except Exception as error:
            print_error(error)  # broken settings are corrected like notes: by saving again

    click.secho("watching; Ctrl-C to stop", dim=True, err=True)
    try:
        watch_files(lambda: watched_files(notes), react, threading.Event())
    except KeyboardInterrupt:
        click.echo()
