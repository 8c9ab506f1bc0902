"""Who opposes whom, said once: an edge opposes its target, a mutual contradiction both its ends."""

from __future__ import annotations

from kg.corpus.corpus import Corpus
from kg.model import OPPOSING, Edge, Relation, StatementId


def opposing_edges(corpus: Corpus, id: StatementId) -> tuple[Edge, ...]:
    """Edges by which others oppose a statement: those that lead to it, then its mutual ones."""
    towards = (edge for edge in corpus.edges_to.get(id, ()) if edge.relation in OPPOSING)
    return (*towards, *mutual_edges(corpus, id))


def mutual_edges(corpus: Corpus, id: StatementId) -> tuple[Edge, ...]:
    """Contradictions that a statement itself declares mutual, so that they oppose it, too."""
    return tuple(
        edge
        for edge in corpus.edges_from.get(id, ())
        if edge.mutual
        and edge.relation is Relation.CONTRADICTS
        and edge.target in corpus.statements
    )
