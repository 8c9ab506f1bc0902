"""Strengths by all rules but the default one: reasons count one by one, circles are iterated."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kg.reasoning.graph.arrays import ROUNDING, Bools, Floats, Ints, align_axes
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.other_rules.circle_plan import Batch, PlanStep, plan_circles
from kg.reasoning.other_rules.counted_reasons import (
    CAUTIOUS,
    CONTRACTION,
    amounts_and_falls,
    best_of_each_source,
    fallen_part,
    find_counted_reasons,
    passed_amounts,
    solve_batch,
    uniqueness_proofs,
    weigh_reasons,
)
from kg.reasoning.other_rules.equilibrium import (
    CautiousCircle,
    OuterReasons,
    SettledCircle,
    join_outer_reasons,
    settle_circle,
)
from kg.reasoning.other_rules.semantics import product_of_others, semantics_of


class Equilibrium(NamedTuple):
    """The fields of `Solution` for strengths found by iteration."""

    state: Floats
    residuals: Floats
    converged: bool
    needed_ode: bool


def solve_by_reasons(
    graph: Graph, scenarios: Scenarios | None, start: Floats | None
) -> Equilibrium:
    """Strengths, iterated from `start` if given."""
    state = _starting_state(graph, scenarios, start)
    amounts = amounts_and_falls(graph, state, scenarios)
    run = _PlanRun(graph, scenarios, amounts)
    # nodes that no change reaches keep their strengths, so whole steps can be skipped
    is_affected = None if start is None else _changed_directly(graph, scenarios)
    residuals = np.zeros(graph.node_count + 1)
    converged = True
    needed_ode = False
    for number, step in enumerate(plan_circles(graph).steps):
        if is_affected is not None and not _spread_change(graph, step, is_affected):
            continue
        if step.circle:
            if start is not None and not _may_start_anywhere(graph, scenarios, number):
                # of several equilibria, the one reached from the base scores is meant
                run.start_anew(step, state)
            settled = run.settle(step, state)
            residuals[step.nodes] = settled.residual
            converged &= settled.converged
            needed_ode |= settled.needed_ode
        else:
            for nodes, values in run.new_values(step, state):
                state[nodes] = values
        run.pass_on(step, state)
    return Equilibrium(state, residuals, converged, needed_ode)


def _changed_directly(graph: Graph, scenarios: Scenarios | None) -> Bools | None:
    """Which nodes some scenario changes directly; `None` if it may be any."""
    if scenarios is None or scenarios.arc_weight is not None:
        return None
    is_affected = np.zeros(graph.node_count + 1, dtype=bool)
    is_affected_statement = is_affected[: graph.size]
    if scenarios.base is not None:
        is_affected_statement |= (scenarios.base != graph.base[:, None]).any(axis=1)
    if scenarios.loudness is not None:
        is_affected_statement |= (scenarios.loudness != 1.0).any(axis=1)
    if scenarios.held is not None:
        is_affected_statement |= scenarios.held.any(axis=1)
    return is_affected


def _spread_change(graph: Graph, step: PlanStep, is_affected: Bools) -> bool:
    """Mark the targets of a step that a change reaches; return whether it reaches any."""
    reaches_any = False
    for batch in step.batches:
        is_arc_affected = is_affected[graph.arc_source[batch.arcs]]
        if batch.gate is not None:
            is_arc_affected |= is_affected[batch.gate]
        is_target_affected = (
            np.logical_or.reduceat(is_arc_affected, batch.starts) | is_affected[batch.nodes]
        )
        is_affected[batch.nodes] = is_target_affected
        reaches_any |= bool(is_target_affected.any())
    if reaches_any and step.circle:  # each member of a circle bears on every other
        is_affected[step.nodes] = True
    return reaches_any


def _may_start_anywhere(graph: Graph, scenarios: Scenarios | None, position: int) -> bool:
    """Whether a circle has one equilibrium in every scenario."""
    proof = uniqueness_proofs(graph)[position]
    same = scenarios is None or scenarios.arc_weight is None
    steep = graph.settings.semantics != "logistic"  # then the bound depends on bases
    return proof == CAUTIOUS or (proof == CONTRACTION and same and not steep)


def _starting_state(graph: Graph, scenarios: Scenarios | None, start: Floats | None) -> Floats:
    """Base scores, or `start` for statements with reasons; held strengths where held."""
    initial = np.concatenate([graph.base, np.ones(graph.gate_count + 1)])
    bare = np.append(plan_circles(graph).bare, True)
    if start is not None:
        initial = np.where(bare, initial, start)
    if scenarios is None:
        return initial
    state = np.repeat(initial[:, None], scenarios.count, axis=1)
    statement_rows = state[: graph.size]
    if scenarios.base is not None:
        rebased = slice(None) if start is None else bare[: graph.size]
        statement_rows[rebased] = scenarios.base[rebased]
    if scenarios.held is not None and scenarios.held_value is not None:
        np.copyto(statement_rows, scenarios.held_value, where=scenarios.held)
    return state


@dataclass(frozen=True, slots=True)
class _PlanRun:
    """One pass through a plan, and what each statement passes on so far."""

    graph: Graph
    scenarios: Scenarios | None
    amounts: Floats

    def pass_on(self, step: PlanStep, state: Floats) -> None:
        """Update what the targets of `step` pass on at `state`."""
        size = self.graph.size
        for batch in step.batches:
            if not batch.gates:
                nodes = batch.nodes
                self.amounts[nodes] = passed_amounts(self.graph, nodes, state, self.scenarios)
                if len(self.amounts) > size and self.graph.premises[nodes].any():
                    fallen_parts = fallen_part(self.graph, nodes, state, self.scenarios)
                    self.amounts[size + nodes] = fallen_parts

    def start_anew(self, step: PlanStep, state: Floats) -> None:
        """Reset a circle to its base scores, except for held strengths."""
        fresh = _starting_state(self.graph, self.scenarios, None)
        state[step.nodes] = fresh[step.nodes]

    def settle(self, step: PlanStep, state: Floats) -> SettledCircle:
        """Bring a circle to rest in `state`."""
        graph = self.graph
        nodes = step.nodes
        # the fast path has four reasons per target; joint premises are compared arc by arc
        if graph.settings.loops == "cautious" and not graph.has_joint_premises:
            circle = CautiousCircle(
                graph, step, self.scenarios, state, self._reasons_from_outside(step, state)
            )
            settled = settle_circle(circle.respond, circle.start)
        else:
            start = state[nodes] if state.ndim == 2 else state[nodes, None]
            settled = settle_circle(
                lambda values: self._strengths_in_response(step, state, values), start
            )
        state[nodes] = settled.state if state.ndim == 2 else settled.state[:, 0]
        return settled

    def _reasons_from_outside(self, step: PlanStep, state: Floats) -> list[OuterReasons]:
        """Per batch of a circle, all reasons from outside it, joined."""
        outer_reasons = []
        for batch in step.batches:
            reasons = weigh_reasons(batch, self.amounts, state, self.scenarios)
            best_reasons = best_of_each_source(self.graph, batch, reasons)
            outer_reasons.append(join_outer_reasons(self.graph, batch, best_reasons))
        return outer_reasons

    def _strengths_in_response(self, step: PlanStep, state: Floats, strengths: Floats) -> Floats:
        """The strengths that a circle's `strengths` strengths lead to, weighing every arc to it."""
        state[step.nodes] = strengths if state.ndim == 2 else strengths[:, 0]
        self.pass_on(step, state)
        values = np.concatenate([v for _, v in self.new_values(step, state)])
        return values if state.ndim == 2 else values[:, None]

    def new_values(self, step: PlanStep, state: Floats) -> Iterator[tuple[Ints, Floats]]:
        """For each batch of `step` at `state`, the numbers of its targets and their new values."""
        graph = self.graph
        scenarios = self.scenarios
        for batch in step.batches:
            contributions = find_counted_reasons(
                graph, batch, weigh_reasons(batch, self.amounts, state, scenarios)
            )
            if batch.gates:
                yield batch.nodes, solve_batch(graph, batch, contributions, state[batch.nodes])
                continue
            base = align_axes(graph.base[batch.nodes], state)
            if scenarios is not None and scenarios.base is not None:
                base = scenarios.base[batch.nodes]
            values = solve_batch(graph, batch, contributions, base)
            if (
                scenarios is not None
                and scenarios.held is not None
                and scenarios.held_value is not None
            ):
                is_held = scenarios.held[batch.nodes]
                values = np.where(is_held, scenarios.held_value[batch.nodes], values)
            yield batch.nodes, values


LEAST_REASON = 1e-300
"""A reason so small that it moves nothing, but has a sign and can be a divisor."""


def slopes_by_reasons(graph: Graph, state: Floats, node: int) -> Floats:
    """∂(strength of `node`) / ∂(base of each statement), at the solution `state`.

    The adjoint method: (I - J)ᵀλ = e, one sweep in reverse order of solving, with a sparse
    system per circle (Yin, Potyka, Toni, ECAI 2023).
    """
    pull = np.zeros(graph.node_count + 1)
    pull[node] = 1.0
    by_base = np.ones(graph.size)
    for step in reversed(plan_circles(graph).steps):
        slopes_of_step = [_slopes_of_batch(graph, batch, state) for batch in step.batches]
        if step.circle:
            _solve_circle(slopes_of_step, pull)
        members = step.nodes
        for slopes in slopes_of_step:
            # in a circle, what goes to members is already included
            slopes.pass_on(pull, members if step.circle else members[:0])
            if not slopes.batch.gates:
                by_base[slopes.batch.nodes] = slopes.by_base
    return np.asarray(pull[: graph.size] * by_base)


@dataclass(frozen=True, slots=True)
class _Slopes:
    """Derivatives of a batch's targets by the sources and gates of its arcs, and by base."""

    batch: Batch
    owner: Ints
    source: Ints
    by_source: Floats
    by_gate: Floats
    by_base: Floats

    def links(self) -> tuple[Ints, Ints, Floats]:
        """Targets, what they read, and the derivative."""
        if self.batch.gate is None:
            return self.owner, self.source, self.by_source
        return (
            np.concatenate([self.owner, self.owner]),
            np.concatenate([self.source, self.batch.gate]),
            np.concatenate([self.by_source, self.by_gate]),
        )

    def pass_on(self, pull: Floats, settled: Ints) -> None:
        """Add to each node read, unless `settled`, its part of the targets' pull."""
        targets, read_nodes, slope = self.links()
        if len(settled):
            slope = np.where(np.isin(read_nodes, settled), 0.0, slope)
        np.add.at(pull, read_nodes, pull[targets] * slope)


def _slopes_of_batch(graph: Graph, batch: Batch, state: Floats) -> _Slopes:
    """The derivatives of one batch.

    A source at strength s contributes w · amount(s) · gate, of which a rule counts `part`, so
    ∂target/∂source = ∂target/∂contribution · part · w · gate · amount′(s), where amount(s)
    is slope · s + offset and never less than 0, and ∂target/∂gate has amount(s) in place of
    gate · amount′(s).
    """
    slope, offset = (column[batch.arcs] for column in graph.transfer)
    raw = slope * state[graph.arc_source[batch.arcs]] + offset
    # exactly where a statement begins to count, take the slope as it rises
    active = np.where(slope > 0.0, raw >= -ROUNDING, raw > 0.0)
    amounts = np.maximum(raw, 0.0)
    gate = np.ones_like(amounts) if batch.gate is None else state[batch.gate]
    contributions = batch.arc_weight * amounts * gate
    # a zero reason is made tiny, to learn whether it would be heard
    audible = np.where(
        contributions == 0.0, np.copysign(LEAST_REASON, batch.arc_weight), contributions
    )
    part = find_counted_reasons(graph, batch, audible) / audible
    if batch.joint is not None:
        audible_amounts = np.where(amounts > 0.0, amounts, LEAST_REASON)
        part = batch.joint.with_silenced_premises(audible_amounts) / audible_amounts * part
    by_reason, by_base = _slopes_by_reason_and_base(graph, batch, contributions * part)
    by_reason = by_reason * part * batch.arc_weight
    owner = batch.nodes[batch.owner]
    source = graph.arc_source[batch.arcs]
    by_source = by_reason * gate * slope * active
    return _Slopes(batch, owner, source, by_source, by_reason * amounts, by_base)


def _slopes_by_reason_and_base(
    graph: Graph, batch: Batch, contributions: Floats
) -> tuple[Floats, Floats]:
    """Derivatives of the targets by each reason, and by their bases."""
    if batch.gates:
        return -product_of_others(np.abs(contributions), batch.starts), np.zeros(0)
    semantics = semantics_of(graph)
    gain = graph.settings.gain
    base = graph.base[batch.nodes]
    total = semantics.aggregate(contributions, batch.starts, gain)
    slope = semantics.slope(base, total)[batch.owner]
    by_reason = slope * semantics.weigh(contributions, batch.starts, gain)
    return np.asarray(by_reason), semantics.base_slope(base, total)


def _solve_circle(slopes_of_circle: Sequence[_Slopes], pull: Floats) -> None:
    """Replace the pull on a circle's members by its sum over all rounds through the circle.

    That is pull + J·pull + J²·pull + … = (I − J)⁻¹ pull, with J the slopes of members by members.
    """
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import MatrixRankWarning, spsolve

    nodes = np.concatenate([slopes.batch.nodes for slopes in slopes_of_circle])
    position = np.full(len(pull), -1)
    position[nodes] = np.arange(len(nodes))
    links = [slopes.links() for slopes in slopes_of_circle]
    targets, read_nodes, slope = (np.concatenate(each) for each in zip(*links, strict=True))
    if not np.isfinite(slope).all():
        pull[nodes] = np.nan  # a circle that did not settle has no slopes
        return
    within = position[read_nodes] >= 0
    rows = position[read_nodes[within]]
    columns = position[targets[within]]
    table = csc_array((slope[within], (rows, columns)), shape=(len(nodes), len(nodes)))
    with warnings.catch_warnings():
        # a circle that amplifies a push without end has slopes of NaN
        warnings.simplefilter("ignore", MatrixRankWarning)
        pull[nodes] = spsolve(csc_array(eye_array(len(nodes)) - table), pull[nodes])
