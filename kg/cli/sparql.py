"""`kg sparql`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import find_folder, format_option, load, notes_option

if TYPE_CHECKING:
    from kg.views.sparql import Answer


class Help(click.Command):
    """A command whose help lists the queries that it knows by name."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from kg.views.sparql import kept_queries

        with formatter.section("Queries known by name"):
            formatter.write_dl([(query.name, query.title) for query in kept_queries()])
        super().format_epilog(ctx, formatter)


@click.command(
    cls=Help,
    epilog="""\b
Examples:
  kg sparql clashes
  kg sparql reasons --id statement=tuning-strips-grounding-acts
  kg sparql 'SELECT ?t { ?s kg:topic ?topic ; dcterms:title ?t }' --text topic=norms
  kg sparql around --id statement=grounding-grows-with-use --format graph
  kg sparql my-query.rq --format csv""",
)
@click.argument("query")
@click.option(
    "--id", "ids", multiple=True, metavar="VAR=ID", help="Hold ?VAR to what ID names (repeatable)."
)
@click.option(
    "--text", "texts", multiple=True, metavar="VAR=TEXT", help="Hold ?VAR to a text (repeatable)."
)
@click.option("--show", is_flag=True, help="Print the query instead of running it.")
@notes_option
@format_option("table", "csv", "json", "graph")
def command(
    query: str,
    ids: tuple[str, ...],
    texts: tuple[str, ...],
    show: bool,
    notes: Path | None,
    format: str,
) -> None:
    """Ask the notes in SPARQL.

    QUERY is a name from the list below, a file, `-` for what is piped in, or the query itself.
    The prefixes kg, dcterms, prov, oa and bibo need no declaration.
    """
    from kg.views.bindings import iri_of
    from kg.views.sparql import sparql

    text = _find_query(query)
    if show:
        click.echo(text, nl=False)
        return
    corpus = load(notes)
    store = find_folder(notes).resolve().parent / "build" / "store"
    named = {name: iri_of(corpus, id) for name, id in map(_pair, ids)}
    words = dict(map(_pair, texts))
    _write(sparql(corpus, text, store=store, **named, **words), format, corpus.config.base_iri)


def _find_query(query: str) -> str:
    from kg.corpus import UnknownId, nearest
    from kg.views.sparql import kept_queries

    known = {kept.name: kept.text for kept in kept_queries()}
    if query in known:
        return known[query]
    if query == "-":
        return sys.stdin.read()
    if "{" not in query:
        if not Path(query).exists():
            raise UnknownId(query, nearest(query, known), "query or file", where="")
        return Path(query).read_text("utf-8")
    return query


def _pair(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark:
        raise click.BadParameter(f"{text!r} is not of the form VAR=VALUE")
    return name.lstrip("?$"), value


def _write(answer: Answer, format: str, base: str) -> None:
    from kg.cli.output import write_table
    from kg.views import answers

    if format == "table":
        columns, rows = answers.columns_and_rows(answer)
        write_table(columns, [[answers.short(term, base) for term in row] for row in rows])
        click.echo(f"{len(rows)} rows")
    else:
        render = {
            "csv": answers.render_csv,
            "json": answers.render_json,
            "graph": answers.render_graph,
        }[format]
        click.echo(render(answer), nl=False)
