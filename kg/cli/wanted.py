"""Options that narrow a selection, made from the words of the selection language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kg.cli.options import Id, load
from kg.queries.fields import FIELDS
from kg.queries.sort import Sort
from kg.queries.words import WORDS, Takes, Word

Command = TypeVar("Command", bound=Callable[..., Any])
THINGS = {
    Sort.STATEMENT: "statements",
    Sort.SOURCE: "sources",
    Sort.LINE: "lines",
    Sort.EDGE: "edge",
}
HIDDEN = ("text",)
ALSO = {
    "kind": ("--type",),
    "topic": ("--tag",),
    "source": ("--cites",),
    "sample": ("--participants",),
}
MORE = {
    "author": "Sources by this author; a family name is enough.",
    "venue": "Sources published there.",
    "cited_by": "Sources that this statement cites.",
    "relation": "Edges: supports, contradicts, qualifies, undercuts, …",
    "from": "Edges that start at ID.",
    "to": "Edges that end at ID.",
    "places": "Lines that place ID in a camp.",
}


class Known(click.ParamType[str]):
    """A value of a field, completed from the closed list or from the corpus."""

    name = "text"

    def __init__(self, field: str) -> None:
        self.field = field

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = known_values(self.field, ctx.params.get("notes"))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def known_values(field: str, notes: Any) -> Iterable[str]:
    """The values that a field may take, or does take in the corpus if that can be read."""
    from kg.queries.index import index_of

    for sort in Sort:
        place = FIELDS[sort].get(field)
        if place is None:
            continue
        if place.words:
            return place.words
        try:
            corpus = load(notes)
        except Exception:
            return ()  # a shell that is completing has no place for an error
        if field == "camp":
            return corpus.config.camp_ids
        return sorted(map(str, index_of(corpus).holding(sort, field)))
    return ()


def narrowing_options(command: Command) -> Command:
    """Add an option for every word of the selection language."""
    helps = {name: word.help for name, word in WORDS[Sort.STATEMENT].items()} | MORE
    for name in reversed([name for name in helps if name not in HIDDEN]):
        command = _option(name, _word(name), helps[name])(command)
    return command


def _word(name: str) -> Word:
    return next(WORDS[sort][name] for sort in Sort if name in WORDS[sort])


def _option(name: str, word: Word, help: str) -> Callable[[Command], Command]:
    plain = name.replace("_", "-")
    if word.takes is Takes.FLAG:
        return click.option(f"--{plain}/--not-{plain}", name, default=None, help=help)
    kinds: Mapping[Takes, tuple[click.ParamType[str] | type[str], str]] = {
        Takes.THING: (Id(THINGS[word.of]), "ID"),
        Takes.RANGE: (str, "RANGE"),
        Takes.NAMES: (Id("statements") if name == "id" else Known(name), name.upper()),
    }
    kind, metavar = kinds[word.takes]
    many = word.takes is Takes.NAMES
    flags = (f"--{plain}", *ALSO.get(name, ()))
    return click.option(*flags, name, type=kind, metavar=metavar, multiple=many, help=help)
