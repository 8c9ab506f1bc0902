"""Loops that have one equilibrium only, and the theorem that says so."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from kg.reasoning.arrays import Bools, Ints
from kg.reasoning.network.graph import Graph
from kg.reasoning.solver.plan import Batch, Step, plan_of

CAUTIOUS, CONTRACTION = "cautious", "contraction"
_PROOFS: WeakKeyDictionary[Graph, tuple[str, ...]] = WeakKeyDictionary()


def proofs(graph: Graph) -> tuple[str, ...]:
    """Per step of the plan why it has one solution: `cautious`, `contraction`, or "" if unproved.

    What is no loop needs no proof, and has "" too.
    """
    found = _PROOFS.get(graph)
    if found is None:
        steps = plan_of(graph).steps
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
    part = np.append(plan_of(graph).part, -2)
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
