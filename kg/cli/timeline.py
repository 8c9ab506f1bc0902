"""`kg timeline`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import Id, format_option, load, notes_option


@click.command(epilog="\b\nExample:\n  kg timeline dialogue-can-be-trained-in")
@click.argument("statement", type=Id("statements"))
@notes_option
@format_option("table", "json")
def command(statement: str, notes: Path | None, format: str) -> None:
    """Show how the case for a statement grew, by the years its evidence was published.

    Strength is what the corpus would give it on the evidence published by then.
    """
    from kg.cli.output import write_told
    from kg.queries.timeline import timeline

    write_told(timeline(load(notes), statement), format)
