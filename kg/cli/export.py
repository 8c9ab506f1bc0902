"""`kg export`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import load, notes_option

NAMES = ("ttl", "nq", "trig", "jsonld", "rdfxml", "graphml", "gexf", "dot", "csv")
PROFILES = ("cito", "prov", "schema", "discourse-graph", "nanopub")


@click.command(
    epilog="""\b
Profiles (RDF formats alone):
  cito             Citation Typing Ontology: who supports, disputes, cites whom
  prov             PROV-O: what was derived from which note and source
  schema           schema.org: claims, questions and scholarly articles
  discourse-graph  Discourse Graphs: questions, claims, evidence, sources
  nanopub          nanopublications, unsigned (trig, nq, jsonld)

\b
Examples:
  kg export ttl > graph.ttl
  kg export csv --output tables
  kg export trig --profile nanopub --output nanopubs.trig"""
)
@click.argument("name", metavar="FORMAT", type=click.Choice(NAMES))
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The file (for csv: the folder) to write.  [default: print]",
)
@click.option("--profile", type=click.Choice(PROFILES), help="In another vocabulary.")
@notes_option
def command(name: str, output: Path | None, profile: str | None, notes: Path | None) -> None:
    """Write the graph as ttl, nq, trig, jsonld, rdfxml, graphml, gexf, dot or csv."""
    from kg.exchange.formats import render_export, write_export

    corpus = load(notes)
    if output is None:
        click.echo(render_export(corpus, name, profile), nl=False)
    else:
        write_export(corpus, name, output, profile)
        click.echo(f"wrote {output}", err=True)
