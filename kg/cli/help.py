"""`kg help`: commands, rules, the schema of notes, and shell completion."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import BashComplete, ShellComplete, get_completion_class

from kg.cli.shared.command_suggestions import SuggestingGroup
from kg.cli.shared.options import (
    format_option,
    notes_options,
    prepare_folder,
    rule_names,
)
from kg.cli.shared.output import print_json, print_table
from kg.corpus import UnknownId
from kg.notes.note_listing import require_folder
from kg.text.spelling import similar_names

# Bash splits words at colons, which are common in queries: it reads `camp:skeptic` as three words.
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


class HelpTopics(SuggestingGroup):
    """Help topics, and the help of every command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *_root_command(ctx).list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name) or _root_command(ctx).get_command(
            ctx, cmd_name
        )
        if command is None or cmd_name in self.commands:
            return command
        help_context = click.Context(
            command, ctx.find_root(), cmd_name, **_root_command(ctx).context_settings
        )
        return click.Command(
            cmd_name,
            callback=lambda: click.echo(command.get_help(help_context)),
            short_help=command.get_short_help_str(),
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Topics"):
            formatter.write_dl(
                [(name, topic.get_short_help_str(80)) for name, topic in self.commands.items()]
            )


def _root_command(ctx: click.Context) -> click.Group:
    root = ctx.find_root().command
    assert isinstance(root, click.Group)
    return root


@click.group(
    cls=HelpTopics,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND|TOPIC]",
    epilog="\b\nExamples:\n  kg help find\n  kg help rules unsupported-claim",
)
@click.pass_context
def help_command(ctx: click.Context) -> None:
    """Show the help of a command, or of all; or print a topic."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.find_root().get_help())


@help_command.command(
    "rules", epilog="\b\nExamples:\n  kg help rules\n  kg help rules unsupported-claim"
)
@click.argument("name", required=False, shell_complete=rule_names)
@format_option("table", "json")
def rules_topic(name: str | None, format: str) -> None:
    """List the rules that `kg check` applies, or explain one of them."""
    from kg.checks import RULES

    shown_rules = [rule for rule in RULES if name in (None, rule.name)]
    if not shown_rules:
        names = [rule.name for rule in RULES]
        raise UnknownId(str(name), similar_names(str(name), names), "rule", where="")
    if format == "json":
        print_json(
            [{"name": r.name, "severity": r.severity, "reason": r.reason} for r in shown_rules]
        )
    elif name:
        click.echo(f"{name} ({shown_rules[0].severity.value})\n\n{shown_rules[0].reason}")
    else:
        print_table(
            ("rule", "severity", "what it finds"),
            [(r.name, r.severity.value, r.reason.splitlines()[0]) for r in shown_rules],
        )


@help_command.command(
    "schema",
    epilog="""\b
Examples:
  kg help schema > note.schema.json      (docs/editors.md)
  kg help schema --for-agents            (docs/agents.md)""",
)
@click.option("--for-agents", is_flag=True, help="The note format as one page of text instead.")
@notes_options
def schema_topic(notes: Path | None, for_agents: bool) -> None:
    """Print a JSON schema of front matter for editors, or the note format for agents.

    Both list the camps and methods of this corpus, or the defaults if there is none.
    """
    from kg.files.settings_file import load_config
    from kg.notes.frontmatter import format_guide, front_matter_schema

    folder = prepare_folder(notes)
    if notes is not None:
        require_folder(folder)
    config = load_config(folder)
    camps_and_kinds = tuple(config.camp_ids), tuple(config.quality.methods)
    if for_agents:
        click.echo(format_guide(*camps_and_kinds), nl=False)
    else:
        print_json(front_matter_schema(*camps_and_kinds))


class Bash(BashComplete):
    """Completion for Bash, with colons allowed in words."""

    source_template = BASH


@help_command.command(
    "completion",
    epilog="""\b
Add to your shell's start-up file:
  bash   eval "$(kg help completion bash)"
  zsh    eval "$(kg help completion zsh)"
  fish   kg help completion fish | source""",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_topic(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell: commands, options, ids of notes."""
    completion: type[ShellComplete] | None = (
        Bash if shell == "bash" else get_completion_class(shell)
    )
    assert completion is not None
    script = completion(ctx.find_root().command, {}, "kg", "_KG_COMPLETE").source()
    click.echo((ZSH if shell == "zsh" else "") + script)
