"""Rules about what is one thing under two names, or two under one."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.locate import place_of
from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.model import InquiryLine, Severity, Source, Span, Statement
from kg.notes.discover import NOTE_SUFFIX
from kg.text.spelling import compose_accents


@rule(Severity.WARNING)
def alias_taken(corpus: Corpus) -> Iterator[Finding]:
    """An alias that is the id of another note, or an alias of another note, too.

    A link by it leads to the note of that id; by an alias of two notes it leads nowhere.
    """
    things: list[tuple[str, Statement | InquiryLine | Source]] = []
    things += corpus.statements.items()
    things += corpus.lines.items()
    things += corpus.sources.items()
    ids = {id: thing.span for id, thing in things}
    told = {item.edge.target for item in corpus.unresolved if len(item.candidates) > 1}
    first: dict[str, tuple[str, Span]] = {}
    for id, thing in things:
        for alias in map(compose_accents, thing.aliases):
            if alias == id or alias in told:
                continue
            other, span = first.setdefault(alias, (id, thing.span))
            if alias in ids:
                message, span = f"the alias `{alias}` is the id of another note", ids[alias]
            elif other != id:
                message = f"the alias `{alias}` is one of `{other}`, too"
            else:
                continue
            place = thing.span
            if place.path.endswith(NOTE_SUFFIX):
                place = place_of(corpus, thing, "aliases", alias)
            yield Finding(place, message, "leave it to one of them", (span,))
