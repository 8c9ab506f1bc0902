"""`kg line`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import Id, format_option, load, notes_option

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.model import InquiryLine
    from kg.queries.line import LineView


@click.command(
    epilog="\b\nExamples:\n  kg line                   all lines\n  kg line social-grounding"
)
@click.argument("line", type=Id("lines"), required=False)
@notes_option
@format_option("table", "json")
def command(line: str | None, notes: Path | None, format: str) -> None:
    """Show an inquiry line: camps, clashes, sources. Without LINE, list all lines."""
    from kg.cli.output import write_json, write_table
    from kg.queries.line import view_line

    corpus = load(notes)
    if line is None:
        if format == "json":
            write_json(list(corpus.lines.values()))
        else:
            rows = [(one.id, len(one.placements), one.title) for one in corpus.lines.values()]
            write_table(("id", "statements", "question"), rows)
        return
    view = view_line(corpus, line)
    write_json(view) if format == "json" else _write(corpus, view)


def _write_answers(corpus: Corpus, line: InquiryLine) -> None:
    """What follows for the question, however its proposition comes out."""
    from kg.cli.output import plain, write_table

    if line.proposition and line.answers.written:
        click.echo(plain(f"Proposition: {corpus.statements[line.proposition].title}"))
        cases = (("holds", 1), ("fails", -1), ("is undecided", 0))
        rows = [(case, line.answer_for(side)) for case, side in cases]
        write_table(("if the proposition", "the answer is"), rows)


def _write(corpus: Corpus, view: LineView) -> None:
    from kg.cli.output import plain, write_table
    from kg.reasoning import verdict as corpus_verdict

    click.secho(plain(view.line.title), bold=True)
    click.echo(plain(view.line.standfirst) + "\n")
    _write_answers(corpus, view.line)
    for camp in corpus.config.camps:
        rows = [
            (place.statement, corpus.statements[place.statement].title, place.reason)
            for place in view.camps[camp.id]
        ]
        write_table(("id", "title", "reason"), rows, title=camp.label)

    clashes = [
        (edge.source, edge.relation.value, edge.target, edge.reason) for edge in view.clashes
    ]
    write_table(("from", "relation", "to", "reason"), clashes, title="Where they clash")
    click.echo("\nSources: " + plain(", ".join(view.sources)))
    click.secho("\n" + plain(corpus_verdict(corpus, view.line.id).sentence), bold=True)
