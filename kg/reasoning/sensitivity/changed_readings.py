"""A corpus read again with other records, or with statements muted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import structs

from kg.corpus.quality.evidence_quality import qualities_of
from kg.corpus.same_and_superseded import superseded_statements
from kg.model import Relation, StatementId
from kg.reasoning.reading import Reading, reading_of
from kg.reasoning.scenarios import mute_nodes
from kg.text.plurals import join_with_and

RESTORED = "count again, as what superseded them does not"


def with_other_records(reading: Reading, **changed_fields: Any) -> Reading:
    """The reading of the corpus with other sources, edges or statements, given by the name of the
    field; statements keep their numbers.
    """
    corpus = reading.corpus
    if all(getattr(corpus, name) == value for name, value in changed_fields.items()):
        return reading
    return reading_of(replace(corpus, **changed_fields), reading.settings, reading.judgements)


def with_muted_statements(reading: Reading, names: Sequence[StatementId]) -> Reading:
    """The reading with statements muted: as if their notes were deleted, but numbered as before.

    They support and attack nothing, supersede nothing and join no sources.
    """
    unjoined = without_supersession_and_keys(reading, names)
    muted_nodes = np.array([unjoined.graph.number_of[name] for name in names], dtype=np.int64)
    return replace(unjoined, graph=mute_nodes(unjoined.graph, muted_nodes))


def without_supersession_and_keys(reading: Reading, names: Sequence[StatementId]) -> Reading:
    """The reading as if these statements superseded nothing and joined no sources by their
    `independence` keys: half of muting them. They still support and attack as before.
    """
    graph = reading.graph
    corpus = reading.corpus
    silenced_ids = {each for name in names for each in graph.ids_of[graph.number_of[name]]}
    without_keys = {
        id: structs.replace(corpus.statements[id], independence=())
        for id in silenced_ids
        if corpus.statements[id].independence
    }
    edges = tuple(
        edge
        for edge in corpus.edges
        if edge.relation is not Relation.SUPERSEDES or edge.origin not in silenced_ids
    )
    if not without_keys and len(edges) == len(corpus.edges):
        return reading
    changed = replace(corpus, statements={**corpus.statements, **without_keys}, edges=edges)
    qualities_of.give(changed, qualities_of(corpus))  # which depend on neither
    return reading_of(changed, reading.settings, reading.judgements)


def statements_no_longer_superseded(
    reading_before: Reading, reading_after: Reading
) -> tuple[StatementId, ...]:
    """Statements that are superseded before, but not after."""
    superseded_before, superseded_after = (
        superseded_statements(each.corpus).keys() for each in (reading_before, reading_after)
    )
    restored = superseded_before - superseded_after
    return tuple(sorted(restored & reading_before.corpus.statements.keys()))


def statement_with_same(reading: Reading, name: StatementId, title: str = "") -> str:
    """A statement, by its id or `title`, and those declared the same, to which a supposition also
    applies.
    """
    graph = reading.graph
    others = [each for each in graph.ids_of[graph.number_of[name]] if each != name]
    also = f" (and {join_with_and(others)}, said to be the same)" if others else ""
    return (title or name) + also
