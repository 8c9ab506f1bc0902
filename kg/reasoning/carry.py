"""From one state of the notes to the next: where only texts changed, no strength did."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter, eq

from msgspec import structs

from kg.corpus import Corpus
from kg.model import SourceKey, Span, Statement
from kg.reasoning.judgements import judgements_of
from kg.reasoning.reading import Reading

_WEIGHED = attrgetter("id", "source", "relation", "target", "strength", "mutual", "together")
_NOWHERE = Span("")


def carry(before: Corpus, now: Corpus) -> None:
    """Let `now` go on with the readings of `before`, if they differ in nothing but texts.

    Otherwise they are made again when they are wanted.
    """
    if have_one_graph(before, now):
        readings: dict[object, Reading] = vars(before).get("_readings", {})
        judged = judgements_of(now).rows
        vars(now)["_readings"] = {
            key: _of(now, reading)
            for key, reading in readings.items()
            if reading.judgements == judged
        }


def have_one_graph(before: Corpus, now: Corpus) -> bool:
    """Whether two corpora hold the same statements and edges, in the same order, texts aside."""
    return (
        before.config == now.config
        and before.sources == now.sources
        and len(before.statements) == len(now.statements)
        and len(before.edges) == len(now.edges)
        and all(map(_weigh_alike, before.statements.values(), now.statements.values()))
        and all(map(eq, map(_WEIGHED, before.edges), map(_WEIGHED, now.edges)))
    )


def _weigh_alike(one: Statement, other: Statement) -> bool:
    return one is other or _weighed(one) == _weighed(other)


def _weighed(statement: Statement) -> tuple[Statement, tuple[SourceKey, ...]]:
    """A statement without its texts and their places, and what it cites."""
    bare = structs.replace(
        statement, title="", body="", open="", citations=(), quotations=(), span=_NOWHERE
    )
    return bare, statement.sources


def _of(corpus: Corpus, reading: Reading) -> Reading:
    renewed = replace(reading, corpus=corpus, _asked={})
    if "solution" in vars(reading):
        vars(renewed)["solution"] = reading.solution
    return renewed
