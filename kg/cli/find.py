"""`kg find`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import Id, format_option, load, notes_option


@click.command(
    epilog="""\b
Examples:
  kg find --camp skeptic --line social-grounding
  kg find --kind evidence --topic grounding
  kg find --contradicts grounding-grows-with-use
  kg find reward turns                 statements that hold both words
  kg find --source shaikh2024 --format json"""
)
@click.argument("text", nargs=-1)
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(["claim", "counter-claim", "evidence"])
)
@click.option("--camp", help="Statements of this camp: in --line, else by their note's default.")
@click.option("--line", type=Id("lines"), help="Statements that this inquiry line places.")
@click.option("--topic", help="Statements on this topic.")
@click.option("--about", help="Statements about this named thing.")
@click.option("--source", type=Id("sources"), help="Statements that cite this source.")
@click.option("--supports", type=Id("statements"), metavar="ID", help="Statements that support ID.")
@click.option(
    "--contradicts", type=Id("statements"), metavar="ID", help="Statements that contradict ID."
)
@click.option(
    "--qualifies", type=Id("statements"), metavar="ID", help="Statements that qualify ID."
)
@click.option(
    "--supported-by", type=Id("statements"), metavar="ID", help="Statements that ID supports."
)
@click.option(
    "--contradicted-by", type=Id("statements"), metavar="ID", help="Statements that ID contradicts."
)
@click.option(
    "--qualified-by", type=Id("statements"), metavar="ID", help="Statements that ID qualifies."
)
@notes_option
@format_option("table", "json", "ids")
def command(
    text: tuple[str, ...],
    kinds: tuple[str, ...],
    notes: Path | None,
    format: str,
    **wanted: str | None,
) -> None:
    """Find statements; all that is asked for must hold."""
    from kg.cli.output import write_json, write_table
    from kg.model import Kind
    from kg.queries.find import Wanted, find_statements

    corpus = load(notes)
    said = {key: value for key, value in wanted.items() if value}
    found = find_statements(
        corpus, Wanted(kind=tuple(map(Kind, kinds)), text=" ".join(text), **said)
    )
    if format == "json":
        write_json(found)
    elif format == "ids":
        click.echo("".join(f"{statement.id}\n" for statement in found), nl=False)
    else:
        line = wanted.get("line")
        rows = [(s.id, s.kind.value, corpus.camp_of(s.id, line) or "", s.title) for s in found]
        write_table(("id", "kind", "camp", "title"), rows)
        click.echo(f"{len(found)} of {len(corpus.statements)} statements")
