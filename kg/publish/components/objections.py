"""Objections to a statement, or to its use as a reason."""

from __future__ import annotations

from typing import TypeAlias

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.model import Edge, EdgeId, StatementId
from kg.publish.components.reasons import nats_of, sort_by_weight
from kg.publish.markup.phrases import HEARD
from kg.publish.page_builder import PageBuilder

MAX_LINKS_OF_SPECIFIC = 10
Objection: TypeAlias = tuple[float, Edge, StatementId]


def bears_on_many(corpus: Corpus, id: StatementId) -> bool:
    """Return whether a statement bears on so many others that its title says little of any one."""
    return len(corpus.edges_from.get(id, ())) > MAX_LINKS_OF_SPECIFIC


def objections_to(builder: PageBuilder, id: StatementId, step: EdgeId = "") -> list[Objection]:
    """The objections to a statement and the undercuts of its edges (only of the edge `step`, if
    given), each with its weight. Those with an effect come first, of these those that are not
    general, of these the heaviest, and of equals the one that bears on fewest statements.
    """
    corpus, standings = builder.context.corpus, builder.context.standings

    def rank(objection: Objection) -> tuple[bool, bool, float, int]:
        weight, _, source = objection
        bears_on = len(corpus.edges_from.get(source, ()))
        return weight < HEARD, bears_on_many(corpus, source), -round(weight, 2), bears_on

    contrary = sort_by_weight(builder, reasons_by_side(corpus, id).con)
    denials = [(abs(nats_of(builder, each)), each.edge, each.origin) for each in contrary]
    undercuts = [
        (abs(standings.share(undercut.id)), undercut, undercut.origin)
        for each in corpus.bearings_from(id)
        if step in ("", each.edge.id)
        for undercut in undercuts_of(corpus, each.edge.id)
    ]
    return sorted([*denials, *undercuts], key=rank)
