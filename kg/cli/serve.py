"""`kg serve`"""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import find_folder, notes_option


@click.command(
    epilog="""\b
Examples:
  kg serve                      http://127.0.0.1:8000/
  kg serve --port 0             on any free port
  kg serve --notes ideas --open

Ends with Ctrl-C. The site is shown on this machine alone."""
)
@notes_option
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--open", "opened", is_flag=True, help="Open the site in a browser.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build/site"),
    show_default=True,
    help="The builder's folder.",
)
def command(notes: Path | None, port: int, opened: bool, out: Path) -> None:
    """Show the site, and every edit as it is made."""
    from kg.cli.output import plain
    from kg.serve.run import serve

    def ready(address: str) -> None:
        click.echo(f"serving {address} (Ctrl-C to stop)")
        if opened:
            click.launch(address)

    try:
        serve(find_folder(notes), out, port, ready=ready, tell=lambda news: click.echo(plain(news)))
    except OSError as error:
        if error.filename is not None or not error.errno:
            raise
        raise click.ClickException(
            f"port {port}: {error.strerror}; name another with --port"
        ) from None
