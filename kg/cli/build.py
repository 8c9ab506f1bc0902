"""`kg build`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import find_folder, load, notes_option
from kg.corpus import Corpus

NAMED = 3  # files that are named, of those that stand in the site and were not built
ANEW = "what an earlier build left cannot be used, so every page is made anew"
NO_CARDS = "no pictures for shared links: they need `pip install inquiry-lines[cards]`"


@click.command(
    epilog="""\b
Examples:
  kg build                      the site in build/site/html
  kg build --notes ideas --out /tmp/site

Only what changed is written; a build that fails leaves the last site as it was."""
)
@notes_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build/site"),
    show_default=True,
    help="The builder's folder; the site is its `html`.",
)
def command(notes: Path | None, out: Path) -> None:
    """Build the site from the notes."""
    from kg.cli.output import plain
    from kg.cli.progress import counter
    from kg.git import why_no_history
    from kg.notes.discover import NoSuchFolder
    from kg.publish.card import can_draw
    from kg.publish.folder import build_folder

    def load_some(folder: Path) -> Corpus:
        corpus = load(folder)
        if not (corpus.statements or corpus.sources or corpus.lines or corpus.diagnostics):
            raise NoSuchFolder(f"{str(folder)!r} holds no notes; the site is left as it is")
        if corpus.config.site.url and not can_draw():
            click.echo(NO_CARDS, err=True)
        return corpus

    with counter() as count:
        report = build_folder(find_folder(notes), out, load_some, progress=count)
    if report.anew:
        click.echo(f"{ANEW}: {plain(report.anew)}", err=True)
    if report.strange:
        named = ", ".join(map(plain, report.strange[:NAMED]))
        more = f" and {len(report.strange) - NAMED} more" if len(report.strange) > NAMED else ""
        click.echo(f"left as they are, since no build made them: {named}{more}", err=True)
    changed, removed = len(report.written), len(report.removed)
    click.echo(f"{report.pages} pages; {changed} files written, {removed} removed")
    if report.fallback:
        click.echo(report.fallback, err=True)
    if why := why_no_history(find_folder(notes)):
        click.echo(f"no page tells of changes: {why}", err=True)
    for section in report.empty_sections:
        click.echo(f"nothing yet for {section}", err=True)
    click.echo(f"open {report.index}, or run `kg serve`")
