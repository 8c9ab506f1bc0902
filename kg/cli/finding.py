"""`kg find` and `search`: queries on the notes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.shared.options import (
    SectionedCommand,
    count_option,
    format_option,
    load_notes,
    notes_options,
)
from kg.cli.shared.output import (
    WIDTH_WITHOUT_FOLDING,
    is_narrow,
    make_console,
    print_json,
    print_rich,
    print_table,
    print_text,
)
from kg.cli.shared.selecting import (
    OPTIONS_BESIDE_WORDS,
    WORD_OPTIONS,
    QuestionTermType,
    narrowing_options,
    print_query_words,
    request_of_options,
    suggest_for_option,
)
from kg.queries.conditions.condition import IdIn, Query
from kg.queries.conditions.field_types import RecordKind
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import FindResult, find
from kg.queries.language.parse_query import FindRequest
from kg.queries.language.query_words import MissingValue
from kg.queries.language.selection import Selection, ids_that_may_be_kinds
from kg.queries.results.counts_and_summaries import Sizes
from kg.queries.results.explain_empty import explain_empty
from kg.queries.results.found_records import FoundRecords, Groups
from kg.queries.results.tables import as_table, count_line, table_of, title_first_table
from kg.text.printable import printable

if TYPE_CHECKING:
    from kg.queries.engines.engine import Engine
    from kg.queries.search_documents import Hits

FORMATS_FOR_READING = ("table", "markdown")
_EXCLUDED_TERM = re.compile(r"-(?:\(|[A-Za-z_][\w.]*:)")


class FindCommand(SectionedCommand):
    """`kg find`, whose terms may begin with a minus: `-topic:norms` is not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(
                ctx, [f" {a}" if _EXCLUDED_TERM.match(a) else a for a in args]
            )
        except click.NoSuchOption as error:
            suggestion = suggest_for_option(error.option_name)
            if not suggestion:
                raise
            message = f"no such option {error.option_name!r}; write `{suggestion}`"
            raise click.UsageError(message, ctx) from None


@click.command(
    cls=FindCommand,
    sections={
        title: " ".join((*names, *OPTIONS_BESIDE_WORDS.get(title, ())))
        for title, names in WORD_OPTIONS.items()
    },
    epilog="""\b
Examples:
  kg find --camp skeptic --line social-grounding
  kg find evidence --method experiment --sample 101..
  kg find --contradicts grounding-grows-with-use
  kg find --supported-by "evidence method:experiment"
  kg find reward turns                  statements that contain both words
  kg find sources --year 2025.. --sort -year --format markdown
  kg find 'claims -answered_by:(camp:optimist)' --line social-grounding

\b
TEXT may contain terms, alone or with options, quoted for the shell:
  word:value              must hold; a,b means either; * is anything
  -word:value             must not hold
  a OR b                  either of two sides
  "next turn"             a phrase in the text
  (…)                     a group; word:(…) is a nested query
  evidence.method:survey  resting on such evidence; source.author:wu
  sort:-year limit:5      the shape of the answer; count:yes
  group:camp mean:sample  groups, and their figures; min: max: sum:

\b
RANGE is a number (100), a span (50..500, 2024..) or, quoted, ">100".
ID may be a short query instead, or * for anything. All values of a
repeated option must hold; of names, as for --camp, any one.""",
)
@click.argument("text", nargs=-1, type=QuestionTermType(), metavar="[WHAT] [TEXT]...")
@narrowing_options
@click.option("--unsupported", is_flag=True, help="Claims that nothing supports.")
@click.option("--unanswered", is_flag=True, help="Not contradicted, qualified or undercut.")
@click.option("--over", multiple=True, metavar="RELATION", help="Relations to follow: supports, …")
@click.option("--between", metavar="ID,ID", help="On a chain of reasons from one to the other.")
@click.option("--sort", metavar="FIELDS", help="Sort by fields: title, or -year for newest first.")
@click.option("--limit", type=click.IntRange(0), metavar="N", help="At most N results.")
@click.option("--count", is_flag=True, help="Show only the number of results.")
@click.option("--group-by", metavar="FIELDS", help="Count by the values of fields.")
@click.option("--columns", metavar="FIELDS", help="Columns to show: id,title,year,support; or all.")
@click.option("--edges", is_flag=True, help="Show the edges that justify the answer too.")
@click.option("--words", is_flag=True, help="List every word that TEXT may use, and what it finds.")
@click.option("--endpoint", metavar="URL", help="Query this SPARQL endpoint instead of the notes.")
@notes_options
@format_option("table", "json", "csv", "markdown", "ids")
def find_command(text: tuple[str, ...], notes: Path | None, format: str, **options: Any) -> None:
    """Find statements, or WHAT: claims, counter-claims, evidence, sources, lines, edges.

    All conditions must hold. TEXT is words to search for, or terms such as `camp:skeptic`. The most
    common terms are also options; `--words` lists them all.
    """
    if options["words"]:
        if format != "table":
            raise click.UsageError("--words lists words for people: leave out --format")
        print_query_words()
        return
    if "" in text:
        raise MissingValue("an argument")
    request = request_of_options(text, options)
    _refuse_options_without_effect(request, options)
    engine = _engine_for(notes, options["endpoint"])
    _report_ambiguous_words(engine, request)
    result = find(engine, request)
    print_matches(result, format, options["columns"], options["edges"])
    is_empty = not any(result.values()) if isinstance(result, Sizes) else not result
    if is_empty and not (isinstance(result, FoundRecords) and format in FORMATS_FOR_READING):
        why = " ".join(explain_empty(engine, request.query))
        click.echo(printable(why), err=True)


@click.command(
    epilog="""\b
Examples:
  kg search common ground
  kg search '"next turn" reward*'            a phrase, and words that begin so
  kg search 'title:grounding -human'         in titles; excluding a word
  kg search 'author:shaikh OR author:wu' --of sources
  kg search groundng                         misspelt words are corrected
  kg search does a model notice that it lost the thread

Texts with all of the words come first, then those with some, rare words first.

For fields and relations (camp, method, contradicts …) see `kg find`."""
)
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--of",
    "kind_names",
    multiple=True,
    type=click.Choice(["statements", "lines", "sources"]),
    help="Search only these (repeatable).",
)
@count_option("--limit", 20, "Only the N best.")
@notes_options
@format_option("table", "json", "ids")
def search_command(
    text: tuple[str, ...],
    kind_names: tuple[str, ...],
    limit: int,
    notes: Path | None,
    format: str,
) -> None:
    """Search the text of statements, essays and sources, best match first."""
    from kg.queries.search_text import cached_text_index

    record_kinds = tuple(RecordKind(name.removesuffix("s")) for name in kind_names)
    index = cached_text_index(load_notes(notes))
    found = index.search(" ".join(text), limit + 1, record_kinds)
    hits = found[:limit]
    for typed_word, correction in hits.corrected.items():
        click.echo(printable(f"{typed_word!r} not found; searching for {correction!r}"), err=True)
    if format == "json":
        names = ("id", "record_kind", "title", "score", "text")
        print_json([{name: getattr(hit, name) for name in names} for hit in hits])
    elif format == "ids":
        click.echo("".join(f"{printable(hit.id)}\n" for hit in hits), nl=False)
    else:
        _print_hits(hits, are_all=len(found) == len(hits))


def _print_hits(hits: Hits, *, are_all: bool) -> None:
    for number, hit in enumerate(hits):
        if number == hits.with_all_words:
            click.secho(
                f"Nothing {'else ' if number else ''}has all the words. With some of them:\n",
                dim=True,
            )
        click.secho(printable(hit.title), bold=True, nl=False)
        click.secho(f"  {hit.record_kind} {printable(hit.id)}", dim=True)
        for part, is_match in hit.snippet:
            click.secho(printable(part), fg="yellow" if is_match else None, bold=is_match, nl=False)
        click.echo("\n" if hit.snippet else "")
    count_text = f"{len(hits)} found" if are_all else f"the {len(hits)} best"
    click.echo(count_text if hits else "nothing found")


def _refuse_options_without_effect(request: FindRequest, options: Mapping[str, object]) -> None:
    """Raise `UsageError` for options that would have no effect."""
    if isinstance(request, Selection):
        return
    for option in ("columns", "edges"):
        if options[option]:
            raise click.UsageError(f"--{option} goes with records, not with groups or a number")
    if request.query.order and request.query.limit is None:
        raise click.UsageError("groups and numbers are not sorted: leave out --sort")


def _engine_for(notes: Path | None, endpoint: str | None) -> Engine:
    """The engine for the notes, or for the endpoint."""
    if endpoint:
        from kg.endpoints.endpoint import open_endpoint
        from kg.queries.connection import engine_of_server

        server = open_endpoint(endpoint)
        return engine_of_server(lambda query: server.select(query).rows)
    return MemoryEngine(load_notes(notes))


def _report_ambiguous_words(engine: Engine, request: FindRequest) -> None:
    """Report a word that is both a kind and the id of a note: it is read as the note."""
    for condition in ids_that_may_be_kinds(request.query):
        if isinstance(engine.resolve(Query(RecordKind.STATEMENT, condition)).condition, IdIn):
            word = condition.ids[0]
            click.echo(f"{word} is read as the note; for the kind, write ({word})", err=True)


def print_matches(result: FindResult, format: str, columns: str | None, edges: bool) -> None:
    """Print a result: records, a number, or the sizes of groups."""
    if isinstance(result, int):
        click.echo(result)
        return
    table = result.sizes() if isinstance(result, Groups) else result
    names = tuple(filter(None, (columns or "").split(",")))  # none of groups, which have no columns
    if format == "json":
        print_text(table.to_json(*names) + "\n")
    elif format == "csv":
        print_text(table.to_csv(*names))
    elif format == "markdown":
        print_text(table.to_markdown(*names))
    elif format == "ids":
        _print_ids(table, names)
    elif isinstance(table, FoundRecords):
        _print_records(table, names)
    else:
        _, headings, rows, *_ = table.table()
        print_table(headings, rows)
    if isinstance(table, FoundRecords) and edges and format in FORMATS_FOR_READING and table.edges:
        cells = [(e.origin, e.relation.value, e.target, e.reason) for e in table.edges]
        click.echo()
        print_table(("origin", "relation", "target", "reason"), cells, title="Why")


def _print_ids(table: FoundRecords[Any] | Sizes, columns: tuple[str, ...]) -> None:
    """Print the ids of records, or the names of groups, one on each line."""
    if columns:
        raise click.UsageError("--format ids has no columns: ask for csv")
    if isinstance(table, FoundRecords):
        names = list(map(printable, table.ids))
    else:
        width = len(table.fields)
        names = [" ".join(map(printable, row[:width])) for row in table.table()[2]]
    click.echo("".join(f"{name}\n" for name in names), nl=False)


def _print_records(result: FoundRecords[Any], columns: tuple[str, ...]) -> None:
    """Print records for reading, and how many there are."""
    if result:
        screen = make_console(WIDTH_WITHOUT_FOLDING)
        if is_narrow(screen):
            _, names, rows, *_ = table_of(result, columns or title_first_table(result))
            print_table(names, rows)
        else:
            print_rich(screen, as_table(result, columns, screen.width))
    click.echo(count_line(result))
