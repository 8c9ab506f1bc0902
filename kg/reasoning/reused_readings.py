"""An edit of texts keeps the numbers: readings of a corpus, reused for the next state of it."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter, eq

from msgspec import structs

from kg.corpus import Corpus
from kg.judgements.edge_labels import judgements_of
from kg.model import SourceKey, Span, Statement
from kg.reasoning.reading import CorpusReadings

# the fields of an edge that strengths depend on: all but texts and their places
_bare_edge = attrgetter(
    *("id", "source", "relation", "target", "strength", "goes_both_ways", "together")
)
_NO_SPAN = Span("")


def reuse_readings(old: Corpus, new: Corpus) -> None:
    """Reuse the readings of `old` in `new`, if the two differ only in texts.

    Otherwise readings are made again on demand.
    """
    if have_same_graph(old, new):
        new_judgements = judgements_of(new).rows
        for reading in old.derive(CorpusReadings):
            if reading.judgements == new_judgements:
                # questions quote titles, which may have changed, so they are not kept
                new.derive(CorpusReadings).add(replace(reading, corpus=new))


def have_same_graph(old: Corpus, new: Corpus) -> bool:
    """Whether two corpora hold the same statements and edges, in the same order, texts aside."""
    return (
        old.config == new.config
        and old.sources == new.sources
        and len(old.statements) == len(new.statements)
        and len(old.edges) == len(new.edges)
        and all(map(_are_same_but_for_texts, old.statements.values(), new.statements.values()))
        and all(map(eq, map(_bare_edge, old.edges), map(_bare_edge, new.edges)))
    )


def _are_same_but_for_texts(old: Statement, new: Statement) -> bool:
    return old is new or _bare_statement(old) == _bare_statement(new)


def _bare_statement(statement: Statement) -> tuple[Statement, tuple[SourceKey, ...]]:
    """A copy of a statement without what no strength depends on, its texts and places; and the
    keys of the sources that it cites.
    """
    bare = structs.replace(
        statement, title="", body="", open="", citations=(), quotations=(), span=_NO_SPAN
    )
    return bare, statement.sources
