"""`kg schema`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import find_folder, notes_option


@click.command(
    epilog="""\b
Example:
  kg schema > note.schema.json      for an editor (docs/editors.md)"""
)
@notes_option
def command(notes: Path | None) -> None:
    """Print a JSON schema of the front matter, with the camps and methods of this corpus."""
    from kg.cli.output import write_json
    from kg.notes.discover import need_folder
    from kg.notes.schema import front_matter_schema
    from kg.notes.settings import load_config

    folder = find_folder(notes)
    need_folder(folder)
    config = load_config(folder)
    write_json(front_matter_schema(config.camp_ids, tuple(config.quality.kinds)))
