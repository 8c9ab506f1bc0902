"""`kg review` and `agreement`: what is due for review, and how far annotators agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.shared.options import (
    SectionedCommand,
    answer_options,
    count_option,
    load_notes,
    prepare_folder,
)
from kg.cli.shared.output import print_answer
from kg.queries import REVIEW_PERIOD_MONTHS
from kg.text.printable import printable

if TYPE_CHECKING:
    from kg.model import Diagnostic, Span
    from kg.reasoning import Judgements
    from kg.reporting.report import PrintableAnswer

NO_JUDGEMENTS = """there are no judgements: write judgements/NAME.csv in the notes folder, with
the columns edge, annotator, label (supports, contradicts, neutral), date, note"""
NO_MODEL = """there is no model: name a FILE, or add a column `model:NAME` to the judgements
(`kg help agreement` shows how)"""


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
    from kg.judgements.model_labels import holds_one_model

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
        names = chain([name], (f"{name} ({number})" for number in count(2)))
        free_names = (each for each in names if each not in {*taken_names, *renamed_models})
        renamed_models[next(free_names)] = model
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
@answer_options
def review_command(months: int, notes: Path | None, format: str) -> None:
    """List what is stale, without evidence, undecided, or not reviewed for months.

    A note is stale if something it rests on changed after its `reviewed` date, by the date
    `updated` or else by git. “moves” is how far a line's answer would move if the statement were
    certain; a line's own proposition is left out: it is the answer.
    """
    from kg.queries.review import review

    _print_result(review(load_notes(notes), months), format)
