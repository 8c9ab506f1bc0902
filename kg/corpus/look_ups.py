"""Look-ups of a corpus that read nothing but its tables.

So they run on anything that has these tables: on a corpus, and on one whose tables record what a
page reads (`kg/publish/build/dependencies.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from kg.model import (
    Bearing,
    CampId,
    CampPlacement,
    Edge,
    EdgeId,
    Kind,
    LineId,
    Statement,
    StatementId,
)
from kg.model.errors import require_type
from kg.model.glossary_term import GlossaryTerm, fold_term


def claims_among(statements: Mapping[StatementId, Statement]) -> tuple[Statement, ...]:
    """The claims and counter-claims among statements."""
    return tuple(each for each in statements.values() if each.kind is not Kind.EVIDENCE)


def evidence_among(statements: Mapping[StatementId, Statement]) -> tuple[Statement, ...]:
    """The pieces of evidence among statements."""
    return tuple(each for each in statements.values() if each.kind is Kind.EVIDENCE)


class LookUpTables(Protocol):
    """The tables of a corpus that `LookUps` read."""

    @property
    def statements(self) -> Mapping[StatementId, Statement]: ...
    @property
    def edges_from(self) -> Mapping[StatementId, tuple[Edge, ...]]: ...
    @property
    def edges_to(self) -> Mapping[StatementId | EdgeId, tuple[Edge, ...]]: ...
    @property
    def placements_of(self) -> Mapping[StatementId, tuple[CampPlacement, ...]]: ...
    @property
    def default_camps(self) -> Mapping[StatementId, CampId]: ...
    @property
    def glossary(self) -> Mapping[str, GlossaryTerm]: ...
    def find_id(self, name: str) -> str | None: ...


class LookUps:
    """Look-ups by id or name in `LookUpTables`."""

    def __len__(self: LookUpTables) -> int:
        return len(self.statements)

    def __contains__(self: LookUpTables, name: str) -> bool:
        return self.find_id(name) is not None

    def bearings_on(self: LookUpTables, id: StatementId | EdgeId) -> tuple[Bearing, ...]:
        """List what bears on a statement or an edge: first edges to it, then its own mutual edges.

        `corpus.bearings_on("gap-is-a-matter-of-incentives")`
        """
        bearings = [Bearing(edge, edge.origin, id) for edge in self.edges_to.get(id, ())]
        mutual = (edge for edge in self.edges_from.get(id, ()) if edge.goes_both_ways)
        return (*bearings, *(Bearing(edge, edge.target, id) for edge in mutual))

    def bearings_from(self: LookUpTables, id: StatementId) -> tuple[Bearing, ...]:
        """List what a statement bears on: first by its own edges, then by the mutual edges of
        others.

        `corpus.bearings_from("gap-is-a-matter-of-incentives")`
        """
        bearings = [Bearing(edge, id, edge.target) for edge in self.edges_from.get(id, ())]
        mutual = (edge for edge in self.edges_to.get(id, ()) if edge.goes_both_ways)
        return (*bearings, *(Bearing(edge, id, edge.origin) for edge in mutual))

    def camp_of(
        self: LookUpTables, statement: StatementId, line: LineId | None = None
    ) -> CampId | None:
        """The camp a statement argues for: as placed by `line`, or else its note's default.

        Nested evidence without a camp of its own takes that of the statement around it if it
        supports that, and none if it opposes it.

        `corpus.camp_of("gap-is-a-matter-of-incentives", "social-grounding")`
        """
        if line is not None:
            for placement in self.placements_of.get(statement, ()):
                if placement.line == line:
                    return placement.camp
        return self.default_camps.get(statement)

    def term(self: LookUpTables, name: str) -> GlossaryTerm | None:
        """The glossary entry for a topic, a name or a technical term; `None` if there is none.

        `corpus.term("common ground")`
        """
        require_type(name, str, "a term is text")
        return self.glossary.get(fold_term(name))
