"""Errors of use, told in one line."""

from __future__ import annotations

import os

import click

from kg.notes.discover import NoSuchFolder


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
    click.echo(click.style("error: ", fg="red", bold=True) + message, err=True, color=colours())
