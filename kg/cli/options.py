"""Options that many commands share, and how ids complete."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kg.cli.output import TABLE_KEY
from kg.corpus import Corpus
from kg.files.read import NotesFolder, OutsideFolder, StrPath

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT_FOLDER = "notes"
FEWEST_NOTES_TO_KEEP = 500  # notes from which a cache saves more than it costs


def find_folder(given: StrPath | None, here: Path | None = None) -> NotesFolder:
    """The notes folder: the one given, else `notes` in this folder or the nearest one above it.

    A `notes` that is a link to somewhere else is taken only from who names it.
    """
    if given is not None:
        return NotesFolder.of(given)
    start = here or Path.cwd()
    for place in (start, *start.parents):
        found = place / DEFAULT_FOLDER
        if found.is_dir():
            shown = os.path.relpath(found, start)
            folder = replace(NotesFolder.of(found), shown=Path(shown))
            try:
                folder.need_within(place)
            except OutsideFolder as error:
                raise click.UsageError(
                    f"`{shown}`: {error.strerror}; if you trust it, say `--notes {shown}`"
                ) from None
            return folder
    return NotesFolder.of(DEFAULT_FOLDER)


def path_in(folder: NotesFolder, given: StrPath) -> str:
    """A file's path as diagnostics have it, of one named from here, or from the notes folder."""
    for real in (os.path.abspath, os.path.realpath):
        path = os.path.relpath(real(given), real(folder.shown)).replace(os.sep, "/")
        # settings and bibliographies may stand beside the folder
        beside = os.path.dirname(real(given)) == str(folder.around) and os.path.exists(given)
        if beside or not path.startswith("../"):
            return path
    if not os.path.isabs(given) and os.pardir not in Path(given).parts:
        return Path(given).as_posix()
    raise click.UsageError(f"`{given}` is no file of the corpus in `{folder}`")


def load_notes(notes: StrPath | None) -> Corpus:
    """The corpus in the folder that the command was given.

    Parsed notes of a large corpus are kept in the user's cache folder, unless KG_NO_CACHE is set.
    """
    from kg.loader import load_corpus, load_remembered
    from kg.notes.cache import notes_cache_file

    folder = find_folder(notes)
    cache = None if os.environ.get("KG_NO_CACHE") else notes_cache_file(folder)
    gc.disable()
    corpus = load_remembered(folder, cache, FEWEST_NOTES_TO_KEEP) if cache else load_corpus(folder)
    gc.freeze()  # nothing of it dies before the command ends, so no collection need look at it
    gc.enable()
    return corpus


def notes_option(command: Command) -> Command:
    """Add `--notes DIR`."""
    return click.option(
        "--notes",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="The folder of notes.  [default: `notes`, here or above]",
    )(command)


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Add `--format`, the first of `formats` by default."""
    return click.option(
        "--format",
        "format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to print the answer.",
    )


def answer_options(command: Command) -> Command:
    """Add `--format` and, for what CSV holds, `--table`, which `write_answer` looks up."""
    table = click.option(
        "--table",
        metavar="NAME",
        expose_value=False,
        callback=lambda ctx, _, name: ctx.meta.__setitem__(TABLE_KEY, name),
        help="What csv holds, a list of records in the JSON.  [default: the main one]",
    )
    return format_option("table", "json", "csv", "markdown")(table(command))


class IdType(click.ParamType[str]):
    """An id of the corpus, completed in shells; `kinds` are the attributes that hold them."""

    name = "id"

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            corpus = load_notes(ctx.params.get("notes"))
        except Exception:
            return []  # a shell that is completing has no place for an error
        names = [name for kind in self.kinds for name in attrgetter(kind)(corpus)]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The rules of `kg check` that begin so, for shells."""
    from kg.checks import RULES

    return [rule.name for rule in RULES if rule.name.startswith(incomplete)]
