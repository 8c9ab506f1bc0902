"""Strengths by any rule but the default one: reasons are counted one by one, loops settled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints, align_axes
from kg.reasoning.graph import Graph, Scenarios
from kg.reasoning.other_rules.counted_reasons import (
    CAUTIOUS,
    CONTRACTION,
    best_of_each_source,
    find_counted_reasons,
    part_fallen,
    passed_on_and_fallen,
    passed_on_by,
    solve_batch,
    uniqueness_proofs,
    weigh_reasons,
)
from kg.reasoning.other_rules.equilibrium import (
    AtRest,
    CautiousLoop,
    Outer,
    join_outer_reasons,
    settle_loop,
)
from kg.reasoning.other_rules.loop_plan import PlanStep, plan_loops

_AIMS: WeakKeyDictionary[Graph, dict[int, Floats | None]] = WeakKeyDictionary()
"""Per graph and step of its plan, the `aim` of a loop, for scenarios that start from the graph's
own strengths. It saves rounds, and moves numbers by less than the tolerance.
"""


class Equilibrium(NamedTuple):
    """What `Solution` says of strengths that were brought to rest."""

    state: Floats
    residuals: Floats
    converged: bool
    ode: bool


def solve_by_reasons(
    graph: Graph, columns: Scenarios | None, near: Floats | None, same: bool
) -> Equilibrium:
    """Strengths, from those `near` if given; `same` says that these are the graph's own."""
    state = _start(graph, columns, near)
    passed = passed_on_and_fallen(graph, state, columns)
    run = _Run(graph, columns, passed)
    aims = _AIMS.setdefault(graph, {}) if same else {}
    # what no change reaches keeps its strength, so whole steps can be passed over
    touched = None if near is None else _changed_directly(graph, columns)
    residuals, converged, ode = np.zeros(graph.node_count + 1), True, False
    for place, step in enumerate(plan_loops(graph).steps):
        if touched is not None and not _spread_change(graph, step, touched):
            continue
        if step.loop:
            anywhere = near is not None and _may_start_anywhere(graph, columns, place)
            if near is not None and not anywhere:
                # of several equilibria, the one that the base scores lead to is meant
                run.start_anew(step, state)
            rest = run.settle(step, state, aims.get(place))
            if anywhere:
                aims[place] = rest.aim
            residuals[step.nodes] = rest.residual
            converged &= rest.converged
            ode |= rest.ode
        else:
            for nodes, values in run.new_values(step, state):
                state[nodes] = values
        run.pass_on(step, state)
    return Equilibrium(state, residuals, converged, ode)


def _changed_directly(graph: Graph, columns: Scenarios | None) -> Bools | None:
    """What some scenario changes directly; `None` if that may be anything."""
    if columns is None or columns.w is not None:
        return None
    touched = np.zeros(graph.node_count + 1, dtype=bool)
    own = touched[: graph.size]
    if columns.base is not None:
        own |= (columns.base != graph.base[:, None]).any(axis=1)
    if columns.voice is not None:
        own |= (columns.voice != 1.0).any(axis=1)
    if columns.held is not None:
        own |= columns.held.any(axis=1)
    return touched


def _spread_change(graph: Graph, step: PlanStep, touched: Bools) -> bool:
    """Mark what of a step's targets a change reaches; whether it reaches any."""
    reached = False
    for batch in step.batches:
        read = touched[graph.src[batch.arcs]]
        if batch.gate is not None:
            read |= touched[batch.gate]
        hit = np.logical_or.reduceat(read, batch.starts) | touched[batch.nodes]
        touched[batch.nodes] = hit
        reached |= bool(hit.any())
    if reached and step.loop:  # each member of a loop bears on every other
        touched[step.nodes] = True
    return reached


def _may_start_anywhere(graph: Graph, columns: Scenarios | None, place: int) -> bool:
    """Whether a loop has one equilibrium in every scenario."""
    proof = uniqueness_proofs(graph)[place]
    same = columns is None or columns.w is None
    steep = graph.settings.semantics != "logistic"  # then the bound depends on bases
    return proof == CAUTIOUS or (proof == CONTRACTION and same and not steep)


def _start(graph: Graph, columns: Scenarios | None, near: Floats | None) -> Floats:
    """Base scores, or `near` for what has reasons; what is held where it is held."""
    whole = np.concatenate([graph.base, np.ones(graph.gates + 1)])
    bare = np.append(plan_loops(graph).bare, True)
    if near is not None:
        whole = np.where(bare, whole, near)
    if columns is None:
        return whole
    state = np.repeat(whole[:, None], columns.count, axis=1)
    own = state[: graph.size]
    if columns.base is not None:
        moved = slice(None) if near is None else bare[: graph.size]
        own[moved] = columns.base[moved]
    if columns.held is not None and columns.value is not None:
        np.copyto(own, columns.value, where=columns.held)
    return state


@dataclass(frozen=True, slots=True)
class _Run:
    """One pass through a plan, and what each statement passes on so far."""

    graph: Graph
    columns: Scenarios | None
    passed: Floats

    def pass_on(self, step: PlanStep, state: Floats) -> None:
        """Bring what the targets of `step` pass on up to `state`."""
        size = self.graph.size
        for batch in step.batches:
            if not batch.gates:
                nodes = batch.nodes
                self.passed[nodes] = passed_on_by(self.graph, nodes, state, self.columns)
                if len(self.passed) > size and self.graph.premises[nodes].any():
                    found = part_fallen(self.graph, nodes, state, self.columns)
                    self.passed[size + nodes] = found

    def start_anew(self, step: PlanStep, state: Floats) -> None:
        """Set a loop back to its base scores, but for what is held."""
        fresh = _start(self.graph, self.columns, None)
        state[step.nodes] = fresh[step.nodes]

    def settle(self, step: PlanStep, state: Floats, aim: Floats | None) -> AtRest:
        """Bring a loop to rest in `state`."""
        graph, nodes = self.graph, step.nodes
        cautious = graph.settings.loops == "cautious"
        # cautious logistic loops have one equilibrium, so leaps cannot pass over the nearest
        only_one = cautious and graph.settings.semantics == "logistic"
        start = state[nodes] if state.ndim == 2 else state[nodes, None]
        # the short way weighs four reasons per target; premises have to be compared arc by arc
        if cautious and not graph.has_joint:
            loop = CautiousLoop(graph, step, self.columns, state, self._outer(step, state))
            rest = settle_loop(loop.respond, loop.start, only_one, aim)
            settled = loop.spread(rest.state)
        else:
            rest = settle_loop(lambda own: self._respond(step, state, own), start, only_one)
            settled = rest.state
        state[nodes] = settled if state.ndim == 2 else settled[:, 0]
        return rest

    def _outer(self, step: PlanStep, state: Floats) -> list[Outer]:
        """Per batch of a loop, what all reasons from outside it come to."""
        graph, columns = self.graph, self.columns
        return [
            join_outer_reasons(
                graph,
                batch,
                best_of_each_source(
                    graph, batch, weigh_reasons(batch, self.passed, state, columns)
                ),
            )
            for batch in step.batches
        ]

    def _respond(self, step: PlanStep, state: Floats, own: Floats) -> Floats:
        """What a loop makes of its `own` strengths, every arc to it weighed."""
        state[step.nodes] = own if state.ndim == 2 else own[:, 0]
        self.pass_on(step, state)
        values = np.concatenate([v for _, v in self.new_values(step, state)])
        return values if state.ndim == 2 else values[:, None]

    def new_values(self, step: PlanStep, state: Floats) -> Iterator[tuple[Ints, Floats]]:
        """What each batch of `step` makes of `state`: target numbers and their new values."""
        graph, columns = self.graph, self.columns
        for batch in step.batches:
            brought = find_counted_reasons(
                graph, batch, weigh_reasons(batch, self.passed, state, columns)
            )
            if batch.gates:
                yield batch.nodes, solve_batch(graph, batch, brought, state[batch.nodes])
                continue
            base = align_axes(graph.base[batch.nodes], state)
            if columns is not None and columns.base is not None:
                base = columns.base[batch.nodes]
            values = solve_batch(graph, batch, brought, base)
            if columns is not None and columns.held is not None and columns.value is not None:
                held = columns.held[batch.nodes]
                values = np.where(held, columns.value[batch.nodes], values)
            yield batch.nodes, values
