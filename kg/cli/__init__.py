"""The command `kg`: each command is a few lines around one library function."""

from __future__ import annotations

import atexit
import gc
import importlib
import sys
from collections.abc import Mapping
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from kg.cli.options import SuggestingGroup, need_option_values
from kg.cli.output import (
    exit_on_closed_pipe,
    name_output,
    open_closed_streams,
    print_error,
    use_colours,
)

# Each command: its name, its module, and its help in one line.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("init", "authoring", "Start a new corpus in a folder."),
    ("new", "editing", "Write a new note with places to fill in."),
    ("check", "authoring", "List the problems in the notes."),
    ("build", "publishing", "Build the site from the notes."),
    ("serve", "publishing", "Show the site, and every edit as it is made."),
    ("lsp", "authoring", "Speak to an editor: problems, completion and renaming as one types."),
    ("rename", "editing", "Call something by another name, wherever it is named."),
    ("promote", "editing", "Make a callout a note of its own."),
    ("merge", "editing", "Make one of two notes on the same thing, or of two topics."),
    ("split", "editing", "Move a section into a note of its own."),
    ("retire", "editing", "Mark a note as retired, in favour of another or of none."),
    ("fmt", "authoring", "Write relations in one way, and nothing else anew."),
    ("undo", "editing", "Take back the last change that kg made in the notes."),
    ("find", "finding", "Find statements, sources, lines or edges by what must hold."),
    ("search", "finding", "Search texts, the best fit first."),
    ("show", "showing", "Show a statement, source, line or term; or what there is."),
    ("why", "explaining", "Show what supports a statement, and what speaks against it."),
    (
        "compare",
        "explaining",
        "Show what two statements, lines or folders share, and where they part.",
    ),
    ("verdict", "weighing", "Say where the corpus comes out, how firmly, and on what."),
    ("crux", "weighing", "Show what the answer hangs on, and the camps disagree about."),
    ("gaps", "weighing", "List claims that lack support, and circular support."),
    ("tensions", "weighing", "List believed contradictions; show what can be held together."),
    ("whatif", "weighing", "Suppose something else, and see which answers move."),
    ("review", "judging", "List what is worth another look, what matters most first."),
    ("agreement", "judging", "Say how far annotators, and models, agree on edges."),
    ("diff", "exchanging", "Compare the corpus at two git revisions."),
    ("sparql", "querying", "Ask the notes in SPARQL."),
    ("export", "exchanging", "Write the graph in another format or vocabulary."),
    ("import", "exchanging", "Write notes of what another program holds."),
    ("push", "exchanging", "Make a SPARQL server hold the graph."),
    ("pull", "exchanging", "Read the graph back from a SPARQL server."),
    ("mcp", "exchanging", "Answer other programs by the Model Context Protocol."),
    ("help", "help", "Explain a command or a rule; print the schema, or completion."),
)

# Words that are tried for a command, and what to write.
COMMAND_SYNONYMS: Mapping[str, str] = {
    "against": "why ID --against",
    "ask": "find",
    "case": "verdict LINE --case CAMP",
    "circles": "gaps --circles",
    "compare-model": "agreement --models",
    "completion": "help completion",
    "flips": "verdict --flips",
    "impact": "whatif --falls ID",
    "independence": "verdict --independence",
    "line": "show LINE",
    "lint": "check",
    "list": "find",
    "ls": "find",
    "path": "why START --to END",
    "positions": "tensions --positions",
    "quality": "show ID --quality",
    "query": "find",
    "robustness": "verdict --robustness",
    "rules": "help rules",
    "schema": "help schema",
    "source": "show KEY",
    "stats": "show",
    "term": "show TERM",
    "timeline": "why ID --by-year",
    "topics": "find --group-by topic",
    "validate": "check",
}

# Headings in `kg --help`, and the command that each begins with.
SECTIONS: tuple[tuple[str, str], ...] = (
    ("Write and check", "init"),
    ("Change notes", "rename"),
    ("See and ask", "find"),
    ("Weigh", "verdict"),
    ("Compare and exchange", "diff"),
    ("Help", "help"),
)


class Commands(SuggestingGroup):
    """Commands that are imported when they are called, so that `kg --help` is quick."""

    near = COMMAND_SYNONYMS

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = {name: module for name, module, _ in COMMANDS}.get(cmd_name)
        if place is None:
            return None
        module = importlib.import_module(f"kg.cli.{place}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        need_option_values(args)
        return super().resolve_command(ctx, args)

    def make_context(self, *settings: Any, **more: Any) -> click.Context:
        with exit_on_closed_pipe():
            return super().make_context(*settings, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with exit_on_closed_pipe():
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
`kg help COMMAND` shows examples. Commands about notes take `--notes DIR`;
without it, `notes` is looked for here and upwards.

\b
Exit status: 0 done, an empty answer included; 1 something is wrong in the
notes, or there is no path or no judgement; 2 misuse; 130 stopped. NO_COLOR
turns colours off.""",
)
@click.version_option(package_name="inquiry-lines", prog_name="kg", message="%(prog)s %(version)s")
def main() -> None:
    """Markdown notes that argue, as a knowledge graph of claims and sources."""


def run(arguments: list[str] | None = None) -> None:
    """Run `kg`; misuse and unreadable folders end in one message, never in a traceback."""
    open_closed_streams()
    # Else the interpreter searches all that was loaded for garbage before it ends: at 10,000 notes
    # for as long as many a command takes.
    atexit.register(gc.freeze)
    try:
        sys.exit(main.main(arguments, "kg", standalone_mode=False, color=use_colours()))
    except click.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except Exception as error:
        name_output(error)
        print_error(error)
        sys.exit(2)
