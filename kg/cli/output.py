"""How answers look in a terminal: tables, trees, JSON; escape codes in notes are inert."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
import msgspec

from kg.model.value import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text
    from rich.tree import Tree

    from kg.report import Report, Reported


CLEAR = "\r\x1b[K"


@contextmanager
def counter() -> Iterator[Callable[[str, int], None]]:
    """A function that shows a step and how many are done; the line is gone at the end."""
    watched = sys.stderr.isatty()

    def show(step: str, count: int) -> None:
        if watched:
            click.echo(f"{CLEAR}{step} {count}", err=True, nl=False)

    try:
        yield show
    finally:
        if watched:
            click.echo(CLEAR, err=True, nl=False)


UNFOLDED = 100_000  # columns of a table that a program reads: no word is broken
NARROW = 60  # columns below which a table would break its words


def plain_lines(text: str) -> str:
    """The same, line by line."""
    return "\n".join(map(printable, text.split("\n")))


def write_text(text: str | bytes) -> None:
    """Print what another program may read: whole, but to a terminal without control characters."""
    if sys.stdout.isatty():
        text = plain_lines(text if isinstance(text, str) else text.decode("utf-8", "replace"))
    click.echo(text, nl=False)


def console(piped: int = 120) -> Console:
    """Where answers go; no colours where output is piped (then so wide) or NO_COLOR is set."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else piped
    return Console(width=width, highlight=False, emoji=False)


def write_json(value: Any) -> None:
    """Print `value` as JSON."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    write_text(text.decode("utf-8") + "\n")


def write_answer(answer: Reported, format: str, where: str = "") -> None:
    """Print an answer as its report, or as JSON; `where` says where rows left out can be read."""
    if format == "json":
        write_json(answer.to_dict())
    else:
        write_report(answer.report(), where)


def write_report(report: Report, where: str = "") -> None:
    """Print lines that fit the terminal, and tables."""
    from kg.report import WIDTH, Line, render_line, rest

    def dimmed(row: Sequence[str]) -> Sequence[Any]:
        from rich.text import Text

        return (*row[:-1], Text(printable(row[-1]), "dim"))

    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
    for part in report.parts:
        if isinstance(part, Line):
            bold, dim = part.style == "strong" or None, part.style == "aside" or None
            click.secho(render_line(part, width), bold=bold, dim=dim)
        elif part.rows:
            rows = part.rows[: part.most]
            aside = part.columns[1:] and part.columns[-1] == "id"  # behind what is read
            write_table(part.columns, map(dimmed, rows) if aside else rows, title=part.title)
            if more := rest(part.rows, part.most):
                click.echo(more + where)


def _text(cell: Any, between: str = "\n") -> Text:
    """A cell as it is, never read as markup."""
    from rich.text import Text

    if isinstance(cell, Text):
        return cell
    lines = map(printable, str(cell).split("\n"))
    return Text(between.join(lines if between == "\n" else map(str.strip, lines)))


def write_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print rows under headings; in a narrow terminal cell below cell, each with its name."""
    from rich.table import Column, Table
    from rich.text import Text

    if title:
        click.secho(f"\n{printable(title)}", bold=True)
    out = console(UNFOLDED)
    if out.width < NARROW and len(columns) > 2:
        for first, *rest in rows:
            out.print(_text(first), style="bold")
            for name, cell in zip(columns[1:], rest, strict=True):
                if not (text := _text(cell, ", ")).plain.strip():
                    continue
                # The terminal itself breaks an id that is too long, and copies it whole.
                out.print(
                    Text.assemble((f"  {name}: ", "dim"), text), soft_wrap=" " not in text.plain
                )
        return
    # an id that does not fit goes on in the next line, so that it can still be read
    headings = [Column(name, overflow="fold") for name in columns]
    table = Table(*headings, box=None, padding=(0, 2, 0, 0), header_style="dim")
    for row in rows:
        table.add_row(*map(_text, row))
    print_table(out, table)


def print_table(out: Console, table: Table | Tree) -> None:
    """Print a table or a tree; where it is piped, without the spaces that fill up its lines."""
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as printed:
        out.print(table)
    click.echo("\n".join(line.rstrip(" ") for line in printed.get().split("\n")), nl=False)
