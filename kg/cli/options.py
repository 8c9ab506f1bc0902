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
DRAFTS_KEY = "kg.drafts"  # where the option `--drafts` leaves whether it was given
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


def load_notes(notes: StrPath | None, *, drafts: bool = False) -> Corpus:
    """The corpus in the folder that the command was given, with drafts if `--drafts` was said.

    Parsed notes of a large corpus are kept in the user's cache folder, unless KG_NO_CACHE is set.
    """
    from kg.loader import load_corpus, load_remembered
    from kg.notes.cache import notes_cache_file

    folder = find_folder(notes)
    cache = None if os.environ.get("KG_NO_CACHE") else notes_cache_file(folder)
    gc.disable()
    drafts = drafts or wants_drafts()
    if cache:
        corpus = load_remembered(folder, cache, FEWEST_NOTES_TO_KEEP, drafts=drafts)
    else:
        corpus = load_corpus(folder, drafts=drafts)
    gc.freeze()  # nothing of it dies before the command ends, so no collection need look at it
    gc.enable()
    tell_drafts(corpus)
    return corpus


def tell_drafts(corpus: Corpus) -> None:
    """Say how many drafts a command that could have read them leaves out."""
    left_out = sum("#" not in id for id in set((corpus.drafts or {}).values()))
    context = click.get_current_context(silent=True)
    if left_out and context and DRAFTS_KEY in context.meta and not context.resilient_parsing:
        drafts = "1 draft" if left_out == 1 else f"{left_out} drafts"
        click.echo(
            f"{drafts} left out; --drafts shows {'it' if left_out == 1 else 'them'}", err=True
        )


def wants_drafts() -> bool:
    """Whether the command was given `--drafts`."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(DRAFTS_KEY))


def notes_option(command: Command) -> Command:
    """Add `--notes DIR` and `--drafts`, which `load_notes` looks up."""
    drafts = click.option(
        "--drafts",
        is_flag=True,
        expose_value=False,
        callback=lambda ctx, _, given: ctx.meta.__setitem__(DRAFTS_KEY, given),
        help="Read notes with `status: draft`, too.",
    )
    return folder_option(drafts(command))


def folder_option(command: Command) -> Command:
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
