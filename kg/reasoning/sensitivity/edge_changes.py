"""Edges whose removal, or reading as one step weaker or stronger, takes an answer from its side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kg.model import EdgeId, EdgeStrength, StatementId, Value
from kg.reasoning.graph.arrays import Floats, round_off, round_off_or_none
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.losses.source_losses import nats_passed_on
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import arc_shares_of
from kg.reasoning.scenarios import keep_outcome, run_scenarios, run_without_arcs
from kg.reasoning.strength_words import sides_of_outcomes, strength_in_table, strength_word
from kg.reasoning.sureness_words import answer_phrase
from kg.reporting.report import columns, lines_in_cell

# The strengths that a note may give an edge, one step apart (the default is strong).
EDGE_STRENGTHS = (EdgeStrength.STRONG, EdgeStrength.MODERATE, EdgeStrength.WEAK)


class EdgeChange(Value, frozen=True, omit_defaults=False):
    """An edge whose removal (`to` is empty), or whose strength one step up or down, takes the
    answer from its side.
    """

    edge: EdgeId
    origin: StatementId
    target: StatementId
    now: str
    to: str
    strength: float | None
    word: str

    @property
    def text(self) -> str:
        """The edge and its change, in words."""
        change = f"read as {self.to}" if self.to else "gone"
        return f"{self.origin} → {self.target}: {change}"


EDGE_CHANGE = columns(
    EdgeChange,
    ("edge", lambda e: lines_in_cell(e.origin, f"  → {e.target}")),
    "now",
    ("if read as", lambda e: e.to or "no edge"),
    ("strength", lambda e: strength_in_table(e.strength)),
    ("at most", lambda e: answer_phrase(e.word)),
)


def edges_taking_from_side(question: Question, current_side: int) -> tuple[EdgeChange, ...]:
    """Edges that take the answer from `current_side`, the one that takes it farthest first, those
    that leave it without a stable strength last.
    """
    tried_changes = _changes_to_try(question) if current_side else []
    if not tried_changes or len(tried_changes) > question.affordable():
        return ()
    outcomes = _outcomes_with(question, tried_changes)
    has_left_side = sides_of_outcomes(outcomes, question.settings) != current_side
    changes = [
        _edge_change(question, tried_changes[position], outcomes[:, position])
        for position in np.flatnonzero(has_left_side).tolist()
    ]
    changes.sort(
        key=lambda e: (e.strength is None, current_side * (e.strength or 0.0), e.edge, e.to)
    )
    return tuple(changes)


class _TriedChange(NamedTuple):
    """An arc, the strength that its edge is read as, and its weight then."""

    arc: int
    new_strength: str
    weight: float


def _changes_to_try(question: Question) -> list[_TriedChange]:
    """Changes that may move the answer: of arcs that are heard, or that may come to be heard."""
    graph = question.graph
    # one reason may have many arcs, of which its weakest premise alone has a share
    is_heard = graph.with_joint_partners(arc_shares_of(question) != 0.0)
    speaks = (
        nats_passed_on(graph, graph.arc_premise, question.strengths[graph.arc_premise][:, None])[
            :, 0
        ]
        > 0.0
    )
    return [
        change
        for arc in _first_arcs(graph)
        for change in _changes_of_edge(question, arc)
        # an arc that is not heard can only gain weight, and only if its premise passes something on
        if is_heard[arc] or (speaks[arc] and abs(change.weight) > abs(graph.arc_weight[arc]))
    ]


def _outcomes_with(question: Question, tried_changes: Sequence[_TriedChange]) -> Floats:
    """`keep_outcome` (3 × tried) with each change by itself."""
    graph = question.graph
    arcs, weights = (np.array([row[field] for row in tried_changes]) for field in (0, 2))

    def change(first: int, stop: int) -> Scenarios:
        weight_table = np.repeat(graph.arc_weight[:, None], stop - first, axis=1)
        changed_arcs = arcs[first:stop]
        weight_table[changed_arcs, np.arange(stop - first)] = weights[first:stop]
        if graph.has_joint_premises:
            is_partner = (graph.joint[:, None] == graph.joint[changed_arcs]) & (
                graph.joint[changed_arcs] >= 0
            )
            np.copyto(weight_table, weights[first:stop], where=is_partner)
        return Scenarios(stop - first, arc_weight=weight_table)

    outcome = keep_outcome(question.node)
    return run_scenarios(graph, len(tried_changes), change, outcome)


def _edge_change(question: Question, change: _TriedChange, outcome: Floats) -> EdgeChange:
    edge = question.reading.corpus.edges_by_id[question.graph.edge_of_arc[change.arc]]
    return EdgeChange(
        edge=edge.id,
        origin=edge.origin,
        target=edge.target,
        now=(edge.strength or EdgeStrength.STRONG).value,
        to=change.new_strength,
        strength=round_off_or_none(outcome[0]),
        word=strength_word(outcome, question.settings),
    )


def moves_without_objections(question: Question) -> dict[EdgeId, float]:
    """Measure how far the answer moves without each attacking edge; empty if that would take too
    long.
    """
    graph = question.graph
    arcs_of: dict[EdgeId, list[int]] = {}
    for arc in np.flatnonzero((graph.arc_weight < 0.0) & (arc_shares_of(question) != 0.0)).tolist():
        arcs_of.setdefault(graph.edge_of_arc[arc], []).append(arc)
    groups = list(arcs_of.values())
    if not groups or len(groups) > question.affordable():
        return {}
    outcomes = run_without_arcs(graph, groups, keep_outcome(question.node))
    moves = outcomes[0] - question.strength_or_nan
    return {edge: round_off(move) for edge, move in zip(arcs_of, moves.tolist(), strict=True)}


def _first_arcs(graph: Graph) -> list[int]:
    """Return all arcs, but only the first of each joint reason."""
    _, first = np.unique(graph.joint, return_index=True)
    return np.flatnonzero(
        (graph.joint < 0) | np.isin(np.arange(len(graph.arc_premise)), first)
    ).tolist()


def _changes_of_edge(question: Question, arc: int) -> Iterator[_TriedChange]:
    """The changes of one edge: removed, or read one step weaker or stronger."""
    graph = question.graph
    settings = question.settings
    edge = question.reading.corpus.edges_by_id[graph.edge_of_arc[arc]]
    weights = (1.0, settings.moderate, settings.weak)
    yield _TriedChange(arc, "", 0.0)
    rank = EDGE_STRENGTHS.index(edge.strength or EdgeStrength.STRONG)
    for other in (rank - 1, rank + 1):
        if 0 <= other < len(EDGE_STRENGTHS) and weights[rank]:
            weight = float(graph.arc_weight[arc]) / weights[rank] * weights[other]
            yield _TriedChange(arc, EDGE_STRENGTHS[other].value, weight)
