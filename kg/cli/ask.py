"""`kg ask`"""

from __future__ import annotations

import re
from pathlib import Path

import click

from kg.cli.asking import Asked
from kg.cli.options import format_option, notes_option


class Ask(click.Command):
    """`kg ask`, whose words may begin with a minus: `-topic:norms` is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {a}" if _TAKEN_AWAY.match(a) else a for a in args])


_TAKEN_AWAY = re.compile(r"-[A-Za-z_][\w.]*:")


@click.command(
    cls=Ask,
    epilog="""\b
Examples:
  kg ask 'camp:skeptic contradicts:grounding-grows-with-use evidence.method:experiment "norm"'
  kg ask 'evidence method:experiment sample:>100'
  kg ask 'claims camp:skeptic line:social-grounding -answered_by:(camp:optimist)'
  kg ask 'claims studies:1 sort:title limit:10'
  kg ask 'sources year:2025.. group:venue'

\b
First may come what is sought: claims, counter-claims, evidence, sources, lines, edges.
  word:value     narrows; a,b means either; >100, 50..500 are ranges; * is anything
  -word:value    must not hold           a OR b     either of two sides
  "next turn"    a phrase in the text    (…)        held together; word:(…) a query within
  evidence.word:value, source.word:value            what it rests on
  sort:-year  limit:5  group:camp  count:yes        the shape of the answer
`kg ask --words` lists the words.""",
)
@click.argument("question", nargs=-1, type=Asked())
@click.option("--words", is_flag=True, help="List the words that narrow.")
@click.option("--columns", metavar="FIELDS", help="Columns to show: id,title,year,support.")
@click.option("--edges", is_flag=True, help="Show the edges that justify the answer too.")
@click.option("--endpoint", metavar="URL", help="Ask this SPARQL endpoint instead of the notes.")
@notes_option
@format_option("table", "json", "csv", "markdown", "ids")
def command(
    question: tuple[str, ...],
    words: bool,
    columns: str | None,
    edges: bool,
    endpoint: str | None,
    notes: Path | None,
    format: str,
) -> None:
    """Ask a question as short text."""
    from kg.cli.answers import answer, write_answer
    from kg.cli.asking import write_words
    from kg.queries.ask import parse_question

    if words:
        write_words()
        return
    text = " ".join(question)
    found = answer(parse_question(text), notes, endpoint)
    write_answer(found, format, columns, edges)
    if not found and ":" not in text:
        click.echo(
            "plain words are looked for in the text; `kg ask --words` lists others", err=True
        )
