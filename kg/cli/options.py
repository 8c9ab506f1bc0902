"""Options that many commands share, and how ids complete."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kg.cli.output import plain_lines
from kg.corpus import Corpus
from kg.files.read import NotesFolder, OutsideFolder, Place
from kg.model.errors import KgError
from kg.notes.discover import NoSuchFolder

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT = "notes"
WORTH_KEEPING = 500  # notes from which a cache saves more than it costs


def find_folder(given: Place | None, here: Path | None = None) -> NotesFolder:
    """The notes folder: the one given, else `notes` in this folder or the nearest one above it.

    A `notes` that is a link to somewhere else is taken only from who names it.
    """
    if given is not None:
        return NotesFolder.of(given)
    start = here or Path.cwd()
    for place in (start, *start.parents):
        found = place / DEFAULT
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
    return NotesFolder.of(DEFAULT)


def load(notes: Place | None) -> Corpus:
    """The corpus in the folder that the command was given.

    Parsed notes of a large corpus are kept in the user's cache folder, unless KG_NO_CACHE is set.
    """
    from kg.loader import load_corpus, load_remembered
    from kg.notes.cache import cache_place

    folder = find_folder(notes)
    cache = None if os.environ.get("KG_NO_CACHE") else cache_place(folder)
    gc.disable()
    corpus = load_remembered(folder, cache, WORTH_KEEPING) if cache else load_corpus(folder)
    gc.freeze()  # nothing of it dies before the command ends, so no collection need look at it
    gc.enable()
    return corpus


def notes_option(command: Command) -> Command:
    """Add `--notes DIR`."""
    return click.option(
        "--notes",
        type=click.Path(path_type=Path, file_okay=False),
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


class Id(click.ParamType[str]):
    """An id of the corpus, completed in shells."""

    name = "id"

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            corpus = load(ctx.params.get("notes"))
        except Exception:
            return []  # a shell that is completing has no place for an error
        names = [name for kind in self.kinds for name in getattr(corpus, kind)]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


UNREAD = 141  # what a shell says of a program that SIGPIPE ended


def colours() -> bool | None:
    """False where NO_COLOR asks for none; else what is printed to decides."""
    return False if os.environ.get("NO_COLOR") else None


def explain(error: Exception) -> None:
    """Print what went wrong and what to do; errors that nobody foresaw are raised again."""
    if isinstance(error, NoSuchFolder):
        message = f"{error}\n  start one with `kg init DIR`, or name it with `--notes DIR`"
    elif isinstance(error, KgError):
        message = str(error)
    elif isinstance(
        error,
        PermissionError
        | FileExistsError
        | FileNotFoundError
        | IsADirectoryError
        | NotADirectoryError,
    ):
        message = f"{error.filename}: {error.strerror}"
    else:
        raise error
    told = click.style("error: ", fg="red", bold=True) + plain_lines(message)
    click.echo(told, err=True, color=colours())


@contextmanager
def until_reader_leaves() -> Iterator[None]:
    """Exit quietly with status 141 (`UNREAD`) on a closed pipe, as behind `| head`.

    Left to themselves click and rich would end with 1, which says that the notes have problems.
    """
    try:
        yield
    except (OSError, SystemExit) as error:
        if not _is_unread(error) and not _is_unread(error.__context__):
            raise
        with suppress(OSError, ValueError):  # what is left to write goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(UNREAD)


def _is_unread(error: BaseException | None) -> bool:
    if not isinstance(error, OSError):
        return False
    # Windows calls a pipe without a reader an invalid argument
    odd = sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    return odd or error.errno == errno.EPIPE
