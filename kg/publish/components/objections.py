"""Objections to a statement, or to its use as a reason."""

from __future__ import annotations

from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.model import Edge, EdgeId, Relation, StatementId
from kg.publish.components.reasons import MIDDLE_STRENGTH, nats_of, sort_by_weight
from kg.publish.markup.phrases import LEAST_NATS_COUNTED
from kg.publish.page_builder import PageBuilder

MAX_LINKS_OF_SPECIFIC = 10


class Objection(NamedTuple):
    """An objection, by an edge from a statement, with its weight."""

    weight: float
    edge: Edge
    origin: StatementId


def bears_on_many(corpus: Corpus, id: StatementId) -> bool:
    """Return whether a statement bears on so many others that its title says little of any one."""
    return len(corpus.edges_from.get(id, ())) > MAX_LINKS_OF_SPECIFIC


def objections_to(builder: PageBuilder, id: StatementId, only_edge: EdgeId = "") -> list[Objection]:
    """The objections to a statement and the undercuts of its edges (of `only_edge` alone, if it is
    given), each with its weight. Those with an effect come first, of these those that are not
    general, of these the heaviest, and of equals the one that bears on fewest statements.
    """
    corpus, standings = builder.context.corpus, builder.context.standings

    def rank(objection: Objection) -> tuple[bool, bool, float, int]:
        weight, bears_on = objection.weight, len(corpus.edges_from.get(objection.origin, ()))
        is_general = bears_on_many(corpus, objection.origin)
        return weight < LEAST_NATS_COUNTED, is_general, -round(weight, 2), bears_on

    contrary = sort_by_weight(builder, reasons_by_side(corpus, id).con)
    denials = [Objection(abs(nats_of(builder, each)), each.edge, each.origin) for each in contrary]
    undercuts = [
        Objection(abs(standings.share(undercut.id)), undercut, undercut.origin)
        for each in corpus.bearings_from(id)
        if only_edge in ("", each.edge.id)
        for undercut in undercuts_of(corpus, each.edge.id)
    ]
    return sorted([*denials, *undercuts], key=rank)


def why_not_counted(builder: PageBuilder, objection: Edge, origin: StatementId) -> str:
    """`not counted: no evidence supports it`: what is said of an objection that has no effect."""
    standings = builder.context.standings
    standing, why = standings.of(origin), ""
    if origin in standings.claims_without_evidence:
        why = ": no evidence supports it"
    elif standing.quality is None and (standing.strength or 0.0) <= MIDDLE_STRENGTH:
        why = ": at least as much speaks against it as for it"
    elif objection.relation is not Relation.UNDERCUTS:
        why = ": its evidence already counts in another way"
    return f"not counted{why}"
