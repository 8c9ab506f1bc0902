"""Why a loop has one solution: by theorem, by contraction, or by bounds that meet."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints
from kg.reasoning.network.graph import Graph
from kg.reasoning.solver.loops.plan import Batch, Step, loop_plan
from kg.reasoning.solver.loops.reasons import answer, counted_reasons

MOST_ROUNDS = 300
"""Bounds that have not met by then hardly move any more."""
CLOSED = 1e-8
"""Bounds have met if they are as near as this in strength."""
CAUTIOUS, CONTRACTION = "cautious", "contraction"
_PROOFS: WeakKeyDictionary[Graph, tuple[str, ...]] = WeakKeyDictionary()


def proofs(graph: Graph) -> tuple[str, ...]:
    """Per step of the plan why it has one solution: `cautious`, `contraction`, or "" if unproved.

    What is no loop needs no proof, and has "" too.
    """
    found = _PROOFS.get(graph)
    if found is None:
        steps = loop_plan(graph).steps
        found = _PROOFS[graph] = tuple(_proof(graph, s) if s.loop else "" for s in steps)
    return found


def _proof(graph: Graph, step: Step) -> str:
    if _obeys_theorem(graph, step):
        return CAUTIOUS
    return CONTRACTION if _contracts(graph, step) else ""


def _obeys_theorem(graph: Graph, step: Step) -> bool:
    settings = graph.settings
    if settings.loops != "cautious" or settings.semantics != "logistic" or settings.gain > 1.0:
        return False
    # a gate inside the loop multiplies two unknowns, and the theorem's bound fails
    return all(
        not batch.gates
        and not bool(_within(graph, batch, graph.gate).any())
        and _steepest_inside(graph, batch) <= 2.0
        for batch in step.batches
    )


def _steepest_inside(graph: Graph, batch: Batch) -> float:
    slope = np.abs(graph.transfer[0][batch.arcs])
    return float(slope[batch.inside].max(initial=0.0))


def _within(graph: Graph, batch: Batch, end: Ints) -> Bools:
    """Which arcs of `batch` have their `end` in their target's own loop."""
    part = np.append(loop_plan(graph).part, -2)
    own = np.repeat(part[batch.nodes], np.diff(np.append(batch.starts, len(batch.arcs))))
    return np.asarray(part[end[batch.arcs]] == own)


def _contracts(graph: Graph, step: Step) -> bool:
    """Whether every target's reaction to its own loop is smaller than what moves it."""
    for batch in step.batches:
        if not graph.semantics.additive and batch.contest is not None:
            return False
        slope = np.abs(graph.transfer[0][batch.arcs])
        pull = np.abs(batch.w) * np.where(_within(graph, batch, graph.src), slope, 0.0)
        if batch.gate is not None:
            pull = pull + np.abs(batch.w) * _within(graph, batch, graph.gate)
        total = np.add.reduceat(pull, batch.starts)
        if not batch.gates:
            total = total * graph.settings.gain * graph.semantics.steepest(graph.base[batch.nodes])
        if not bool((total < 1.0).all()):
            return False
    return True


def bracket_closes(graph: Graph, step: Step, state: Floats) -> bool:
    """Mixed-monotone iteration from the widest bounds; every equilibrium lies between them."""
    low, high = state.copy(), state.copy()
    low[step.nodes], high[step.nodes] = 0.0, 1.0
    for _ in range(MOST_ROUNDS):
        if _tighten(graph, step, low, high) < CLOSED / 100.0:
            break
    return bool((high - low).max() < CLOSED)


def _tighten(graph: Graph, step: Step, low: Floats, high: Floats) -> float:
    moved, found = 0.0, []
    for batch in step.batches:
        least, most = _bounds(graph, batch, low, high), _bounds(graph, batch, high, low)
        if batch.gates:
            least, most = most, least
        base = graph.base[batch.nodes] if not batch.gates else least[batch.starts]
        for state, c in ((low, least), (high, most)):
            found.append(
                (state, batch.nodes, answer(graph, batch, counted_reasons(graph, batch, c), base))
            )
    for state, nodes, values in found:
        moved = max(moved, float(np.abs(state[nodes] - values).max()))
        state[nodes] = values
    return moved


def _bounds(graph: Graph, batch: Batch, own: Floats, other: Floats) -> Floats:
    """Reasons as small as `own` and `other` allow: `own` is the bound sought, `other` its rival."""
    slope, offset = (column[batch.arcs] for column in graph.transfer)
    source = graph.src[batch.arcs]
    rising = (slope > 0.0) == (batch.w > 0.0)
    x = np.maximum(slope * np.where(rising, own[source], other[source]) + offset, 0.0)
    if batch.gate is not None:
        x = x * np.where(batch.w > 0.0, own[batch.gate], other[batch.gate])
    return np.asarray(batch.w * x)
