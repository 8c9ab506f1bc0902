"""Commands about judgements: how far people agree, and how models compare with them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.options import format_option, load, notes_option

if TYPE_CHECKING:
    from kg.model import Diagnostic
    from kg.reasoning import Report
    from kg.reasoning.annotation.models import Comparisons, Pair

WIDTH, LONGEST = 100, 15
NONE = """there are no judgements: write judgements/NAME.csv in the notes folder, with the columns
edge, annotator, label (supports, contradicts, neutral), date, note"""
NO_MODEL = """there is no model: name a FILE, or write a column `model:NAME` beside the judgements
(`kg compare-model --help` shows how)"""
MODEL = {
    "model": "model",
    "edges": "edges",
    "agree": "agrees (share)",
    "deviation": "deviates (share)",
    "flattening": "flattens (share)",
    "divergence": "divergence (bits)",
    "ceiling": "second panel (bits)",
}
RANK = {
    "model": "model",
    "score": "says what others say (share)",
    "score_people": "people do (share)",
    "percentile": "percentile (0-100)",
    "percentile_low": "95% from",
    "percentile_high": "to",
    "rank": "rank",
    "raters": "among (people)",
}
PAIR = {
    "edges": "edges",
    "correlation": "correlation (-1 to 1)",
    "both_wrong": "both wrong (edges)",
    "expected": "expected (edges)",
    "same_wrong": "same wrong label (share)",
    "by_chance": "by chance (share)",
    "beyond_chance": "beyond chance (to 1)",
}
TERMS = (
    "agrees: gives people's commonest label, where there is one; deviates: gives another where at "
    "least .8 of two or more people agree; flattens: is .9 sure where less than .7 agree",
    "divergence: Jensen-Shannon, 0 to 1; second panel: what another panel of the same size would "
    "show beside this one, worked out from its halves; who knew the true shares would show about "
    "half of that",
    "percentile: people whom the model beats at saying what the others say of the same edges, "
    "those level with it counting half",
    "correlation: of how often each is wrong on an edge, that is, says other than people's "
    "commonest label; expected: if errors were independent; beyond chance: 0 for as often the same "
    "wrong label as chance has it, 1 for always",
)


@click.command(epilog="\b\nExample:\n  kg agreement")
@click.option("--bootstrap", type=click.IntRange(0), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@notes_option
@format_option("table", "json")
@click.pass_context
def agreement_command(
    ctx: click.Context, bootstrap: int, seed: int, notes: Path | None, format: str
) -> None:
    """Say how far annotators agree on edges (`notes/judgements/*.csv`)."""
    from kg import reasoning
    from kg.reasoning.annotation.agreement import UNITS

    found = reasoning.agreement(_judgements(ctx, notes).rows, bootstrap, seed)
    _show(found, format, UNITS)


@click.command(
    "compare-model", epilog="\b\nExamples:\n  kg compare-model\n  kg compare-model labels.csv"
)
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILE]...",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@notes_option
@format_option("table", "json")
@click.pass_context
def compare_model_command(
    ctx: click.Context, files: tuple[Path, ...], seed: int, notes: Path | None, format: str
) -> None:
    """Set models' labels of edges beside people's: where they deviate, flatten, err alike.

    Without FILE, the models are the columns `model:NAME` of `notes/judgements/*.csv`. A FILE has
    such columns too, or is one model's: columns edge and label (a row per sample), or edge,
    supports, contradicts, neutral (shares).
    """
    from kg import reasoning
    from kg.reasoning.annotation.compare import UNITS, one_model

    found = _judgements(ctx, notes)
    models: dict[str, Any] = {} if files else dict(found.models)
    for file in files:
        read, problems = reasoning.load_models(file)
        _tell(problems)
        models |= _called_apart(read, models)
    if not models:
        click.echo(NO_MODEL, err=True)
        ctx.exit(1)
    if len(files) == 1 and one_model(files[0]):
        [(name, model)] = models.items()
        _show(reasoning.compare(found.rows, model, seed, name), format, UNITS)
    else:
        _show_several(reasoning.compare_models(found.rows, models, seed), format)


def _called_apart(read: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Models by names that none before them has."""
    found: dict[str, Any] = {}
    for name, model in read.items():
        free, number = name, 2
        while free in before or free in found:
            free, number = f"{name} ({number})", number + 1
        found[free] = model
    return found


def _judgements(ctx: click.Context, notes: Path | None) -> Any:
    """The judgements beside the notes, problems told; ends the command where there are none."""
    from kg import reasoning

    found = reasoning.judgements_of(load(notes))
    _tell(found.diagnostics)
    if not found.rows:
        click.echo(NONE, err=True)
        ctx.exit(1)
    return found


def _tell(problems: Sequence[Diagnostic]) -> None:
    from kg.model.value import printable

    for problem in problems:
        click.echo(printable(f"{problem.span}: {problem.message}"), err=True)


def _show(answer: Report, format: str, units: Mapping[str, str]) -> None:
    """Print one report, each figure with its unit."""
    from kg.cli.cells import cell, words
    from kg.cli.output import write_json

    if format == "json":
        write_json(answer.to_dict())
        return
    kind = type(answer).__name__
    _write(answer.sentence, bold=True)
    fields = {name: getattr(answer, name) for name in answer.__struct_fields__}
    for name, value in fields.items():
        if name not in ("sentence", "complete") and not isinstance(value, dict | tuple):
            unit = f" ({units[name]})" if name in units else ""
            _write(f"  {words(name, kind)}: {cell(value)}{unit}", "    ")
    for name, value in fields.items():
        if isinstance(value, dict) and value:
            _write(f"{words(name, kind)}: {cell(value)}", "  ")
        elif isinstance(value, tuple) and value:
            _write_list(words(name, kind), value)


def _write_list(name: str, value: tuple[Any, ...]) -> None:
    from kg.cli.cells import cell, columns_of
    from kg.cli.output import write_table

    if isinstance(value[0], str):
        _write(f"{name}: {cell(value)}", "  ")
        return
    columns = columns_of(value[0])
    rows = [[of(item) for _, of in columns] for item in value[:LONGEST]]
    write_table([heading for heading, _ in columns], rows, name)
    _write_more(len(value))


def _show_several(answer: Comparisons, format: str) -> None:
    """Print models beside people, and beside each other."""
    from kg.cli.cells import cell
    from kg.cli.output import write_json

    if format == "json":
        write_json(answer.to_dict())
        return
    _write(answer.sentence, bold=True)
    _write_table("beside the panel", MODEL, answer.models)
    _write_table("as one more rater", RANK, answer.models)
    pairs = [*answer.pairs[:LONGEST], *([answer.people] if answer.people else [])]
    if answer.pairs:
        _write_table("errors of two", PAIR, pairs, _both)
        _write_more(len(answer.pairs))
        click.echo()
        for name, value, unit in (
            ("mean correlation of two models' errors", answer.mean_correlation, "-1 to 1"),
            ("all models wrong", answer.all_wrong, "edges"),
            ("expected, were errors independent", answer.all_wrong_expected, "edges"),
        ):
            _write(f"  {name}: {cell(value)} ({unit})")
        if answer.missed:
            _write(f"  mostly missed by each: {cell(answer.missed)}", "    ")
    click.echo()
    for text in TERMS if answer.pairs else TERMS[:-1]:
        _write(text, "  ", dim=True)


def _both(pair: Pair) -> str:
    return f"{pair.one}\n{pair.other}"


def _write_table(
    title: str, columns: Mapping[str, str], rows: Sequence[Any], of: Any = None
) -> None:
    from kg.cli.cells import cell
    from kg.cli.output import write_table

    headings = [*(["judges"] if of else []), *columns.values()]
    cells = [
        [*([of(row)] if of else []), *(cell(getattr(row, n)) for n in columns)] for row in rows
    ]
    write_table(headings, cells, title)


def _write_more(count: int) -> None:
    if count > LONGEST:
        click.echo(f"… and {count - LONGEST} more (`--format json` has all)")


def _write(text: str, indent: str = "", **style: Any) -> None:
    """Print a text in lines that fit, all but the first behind `indent`."""
    from kg.model.value import printable

    lines = textwrap.wrap(
        printable(text),
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.secho("\n".join(lines), **style)
