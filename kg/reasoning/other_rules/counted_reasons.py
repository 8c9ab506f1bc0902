"""The contribution of each reason to its target, and the strengths that all reasons lead to."""

from __future__ import annotations

import numpy as np

from kg.reasoning.graph.arrays import Floats, align_axes, mark_first_extremes
from kg.reasoning.graph.graph import LEAST_BASE, Graph, Scenarios
from kg.reasoning.other_rules.reasons_by_target import ReasonsByTarget, SharedSourceReasons
from kg.reasoning.other_rules.semantics import DFQUAD, semantics_of


def counted_reasons(
    graph: Graph, reasons: ReasonsByTarget, state: Floats, scenarios: Scenarios | None = None
) -> Floats:
    """Return what each arc of `reasons` adds at `state`: weight × what its premise passes on × its
    gate, 0 for an arc that does not count.
    """
    weight = arc_weights(graph, reasons, scenarios)
    contributions = _weighed_reasons(graph, reasons, weight, state, scenarios)
    return silence_repeats(graph, reasons, contributions, scenarios)


def arc_weights(graph: Graph, reasons: ReasonsByTarget, scenarios: Scenarios | None) -> Floats:
    """The weight of each arc of `reasons`; with other weights in `scenarios`, of each in each."""
    if scenarios is not None and scenarios.arc_weight is not None:
        return np.asarray(scenarios.arc_weight[reasons.arcs])
    return graph.arc_weight[reasons.arcs]


def reasons_to_add_up(
    graph: Graph,
    reasons: ReasonsByTarget,
    weight: Floats,
    state: Floats,
    scenarios: Scenarios | None,
) -> Floats:
    """`counted_reasons` of arcs with this `weight`, for use in sums over each target alone.

    Of the reasons from a target's own circle only the strongest for it and the strongest against it
    count. They are put in the first and the last place of the reasons from that circle, and not in
    those of their own arcs, which takes longer and makes no difference to the sum.
    """
    contributions = _weighed_reasons(graph, reasons, weight, state, scenarios)
    _count_sources_once(graph, reasons, contributions, scenarios)
    inner = reasons.inner
    if inner is not None:
        within = contributions[inner.positions]
        best = np.maximum.reduceat(within, inner.starts, axis=0)
        worst = np.minimum.reduceat(within, inner.starts, axis=0)
        contributions[inner.positions] = 0.0
        contributions[inner.positions[inner.starts]] = np.maximum(best, 0.0)
        last = np.append(inner.starts[1:], len(within)) - 1
        contributions[inner.positions[last]] += np.minimum(worst, 0.0)
    return contributions


def _weighed_reasons(
    graph: Graph,
    reasons: ReasonsByTarget,
    weight: Floats,
    state: Floats,
    scenarios: Scenarios | None,
) -> Floats:
    amounts = _amounts_and_falls(graph, state, scenarios)[reasons.place_in_amounts]
    if reasons.joint is not None:
        amounts = reasons.joint.with_silenced_premises(amounts)
    # in many scenarios each round of an iteration reads all, so nothing is copied without need
    if reasons.gate is not None:
        amounts *= state[reasons.gate]
    amounts *= align_axes(weight, amounts)
    return amounts


def _amounts_and_falls(graph: Graph, state: Floats, scenarios: Scenarios | None) -> Floats:
    """Return what each statement passes on at `state`; then, if premises can fall, how far each
    fell.

    With `transfer` earned, claims pass on only what is above ½; premises fall relative to their
    bases before retractions.
    """
    strengths = state[: graph.size]
    threshold = align_axes(graph.passing_threshold, state)
    parts = [np.maximum((strengths - threshold) / (1.0 - threshold), 0.0)]
    if graph.fallen.any():
        base_before_fall = align_axes(np.maximum(graph.base_unretracted, LEAST_BASE), state)
        parts.append(np.maximum(1.0 - strengths / base_before_fall, 0.0))
    if scenarios is not None and scenarios.loudness is not None:
        parts = [part * scenarios.loudness for part in parts]
    return np.concatenate(parts)


def silence_repeats(
    graph: Graph,
    reasons: ReasonsByTarget,
    contributions: Floats,
    scenarios: Scenarios | None = None,
) -> Floats:
    """`contributions`, changed in place, with 0 for what does not count. Of each source only the
    best reason at a target counts in full. With the setting `loops` at `cautious`, only the
    strongest reasons from the target's own circle do.
    """
    _count_sources_once(graph, reasons, contributions, scenarios)
    inner = reasons.inner
    if inner is not None:
        within = contributions[inner.positions]
        # multiplied rather than replaced, so that a zero reason keeps its sign
        contributions[inner.positions] *= mark_first_extremes(within, inner.starts, inner.owner)
    return contributions


def _count_sources_once(
    graph: Graph, reasons: ReasonsByTarget, contributions: Floats, scenarios: Scenarios | None
) -> None:
    shared_sources = reasons.shared_sources
    if shared_sources is not None:
        fractions = graph.source_group_fraction
        if scenarios is not None and scenarios.source_group_fraction is not None:
            fractions = scenarios.source_group_fraction
        contributions[shared_sources.reasons] *= _count_unrepeated(
            shared_sources,
            contributions,
            align_axes(fractions[shared_sources.fraction_position], contributions),
            graph.settings.repeat,
        )


def _count_unrepeated(
    shared_sources: SharedSourceReasons, contributions: Floats, fraction: Floats, repeat: float
) -> Floats:
    """The fraction (0 to 1) of each of `shared_sources.reasons` that counts, given that of each
    source the best reason counts in full.

    A reason that rests on several sources is split among them by fractions (`fraction` has that
    of each row); of each source the best fraction at a target counts in full, the next ones times
    `repeat`, its square, …: monotone in every reason, never below the best one, never above the
    sum. What rests on sources of its own counts in full.
    """
    share = contributions[shared_sources.arc] * fraction
    factor = mark_first_extremes(share, shared_sources.starts, shared_sources.owner).astype(float)
    if repeat:
        factor = _count_by_rank(shared_sources, share, repeat)
    unrepeated = np.ones((len(shared_sources.reasons), *contributions.shape[1:]))
    np.add.at(unrepeated, shared_sources.entry, fraction * (factor - 1.0))
    # fractions add up to 1 only within rounding, so the rest may come out just below 0
    return np.maximum(unrepeated, 0.0)


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


def join_reasons(graph: Graph, reasons: ReasonsByTarget, contributions: Floats) -> Floats:
    """The reasons for and against each target joined (2 × targets): those against a gate by what
    each leaves of it.
    """
    count, cut = reasons.statement_count, reasons.statement_arcs
    statements, gates = contributions[:cut], contributions[cut:]
    sides = semantics_of(graph).join_sides(statements, reasons.starts[:count])
    sides_of_gates = DFQUAD.join_sides(-np.abs(gates), reasons.starts[count:] - cut)
    return np.concatenate([sides, sides_of_gates], axis=1)


def join_with_fixed(graph: Graph, reasons: ReasonsByTarget, sides: Floats, fixed: Floats) -> Floats:
    """`sides` (2 × targets) joined with `fixed`, what reasons that do not change come to; changed
    in place.
    """
    count = reasons.statement_count
    semantics_of(graph).join(sides[:, :count], fixed[:, :count], out=sides[:, :count])
    sides[:, count:] *= fixed[:, count:]
    return sides


def strengths_in_response(
    graph: Graph, reasons: ReasonsByTarget, sides: Floats, base: Floats
) -> Floats:
    """The strengths of target statements, and how far target gates are open, by joined reasons.

    `base` is what all nodes are without reasons.
    """
    count = reasons.statement_count
    semantics = semantics_of(graph)
    total = semantics.total(sides[:, :count], graph.settings.gain)
    strengths = semantics.influence(base[reasons.targets[:count]], total)
    return np.concatenate([strengths, sides[1, count:]])
