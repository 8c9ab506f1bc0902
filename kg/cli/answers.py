"""Answers in a terminal: one way for every command that finds something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.cli.options import load
from kg.queries.ask import Question


def answer(question: Question, notes: Path | None, endpoint: str | None) -> Any:
    """What the notes, or the endpoint, answer."""
    from kg.queries.memory import Memory
    from kg.queries.run import find

    if endpoint:
        from kg.api import connect

        return connect(endpoint).find(question)
    return find(Memory(load(notes)), question)


def write_answer(found: Any, format: str, columns: str | None = None, edges: bool = False) -> None:
    """Print records, a number, or the sizes of groups."""
    from kg.queries.answer import Answer, Groups

    if isinstance(found, Answer):
        _write_records(found, format, tuple(filter(None, (columns or "").split(","))), edges)
    elif isinstance(found, int):
        click.echo(found)
    else:
        _write_sizes(found.sizes() if isinstance(found, Groups) else found, format)


def _write_records(found: Any, format: str, columns: tuple[str, ...], edges: bool) -> None:
    from kg.cli.output import NARROW, console, plain, print_table, write_table
    from kg.queries.tables import as_table, by_title, counted, rows

    if format == "json":
        click.echo(found.to_json())
    elif format == "csv":
        click.echo(found.to_csv(*columns), nl=False)
    elif format == "markdown":
        click.echo(found.to_markdown(*columns), nl=False)
    elif format == "ids":
        click.echo("".join(f"{plain(id)}\n" for id in found.ids), nl=False)
    else:
        if found:
            screen = console(piped=160)
            if screen.width < NARROW:
                columns = columns or by_title(found)
                write_table(columns, rows(found, columns))
            else:
                print_table(screen, as_table(found, columns, screen.width))
        click.echo(counted(found))
    if edges and format in ("table", "markdown"):
        cells = [(e.source, e.relation.value, e.target, e.reason) for e in found.edges]
        click.echo()
        write_table(("from", "relation", "to", "reason"), cells, title="Why")


def _write_sizes(sizes: Any, format: str) -> None:
    from kg.cli.output import plain, write_json, write_table
    from kg.queries.convert import csv_text, markdown_table

    names, rows = (sizes.field, "count"), sizes.rows()
    if format == "json":
        write_json({name: int(number) for name, number in rows})
    elif format == "csv":
        click.echo(csv_text(names, rows), nl=False)
    elif format == "markdown":
        click.echo(markdown_table(names, rows))
    elif format == "ids":
        click.echo("".join(f"{plain(name)}\n" for name, _ in rows), nl=False)
    else:
        write_table(names, rows)
