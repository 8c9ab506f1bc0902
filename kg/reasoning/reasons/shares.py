"""The contributions to a strength: shares, gradient, removal, Shapley values."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

import numpy as np

from kg.model import StatementId
from kg.reasoning.default_rule.strengths_by_voices import (
    arc_shares_by_voices,
    slopes_by_voices,
    solve_by_voices,
)
from kg.reasoning.graph.arrays import Floats, Ints
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.other_rules.counted_reasons import counted_reasons
from kg.reasoning.other_rules.reasons_by_target import reasons_by_target
from kg.reasoning.other_rules.strengths_by_reasons import slopes_by_reasons
from kg.reasoning.reading import Question, Reading
from kg.reasoning.scenarios import Watch, keep_strength, run_muted, run_scenarios
from kg.reasoning.solution import Solution, solution_of
from kg.runtime.memoize import memoize

MAX_PLAYERS_EXACT = 14  # exact Shapley values then take 2¹⁴ = 16,384 sets


def arc_shares(graph: Graph, state: Floats, columns: Scenarios | None = None) -> Floats:
    """Return what each arc adds to its target (arcs, or arcs × scenarios), negative if against: in
    nats, or, under semantics that multiply, as a part of 1.

    A reason that does not count, or only in part, has a share accordingly: one of a source that is
    heard by a better reason, or a weaker one from the target's own circle. Equally good routes of a
    source share what it adds.
    """
    if graph.settings.follows_routes:
        if columns is not None:
            shares = solve_by_voices(graph, columns, with_shares=True).shares
            return np.zeros(0) if shares is None else shares
        shares_by_voices = arc_shares_by_voices(graph)
        return shares_by_voices if state.ndim == 1 else shares_by_voices[:, None]
    shares_by_reasons = np.zeros((len(graph.arc_premise), *state.shape[1:]))
    reasons = reasons_by_target(graph)
    contributions = counted_reasons(graph, reasons, state, columns)
    shares_by_reasons[reasons.arcs] = contributions * graph.settings.gain
    return shares_by_reasons


@memoize
def arc_shares_of(question: Question) -> Floats:
    """Return what each arc of the question's graph adds to its target's total."""
    return arc_shares(question.graph, question.solution.state)


def arc_shares_unless_undercut(graph: Graph) -> Floats:
    """Return what each undercut arc would add to its target if nothing undercut it; NaN for other
    arcs.
    """
    gates = np.unique(graph.gate[graph.gate != graph.open_gate])
    unless_undercut = np.full(len(graph.arc_premise), np.nan)
    if not len(gates):
        return unless_undercut

    def open_gates(first: int, stop: int) -> Scenarios:
        is_undercutter = graph.arc_target[:, None] == gates[None, first:stop]
        return Scenarios(
            stop - first, arc_weight=np.where(is_undercutter, 0.0, graph.arc_weight[:, None])
        )

    def watch(solution: Solution, columns: Scenarios | None) -> Floats:
        return arc_shares(graph, solution.state, columns)

    shares = run_scenarios(graph, len(gates), open_gates, Watch(watch, None))
    for column, gate in enumerate(gates.tolist()):
        undercut_arcs = graph.gate == gate
        unless_undercut[undercut_arcs] = shares[undercut_arcs, column]
    return unless_undercut


def premises_together_with(reading: Reading, graph: Graph, arc: int) -> tuple[StatementId, ...]:
    """The other joint premises of an arc; `graph` may be a subgraph."""
    if graph.joint[arc] < 0:
        return ()
    premises = reading.corpus.edges_by_id[graph.edge_of_arc[arc]].premises
    number_of = reading.graph.number_of
    source_number = number_of[graph.ids[graph.arc_premise[arc]]]
    return tuple(name for name in premises if number_of[name] != source_number)


def gradient(graph: Graph, solution: Solution, node: int) -> Floats:
    """∂(strength of `node`) / ∂(base of each statement), at the solution; one-sided at kinks."""
    if graph.settings.follows_routes:
        return slopes_by_voices(graph, node)
    return slopes_by_reasons(graph, solution.state, node)


@memoize
def slopes_of(question: Question) -> Floats:
    """∂(strength asked about) / ∂(base), for each number of the question's graph."""
    return gradient(question.graph, question.solution, question.node)


def removal_effect_of(
    graph: Graph, solution: Solution, node: int, removed: Sequence[int]
) -> Floats:
    """The strength of `node` minus its strength without each of `removed`.

    Positive where the statement helps (Delobelle & Villata, ECSQARU 2019).
    """
    strengths_without = run_muted(graph, [np.array([i]) for i in removed], keep_strength(node))
    return np.asarray(solution.strength[node] - strengths_without[0])


def shapley_values(graph: Graph, node: int, players: Ints) -> Floats:
    """Compute each player's exact Shapley value for the strength of `node`; they add up to the
    change.

    Averages a player's removal effect over all orders of arrival (Amgoud, Ben-Naim, Vesic,
    IJCAI 2017). Raises `ValueError` for more than 14 players, 2^14 scenarios.
    """
    count = len(players)
    if count > MAX_PLAYERS_EXACT:
        raise ValueError(f"{count} players; exact Shapley values are for up to {MAX_PLAYERS_EXACT}")
    # a coalition is a number whose bits are its members
    coalitions = np.arange(2**count)
    bits = (coalitions[:, None] >> np.arange(count)) & 1
    groups = [players[row == 0] for row in bits]
    worth = run_muted(graph, groups, keep_strength(node))[0]
    values = np.zeros(count)
    for player in range(count):
        outside = coalitions[bits[:, player] == 0]
        size = bits[outside].sum(axis=1)
        # the orders of arrival in which exactly this coalition comes before the player
        weight = np.array([factorial(k) * factorial(count - k - 1) for k in range(count)])
        marginal = worth[outside | (1 << player)] - worth[outside]
        values[player] = float((weight[size] / factorial(count) * marginal).sum())
    return values


def sample_shapley_values(
    graph: Graph, node: int, players: Ints, orders: int, seed: int
) -> tuple[Floats, Floats]:
    """Shapley values from `orders` random orders of arrival, and their standard errors.

    Each order is also gone through backwards, which takes out much of the noise (Mitchell,
    Cooper, Frank, Holmes, JMLR 2022). The values add up exactly; the same seed gives the same.
    """
    rng = np.random.default_rng(seed)
    count = len(players)
    by_order = np.empty((orders, count))
    for row in range(orders):
        order = rng.permutation(count)
        groups = [players[order[k:]] for k in range(count)]
        groups += [players[order[: count - k]] for k in range(1, count)]
        none = solution_of(graph).strength[node]
        worth = np.append(run_muted(graph, groups, keep_strength(node))[0], none)
        gains_forward = np.diff(np.append(worth[:count], none))
        gains_backward = np.diff(np.append(worth[[0, *range(count, 2 * count - 1)]], none))
        by_order[row, order] = gains_forward / 2.0
        by_order[row, order[::-1]] += gains_backward / 2.0
    spread = by_order.std(axis=0, ddof=1) if orders > 1 else np.full(count, np.nan)
    return by_order.mean(axis=0), spread / np.sqrt(orders)
