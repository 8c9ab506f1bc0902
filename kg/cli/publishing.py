"""`kg build` and `serve`: the site."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kg.cli.options import count_option, find_folder, load_notes, notes_option, wants_drafts
from kg.cli.output import make_progress_counter
from kg.corpus import Corpus
from kg.files.read import NotesFolder
from kg.model.value import printable
from kg.notes.discover import NoSuchFolder

MAX_FILES_NAMED = 3  # named of the files in the site's folder that no build wrote
_out_option = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("build/site"),
    show_default=True,
    help="The build folder; the site is in its `html`.",
)
ALL_MADE_ANEW = "the cache of the last build cannot be used, so every page is built again"


@click.command(
    epilog="""\b
Examples:
  kg build                      the site in build/site/html
  kg build --notes ideas --out /tmp/site

Only changed files are written; a failed build leaves the last site as it was."""
)
@notes_option
@_out_option
def build_command(notes: Path | None, out: Path) -> None:
    """Build the site from the notes."""
    # this process forks to make pages, and must not have threads by then, such as numpy's
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from kg.git import why_no_history
    from kg.publish.build.site import build_folder

    def load_some(folder: NotesFolder) -> Corpus:
        corpus = load_notes(folder)
        if not (corpus.statements or corpus.sources or corpus.lines or corpus.diagnostics):
            raise NoSuchFolder(f"{str(folder)!r} has no notes; the site is left unchanged")
        return corpus

    folder = find_folder(notes)
    with make_progress_counter() as count:
        report = build_folder(folder, out, load_some, progress=count, drafts=wants_drafts())
    if report.anew:
        click.echo(f"{ALL_MADE_ANEW}: {printable(report.anew)}", err=True)
    if report.unbuilt:
        named = ", ".join(map(printable, report.unbuilt[:MAX_FILES_NAMED]))
        more = (
            f" and {len(report.unbuilt) - MAX_FILES_NAMED} more"
            if len(report.unbuilt) > MAX_FILES_NAMED
            else ""
        )
        place = printable(str(report.index.parent))
        click.echo(f"files in {place} that no build wrote are kept: {named}{more}", err=True)
    changed, removed = len(report.written), len(report.removed)
    click.echo(f"{report.pages} pages; {changed} files written, {removed} removed")
    if report.fallback:
        click.echo(report.fallback, err=True)
    if why := why_no_history(folder):
        click.echo(f"no page shows changes: {printable(why)}", err=True)
    for told in report.left_out:
        click.echo(told, err=True)
    click.echo(f"open {report.index}, or run `kg serve`")


@click.command(
    epilog="""\b
Examples:
  kg serve                      http://127.0.0.1:8000/
  kg serve --port 0             on any free port
  kg serve --notes ideas --open

Stop it with Ctrl-C. The site can be seen only on this machine."""
)
@notes_option
@count_option("--port", 8000, "The port; 0 for any free one.", low=0, high=65535)
@click.option("--open", "opened", is_flag=True, help="Open the site in a browser.")
@_out_option
def serve_command(notes: Path | None, port: int, opened: bool, out: Path) -> None:
    """Serve the site, and update it on every edit."""
    from kg.serve.watch_and_serve import serve

    def ready(address: str) -> None:
        click.echo(f"serving {address} (Ctrl-C to stop)")
        if opened:
            click.launch(address)

    try:
        serve(
            find_folder(notes),
            out,
            port,
            drafts=wants_drafts(),
            ready=ready,
            tell=lambda news: click.echo(printable(news)),
        )
    except OSError as error:
        if error.filename is not None or not error.errno:
            raise
        raise click.ClickException(
            f"port {port}: {error.strerror}; name another with --port"
        ) from None
