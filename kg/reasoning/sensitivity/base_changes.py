"""The base strength at which a piece of evidence would bring an answer to one half."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kg.model import StatementId, Value
from kg.reasoning.graph.arrays import Floats, Ints, round_off
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.scenarios import keep_strength, run_rebased

# Pieces of evidence whose base is searched: those with the steepest slopes need least change.
TRIED_BASES = 12
# Parts into which a base's range is cut to find the first crossing, and the most steps to narrow it
# down: 40 halvings reach CROSSING_WIDTH from any width.
PARTS_OF_WAY, MAX_BISECTIONS = 16, 40
CROSSING_WIDTH = 1e-9  # width at which a crossing counts as found: the digits that answers show
HALF_SLACK = 1e-12  # how far a strength of one half may be off by rounding alone


class BaseChange(Value, frozen=True, omit_defaults=False):
    """The base strength at which a piece of evidence would bring the question to one half."""

    statement: StatementId
    base: float
    needed: float


def least_base_changes(question: Question, protect: frozenset[str]) -> tuple[BaseChange, ...]:
    """The smallest changes of a single base that bring the question to one half."""
    graph = question.graph
    current_side = _side_of_half(question.strength_or_nan)
    nodes = np.array([i for i in question.evidence.tolist() if graph.ids[i] not in protect])
    if not current_side or not len(nodes):
        return ()
    weight = np.abs(slopes_of(question))[nodes]
    nodes = nodes[np.argsort(-weight, kind="stable")[:TRIED_BASES]]
    ends = _strengths_at(question, nodes, np.stack([np.zeros(len(nodes)), np.ones(len(nodes))]))
    reach = _side_of_half(ends) == -current_side
    turning = np.flatnonzero(reach.any(axis=0))
    if not len(turning):
        return ()
    needed_bases = _find_crossing(question, nodes[turning], np.where(reach[0][turning], 0.0, 1.0))
    changes = [
        BaseChange(
            statement=graph.ids[node], base=round_off(graph.base[node]), needed=round_off(needed)
        )
        for node, needed in zip(nodes[turning].tolist(), needed_bases.tolist(), strict=True)
        if not math.isnan(needed)
    ]
    return tuple(sorted(changes, key=lambda c: (round(abs(c.needed - c.base), 6), c.statement)))


def _side_of_half(strength: float | Floats) -> Any:
    """1 above one half, -1 below, 0 within rounding of it or for NaN."""
    off = strength - 0.5
    side = (off > HALF_SLACK) * 1 - (off < -HALF_SLACK) * 1
    return side if isinstance(side, np.ndarray) else int(side)


def _find_crossing(question: Question, nodes: Ints, end: Floats) -> Floats:
    """The base, between its own and `end`, at which each node first brings the question across.

    The range is cut into sixteenths once, then narrowed down around where a straight line would
    cross. NaN if the question does not settle on the way.
    """
    current_side = _side_of_half(question.strength_or_nan)
    columns = np.arange(len(nodes))
    own_bases = question.graph.base[nodes]
    tried_bases = own_bases + (end - own_bases) * np.linspace(0.0, 1.0, PARTS_OF_WAY + 1)[:, None]
    off = _strengths_at(question, nodes, tried_bases) - 0.5
    for _ in range(MAX_BISECTIONS):
        settled = ~np.isnan(off).any(axis=0)
        if not settled.all():
            crossing = np.full(len(nodes), np.nan)
            if settled.any():
                crossing[settled] = _find_crossing(question, nodes[settled], end[settled])
            return crossing
        last = (_side_of_half(off[1:] + 0.5) != current_side).argmax(axis=0) + 1
        near = tried_bases[last - 1, columns]
        far = tried_bases[last, columns]
        off_near = off[last - 1, columns]
        off_far = off[last, columns]
        width = far - near
        if (np.abs(width) <= CROSSING_WIDTH).all():
            break
        # regula falsi: where a straight line between the ends would cross
        guess = np.clip(off_near / np.where(off_near == off_far, 1.0, off_near - off_far), 0.0, 1.0)
        margin = np.maximum(
            np.abs(width), CROSSING_WIDTH / 4.0 / np.maximum(np.abs(width), CROSSING_WIDTH)
        )
        fractions = np.sort([guess - margin, np.full(len(nodes), 0.5), guess + margin], axis=0)
        between = near + width * np.clip(fractions, 0.0, 1.0)
        tried_bases = np.concatenate([near[None], between, far[None]])
        off_between = _strengths_at(question, nodes, between) - 0.5
        off = np.concatenate([off_near[None], off_between, off_far[None]])
    return np.asarray(far)


def _strengths_at(question: Question, nodes: Ints, bases: Floats) -> Floats:
    """The strength of the statement asked about with other bases (tries × nodes), one at a time."""
    changes = [
        (np.array([node]), np.array([base]))
        for row in bases.tolist()
        for node, base in zip(nodes.tolist(), row, strict=True)
    ]
    strengths = run_rebased(question.graph, changes, keep_strength(question.node))[0]
    return np.asarray(strengths.reshape(bases.shape))
