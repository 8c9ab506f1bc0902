"""The command `kg`: each command is a few lines around one library function."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from kg.cli.options import colours, explain, until_reader_leaves

# Each command: its name, its module, and its help in one line.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("init", "authoring", "Start a new corpus in a folder."),
    ("new", "authoring", "Write a new note with places to fill in."),
    ("check", "authoring", "List the problems in the notes."),
    ("build", "authoring", "Build the site from the notes."),
    ("serve", "authoring", "Show the site, and every edit as it is made."),
    ("find", "finding", "Find statements by what they are, say, rest on and bear on."),
    ("ask", "finding", "Ask a question as short text."),
    ("search", "finding", "Search the text of statements, essays and sources."),
    ("show", "showing", "Show a statement, source or line."),
    ("why", "showing", "Show what supports a statement."),
    ("against", "showing", "Show what speaks against a statement."),
    ("path", "showing", "Show how two statements hang together."),
    ("compare", "showing", "Show what two statements share, and where they part."),
    ("timeline", "showing", "Show how the case for a statement grew, by year."),
    ("line", "showing", "Show an inquiry line, camp by camp."),
    ("verdict", "weighing", "Say where the corpus comes out, how firmly, and on what."),
    ("case", "weighing", "Show a camp's strongest case."),
    ("crux", "weighing", "Show what the answer hangs on, and the camps disagree about."),
    ("flips", "weighing", "Show what would turn the answer."),
    ("robustness", "weighing", "Say how firmly an answer stands."),
    ("independence", "weighing", "Count the independent sources an answer hangs on."),
    ("gaps", "weighing", "List claims that lack support, by how much they matter."),
    ("tensions", "weighing", "List believed contradictions and torn claims."),
    ("circles", "weighing", "List circular support."),
    ("positions", "weighing", "Show what can be held together, by Dung's semantics."),
    ("impact", "weighing", "Show what falls if a source or statement falls."),
    ("whatif", "weighing", "Suppose something else, and see which answers move."),
    ("quality", "weighing", "Show how a piece of evidence is graded."),
    ("agreement", "judging", "Say how far annotators agree on edges."),
    ("compare-model", "judging", "Set a model's labels beside people's."),
    ("diff", "exchanging", "Compare the corpus at two git revisions."),
    ("stats", "exchanging", "Count what the corpus holds."),
    ("sparql", "exchanging", "Ask the notes in SPARQL."),
    ("export", "exchanging", "Write the graph in another format or vocabulary."),
    ("push", "exchanging", "Make a SPARQL server hold the graph."),
    ("pull", "exchanging", "Read the graph back from a SPARQL server."),
    ("rules", "help", "List the rules that `kg check` applies."),
    ("schema", "help", "Print a JSON schema of the front matter, for editors."),
    ("completion", "help", "Print the completion script of a shell."),
)

# Headings in `kg --help`, and the command that each begins with.
SECTIONS: tuple[tuple[str, str], ...] = (
    ("Write and check", "init"),
    ("See and ask", "find"),
    ("Weigh", "verdict"),
    ("Count, compare, exchange", "diff"),
    ("Help", "rules"),
)


class Commands(click.Group):
    """Commands that are imported when they are called, so that `kg --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = {name: module for name, module, _ in COMMANDS}.get(cmd_name)
        if place is None:
            return None
        module = importlib.import_module(f"kg.cli.{place}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from kg.model.spelling import nearest

            close = nearest(args[0], self.list_commands(ctx))
            hint = (
                f" Did you mean {' or '.join(f'`kg {name}`' for name in close)}?" if close else ""
            )
            ctx.fail(f"no command is called {args[0]!r}.{hint}")

    def make_context(self, *settings: Any, **more: Any) -> click.Context:
        with until_reader_leaves():
            return super().make_context(*settings, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with until_reader_leaves():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        begins = {first: title for title, first in SECTIONS}
        rows: list[tuple[str, str]] = []
        title = ""
        for name, _, help in (*COMMANDS, ("", "", "")):
            if rows and (name in begins or not name):
                with formatter.section(title):
                    formatter.write_dl(rows)
                rows = []
            title = begins.get(name, title)
            rows.append((name, help))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
First steps: kg init demo && cd demo && kg check && kg serve
`kg COMMAND --help` shows examples. Commands about notes take `--notes DIR`; without it,
`notes` is looked for here and upwards.

Exit status: 0 done, an empty answer included; 1 something is wrong in the notes, or there is no
path or no judgement; 2 misuse; 130 stopped. NO_COLOR turns colours off.""",
)
@click.version_option(package_name="inquiry-lines", prog_name="kg", message="%(prog)s %(version)s")
def main() -> None:
    """Markdown notes that argue, as a knowledge graph of claims and sources."""


def run(arguments: list[str] | None = None) -> None:
    """Run `kg`; misuse and unreadable folders end in one message, never in a traceback."""
    try:
        sys.exit(main.main(arguments, "kg", standalone_mode=False, color=colours()))
    except click.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except Exception as error:
        explain(error)
        sys.exit(2)
