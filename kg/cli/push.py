"""`kg push`"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from kg.cli.options import load, notes_option


@click.command(
    epilog="""\b
Examples:
  kg push --endpoint http://localhost:7878/query
  KG_ENDPOINT_USER=dba KG_ENDPOINT_PASSWORD=… kg push --endpoint http://localhost:8890/sparql-auth
  kg push --endpoint http://localhost:7878/query --dry-run

Credentials come from KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD (basic or digest), or from
KG_ENDPOINT_TOKEN (bearer). Only graphs that changed are sent. A push that was stopped goes on
where it stopped when it is run again."""
)
@click.option("--endpoint", required=True, metavar="URL", help="Where the server takes queries.")
@click.option("--update-endpoint", metavar="URL", default="", help="Where it takes updates.")
@click.option("--dry-run", is_flag=True, help="Say what would be sent, and send nothing.")
@notes_option
def command(endpoint: str, update_endpoint: str, dry_run: bool, notes: Path | None) -> None:
    """Make a SPARQL 1.1 server hold the graph, one named graph for each note."""
    from kg.exchange.endpoint import connect
    from kg.exchange.push import find_changes, push

    corpus, server = load(notes), connect(endpoint, update_endpoint)
    if dry_run:
        todo = find_changes(corpus, server)
        click.echo(
            f"{todo.written} graphs to write, {todo.removed} to remove, "
            f"{todo.unchanged} unchanged; nothing was sent"
        )
        return
    steps: Iterable[int] = ()
    with click.progressbar(steps, length=1, label="pushing", file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        pushed = push(corpus, server, show)
    click.echo(
        f"{pushed.written} graphs written, {pushed.removed} removed, {pushed.unchanged} unchanged"
    )
