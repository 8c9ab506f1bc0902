"""`kg pull`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.export import NAMES


@click.command(
    epilog="""\b
Examples:
  kg pull nq --endpoint http://localhost:7878/query --output graph.nq
  kg pull csv --endpoint https://sparql.example.org/query --output tables

Credentials come from the environment, as for `kg push`."""
)
@click.argument("name", metavar="FORMAT", type=click.Choice(NAMES))
@click.option("--endpoint", required=True, metavar="URL", help="Where the server takes queries.")
@click.option("--base", metavar="IRI", default="", help="Which corpus, if there are several.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    help="The file (for csv: the folder) to write.",
)
def command(name: str, endpoint: str, base: str, output: Path) -> None:
    """Read the graph back from a SPARQL 1.1 server, and write it as `kg export` does."""
    from kg.exchange.endpoint import connect
    from kg.exchange.formats import write_export
    from kg.exchange.push import pull

    corpus = pull(connect(endpoint), base)
    write_export(corpus, name, output)
    click.echo(f"wrote {output}: {corpus!r}")
