"""Errors of use, told in one line."""

from __future__ import annotations

import click

from kg.corpus import UnknownId
from kg.model.config import ConfigError
from kg.notes.discover import NoSuchFolder
from kg.queries.misuse import Misuse


def explain(error: Exception) -> None:
    """Print what went wrong and what to do; errors that nobody foresaw are raised again."""
    if isinstance(error, NoSuchFolder):
        message = f"{error}\n  start one with `kg init DIR`, or name it with `--notes DIR`"
    elif isinstance(error, UnknownId | ConfigError | Misuse):
        message = str(error)
    elif isinstance(
        error, PermissionError | FileExistsError | IsADirectoryError | NotADirectoryError
    ):
        message = f"{error.filename}: {error.strerror}"
    else:
        raise error
    click.echo(click.style("error: ", fg="red", bold=True) + message, err=True)
