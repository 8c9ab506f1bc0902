"""`kg path`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import Id, format_option, load, notes_option


@click.command(epilog="\b\nExample:\n  kg path collabllm-user-study form-alone-yields-no-meaning")
@click.argument("start", type=Id("statements"))
@click.argument("end", type=Id("statements"))
@notes_option
@format_option("table", "json")
@click.pass_context
def command(ctx: click.Context, start: str, end: str, notes: Path | None, format: str) -> None:
    """Show a shortest chain of edges between two statements; exit status 1 where there is none."""
    from kg.cli.output import write_json, write_table
    from kg.queries.explain import path

    corpus = load(notes)
    route = path(corpus, start, end)
    if format == "json":
        write_json(route)
    elif route is None:
        click.echo("no edges connect them")
    else:
        rows = [
            (edge.source, edge.relation.value, edge.target, edge.reason) for edge in route.edges
        ]
        write_table(("from", "relation", "to", "reason"), rows)
    ctx.exit(int(route is None))
