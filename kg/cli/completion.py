"""`kg completion`"""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, ShellComplete, get_completion_class

# Bash parts words at colons, which questions are full of: `camp:skeptic` is three words to it.
BASH = r"""%(complete_func)s() {
    local IFS=$'\n' raw=${COMP_WORDS[COMP_CWORD]} words=() word kind value i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $word == :* || ${words[${#words[@]} - 1]} == *: ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    local last=$((${#words[@]} - 1)) typed=
    [[ $raw != [\'\"]* ]] && typed=${words[last]%%"${words[last]##*:}"}
    while IFS=, read -r kind value; do
        [[ $kind == plain ]] && COMPREPLY+=("${value#"$typed"}")
    done < <(COMP_WORDS="${words[*]}" COMP_CWORD=$last %(complete_var)s=bash_complete "$1")
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"


class Bash(BashComplete):
    """Completion for Bash, in which a word may hold colons."""

    source_template = BASH


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
    found: type[ShellComplete] | None = Bash if shell == "bash" else get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, "kg", "_KG_COMPLETE").source()
    click.echo((ZSH if shell == "zsh" else "") + script)
