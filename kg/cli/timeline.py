"""`kg timeline`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import Id, format_option, load, notes_option

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.queries.timeline import Timeline


@click.command(epilog="\b\nExample:\n  kg timeline dialogue-can-be-trained-in")
@click.argument("statement", type=Id("statements"))
@notes_option
@format_option("table", "json")
def command(statement: str, notes: Path | None, format: str) -> None:
    """Show how the case for a statement grew, by the years its evidence was published.

    Strength is what the corpus would give it on the evidence published by then.
    """
    from kg.cli.output import write_json
    from kg.queries.timeline import timeline

    corpus = load(notes)
    found = timeline(corpus, statement)
    write_json(found) if format == "json" else _write(corpus, found)


def _write(corpus: Corpus, found: Timeline) -> None:
    from kg.cli.output import plain, write_table

    click.secho(plain(corpus.statements[found.statement].title), bold=True)
    rows = [
        (
            year.year,
            f"+{len(year.added_for)}",
            f"+{len(year.added_against)}",
            str(year.support),
            str(year.opposition),
            "" if year.strength is None else f"{year.strength:.2f}",
        )
        for year in found.years
    ]
    if rows:
        names = ("year", "for", "against", "by then for", "by then against", "strength")
        write_table(names, rows)
    if found.undated:
        click.echo(plain(f"\nWithout a year: {', '.join(found.undated)}"))
    if not rows and not found.undated:
        click.echo("no evidence bears on it")
