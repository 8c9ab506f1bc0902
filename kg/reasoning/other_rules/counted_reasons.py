"""What each reason adds, the values of targets, and proofs that a circle has one solution."""

from __future__ import annotations

import numpy as np

from kg.reasoning.graph.arrays import Bools, Floats, Ints, align_axes, mark_first_extremes
from kg.reasoning.graph.graph import LEAST_BASE, Graph, Scenarios
from kg.reasoning.other_rules.circle_plan import (
    OUTSIDE,
    Batch,
    PlanStep,
    SharedSourceReasons,
    plan_circles,
)
from kg.reasoning.other_rules.semantics import semantics_of


def amounts_and_falls(graph: Graph, state: Floats, scenarios: Scenarios | None = None) -> Floats:
    """What each statement passes on at `state`; then, if premises can fall, how far each fell."""
    everyone = np.arange(graph.size)
    parts = [passed_amounts(graph, everyone, state, scenarios)]
    if graph.fallen.any():
        parts.append(fallen_part(graph, everyone, state, scenarios))
    return np.concatenate(parts)


def passed_amounts(graph: Graph, nodes: Ints, state: Floats, scenarios: Scenarios | None) -> Floats:
    """What `nodes` pass on at `state`: with `transfer` earned, for claims only what is above ½."""
    zero = align_axes(graph.passing_threshold[nodes], state)
    return _times_loudness(np.maximum((state[nodes] - zero) / (1.0 - zero), 0.0), nodes, scenarios)


def fallen_part(graph: Graph, nodes: Ints, state: Floats, scenarios: Scenarios | None) -> Floats:
    """How far `nodes` have fallen at `state`, as a part of their bases before retractions."""
    base_unretracted = align_axes(np.maximum(graph.base_unretracted[nodes], LEAST_BASE), state)
    return _times_loudness(np.maximum(1.0 - state[nodes] / base_unretracted, 0.0), nodes, scenarios)


def _times_loudness(amounts: Floats, nodes: Ints, scenarios: Scenarios | None) -> Floats:
    """What `nodes` pass on (nodes × scenarios), times their loudness."""
    if scenarios is None or scenarios.loudness is None:
        return amounts
    return amounts * scenarios.loudness[nodes]


def weigh_reasons(
    batch: Batch, amounts: Floats, state: Floats, scenarios: Scenarios | None = None
) -> Floats:
    """What each arc of `batch` brings: weight × what its source passes on × its gate.

    Of joint premises, only the one that passes on the least is heard.
    """
    arriving_amounts = amounts[batch.place_in_amounts]
    if batch.joint is not None:
        arriving_amounts = batch.joint.with_silenced_premises(arriving_amounts)
    if batch.gate is not None:
        arriving_amounts = arriving_amounts * state[batch.gate]
    if scenarios is not None and scenarios.arc_weight is not None:
        return np.asarray(scenarios.arc_weight[batch.arcs] * arriving_amounts)
    return np.asarray(align_axes(batch.arc_weight, arriving_amounts) * arriving_amounts)


def best_of_each_source(graph: Graph, batch: Batch, contributions: Floats) -> Floats:
    """The reasons, each source in full only once per target, by its best reason."""
    if batch.shared_sources is not None:
        contributions = contributions.copy()
        contributions[batch.shared_sources.reasons] *= _count_unrepeated(
            batch.shared_sources, contributions, graph.settings.repeat
        )
    return contributions


def find_counted_reasons(graph: Graph, batch: Batch, contributions: Floats) -> Floats:
    """The reasons that count: a source once per target, and in circles only the strongest."""
    contributions = best_of_each_source(graph, batch, contributions)
    if batch.inside is not None and graph.settings.loops == "cautious":
        inside = align_axes(batch.inside, contributions)
        best = mark_first_extremes(np.where(inside, contributions, 0.0), batch.starts, batch.owner)
        # multiplied rather than replaced, so that a zero reason keeps its sign and NaN stays NaN
        contributions = contributions * np.where(inside & ~best, 0.0, 1.0)
    return contributions


def _count_unrepeated(
    shared_sources: SharedSourceReasons, contributions: Floats, repeat: float
) -> Floats:
    """The part of each listed reason that counts, as no stronger one has the same source.

    A reason that rests on several sources is split among them by their parts; of each source the
    best part at a target counts in full, the next ones times `repeat`, its square, …: monotone in
    every reason, never below the best one, never above the sum.
    """
    part = align_axes(shared_sources.part, contributions)
    share = contributions[shared_sources.arc] * part
    factor = mark_first_extremes(share, shared_sources.starts, shared_sources.owner).astype(float)
    if repeat:
        factor = _count_by_rank(shared_sources, share, repeat)
    total = np.zeros((len(shared_sources.reasons), *contributions.shape[1:]))
    np.add.at(total, shared_sources.entry, part * factor)
    return np.asarray(align_axes(shared_sources.unshared_part, contributions) + total)


def _count_by_rank(shared_sources: SharedSourceReasons, share: Floats, repeat: float) -> Floats:
    """The factor of each row of a source at a target: 1 for the largest for or against, then
    `repeat` for the next, its square for the third, …
    """
    # even numbers for the reasons for a target, odd ones for those against it
    group = align_axes(2 * shared_sources.owner, share) + np.where(share < 0.0, 1, 0)
    order = np.lexsort((-np.abs(share), group), axis=0)
    group = np.take_along_axis(group, order, axis=0)
    ranks = align_axes(np.arange(len(order)), share)
    first = np.ones(group.shape, dtype=bool)
    np.not_equal(group[1:], group[:-1], out=first[1:])
    # how far each row is from the first of its group
    rank = ranks - np.maximum.accumulate(np.where(first, ranks, 0), axis=0)
    factors = np.empty_like(share)
    np.put_along_axis(factors, order, repeat**rank, axis=0)
    return factors


def solve_batch(graph: Graph, batch: Batch, contributions: Floats, base: Floats) -> Floats:
    """New values of the batch's targets: strengths of statements, or how far gates are open."""
    if batch.gates:
        return np.asarray(np.multiply.reduceat(1.0 - np.abs(contributions), batch.starts, axis=0))
    semantics = semantics_of(graph)
    total = semantics.aggregate(contributions, batch.starts, graph.settings.gain)
    return semantics.influence(base, total)


MAX_BOUND_ROUNDS = 300
"""Bounds that have not met after that many rounds hardly move any more."""
BOUNDS_MET_WITHIN = 1e-8
"""Bounds have met if their strengths differ by less."""
CAUTIOUS, CONTRACTION = "cautious", "contraction"


def uniqueness_proofs(graph: Graph) -> tuple[str, ...]:
    """Per step of the plan, why it has one solution: `cautious`, `contraction`, or "" if unproved.

    Steps that are not circles need no proof, and also have "".
    """
    proofs = graph.solution_cache.proofs
    if proofs is None:
        steps = plan_circles(graph).steps
        proofs = graph.solution_cache.proofs = tuple(
            _uniqueness_proof(graph, s) if s.circle else "" for s in steps
        )
    return proofs


def _uniqueness_proof(graph: Graph, step: PlanStep) -> str:
    if _obeys_theorem(graph, step):
        return CAUTIOUS
    return CONTRACTION if _circle_contracts(graph, step) else ""


def _obeys_theorem(graph: Graph, step: PlanStep) -> bool:
    settings = graph.settings
    if settings.loops != "cautious" or settings.semantics != "logistic" or settings.gain > 1.0:
        return False
    # Edelstein (1962): a map that brings any two points nearer has at most one fixed point. With
    # one reason on each side, and a slope of σ of at most ¼, no strength moves further than its
    # reasons do, as long as none passes on more than twice its move.
    # A gate inside the circle multiplies two unknowns, and the bound fails.
    return all(
        not batch.gates
        and not bool(_is_inside_circle(graph, batch, graph.gate).any())
        and _steepest_inside(graph, batch) <= 2.0
        for batch in step.batches
    )


def _steepest_inside(graph: Graph, batch: Batch) -> float:
    slope = np.abs(graph.transfer[0][batch.arcs])
    return float(slope[batch.inside].max(initial=0.0))


def _is_inside_circle(graph: Graph, batch: Batch, end: Ints) -> Bools:
    """Which arcs of `batch` have their `end` in their target's own circle."""
    circle_of = np.append(plan_circles(graph).circle_of, OUTSIDE)
    target_circle = np.repeat(
        circle_of[batch.nodes], np.diff(np.append(batch.starts, len(batch.arcs)))
    )
    return np.asarray(circle_of[end[batch.arcs]] == target_circle)


def _circle_contracts(graph: Graph, step: PlanStep) -> bool:
    """Whether every target reacts to its own circle by less than the change that it reacts to.

    Then the circle is a contraction in the maximum norm, and Banach's theorem applies.
    """
    for batch in step.batches:
        if not semantics_of(graph).additive and batch.shared_sources is not None:
            return False
        slope = np.abs(graph.transfer[0][batch.arcs])
        pull = np.abs(batch.arc_weight) * np.where(
            _is_inside_circle(graph, batch, graph.arc_source), slope, 0.0
        )
        if batch.gate is not None:
            pull = pull + np.abs(batch.arc_weight) * _is_inside_circle(graph, batch, graph.gate)
        total = np.add.reduceat(pull, batch.starts)
        if not batch.gates:
            steepest = semantics_of(graph).steepest(graph.base[batch.nodes])
            total = total * graph.settings.gain * steepest
        if not bool((total < 1.0).all()):
            return False
    return True


def has_one_solution(graph: Graph, step: PlanStep, state: Floats) -> bool:
    """Whether bounds on all equilibria of a circle meet, so that there is only one.

    Mixed-monotone iteration from the widest bounds; every equilibrium lies between them.
    """
    low = state.copy()
    high = state.copy()
    low[step.nodes] = 0.0
    high[step.nodes] = 1.0
    for _ in range(MAX_BOUND_ROUNDS):
        if _tighten_bounds(graph, step, low, high) < BOUNDS_MET_WITHIN / 100.0:
            break
    return bool((high - low).max() < BOUNDS_MET_WITHIN)


def _tighten_bounds(graph: Graph, step: PlanStep, low: Floats, high: Floats) -> float:
    largest_move = 0.0
    new_bounds = []
    for batch in step.batches:
        lower_bounds = _bound_on_reasons(graph, batch, low, high)
        upper_bounds = _bound_on_reasons(graph, batch, high, low)
        if batch.gates:  # reasons close a gate: the largest leave it least open
            lower_bounds, upper_bounds = upper_bounds, lower_bounds
        base = graph.base[batch.nodes] if not batch.gates else lower_bounds[batch.starts]
        for state, contributions in ((low, lower_bounds), (high, upper_bounds)):
            new_bounds.append(
                (
                    state,
                    batch.nodes,
                    solve_batch(
                        graph, batch, find_counted_reasons(graph, batch, contributions), base
                    ),
                )
            )
    # only now, so that every bound is computed from those of the previous round
    for state, nodes, values in new_bounds:
        largest_move = max(largest_move, float(np.abs(state[nodes] - values).max()))
        state[nodes] = values
    return largest_move


def _bound_on_reasons(
    graph: Graph, batch: Batch, this_bound: Floats, opposite_bound: Floats
) -> Floats:
    """A bound on reasons: the lower one if `this_bound` is the low state, or else the upper one."""
    slope, offset = (column[batch.arcs] for column in graph.transfer)
    source = graph.arc_source[batch.arcs]
    rising = (slope > 0.0) == (batch.arc_weight > 0.0)
    amounts = np.maximum(
        slope * np.where(rising, this_bound[source], opposite_bound[source]) + offset, 0.0
    )
    if batch.gate is not None:
        amounts = amounts * np.where(
            batch.arc_weight > 0.0, this_bound[batch.gate], opposite_bound[batch.gate]
        )
    return np.asarray(batch.arc_weight * amounts)
