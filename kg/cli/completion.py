"""`kg completion`"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command(
    epilog="""\b
Add to your shell's start-up file:
  bash   eval "$(kg completion bash)"
  zsh    eval "$(kg completion zsh)"
  fish   kg completion fish | source"""
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell: commands, options, ids of notes."""
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(ctx.find_root().command, {}, "kg", "_KG_COMPLETE").source())
