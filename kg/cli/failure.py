"""How commands end that could not be done: errors of use in one line, leaving readers in none."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from kg.cli.output import plain_lines
from kg.notes.discover import NoSuchFolder

UNREAD = 141  # what a shell says of a program that SIGPIPE ended


def colours() -> bool | None:
    """False where NO_COLOR asks for none; else what is printed to decides."""
    return False if os.environ.get("NO_COLOR") else None


def explain(error: Exception) -> None:
    """Print what went wrong and what to do; errors that nobody foresaw are raised again."""
    if isinstance(error, NoSuchFolder):
        message = f"{error}\n  start one with `kg init DIR`, or name it with `--notes DIR`"
    elif type(error).__module__.startswith("kg."):
        message = str(error)  # what this package itself raises says what went wrong
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
def while_read() -> Iterator[None]:
    """End without a word, with `UNREAD`, as soon as nobody reads the output, as behind `| head`.

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
