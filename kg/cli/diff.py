"""`kg diff`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import find_folder, format_option, load, notes_option


@click.command(
    epilog="""\b
Examples:
  kg diff                          the last commit, and the notes as they lie here
  kg diff main                     another revision, and the notes as they lie here
  kg diff v1.0 v1.1                two revisions
  kg diff main HEAD --format markdown > comment.md"""
)
@click.argument("before", default="HEAD", metavar="[REV]")
@click.argument("after", required=False, metavar="[REV]")
@notes_option
@format_option("table", "json", "markdown")
def command(before: str, after: str | None, notes: Path | None, format: str) -> None:
    """Compare the corpus at two git revisions, or one with the notes as they lie here.

    Tells which statements, edges and sources are new, changed or gone, which verdicts moved
    and why, and which essays speak of statements that changed since they were reviewed.
    """
    from kg.cli.output import plain, write_told
    from kg.queries.difference import diff
    from kg.queries.difference_text import render_markdown
    from kg.queries.revision import load_revision

    folder = find_folder(notes)
    here = load(notes)
    first, dots, second = before.partition("..")
    if dots and after is None:
        before, after = first or "HEAD", second.removeprefix(".") or "HEAD"
    old = load_revision(folder, before)
    changes = diff(old, load_revision(folder, after) if after else here)
    title = f"{before} → {after or 'working tree'}"
    if format == "markdown":
        click.echo(render_markdown(changes, title), nl=False)
        return
    if format == "table":
        click.secho(plain(title), bold=True)
    write_told(changes, format)
