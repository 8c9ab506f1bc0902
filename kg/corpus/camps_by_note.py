"""The camps of statements as their own notes give them, where no line places them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kg.model import CampId, Edge, Relation, Statement, StatementId


def camps_by_note(
    statements: Mapping[StatementId, Statement], edges: Iterable[Edge]
) -> dict[StatementId, CampId]:
    """The camp of each statement that has one: its own, or that of the statement around it.

    A callout that opposes the statement around it does not argue for that one's camp.
    """
    supporting_callouts = {
        edge.origin for edge in edges if edge.nested and edge.relation is Relation.SUPPORTS
    }
    camps: dict[StatementId, CampId] = {}
    for statement in statements.values():
        camp = statement.camp
        if not camp and statement.id in supporting_callouts:
            around = statements.get(statement.parent or "")
            camp = around.camp if around else None
        if camp:
            camps[statement.id] = camp
    return camps
