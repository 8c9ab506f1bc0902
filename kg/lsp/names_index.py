"""Everything that can be linked to, as it is looked for by who types a few letters of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import InquiryLine, Source, Statement

MAX_OFFERED = 40  # names; an editor asks again with more letters


class Named(NamedTuple):
    """A thing by its id, with its title, what it is, its file, and the letters that find it."""

    id: str
    title: str
    kind: str
    path: str
    sought: str


def names_index(corpus: Corpus) -> tuple[Named, ...]:
    """All statements, lines and sources; made once for a corpus by `Corpus.derive`."""
    found: list[tuple[str, str, str, Statement | InquiryLine | Source]] = [
        *((each.id, each.title, each.kind.value, each) for each in corpus.statements.values()),
        *((each.id, each.title, "line", each) for each in corpus.lines.values()),
        *((each.key, each.title, describe_short(each), each) for each in corpus.sources.values()),
    ]
    return tuple(
        Named(id, title, kind, thing.span.path, f"{id}\n{title}\n{kind}".casefold())
        for id, title, kind, thing in found
    )


def describe_short(source: Source) -> str:
    """Who wrote a source, and when."""
    return " ".join(filter(None, (source.short_authors, str(source.year or "")))) or "source"


def find_names(corpus: Corpus, typed: str, kinds: str = "") -> tuple[list[Named], bool]:
    """Up to `MAX_OFFERED` things whose id or title holds all words that are typed, the likeliest
    first, and whether these are all. `kinds` is `notes`, `sources`, or empty for both.
    """
    found: Sequence[Named] = corpus.derive(names_index)
    if kinds == "sources":
        found = [each for each in found if each.id in corpus.sources]
    for word in typed.casefold().split():
        found = [each for each in found if word in each.sought]
    start = typed.casefold().strip()
    if start:
        found = [each for _, _, each in nsmallest(MAX_OFFERED + 1, _rank_names(found, start))]
    return list(found[:MAX_OFFERED]), len(found) <= MAX_OFFERED


def _rank_names(found: Sequence[Named], start: str) -> Iterator[tuple[int, int, Named]]:
    """What begins with the letters typed, then what has them in its id, then the others."""
    for number, each in enumerate(found):
        at = each.sought.find(start)
        rank = 0 if at == 0 else 1 if 0 < at < len(each.id) else 2
        yield rank, number, each
