"""Edges: what a statement says of another, as written and in the directions in which it bears."""

from __future__ import annotations

from typing import NamedTuple

from kg.model.ids import is_given_name
from kg.model.relation import EdgeStrength, Relation
from kg.model.value import EdgeId, Span, StatementId, Value, render_card, render_short


class Edge(Value, frozen=True):
    """It leads from `origin` to `target` and is written at `span`.

    `target` is a statement id, or an edge id if the relation is `undercuts`.
    `nested` marks the edge from a callout to the statement around it. `together` lists
    the other joint (linked) premises, without which this one is not a reason. `mutual` is as
    written in the note; `goes_both_ways` is its effect.
    """

    id: EdgeId
    origin: StatementId
    relation: Relation
    target: StatementId | EdgeId
    span: Span
    reason: str = ""
    strength: EdgeStrength | None = None
    mutual: bool = False
    nested: bool = False
    scope: str = ""
    by: str = ""
    locator: str = ""
    together: tuple[StatementId, ...] = ()

    @property
    def premises(self) -> tuple[StatementId, ...]:
        """All premises that bear on the target jointly: the origin, then the others."""
        return (self.origin, *self.together)

    @property
    def is_named(self) -> bool:
        """Whether its id is a name given by its author."""
        return is_given_name(self.id)

    @property
    def goes_both_ways(self) -> bool:
        """Whether each opposes the other: only a contradiction of two can be mutual."""
        return self.mutual and self.relation is Relation.CONTRADICTS and not self.together

    @property
    def directions(self) -> tuple[tuple[str, str], ...]:
        """The pairs of origin and target: as written and, if it goes both ways, the reverse."""
        as_written = (self.origin, self.target)
        return (as_written, as_written[::-1]) if self.goes_both_ways else (as_written,)

    def together_with(self, premise: StatementId) -> tuple[StatementId, ...]:
        """The premises that `premise` counts together with; empty if it counts by itself."""
        return tuple(each for each in self.premises if each != premise)

    def __repr__(self) -> str:
        return render_short("edge", self._edge_in_words, self.reason)

    def _repr_html_(self) -> str:
        strength = self.strength.value if self.strength else ""
        return render_card(self._edge_in_words, self.id, (strength, self.by), self.reason)

    @property
    def _edge_in_words(self) -> str:
        rest = f" with {' and '.join(self.together)}" if self.together else ""
        return f"{self.origin} {self.relation.value} {self.target}{rest}"


class Bearing(NamedTuple):
    """An edge in one direction, to `target`: one that goes both ways bears on each of its ends."""

    edge: Edge
    origin: StatementId
    target: StatementId | EdgeId

    @property
    def premises(self) -> tuple[StatementId, ...]:
        """All statements that bear on the target jointly."""
        return (self.origin, *self.edge.together)  # with other premises it goes one way only

    @property
    def side(self) -> int:
        """1 for a reason for the target, -1 for one against it, 0 if it takes no side."""
        return self.edge.relation.entry.side

    @property
    def is_reversed(self) -> bool:
        """Whether it runs against the direction in which the edge is written."""
        return self.origin != self.edge.origin
