"""`kg compare`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import Id, format_option, load, notes_option

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.queries.compare import Comparison

PARTS = {
    "both_favour": "Both are reasons for",
    "both_oppose": "Both speak against",
    "parted_over": "One is for and the other against",
    "shared_reasons": "Bears on both alike",
    "dividing_reasons": "Speaks for one and against the other",
    "shared_evidence": "Evidence beneath both",
}


@click.command(
    epilog="\b\nExample:\n  kg compare grounding-grows-with-use tuning-strips-grounding-acts"
)
@click.argument("one", type=Id("statements"))
@click.argument("other", type=Id("statements"))
@notes_option
@format_option("table", "json")
def command(one: str, other: str, notes: Path | None, format: str) -> None:
    """Show what two statements share, and where they part."""
    from kg.cli.output import write_json
    from kg.queries.compare import compare

    corpus = load(notes)
    found = compare(corpus, one, other)
    write_json(found) if format == "json" else _write(corpus, found)


def _write(corpus: Corpus, found: Comparison) -> None:
    from kg.cli.output import plain, write_table

    for id, support in ((found.first, found.first_support), (found.second, found.second_support)):
        camp = corpus.camp_of(id)
        click.secho(plain(corpus.statements[id].title), bold=True)
        click.echo(plain(" · ".join(filter(None, (id, camp, str(support))))))
    click.echo(f"\nIndependent groups of evidence beneath both: {found.shared_groups}")
    for name, label in (("sources", "Sources"), ("topics", "Topics"), ("about", "About")):
        shared = getattr(found, f"shared_{name}")
        click.echo(plain(f"{label} of both: {', '.join(shared) or 'none'}"))
    if found.between:
        rows = [(e.source, e.relation.value, e.target, e.reason) for e in found.between]
        write_table(("from", "relation", "to", "reason"), rows, title="\nBetween them")
    for name, title in PARTS.items():
        if ids := getattr(found, name):
            listed = [(id, corpus.statements[id].title) for id in ids]
            write_table(("id", "title"), listed, title=f"\n{title}")
    if found.lines:
        camps = [(place.line, place.first, place.second) for place in found.lines]
        write_table(("line", found.first, found.second), camps, title="\nCamps in shared lines")
