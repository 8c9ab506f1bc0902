"""`kg against`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import Id, format_option, load, notes_option


@click.command(epilog="\b\nExample:\n  kg against grounding-grows-with-use --depth 2")
@click.argument("statement", type=Id("statements"))
@click.option(
    "--depth", type=click.IntRange(1), default=50, show_default=True, help="How far to follow."
)
@notes_option
@format_option("table", "json")
def command(statement: str, depth: int, notes: Path | None, format: str) -> None:
    """Show what contradicts, qualifies or undercuts a statement, and what supports those."""
    from kg.cli.trees import write_tree
    from kg.queries.explain import against

    write_tree(against(load(notes), statement, depth), format)
