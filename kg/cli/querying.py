"""`kg sparql`: SPARQL queries on the notes, or on a server."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from kg.cli.shared.options import format_option, load_notes, notes_options, prepare_folder
from kg.cli.shared.output import make_console, print_table, print_text
from kg.corpus import UnknownId
from kg.files.cache_files import state_folder
from kg.files.read_files import read_file
from kg.rdf.ontology import named_queries
from kg.text.plurals import pluralize
from kg.text.printable import printable
from kg.text.spelling import similar_names

if TYPE_CHECKING:
    from kg.rdf.ontology import NamedQuery
    from kg.rdf.query_bindings import Bindable
    from kg.rdf.sparql_result import SparqlResult

MAX_QUERY_BYTES = 4 * 1024 * 1024  # a query may list a hundred thousand ids


class Queryable(Protocol):
    """Something that answers a query: the notes, or a server."""

    base: str  # the prefix of the corpus's IRIs

    def iri_of(self, name: str) -> Bindable:
        """The IRI of the record with this id or alias. Raises `UnknownId`."""

    def ask(self, query: str, bindings: Mapping[str, Bindable] = {}, /) -> SparqlResult:
        """The result of a query with variables bound to values."""


class QueryListingCommand(click.Command):
    """A command whose help lists the named queries."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Named queries"):
            formatter.write_dl([(query.name, _describe_query(query)) for query in named_queries()])
        super().format_epilog(ctx, formatter)


def _describe_query(query: NamedQuery) -> str:
    options = [f"--id {name}=ID" for name in query.required_variables]
    options += [
        f"[--id {name}=ID]" for name in query.parameters if name not in query.required_variables
    ]
    return " ".join([f"{query.title}.", *options])


@click.command(
    cls=QueryListingCommand,
    epilog="""\b
Examples:
  kg sparql clashes
  kg sparql reasons --id statement=tuning-strips-grounding-acts
  kg sparql 'SELECT ?s { ?s kg:topic ?topic }' --text topic=norms
  kg sparql around --id statement=grounding-grows-with-use --format graph
  kg sparql my-query.rq --format csv
  kg sparql --strengths \\
    'SELECT ?s ?w { ?s a kg:Claim ; kg:weighedStrength ?w } ORDER BY DESC(?w)'
  kg sparql camps --endpoint http://localhost:7878/query

The table shows ids; csv, json and graph have whole IRIs. Credentials for an endpoint come from
KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD (basic or digest), or from KG_ENDPOINT_TOKEN (bearer).""",
)
@click.argument("query")
@click.option(
    "--id", "ids", multiple=True, metavar="VAR=ID", help="Bind ?VAR to what ID names (repeatable)."
)
@click.option(
    "--text", "texts", multiple=True, metavar="VAR=TEXT", help="Bind ?VAR to a string (repeatable)."
)
@click.option("--show", is_flag=True, help="Print the query instead of running it.")
@click.option("--strengths", is_flag=True, help="Add strengths and verdicts to the graph.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, threading.TIMEOUT_MAX, min_open=True),
    metavar="SECONDS",
    help="Stop a query that takes longer, without the time to read the notes (60).",
)
@click.option("--endpoint", metavar="URL", help="Query this SPARQL endpoint instead of the notes.")
@notes_options
@format_option("table", "csv", "json", "graph")
def sparql_command(
    query: str,
    ids: tuple[str, ...],
    texts: tuple[str, ...],
    show: bool,
    strengths: bool,
    timeout: float | None,
    endpoint: str | None,
    notes: Path | None,
    format: str,
) -> None:
    """Query the notes in SPARQL.

    QUERY is a name from the list below, a file, `-` for standard input, or the query itself.
    The prefixes kg, dcterms, prov, oa and bibo need no declaration. With --strengths, statements
    have a kg:weighedStrength, and lines that weigh a claim a kg:verdict.
    """
    if strengths and endpoint:
        raise click.UsageError("--strengths goes with the notes, not with an endpoint")
    if timeout and endpoint:
        raise click.UsageError("KG_ENDPOINT_SECONDS says how long an endpoint is waited for")
    id_of_variable = dict(map(_split_assignment, ids))
    text_of_variable = dict(map(_split_assignment, texts))
    text = _get_query(query)
    if show:
        click.echo(text, nl=False)
        return
    _require_variables(query, {*id_of_variable, *text_of_variable})
    queryable: Queryable
    queryable = QueryableServer(endpoint) if endpoint else QueryableNotes(notes, strengths, timeout)
    iris = {variable: queryable.iri_of(id) for variable, id in id_of_variable.items()}
    result = queryable.ask(text, {**iris, **text_of_variable})
    _print_result(result, queryable.base, format)
    _print_hints(text, result, queryable)


class QueryableServer:
    """A SPARQL server, which has its own limits."""

    def __init__(self, url: str) -> None:
        from kg.api import connect

        self._connection = connect(url)
        self.base = self._connection.base
        self.iri_of = self._connection.iri_of

    def ask(self, query: str, bindings: Mapping[str, Bindable] = {}, /) -> SparqlResult:
        return self._connection.sparql(query, **bindings)


class QueryableNotes:
    """The notes of a folder. All queries together may take as long as the limits say."""

    def __init__(self, notes: Path | None, strengths: bool, timeout: float | None) -> None:
        from kg.rdf.query_limits import QueryLimits
        from kg.rdf.run_query import sparql

        folder = prepare_folder(notes)
        self._corpus = load_notes(folder)
        self.base = self._corpus.config.base_iri
        self._limits = QueryLimits(timeout) if timeout else QueryLimits()
        if strengths:
            from kg.graphs_with_strengths.rdf_with_strengths import sparql_with_strengths

            self._run = partial(sparql_with_strengths, self._corpus)
        else:
            state_dir = state_folder(folder)
            store = None if state_dir is None else state_dir / "store"
            self._run = partial(sparql, self._corpus, store=store)

    def iri_of(self, name: str) -> Bindable:
        from kg.rdf.query_bindings import named_node_of

        return named_node_of(self._corpus, name)

    def ask(self, query: str, bindings: Mapping[str, Bindable] = {}, /) -> SparqlResult:
        start = time.monotonic()
        result = self._run(query, bindings, limits=self._limits)
        seconds_left = self._limits.seconds - (time.monotonic() - start)
        self._limits = self._limits._replace(seconds=max(seconds_left, 0))
        return result


def _print_hints(query: str, result: SparqlResult, queryable: Queryable) -> None:
    """Print which terms the ontology does not have, and why nothing was found."""
    from kg.rdf.query_limits import QueryStopped
    from kg.rdf.run_query import explain_empty_result, unknown_ontology_terms

    for name, similar_terms in unknown_ontology_terms(query).items():
        suggestion = f"; did you mean kg:{similar_terms[0]}?" if similar_terms else ""
        click.echo(f"no term kg:{name} in the ontology{suggestion}", err=True)
    with suppress(QueryStopped):  # the answer is there; what it lacks may take too long to find
        for reason in explain_empty_result(query, result, queryable.ask):
            click.echo(printable(reason), err=True)


def _require_variables(query: str, variables: set[str]) -> None:
    """Refuse a named query without a value for a required variable."""
    for named_query in named_queries():
        required = named_query.required_variables if named_query.name == query else ()
        for name in required:
            if name not in variables:
                raise click.UsageError(
                    f"`{query}` asks about one {name}: say which with `--id {name}=ID`"
                )


def _get_query(query: str) -> str:
    texts_by_name = {named_query.name: named_query.text for named_query in named_queries()}
    if query in texts_by_name:
        return texts_by_name[query]
    if query == "-":
        return sys.stdin.read()
    if "{" in query:
        return query
    if not Path(query).exists():
        raise UnknownId(query, similar_names(query, texts_by_name), "query or file", where="")
    return read_file(query, MAX_QUERY_BYTES).decode("utf-8", "replace")


def _split_assignment(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark:
        raise click.BadParameter(f"{text!r} is not of the form VAR=VALUE")
    return name.lstrip("?$"), value


def _print_result(result: SparqlResult, base: str, format: str) -> None:
    from kg.rdf import sparql_result

    if format == "table":
        columns, rows = sparql_result.columns_and_rows(result)
        _print_rows(columns, sparql_result.shorten_terms(rows, base))
        click.echo(pluralize(len(rows), "row"))
    else:
        render = {
            "csv": sparql_result.render_csv,
            "json": sparql_result.render_json,
            "graph": sparql_result.render_graph,
        }[format]
        print_text(render(result))


def _print_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, or each row as a block of lines if a table would break an id."""
    words_by_column = [
        [word for row in rows for word in row[index].split()] for index in range(len(columns))
    ]
    least_width = sum(
        max(map(len, [name, *cell_words])) + 2
        for name, cell_words in zip(columns, words_by_column, strict=True)
    )
    if least_width <= make_console().width:
        print_table(columns, rows)
        return
    name_width = max(map(len, columns))
    for row in rows:
        for name, cell in zip(columns, row, strict=True):
            click.echo(f"{name:{name_width}}  {printable(cell)}")
        click.echo()
