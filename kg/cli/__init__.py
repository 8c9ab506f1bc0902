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

from kg.cli.shared.command_suggestions import SuggestingGroup
from kg.cli.shared.options import require_option_values
from kg.cli.shared.output import (
    add_output_name,
    exit_on_closed_pipe,
    open_closed_streams,
    print_error,
    use_colours,
)

# Each command: its name, its module, and its help in one line. It is the function NAME_command of
# that module; without one, the question of its name in `kg.reasoning` about a line or statement.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("init", "authoring", "Start a new corpus in a folder."),
    ("new", "authoring", "Write a new note from a template."),
    ("check", "checking", "List the problems in the notes."),
    ("build", "serving", "Build the site from the notes."),
    ("serve", "serving", "Serve the site, and update it on every edit."),
    ("lsp", "serving", "Run the language server: problems, completion and renaming in editors."),
    ("rename", "editing", "Rename a note, callout, citation key, topic or camp everywhere."),
    ("promote", "editing", "Turn a callout into a note of its own."),
    ("merge", "editing", "Merge two notes on the same thing, two topics or two citation keys."),
    ("split", "editing", "Move a section into a note of its own."),
    ("retire", "editing", "Mark a note as retired, with or without a successor."),
    ("fmt", "editing", "Format the relations in notes, and leave all else unchanged."),
    ("undo", "editing", "Undo the last change that kg made in the notes."),
    ("find", "finding", "Find statements, sources, lines or edges that meet conditions."),
    ("search", "finding", "Search the text of notes, best match first."),
    ("show", "showing", "Show a statement, source, line or term; or count all there is."),
    ("why", "explaining", "Show what supports a statement, and what speaks against it."),
    (
        "compare",
        "explaining",
        "Show what two statements, lines or folders share, and where they differ.",
    ),
    ("verdict", "weighing", "Show the verdict on a line or statement, and how firm it is."),
    ("crux", "weighing", "Show what the camps disagree on that decides the answer."),
    ("gaps", "weighing", "List claims without evidence or on too little, and circular support."),
    ("tensions", "weighing", "List believed contradictions; show which positions are consistent."),
    ("whatif", "weighing", "Suppose something else, and see which answers move."),
    ("review", "judging", "List what is due for review, most important first."),
    ("agreement", "judging", "Show how far annotators, and models, agree on edges."),
    ("diff", "explaining", "Compare the corpus at two git revisions."),
    ("sparql", "querying", "Query the notes in SPARQL."),
    ("export", "exchanging", "Write the graph in another format or vocabulary."),
    ("import", "exchanging", "Write notes from the data of another program."),
    ("push", "exchanging", "Upload the graph to a SPARQL server."),
    ("pull", "exchanging", "Read the graph back from a SPARQL server."),
    ("mcp", "serving", "Run a server for the Model Context Protocol."),
    ("help", "help", "Explain a command or a rule; print the schema or shell completion."),
)

# Words that people try as commands, and what to write instead.
COMMAND_SYNONYMS: Mapping[str, str] = {
    "against": "why ID --against",
    "ask": "search",
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

# Headings in `kg --help`, each with its first command.
SECTIONS: tuple[tuple[str, str], ...] = (
    ("Write and check", "init"),
    ("Change notes", "rename"),
    ("See and ask", "find"),
    ("Weigh", "verdict"),
    ("Compare and exchange", "diff"),
    ("Help", "help"),
)


class Commands(SuggestingGroup):
    """Commands that are imported when called, so that `kg --help` is fast."""

    synonyms = COMMAND_SYNONYMS

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for name, module_name, help in COMMANDS:
            if name == cmd_name:
                module = importlib.import_module(f"kg.cli.{module_name}")
                command: click.Command | None = getattr(module, f"{name}_command", None)
                return command or module.question_command(name, help)
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        require_option_values(args)
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **keywords: Any) -> click.Context:
        with exit_on_closed_pipe():
            return super().make_context(*arguments, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        with exit_on_closed_pipe():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        title_by_first = {first: title for title, first in SECTIONS}
        rows_by_title: dict[str, list[tuple[str, str]]] = {}
        for name, _, help in COMMANDS:
            if name in title_by_first:
                rows = rows_by_title[title_by_first[name]] = []
            rows.append((name, help))
        for title, rows in rows_by_title.items():
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
First steps: kg init demo && cd demo && kg check && kg serve
`kg help COMMAND` shows examples. Commands about notes take `--notes DIR`;
by default, `notes` is looked for here and in the folders above.

\b
Exit status: 0 success, even if the answer is empty; 1 problems in the notes,
or no path, or no judgements; 2 misuse; 130 stopped. NO_COLOR turns colours
off.""",
)
@click.version_option(package_name="inquiry-lines", prog_name="kg", message="%(prog)s %(version)s")
def main() -> None:
    """Markdown notes that argue, as a knowledge graph of claims and sources."""


def run(arguments: list[str] | None = None) -> None:
    """Run `kg`; misuse and unreadable folders end with one message, never a traceback."""
    open_closed_streams()
    # Otherwise the interpreter collects garbage among all loaded objects before it exits: with
    # 10,000 notes, this takes as long as many commands.
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
        add_output_name(error)
        print_error(error)
        sys.exit(2)
