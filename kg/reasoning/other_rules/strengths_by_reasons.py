"""Strengths by all rules but the default one: reasons count one by one, circles are iterated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kg.reasoning.graph.arrays import ROUNDING, Bools, Floats
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.other_rules.counted_reasons import (
    arc_weights,
    join_reasons,
    join_with_fixed,
    reasons_to_add_up,
    silence_repeats,
    strengths_in_response,
)
from kg.reasoning.other_rules.reasons_by_target import (
    ReasonsByTarget,
    order_reasons,
    reasons_by_target,
)
from kg.reasoning.other_rules.semantics import product_of_others, semantics_of

# Rounds in which a circle must come half of the way to rest, besides those that lead to it.
LEAST_PATIENCE = 24

ROUNDS_TOGETHER = 60  # rounds after which scenarios that are not at rest are solved one by one
# A reason so small that it moves nothing, but has a sign and can be a divisor.
LEAST_REASON = 1e-300
REST_TOLERANCE = 1e-10  # a column is at rest if |F(s) - s| is below this for every entry s
# The smallest step that is tried: it brings to rest what reacts 60 times as much as it moves.
LEAST_STEP = 1 / 32
# What is not at rest after so many rounds oscillates, or moves ever more slowly, as near two fixed
# points that are about to merge.
MAX_ROUNDS = 8_000
SMOOTH = 0.25  # a motion whose change in a round is below this part of it is slow, not unsteady


def solve_by_reasons(graph: Graph, scenarios: Scenarios | None) -> tuple[Floats, float]:
    """The state under each scenario, NaN where a circle came to no rest, and the largest |F(s) − s|
    of the rest. The state is statements, gates and `open_gate` × scenarios, or without the second
    axis.
    """
    base = np.concatenate([graph.base, np.ones(graph.gate_count + 1)])
    if scenarios is not None:
        base = np.repeat(base[:, None], scenarios.count, axis=1)
        if scenarios.base is not None:
            base[: graph.size] = scenarios.base

    state = _with_held(base.copy(), graph, scenarios)
    order = order_reasons(graph)
    weight = arc_weights(graph, order.reasons, scenarios)

    def follow(reasons: ReasonsByTarget, arc_weight: Floats, fixed: Floats | None = None) -> None:
        """Follow some reasons in one round."""
        contributions = reasons_to_add_up(graph, reasons, arc_weight, state, scenarios)
        sides = join_reasons(graph, reasons, contributions)
        if fixed is not None:
            sides = join_with_fixed(graph, reasons, sides, fixed)
        state[reasons.targets] = strengths_in_response(graph, reasons, sides, base)
        _with_held(state, graph, scenarios)

    for _ in range(order.first_rounds):
        follow(order.first_reasons, weight[order.first_reasons.positions])
    moving = order.moving_reasons
    if not len(moving.arcs):
        return state, 0.0
    contributions = reasons_to_add_up(graph, order.reasons, weight, state, scenarios)
    contributions[moving.positions] = 0.0
    fixed = join_reasons(graph, order.reasons, contributions)
    fixed = fixed[:, np.searchsorted(order.reasons.targets, moving.targets)]
    moving_weight = weight[moving.positions]

    def respond(strengths: Floats) -> Floats:
        state[moving.targets] = strengths
        follow(moving, moving_weight, fixed)
        return np.asarray(state[moving.targets])

    patience = LEAST_PATIENCE + order.depth
    is_single = scenarios is None or scenarios.count == 1
    rounds = MAX_ROUNDS if is_single else ROUNDS_TOGETHER
    settled = find_fixed_point(respond, state[moving.targets], patience, rounds)
    residual = float(np.nanmax(np.abs(respond(settled) - settled), initial=0.0))
    state[moving.targets] = settled
    if scenarios is not None and not is_single:
        # the few that take long are solved by themselves
        for column in np.flatnonzero(np.isnan(state).any(axis=0)).tolist():
            only = scenarios.restrict_to(np.arange(scenarios.count) == column)
            state[:, [column]], later = solve_by_reasons(graph, only)
            residual = max(residual, later)
    return state, residual


def _with_held(state: Floats, graph: Graph, scenarios: Scenarios | None) -> Floats:
    """`state` with the statements that `scenarios` hold at their strengths, changed in place."""
    if scenarios is not None and scenarios.held is not None and scenarios.held_value is not None:
        np.copyto(state[: graph.size], scenarios.held_value, where=scenarios.held)
    return state


def slopes_by_reasons(graph: Graph, state: Floats, node: int) -> Floats:
    """∂(strength of `node`) / ∂(base of each statement), at the solution `state`.

    The adjoint method, λ = e + Jᵀλ, iterated as strengths are (Yin, Potyka, Toni, ECAI 2023).

    A premise at strength s contributes w · amount(s) · gate, of which a rule counts `part`, so
    ∂target/∂premise = ∂target/∂contribution · part · w · gate · amount′(s), where amount(s)
    is slope · s + offset and never less than 0, and ∂target/∂gate has amount(s) in place of
    gate · amount′(s).
    """
    if np.isnan(state[node]):
        return np.full(graph.size, np.nan)
    reasons = reasons_by_target(graph)
    weight = graph.arc_weight[reasons.arcs]
    premise = graph.arc_premise[reasons.arcs]
    slope, offset = (column[reasons.arcs] for column in graph.transfer)
    raw = slope * state[premise] + offset
    # exactly where a statement begins to count, take the slope as it rises
    active = np.where(slope > 0.0, raw >= -ROUNDING, raw > ROUNDING)
    amounts = np.maximum(raw, 0.0)
    gate = np.ones_like(amounts) if reasons.gate is None else state[reasons.gate]
    contributions = weight * amounts * gate
    # a zero reason is made tiny, to learn whether it would be heard
    audible = np.where(contributions == 0.0, np.copysign(LEAST_REASON, weight), contributions)
    part = silence_repeats(graph, reasons, audible.copy()) / audible
    if reasons.joint is not None:
        audible_amounts = np.where(amounts > 0.0, amounts, LEAST_REASON)
        part = reasons.joint.with_silenced_premises(audible_amounts) / audible_amounts * part
    by_reason, by_base = _slopes_by_reason_and_base(graph, contributions * part)
    by_reason = by_reason * part * weight
    pulls = np.stack([by_reason * gate * slope * active, by_reason * amounts])
    # what did not settle does not bear on `node`, which did
    by_premise, by_gate = np.where(np.isnan(pulls), 0.0, pulls)
    target = reasons.targets[reasons.owner]
    unit = np.zeros(graph.node_count + 1)
    unit[node] = 1.0

    def respond(pull: Floats) -> Floats:
        carried = np.bincount(premise, by_premise * pull[target], len(unit))
        if reasons.gate is not None:
            carried += np.bincount(reasons.gate, by_gate * pull[target], len(unit))
            carried[graph.open_gate] = 0.0
        return unit + carried

    # a circle that amplifies a push without end has slopes of NaN
    with np.errstate(over="ignore", invalid="ignore"):
        pull = find_fixed_point(respond, unit, LEAST_PATIENCE + order_reasons(graph).depth)
    pull = pull[: graph.size]
    return np.where(pull == 0.0, 0.0, pull * by_base)


def _slopes_by_reason_and_base(graph: Graph, contributions: Floats) -> tuple[Floats, Floats]:
    """Derivatives of the targets by each reason, and of the statements by their bases."""
    semantics = semantics_of(graph)
    gain = graph.settings.gain
    reasons = reasons_by_target(graph)
    count, cut = reasons.statement_count, reasons.statement_arcs
    targets, starts = reasons.targets[:count], reasons.starts[:count]
    total = semantics.total(semantics.join_sides(contributions[:cut], starts), gain)
    by_base = np.ones(graph.size)
    by_base[targets] = semantics.base_slope(graph.base[targets], total)
    owner = reasons.owner[:cut]
    against = graph.arc_weight[reasons.arcs[:cut]] < 0.0
    # where reasons balance, more of one moves the total to its own side
    by_total = semantics.slope(graph.base[targets][owner], total[owner], ~against)
    by_reason = by_total * semantics.weigh(contributions[:cut], against, starts, gain)
    closing = product_of_others(np.abs(contributions[cut:]), reasons.starts[count:] - cut)
    return np.append(by_reason, -closing), by_base


def find_fixed_point(
    respond: Callable[[Floats], Floats], start: Floats, patience: int, rounds_left: int = MAX_ROUNDS
) -> Floats:
    """The fixed point of F (`respond`) to which s ← s + h (F(s) − s) leads from `start`. Both are
    entries, or entries × scenarios. What comes to no rest is NaN, and so is all that depends on it.

    The step h is 1 at first. Where `patience` / h rounds have not halved the distance to rest,
    h is halved and the column begins anew: in the limit of small steps this is the differential
    equation ds/dt = F(s) - s (Potyka, KR 2018). No scenario affects another.
    """
    state = start
    step = np.ones(start.shape[1:])
    due = np.zeros(step.shape, dtype=np.int64)
    residual_before = np.full(step.shape, np.inf)
    change_before = np.zeros_like(start)
    for rounds in range(rounds_left + patience):
        response = respond(state)
        change = response - state
        residual = np.abs(change).max(axis=0)
        is_moving = residual >= REST_TOLERANCE
        if not is_moving.any():
            break
        state = state + np.where(is_moving, step, 0.0) * change
        is_due = is_moving & (due == rounds)
        if is_due.any():
            turn = np.abs(change - change_before).max(axis=0)
            is_unsteady = (residual > residual_before / 2.0) & (turn > SMOOTH * residual)
            is_unsteady &= is_due & (step > LEAST_STEP)
            step = np.where(is_unsteady, step / 2.0, step)
            state = np.where(is_unsteady, start, state)
            residual_before = np.where(is_due, residual, residual_before)
            residual_before = np.where(is_unsteady, np.inf, residual_before)
            wait = np.where(is_unsteady, 1, patience / step).astype(int)
            due = np.where(is_due, rounds + wait, due)
        change_before = change
    return _without_restless(respond, response, np.abs(change) < REST_TOLERANCE)


def _without_restless(
    respond: Callable[[Floats], Floats], state: Floats, is_at_rest: Bools
) -> Floats:
    """`state` with NaN for what is not at rest, and for all that depends on it."""
    while not is_at_rest.all():
        state = np.where(is_at_rest, state, np.nan)
        is_at_rest = ~np.isnan(respond(state)) | np.isnan(state)
    return state
