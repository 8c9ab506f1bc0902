"""`kg check`, `review` and `agreement`: what is wrong, what is due, how far annotators agree."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.options import (
    SectionedCommand,
    answer_options,
    count_option,
    folder_option,
    format_option,
    load_notes,
    notes_option,
    path_in_corpus,
    prepare_folder,
    rule_names,
)
from kg.cli.output import print_answer, print_error, print_text
from kg.corpus import Corpus, UnknownId
from kg.files.read_files import NotesFolder
from kg.model import Severity
from kg.model.settings.config import CONFIG_NAME
from kg.notes.discover import BIBLIOGRAPHY_SUFFIXES, MAX_NOTE_BYTES, NOTE_SUFFIX
from kg.queries import REVIEW_PERIOD_MONTHS
from kg.text.printable import printable
from kg.text.spelling import nearest_names

if TYPE_CHECKING:
    from kg.model import Diagnostic, Span
    from kg.reasoning import Judgements
    from kg.reporting.report import PrintableAnswer

NO_JUDGEMENTS = """there are no judgements: write judgements/NAME.csv in the notes folder, with
the columns edge, annotator, label (supports, contradicts, neutral), date, note"""
NO_MODEL = """there is no model: name a FILE, or add a column `model:NAME` to the judgements
(`kg help agreement` shows how)"""
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
            similar_names = nearest_names(name, names)
            raise UnknownId(
                name, similar_names, "rule", where="" if similar_names else "; see `kg help rules`"
            )
    folder = prepare_folder(notes)
    if fix and ("-" in files or watch or shacl or format != "text"):
        raise click.UsageError("--fix changes files, and prints text only")
    if dry_run and not fix:
        raise click.UsageError("--dry-run goes with --fix")
    unsaved = _read_unsaved(folder, files, assumed_path, watch)
    chosen_paths = tuple(unsaved) or tuple(_get_existing(folder, file) for file in files)

    def report() -> int:
        return _report_current_problems(folder, chosen_paths, unsaved, format, rules, strict, shacl)

    if fix:
        _apply_fixes(folder, chosen_paths, rules, dry_run)
        if dry_run:
            return
    status = report()
    if watch:
        _watch_notes(folder, report)
    ctx.exit(status)


def _apply_fixes(
    notes: NotesFolder, paths: tuple[str, ...], rules: tuple[str, ...], dry_run: bool
) -> None:
    """Apply the fixes of the problems that would be listed."""
    from kg.cli.editing import run_change
    from kg.editing.fix_problems import make_fixes

    def choose(corpus: Corpus) -> list[Diagnostic]:
        return _current_problems(corpus, paths, rules)

    if not any(problem.fix for problem in choose(load_notes(notes, drafts=True))):
        click.echo("no problem has a fix")
        return
    run_change(notes, "text", dry_run, lambda files, corpus: make_fixes(files, corpus, choose))


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


def _report_current_problems(
    notes: NotesFolder,
    paths: tuple[str, ...],
    unsaved: Mapping[str, bytes],
    format: str,
    rules: tuple[str, ...],
    strict: bool,
    shacl: bool,
) -> int:
    """Print the current problems; return 1 if any of them is a failure, else 0."""
    from kg.checks.render_diagnostics import render_diagnostics
    from kg.loader import load_changed

    corpus = load_changed(notes, unsaved) if unsaved else load_notes(notes, drafts=True)
    problems = _current_problems(corpus, paths, rules, shacl)
    show_all = bool(rules or paths)
    print_text(render_diagnostics(problems, corpus, notes, format, unsaved, show_all=show_all))
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(problem.severity in failing for problem in problems))


def _current_problems(
    corpus: Corpus, paths: tuple[str, ...], rules: tuple[str, ...], shacl: bool = False
) -> list[Diagnostic]:
    from kg.checks import check, diagnostics_in
    from kg.checks.diagnostics_cache import cached_diagnostics
    from kg.checks.shacl import check_shapes

    if shacl:
        problems = cached_diagnostics(corpus, "shapes", check_shapes)
    else:
        problems = cached_diagnostics(corpus, "problems", check)
    # settings concern all notes
    if paths and not any(path.rpartition("/")[2] in (CONFIG_NAME, ".") for path in paths):
        problems = diagnostics_in(problems, paths)
    return [problem for problem in problems if not rules or problem.rule in rules]


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


@click.command(
    cls=SectionedCommand,
    sections={"Models": "models", "Trials": "bootstrap seed"},
    epilog="""\b
Examples:
  kg agreement                  among people
  kg agreement --models         between models and people
  kg agreement labels.csv       with a model's labels in a file""",
)
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILE]...",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
)
@click.option("--models", is_flag=True, help="Compare models' labels with people's.")
@count_option("--bootstrap", 1000, "Samples drawn for the intervals between people.", low=0)
@count_option("--seed", 0, "The seed for drawing samples.", low=0)
@notes_option
@answer_options
@click.pass_context
def agreement_command(
    ctx: click.Context,
    files: tuple[Path, ...],
    models: bool,
    bootstrap: int,
    seed: int,
    notes: Path | None,
    format: str,
) -> None:
    """Show how far annotators agree on edges (`notes/judgements/*.csv`).

    With --models or a FILE: where models deviate from people, flatten their disagreement, or make
    the same errors. Without FILE, the models are the columns `model:NAME` of
    `notes/judgements/*.csv`. A FILE has such columns, too, or the labels of one model: columns edge
    and label (a row per sample), or edge, supports, contradicts, neutral (shares).
    """
    from kg import reasoning

    if models or files:
        _compare_models(ctx, files, seed, notes, format)
    else:
        _print_result(
            reasoning.agreement(_load_judgements(ctx, notes).rows, bootstrap, seed), format
        )


def _compare_models(
    ctx: click.Context, files: tuple[Path, ...], seed: int, notes: Path | None, format: str
) -> None:
    from kg import reasoning
    from kg.reasoning.annotation.model_comparison import holds_one_model

    judgements = _load_judgements(ctx, notes)
    models: dict[str, Any] = {} if files else dict(judgements.models)
    for file in files:
        file_models, problems = reasoning.load_models(file)
        _print_problems(problems)
        models |= _rename_duplicates(file_models, models)
    if not models:
        click.echo(NO_MODEL, err=True)
        ctx.exit(1)
    if len(files) == 1 and holds_one_model(files[0]):
        [(name, model)] = models.items()
        _print_result(reasoning.compare_model(judgements.rows, model, seed, name), format)
    else:
        _print_result(reasoning.compare_models(judgements.rows, models, seed), format)


def _rename_duplicates(
    models: Mapping[str, object], taken_names: Mapping[str, object]
) -> dict[str, Any]:
    """The models, renamed where a name is already taken: `name (2)`."""
    renamed_models: dict[str, Any] = {}
    for name, model in models.items():
        free_name = name
        number = 2
        while free_name in taken_names or free_name in renamed_models:
            free_name = f"{name} ({number})"
            number = number + 1
        renamed_models[free_name] = model
    return renamed_models


def _load_judgements(ctx: click.Context, notes: Path | None) -> Judgements:
    """The judgements with the notes; prints their problems, and exits if there are none."""
    from kg import reasoning

    judgements = reasoning.judgements_of(load_notes(notes))
    _print_problems(judgements.diagnostics, prepare_folder(notes).place)
    if not judgements.rows:
        click.echo(NO_JUDGEMENTS, err=True)
        ctx.exit(1)
    return judgements


def _print_problems(problems: Sequence[Diagnostic], place: Callable[[Span], str] = str) -> None:
    for problem in problems:
        click.echo(printable(f"{place(problem.span)}: {problem.message}"), err=True)


def _print_result(answer: PrintableAnswer, format: str) -> None:
    print_answer(answer, format, " (`--format json` has all)")


@click.command(
    epilog="""\b
Examples:
  kg review                     what is due, what moves an answer most first
  kg review --months 6
  kg review --format json       with the notes that changed since each review"""
)
@count_option("--months", REVIEW_PERIOD_MONTHS, "How long a review is valid.", high=1200)
@notes_option
@answer_options
def review_command(months: int, notes: Path | None, format: str) -> None:
    """List what is stale, unsupported, undecided, or not reviewed for months.

    A note is stale if something it rests on changed after its `reviewed` date, by the date
    `updated` or else by git. “moves” is how far a line's answer would move if the statement were
    certain; a line's own proposition is left out: it is the answer.
    """
    from kg.queries.review import review

    _print_result(review(load_notes(notes), months), format)
