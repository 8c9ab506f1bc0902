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
    from kg.cli.output import write_told
    from kg.queries.explain import path

    route = path(load(notes), start, end)
    if route is None:
        click.echo("null" if format == "json" else "no edges connect them")
    else:
        write_told(route, format)
    ctx.exit(int(route is None))
