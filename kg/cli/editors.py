"""`kg lsp`: the notes in an editor that speaks the language server protocol."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import find_folder, notes_option

if TYPE_CHECKING:
    from kg.lsp.workspace import Workspace

MISSING = "`kg lsp` needs two more packages: pip install 'inquiry-lines[lsp]'"


@click.command(
    epilog="""\b
Examples:
  kg lsp                        started by an editor, which it speaks to
  kg lsp --notes ideas

It speaks on standard input and output. docs/editors.md says how to set up editors."""
)
@notes_option
@click.option("--stdio", is_flag=True, help="As many editors say it; it does so anyway.")
def lsp_command(notes: Path | None, stdio: bool) -> None:
    """Speak to an editor: problems, completion and renaming as one types."""
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise click.ClickException(MISSING)
    from kg.lsp.rule_pages import rule_pages
    from kg.lsp.server import make_server

    def open_workspace(root: Path | None) -> Workspace:
        from kg.lsp.workspace import Workspace
        from kg.notes.cache import notes_cache_file
        from kg.notes.discover import need_folder

        folder = find_folder(notes, root)
        if notes is None and root is not None and not folder.real.is_dir():
            folder = find_folder(root)  # an editor may have opened the notes themselves
        need_folder(folder)
        cache = None if os.environ.get("KG_NO_CACHE") else notes_cache_file(folder)
        return Workspace(folder, cache)

    make_server(open_workspace, rule_pages()).start_io()
