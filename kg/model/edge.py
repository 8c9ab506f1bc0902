"""Edges: how statements bear on each other, and who says so where."""

from __future__ import annotations

from kg.model.diagnostic import Span
from kg.model.relation import Relation, Strength
from kg.model.value import CampId, EdgeId, LineId, StatementId, Value, render_card, render_short


class Edge(Value, frozen=True):
    """`source` bears on `target`, as written at `span`.

    `target` is a statement id, or an edge id where the relation is `undercuts`.
    `nested` marks the edge that a callout draws to the statement around it. `together` lists
    the other premises, without which the source is no reason (linked premises).
    """

    id: EdgeId
    source: StatementId
    relation: Relation
    target: StatementId | EdgeId
    span: Span
    reason: str = ""
    strength: Strength | None = None
    mutual: bool = False
    nested: bool = False
    scope: str = ""
    by: str = ""
    locator: str = ""
    together: tuple[StatementId, ...] = ()

    @property
    def premises(self) -> tuple[StatementId, ...]:
        """All that bears on the target jointly: the source, then what it counts together with."""
        return (self.source, *self.together)

    def others(self, premise: StatementId) -> tuple[StatementId, ...]:
        """The premises that `premise` counts together with; none where it counts by itself."""
        return tuple(each for each in self.premises if each != premise)

    def __repr__(self) -> str:
        return render_short("edge", self._sentence, self.reason)

    def _repr_html_(self) -> str:
        strength = self.strength.value if self.strength else ""
        return render_card(self._sentence, self.id, (strength, self.by), self.reason)

    @property
    def _sentence(self) -> str:
        with_others = f" with {' and '.join(self.together)}" if self.together else ""
        return f"{self.source} {self.relation.value} {self.target}{with_others}"


class CampPlacement(Value, frozen=True):
    """In `line`, `statement` argues for `camp`."""

    line: LineId
    statement: StatementId
    camp: CampId
    span: Span
    reason: str = ""


class NextStep(Value, frozen=True):
    """Where a line's inquiry goes on: another line (`target`), or a question in words."""

    span: Span
    target: LineId | None = None
    question: str = ""
    reason: str = ""
