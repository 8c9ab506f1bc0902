"""The words of `kg ask`: listed, and completed in shells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from kg.cli.wanted import THINGS, known_values
from kg.queries.ask import PARTS, SHAPES, STARTS
from kg.queries.sort import Sort
from kg.queries.words import WORDS, Takes


class Asked(click.ParamType[str]):
    """A term of a question; words and their values are completed."""

    name = "question"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        incomplete = incomplete.lstrip()
        name, colon, _ = incomplete.partition(":")
        if not colon:
            names = (*STARTS, *(f"{word}:" for word in (*WORDS[Sort.STATEMENT], *SHAPES)))
            parts = (f"{part}." for part in PARTS)
            return _items((*names, *parts), incomplete)
        bare = name.removeprefix("-").rpartition(".")[2]
        values = _values(bare, ctx.params.get("notes"))
        return _items((f"{name}:{value}" for value in values), incomplete)


def _items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _values(name: str, notes: Any) -> Iterable[str]:
    from kg.cli.options import load

    word = WORDS[Sort.STATEMENT].get(name)
    if word is None or word.takes is not Takes.THING:
        return known_values(name, notes)
    try:
        return list(getattr(load(notes), THINGS[word.of]))
    except Exception:
        return ()  # a shell that is completing has no place for an error


def write_words() -> None:
    """Print every word, by what it narrows."""
    from kg.cli.output import write_table

    for sort in Sort:
        rows = [(f"{name}:", word.help) for name, word in WORDS[sort].items()]
        write_table(("word", "finds"), rows, title=f"{sort.value.title()}s")
        click.echo()
