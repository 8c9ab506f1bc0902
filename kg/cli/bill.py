"""What `kg verdict` prints: three sentences, the bill of reasons, and all that is behind them."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from kg.cli.cells import cell
from kg.cli.output import write_json, write_table
from kg.cli.tables import write_answer, write_fields, write_lines, write_terms
from kg.model.value import printable
from kg.reasoning import Reading, flips, robustness, sources, verdict
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict_text import Bill, Item, Verdict, bill_of, lead, remarks
from kg.reasoning.report import Answer

BEHIND = (
    "base",
    "filed_directly",
    "filed_word",
    "grounded",
    "grounded_says",
    "depends_on_semantics",
    "effective_sources",
    "sources",
    "others",
    "camps",
    "crossing",
)
TABLES = {
    "Robustness": ("edges", "conventions"),
    "Flips": ("singles", "undoing", "minimal_undoing", "minimal"),
    "Sources": ("effects",),
}
MOST = 10


def write_verdict(reading: Reading, name: str, format: str, detail: bool) -> None:
    """Print the verdict on a line or a statement; all of it with `detail`, or as JSON."""
    found = verdict(reading, name)
    if format == "json":
        write_json(found.to_dict())
    elif isinstance(found, Verdict):
        firm = robustness(reading, name)
        _write_short(reading, found, firm if isinstance(firm, Robustness) else None)
        if detail:
            _write_detail(found, (firm, flips(reading, name), sources(reading, name)))
        else:
            click.echo()
            write_lines(_further(found, firm), dim=True)
    else:
        write_answer(found, format)


def _write_short(reading: Reading, found: Verdict, firm: Robustness | None) -> None:
    first, *others = lead(found, firm)
    write_lines(first, bold=True)
    for sentence in others:
        write_lines(sentence)
    bill = bill_of(found)
    for name, items in (("for", bill.pro), ("against", bill.con)):
        if items:
            write_table(("share", "reason", "id"), map(_row, items), _headed(name, items))
    if bill.pro or bill.con:
        gain = found.asked.parameters.gain
        click.echo()
        write_lines(f"share: {gain:.2f} is what one flawless study would bring", dim=True)
    if bill.idle:
        write_lines(f"linked to it, and moving nothing as things stand: {cell(bill.idle)}", "  ")
    for remark in remarks(found):
        click.echo()
        write_lines(remark)


def _further(found: Verdict, firm: Answer) -> str:
    """Where to read on: which losses are meant, where some are, and what is behind the rest."""
    behind = "--detail shows what is behind this"
    if isinstance(firm, Robustness) and firm.smallest_loss:
        asked = found.asked.line or found.asked.statement
        return f"`kg flips {asked}` lists the losses that would undo it; {behind}"
    return behind


def _headed(name: str, items: Sequence[Item]) -> str:
    return f"{name}, in all {Bill.total(items)}"


def _row(item: Item) -> tuple[object, ...]:
    return item.share, item.title, Text(printable(item.statement), "dim")


def _write_detail(found: Verdict, answers: Sequence[Answer]) -> None:
    """How it was weighed, and the other answers about it in short."""
    click.secho("\nhow it was weighed", bold=True)
    write_fields(found, BEHIND, MOST)
    for answer in answers:
        click.echo()
        write_lines(answer.sentence, bold=True)
        write_fields(answer, TABLES.get(type(answer).__name__, ()), MOST)
    write_terms(found, {"strength", "con"})
