"""`kg why`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import Id, format_option, load, notes_option


@click.command(epilog="\b\nExample:\n  kg why grounding-grows-with-use --depth 2")
@click.argument("statement", type=Id("statements"))
@click.option(
    "--depth", type=click.IntRange(1), default=50, show_default=True, help="How far to follow."
)
@notes_option
@format_option("table", "json")
def command(statement: str, depth: int, notes: Path | None, format: str) -> None:
    """Show what supports a statement, what supports that, and so on."""
    from kg.cli.trees import write_tree
    from kg.queries.explain import why

    write_tree(why(load(notes), statement, depth), format)
