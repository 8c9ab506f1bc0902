"""`kg compare`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import Id, format_option, load, notes_option


@click.command(
    epilog="\b\nExample:\n  kg compare grounding-grows-with-use tuning-strips-grounding-acts"
)
@click.argument("one", type=Id("statements"))
@click.argument("other", type=Id("statements"))
@notes_option
@format_option("table", "json")
def command(one: str, other: str, notes: Path | None, format: str) -> None:
    """Show what two statements share, and where they part."""
    from kg.cli.output import write_told
    from kg.queries.compare import compare

    write_told(compare(load(notes), one, other), format)
