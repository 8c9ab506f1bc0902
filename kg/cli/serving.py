"""`kg build`, which makes the site, and the servers: `kg serve`, `lsp` and `mcp`."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from kg.cli.shared.options import (
    cache_of_notes,
    count_option,
    folder_option,
    load_notes,
    notes_options,
    prepare_folder,
    wants_drafts,
)
from kg.cli.shared.output import make_progress_counter
from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.model.settings.config import CONFIG_NAME, Config
from kg.notes.note_listing import NoSuchFolder, require_folder
from kg.serve import DEFAULT_PORT
from kg.text.plurals import join_first
from kg.text.printable import printable

if TYPE_CHECKING:
    from kg.lsp.workspace import Workspace

MAX_FILES_NAMED = 3  # named of the files in the site's folder that no build wrote
_out_option = click.option(
    "--out",
    "output_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("build/site"),
    show_default=True,
    help="The build folder; the site is in its `html`.",
)
NO_LSP = "`kg lsp` needs two more packages: pip install 'inquiry-lines[lsp]'"
NO_MCP = "`kg mcp` needs one more package: pip install 'inquiry-lines[mcp]'"
ALL_MADE_ANEW = "the cache of the last build cannot be used, so every page is built again"


@click.command(
    epilog="""\b
Examples:
  kg build                      the site in build/site/html
  kg build --notes ideas --out /tmp/site

Only changed files are written; a failed build leaves the last site as it was."""
)
@notes_options
@_out_option
def build_command(notes: Path | None, output_folder: Path) -> None:
    """Build the site from the notes."""
    # this process forks to make pages, and must not have threads by then, such as numpy's
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from kg.git import reason_for_no_history
    from kg.publish.build.site import build_folder

    def load_non_empty(folder: NotesFolder, config: Config) -> Corpus:
        corpus = load_notes(folder, config=config)
        if not (corpus.statements or corpus.sources or corpus.lines or corpus.diagnostics):
            raise NoSuchFolder(f"{str(folder)!r} has no notes; the site is left unchanged")
        return corpus

    folder = prepare_folder(notes)
    with make_progress_counter() as count:
        report = build_folder(
            folder, output_folder, load_non_empty, progress=count, drafts=wants_drafts()
        )
    if report.anew:
        click.echo(f"{ALL_MADE_ANEW}: {printable(report.anew)}", err=True)
    if report.unbuilt:
        names = join_first(report.unbuilt, MAX_FILES_NAMED)
        kept_files = f"files in {report.index.parent} that no build wrote are kept: {names}"
        click.echo(printable(kept_files), err=True)
    written_count = len(report.written)
    removed_count = len(report.removed)
    click.echo(f"{report.pages} pages; {written_count} files written, {removed_count} removed")
    if report.fallback:
        click.echo(report.fallback, err=True)
    if why := reason_for_no_history(folder):
        click.echo(f"no page shows changes: {printable(why)}", err=True)
    for message in report.left_out:
        click.echo(message, err=True)
    click.echo(f"open {report.index}, or run `kg serve`")


@click.command(
    epilog="""\b
Examples:
  kg serve                      http://127.0.0.1:8000/
  kg serve --port 0             on any free port
  kg serve --notes ideas --open

Stop it with Ctrl-C. The site can be seen only on this machine."""
)
@notes_options
@count_option("--port", DEFAULT_PORT, "The port; 0 for any free one.", low=0, high=65535)
@click.option("--open", "open_browser", is_flag=True, help="Open the site in a browser.")
@_out_option
def serve_command(notes: Path | None, port: int, open_browser: bool, output_folder: Path) -> None:
    """Serve the site, and update it on every edit."""
    from kg.serve.watch_and_serve import serve

    def ready(address: str) -> None:
        click.echo(f"serving {address} (Ctrl-C to stop)")
        if open_browser:
            click.launch(address)

    try:
        serve(
            prepare_folder(notes),
            output_folder,
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


@click.command(
    epilog="""\b
Examples:
  kg lsp                        started by an editor
  kg lsp --notes ideas
It uses standard input and output. docs/editors.md says how to set up editors."""
)
@folder_option
@click.option("--stdio", is_flag=True, help="Use standard input and output, as it always does.")
def lsp_command(notes: Path | None, stdio: bool) -> None:
    """Run the language server: problems, completion and renaming in editors."""
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise click.ClickException(NO_LSP)
    from kg.lsp.protocol import make_server
    from kg.lsp.rule_pages import write_rule_pages

    def open_workspace(root: Path | None) -> Workspace:
        from kg.lsp.workspace import Workspace

        folder = prepare_folder(notes, root)
        if notes is None and root is not None and not folder.real.is_dir():
            # an editor may have opened the notes folder itself; require settings to be sure
            has_settings = any((parent / CONFIG_NAME).exists() for parent in (root, root.parent))
            folder = prepare_folder(root) if has_settings else folder
        require_folder(folder)
        return Workspace(folder, cache_of_notes(folder))

    make_server(open_workspace, write_rule_pages()).start_io()


@click.command(
    epilog="""\b
Examples:
  kg mcp                        started by a client of the protocol
  kg mcp --notes ideas --propose

It uses standard input and output. docs/agents.md says how to set it up."""
)
@folder_option
@click.option("--propose", is_flag=True, help="Accept proposals: commits on branches proposal/…")
def mcp_command(notes: Path | None, propose: bool) -> None:
    """Run a server for the Model Context Protocol; with --propose, clients can propose notes."""
    if find_spec("mcp") is None:
        raise click.ClickException(NO_MCP)
    from kg.mcp.latest_corpus import LatestCorpus
    from kg.mcp.tool_server import make_tool_server

    folder = prepare_folder(notes)
    latest = LatestCorpus(folder, cache_of_notes(folder))
    # load in the background while the client lists the tools
    Thread(target=latest.read_ahead, daemon=True).start()
    make_tool_server(latest, propose).run("stdio")
