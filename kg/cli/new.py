"""`kg new`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import find_folder, notes_option

TYPES = ("claim", "counter-claim", "evidence", "line", "source")


@click.command(
    epilog="""\b
Examples:
  kg new claim "Silence is a move in conversation" --camp skeptic --topic dialogue
  kg new line "May a partner stay silent?"
  kg new evidence "Pauses were rare" --dry-run"""
)
@click.argument("type", type=click.Choice(TYPES))
@click.argument("title")
@click.option("--id", help="The id (and file name); made of the title's words without it.")
@click.option("--camp", default="", help="The default camp of a claim.")
@click.option("--topic", "topics", multiple=True, help="A topic (may be repeated).")
@click.option("--dry-run", is_flag=True, help="Print the note instead of writing it.")
@notes_option
def command(
    type: str,
    title: str,
    id: str | None,
    camp: str,
    topics: tuple[str, ...],
    dry_run: bool,
    notes: Path | None,
) -> None:
    """Write a new note with places to fill in; never over one that is there."""
    from kg.corpus import UnknownId, nearest
    from kg.notes.discover import NoSuchFolder
    from kg.notes.settings import load_config
    from kg.notes.write import find_free_id, render_note, write_note

    if not title.strip():
        raise click.UsageError("a note needs a title: what it says, in one sentence")
    folder = find_folder(notes)
    if not folder.is_dir():
        raise NoSuchFolder(f"there is no folder {str(folder)!r} to write notes to")
    camps = load_config(folder).camp_ids
    if camp and camp not in camps:
        raise UnknownId(camp, nearest(camp, camps) or camps, "camp")
    text = render_note(type, title, camp, topics)
    if dry_run:
        click.echo(text, nl=False)
        return
    place = write_note(folder, id or find_free_id(folder, title), type, text)
    click.echo(f"wrote {place}\nfill it in, then: kg check")
