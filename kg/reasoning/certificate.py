"""What is proved about an equilibrium: that it is the only one, or nothing."""

from __future__ import annotations

import numpy as np

from kg.model import Value
from kg.reasoning.arrays import Floats
from kg.reasoning.graph import Graph
from kg.reasoning.plan import Batch, Plan, Step, plan_of
from kg.reasoning.strength import Solution, answer, heeded

MOST_ROUNDS = 300
CLOSED = 1e-8


class Certificate(Value, frozen=True):
    """Why the strengths can be trusted, from the firmest reason to none.

    `acyclic`: no loops, exact. `cautious`: unique by theorem (logistic, cautious loops, gain
    up to 1; Edelstein 1962). `contraction`: unique by Banach's theorem. `bracket`: bounds from
    below and above met. `ode`: the limit of the differential equation from the base scores
    (Potyka, KR 2018). `none`: an equilibrium, perhaps not the only one, or none found if
    `converged` is false. `residual` is the largest |F(s) - s|.
    """

    name: str
    residual: float
    converged: bool


def certify(graph: Graph, solution: Solution) -> Certificate:
    """The firmest certificate that holds for all of `graph`."""
    plan = plan_of(graph)
    name = "none"
    if not plan.loops:
        name = "acyclic"
    elif solution.converged:
        name = _name(graph, plan, solution)
    return Certificate(name=name, residual=solution.residual, converged=solution.converged)


def _name(graph: Graph, plan: Plan, solution: Solution) -> str:
    steps = [step for step in plan.steps if step.loop]
    if all(_obeys_theorem(graph, step) for step in steps):
        return "cautious"
    if all(_contracts(graph, plan, step) for step in steps):
        return "contraction"
    if _bracket_closes(graph, plan):
        return "bracket"
    return "ode" if solution.ode else "none"


def _obeys_theorem(graph: Graph, step: Step) -> bool:
    settings = graph.settings
    if settings.loops != "cautious" or settings.semantics != "logistic" or settings.gain > 1.0:
        return False
    # a gate inside the loop multiplies two unknowns, and the theorem's bound fails
    return all(
        not batch.gates
        and (batch.gate is None or _gates_outside(graph, batch))
        and _steepest_inside(graph, batch) <= 2.0
        for batch in step.batches
    )


def _steepest_inside(graph: Graph, batch: Batch) -> float:
    slope = np.abs(graph.transfer[0][batch.arcs])
    return float(slope[batch.inside].max(initial=0.0))


def _gates_outside(graph: Graph, batch: Batch) -> bool:
    part = np.append(plan_of(graph).part, -2)
    own = np.repeat(part[batch.nodes], np.diff(np.append(batch.starts, len(batch.arcs))))
    return batch.gate is None or not bool((part[batch.gate] == own).any())


def _contracts(graph: Graph, plan: Plan, step: Step) -> bool:
    """Whether every target's reaction to its own loop is smaller than what moves it."""
    part = np.append(plan.part, -2)
    for batch in step.batches:
        if not graph.semantics.additive and batch.contest is not None:
            return False
        own = np.repeat(part[batch.nodes], np.diff(np.append(batch.starts, len(batch.arcs))))
        slope, source = np.abs(graph.transfer[0][batch.arcs]), graph.src[batch.arcs]
        pull = np.abs(batch.w) * np.where(part[source] == own, slope, 0.0)
        if batch.gate is not None:
            pull = pull + np.abs(batch.w) * (part[batch.gate] == own)
        total = np.add.reduceat(pull, batch.starts)
        if not batch.gates:
            total = total * graph.settings.gain * graph.semantics.steepest(graph.base[batch.nodes])
        if not bool((total < 1.0).all()):
            return False
    return True


def _bracket_closes(graph: Graph, plan: Plan) -> bool:
    """Mixed-monotone iteration from the widest bounds; every equilibrium lies between them."""
    rest = np.concatenate([graph.base, np.ones(graph.gates + 1)])
    low, high = rest.copy(), rest.copy()
    for step in plan.steps:
        if not step.loop:
            _tighten(graph, step, low, high)
            continue
        nodes = np.concatenate([batch.nodes for batch in step.batches])
        low[nodes], high[nodes] = 0.0, 1.0
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
            found.append((state, batch.nodes, answer(graph, batch, heeded(graph, batch, c), base)))
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
