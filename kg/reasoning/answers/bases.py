"""The least changes of a base strength that bring an answer to the middle."""

from __future__ import annotations

import numpy as np

from kg.model import StatementId, Value
from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.attribution.camps import slopes
from kg.reasoning.report import side, tidy
from kg.reasoning.session import Question
from kg.reasoning.solver.scenarios import rebased, strength_of

TRIED_BASES = 12
CUTS, ROUNDS, FINE = 16, 40, 1e-9


class BaseChange(Value, frozen=True, omit_defaults=False):
    """The base strength at which a piece of evidence would bring the question to one half."""

    statement: StatementId
    base: float
    needed: float


def least_changes(question: Question, protect: frozenset[str]) -> tuple[BaseChange, ...]:
    """Least changes of one base that bring the question to one half."""
    graph, now = question.graph, side(question.strength)
    nodes = np.array([i for i in question.evidence.tolist() if graph.ids[i] not in protect])
    if not now or not len(nodes):
        return ()
    weight = np.abs(slopes(question))[nodes]
    nodes = nodes[np.argsort(-weight, kind="stable")[:TRIED_BASES]]
    ends = _at(question, nodes, np.stack([np.zeros(len(nodes)), np.ones(len(nodes))]))
    reach = side(ends) == -now
    able = np.flatnonzero(reach.any(axis=0))
    if not len(able):
        return ()
    far = _crossing(question, nodes[able], np.where(reach[0][able], 0.0, 1.0))
    found = [
        BaseChange(statement=graph.ids[node], base=tidy(graph.base[node]), needed=tidy(needed))
        for node, needed in zip(nodes[able].tolist(), far.tolist(), strict=True)
    ]
    return tuple(sorted(found, key=lambda c: (round(abs(c.needed - c.base), 6), c.statement)))


def _crossing(question: Question, nodes: Ints, end: Floats) -> Floats:
    """The base, between its own and `end`, at which each node first brings the question across.

    Cut by sixteenths once, then closed in on around where a straight line would cross.
    """
    now, columns = side(question.strength), np.arange(len(nodes))
    own = question.graph.base[nodes]
    tried = own + (end - own) * np.linspace(0.0, 1.0, CUTS + 1)[:, None]
    off = _at(question, nodes, tried) - 0.5
    for _ in range(ROUNDS):
        last = (side(off[1:] + 0.5) != now).argmax(axis=0) + 1
        near, far = tried[last - 1, columns], tried[last, columns]
        before, after = off[last - 1, columns], off[last, columns]
        width = far - near
        if (np.abs(width) <= FINE).all():
            break
        guess = np.clip(before / np.where(before == after, 1.0, before - after), 0.0, 1.0)
        aside = np.maximum(np.abs(width), FINE / 4.0 / np.maximum(np.abs(width), FINE))
        parts = np.sort([guess - aside, np.full(len(nodes), 0.5), guess + aside], axis=0)
        between = near + width * np.clip(parts, 0.0, 1.0)
        tried = np.concatenate([near[None], between, far[None]])
        off = np.concatenate([before[None], _at(question, nodes, between) - 0.5, after[None]])
    return np.asarray(far)


def _at(question: Question, nodes: Ints, bases: Floats) -> Floats:
    """The strength asked about with other bases (tries × nodes), one at a time."""
    changes = [
        (np.array([node]), np.array([base]))
        for row in bases.tolist()
        for node, base in zip(nodes.tolist(), row, strict=True)
    ]
    found = rebased(question.graph, changes, strength_of(question.node))[0]
    return np.asarray(found.reshape(bases.shape))
