"""`kg init`"""

from __future__ import annotations

from pathlib import Path

import click


@click.command(epilog="\b\nExample:\n  kg init demo && cd demo && kg check && kg build")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def command(folder: Path) -> None:
    """Start a new corpus in FOLDER: settings, and three small notes that show the format."""
    from kg.start import write_starter

    for place in write_starter(folder):
        click.echo(f"wrote {place}")
    click.echo(f"\nNext: cd {folder} && kg check && kg build")
