"""`kg sparql`"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import find_folder, format_option, load, notes_option

if TYPE_CHECKING:
    from kg.views.sparql import Answer, Kept

LARGEST_QUERY = 4 * 1024 * 1024


class Help(click.Command):
    """A command whose help lists the queries that it knows by name."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from kg.views.sparql import kept_queries

        with formatter.section("Queries known by name"):
            formatter.write_dl([(query.name, _told(query)) for query in kept_queries()])
        super().format_epilog(ctx, formatter)


def _told(query: Kept) -> str:
    options = [f"--id {name}=ID" for name in query.needed]
    options += [f"[--id {name}=ID]" for name in query.parameters if name not in query.needed]
    return " ".join([f"{query.title}.", *options])


@click.command(
    cls=Help,
    epilog="""\b
Examples:
  kg sparql clashes
  kg sparql reasons --id statement=tuning-strips-grounding-acts
  kg sparql 'SELECT ?t { ?s kg:topic ?topic ; dcterms:title ?t }' --text topic=norms
  kg sparql around --id statement=grounding-grows-with-use --format graph
  kg sparql my-query.rq --format csv
  kg sparql camps --endpoint http://localhost:7878/query

The table shows ids; csv, json and graph hold whole IRIs. Credentials of an endpoint come from
KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD (basic or digest), or from KG_ENDPOINT_TOKEN (bearer).""",
)
@click.argument("query")
@click.option(
    "--id", "ids", multiple=True, metavar="VAR=ID", help="Hold ?VAR to what ID names (repeatable)."
)
@click.option(
    "--text", "texts", multiple=True, metavar="VAR=TEXT", help="Hold ?VAR to a text (repeatable)."
)
@click.option("--show", is_flag=True, help="Print the query instead of running it.")
@click.option("--endpoint", metavar="URL", help="Ask this SPARQL endpoint instead of the notes.")
@notes_option
@format_option("table", "csv", "json", "graph")
def command(
    query: str,
    ids: tuple[str, ...],
    texts: tuple[str, ...],
    show: bool,
    endpoint: str | None,
    notes: Path | None,
    format: str,
) -> None:
    """Ask the notes in SPARQL.

    QUERY is a name from the list below, a file, `-` for what is piped in, or the query itself.
    The prefixes kg, dcterms, prov, oa and bibo need no declaration.
    """
    named, words = dict(map(_pair, ids)), dict(map(_pair, texts))
    text = _find_query(query)
    if show:
        click.echo(text, nl=False)
        return
    _check_needed(query, {*named, *words})
    if endpoint:
        _write(*_ask_server(text, endpoint, named, words), format)
    else:
        _write(*_ask_notes(text, notes, named, words), format)
    _hint(text)


def _hint(query: str) -> None:
    """Say which terms of the ontology's namespace it does not have: they find nothing."""
    from kg.views.sparql import find_unknown_terms

    for name, close in find_unknown_terms(query).items():
        meant = f"; did you mean kg:{close[0]}?" if close else ""
        click.echo(f"no term kg:{name} in the ontology{meant}", err=True)


def _ask_server(
    text: str, url: str, ids: dict[str, str], words: dict[str, str]
) -> tuple[Answer, str]:
    from kg.api import connect

    there = connect(url)
    named = {name: there.iri_of(id) for name, id in ids.items()}
    return there.sparql(text, **named, **words), there.base


def _ask_notes(
    text: str, notes: Path | None, ids: dict[str, str], words: dict[str, str]
) -> tuple[Answer, str]:
    from kg.files.remembered import room_of
    from kg.views.bindings import iri_of
    from kg.views.sparql import sparql

    corpus = load(notes)
    room = room_of(find_folder(notes))
    store = None if room is None else room / "store"
    named = {name: iri_of(corpus, id) for name, id in ids.items()}
    return sparql(corpus, text, store=store, **named, **words), corpus.config.base_iri


def _check_needed(query: str, given: set[str]) -> None:
    """Refuse a kept query about one thing that is not told which."""
    from kg.views.sparql import kept_queries

    for name in (n for kept in kept_queries() if kept.name == query for n in kept.needed):
        if name not in given:
            raise click.UsageError(
                f"`{query}` asks about one {name}: say which with `--id {name}=ID`"
            )


def _find_query(query: str) -> str:
    from kg.corpus import UnknownId, nearest
    from kg.files.read import read_file
    from kg.views.sparql import kept_queries

    known = {kept.name: kept.text for kept in kept_queries()}
    if query in known:
        return known[query]
    if query == "-":
        return sys.stdin.read()
    if "{" not in query:
        if not Path(query).exists():
            raise UnknownId(query, nearest(query, known), "query or file", where="")
        return read_file(query, LARGEST_QUERY).decode("utf-8", "replace")
    return query


def _pair(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark:
        raise click.BadParameter(f"{text!r} is not of the form VAR=VALUE")
    return name.lstrip("?$"), value


def _write(answer: Answer, base: str, format: str) -> None:
    from kg.views import answers

    if format == "table":
        columns, rows = answers.columns_and_rows(answer)
        _write_rows(columns, answers.readable(rows, base))
        click.echo("1 row" if len(rows) == 1 else f"{len(rows)} rows")
    else:
        render = {
            "csv": answers.render_csv,
            "json": answers.render_json,
            "graph": answers.render_graph,
        }[format]
        click.echo(render(answer), nl=False)


def _write_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table; or where it would break an id, each row as a block of lines."""
    from kg.cli.output import console, plain, write_table

    words = [[word for row in rows for word in row[place].split()] for place in range(len(columns))]
    least = sum(max(map(len, [name, *said])) + 2 for name, said in zip(columns, words, strict=True))
    if least <= console().width:
        write_table(columns, rows)
        return
    wide = max(map(len, columns))
    for row in rows:
        for name, cell in zip(columns, row, strict=True):
            click.echo(f"{name:{wide}}  {plain(cell)}")
        click.echo()
