"""How a strength follows base scores by any rule but the default one: a sweep against the order."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import ROUNDING, Floats, Ints
from kg.reasoning.graph import Graph
from kg.reasoning.other_rules.counted_reasons import find_counted_reasons
from kg.reasoning.other_rules.loop_plan import Batch, plan_loops
from kg.reasoning.other_rules.semantics import product_of_others, semantics_of

LEAST_REASON = 1e-300
"""So small a reason moves nothing, and yet has a sign and can be divided by."""


def slopes_by_reasons(graph: Graph, state: Floats, node: int) -> Floats:
    """∂(strength of `node`) / ∂(base of each statement), at the solution `state`.

    The adjoint method: (I - J)ᵀλ = e, one sweep against the order of solving, a sparse
    system per loop (Yin, Potyka, Toni, ECAI 2023).
    """
    pull = np.zeros(graph.node_count + 1)
    pull[node] = 1.0
    by_base = np.ones(graph.size)
    for step in reversed(plan_loops(graph).steps):
        slopes_of_step = [_slopes(graph, batch, state) for batch in step.batches]
        if step.loop:
            _solve_loop(slopes_of_step, pull)
        members = step.nodes
        for slopes in slopes_of_step:
            # in a loop, what goes to members has been counted round and round by then
            slopes.pass_on(pull, members if step.loop else members[:0])
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
        """Add to what is read, unless it is `settled`, its part of the targets' pull."""
        targets, read, slope = self.links()
        if len(settled):
            slope = np.where(np.isin(read, settled), 0.0, slope)
        np.add.at(pull, read, pull[targets] * slope)


def _slopes(graph: Graph, batch: Batch, state: Floats) -> _Slopes:
    """The derivatives of one batch.

    A source at strength s brings w · passed(s) · gate, of which a rule counts `part`, so
    ∂target/∂source = ∂target/∂brought · part · w · gate · passed′(s), where passed(s) is
    slope · s + offset and never less than 0, and ∂target/∂gate has passed(s) in place of
    gate · passed′(s).
    """
    slope, offset = (column[batch.arcs] for column in graph.transfer)
    raw = slope * state[graph.src[batch.arcs]] + offset
    # at the very level where a statement begins to count, what counts is its rise
    active = np.where(slope > 0.0, raw >= -ROUNDING, raw > 0.0)
    passed = np.maximum(raw, 0.0)
    gate = np.ones_like(passed) if batch.gate is None else state[batch.gate]
    brought = batch.w * passed * gate
    # a mute reason is made tiny to learn whether it would be heard if it spoke up
    audible = np.where(brought == 0.0, np.copysign(LEAST_REASON, batch.w), brought)
    part = find_counted_reasons(graph, batch, audible) / audible
    if batch.joint is not None:
        spoken = np.where(passed > 0.0, passed, LEAST_REASON)
        part = batch.joint.silence(spoken) / spoken * part
    by_reason, by_base = _by_reason(graph, batch, brought * part)
    by_reason = by_reason * part * batch.w
    owner = batch.nodes[batch.owner]
    source = graph.src[batch.arcs]
    by_source = by_reason * gate * slope * active
    return _Slopes(batch, owner, source, by_source, by_reason * passed, by_base)


def _by_reason(graph: Graph, batch: Batch, brought: Floats) -> tuple[Floats, Floats]:
    """Derivatives of the targets by each reason, and by their bases."""
    if batch.gates:
        return -product_of_others(np.abs(brought), batch.starts), np.zeros(0)
    semantics, gain = semantics_of(graph), graph.settings.gain
    base = graph.base[batch.nodes]
    total = semantics.aggregate(brought, batch.starts, gain)
    slope = semantics.slope(base, total)[batch.owner]
    by_reason = slope * semantics.weigh(brought, batch.starts, gain)
    return np.asarray(by_reason), semantics.base_slope(base, total)


def _solve_loop(slopes_of_loop: Sequence[_Slopes], pull: Floats) -> None:
    """Replace the pull on a loop's members by what it grows to as it goes round.

    That is pull + J·pull + J²·pull + … = (I − J)⁻¹ pull, J being the slopes of members by members.
    """
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import MatrixRankWarning, spsolve

    nodes = np.concatenate([slopes.batch.nodes for slopes in slopes_of_loop])
    place = np.full(len(pull), -1)
    place[nodes] = np.arange(len(nodes))
    links = [slopes.links() for slopes in slopes_of_loop]
    targets, read, slope = (np.concatenate(each) for each in zip(*links, strict=True))
    if not np.isfinite(slope).all():
        pull[nodes] = np.nan  # a loop that did not settle has no slopes
        return
    within = place[read] >= 0
    rows, columns = place[read[within]], place[targets[within]]
    table = csc_array((slope[within], (rows, columns)), shape=(len(nodes), len(nodes)))
    with warnings.catch_warnings():
        # where a loop answers a push without end, its slopes are NaN
        warnings.simplefilter("ignore", MatrixRankWarning)
        pull[nodes] = spsolve(csc_array(eye_array(len(nodes)) - table), pull[nodes])
