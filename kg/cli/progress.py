"""How far a long command is: one line that is rewritten, and only where someone watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

CLEAR = "\r\x1b[K"


@contextmanager
def counter() -> Iterator[Callable[[str, int], None]]:
    """A function that shows a step and how many are done; the line is gone at the end."""
    watched = sys.stderr.isatty()

    def show(step: str, count: int) -> None:
        if watched:
            click.echo(f"{CLEAR}{step} {count}", err=True, nl=False)

    try:
        yield show
    finally:
        if watched:
            click.echo(CLEAR, err=True, nl=False)
