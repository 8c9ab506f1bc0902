"""Counterfactuals, many at once: statements muted, held at a value, or given another base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph.arrays import Floats, Ints, bounded_logit
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.graph.node_circles import NO_CIRCLE, circle_of_nodes
from kg.reasoning.other_rules.counted_reasons import counted_reasons
from kg.reasoning.other_rules.reasons_by_target import reasons_by_target
from kg.reasoning.solution import Solution, solution_of, solve

# Scenarios that are solved side by side, at most and at least.
MAX_SCENARIOS_AT_ONCE, MIN_SCENARIOS_AT_ONCE = 256, 8
# Numbers that a chunk of scenarios may read: 3 MB, which fit a processor's cache.
NUMBERS_AT_ONCE = 400_000


@dataclass(frozen=True, slots=True)
class Watch:
    """The numbers to keep of a chunk of scenarios, a table with one column per scenario.

    All strengths of all scenarios would be statements × scenarios numbers, most of them never
    read. `nodes` are the statements whose strengths it needs, `None` for all: what bears on none
    of them need not be computed.
    """

    keep: Callable[[Solution, Scenarios | None], Floats]
    nodes: Ints | None

    def __call__(self, solution: Solution, scenarios: Scenarios | None) -> Floats:
        return self.keep(solution, scenarios)


def _table_of_strengths(solution: Solution) -> Floats:
    """The strengths as a table, with one column for a single scenario."""
    state = solution.state
    return state if state.ndim == 2 else state[:, None]


# Keeps the strengths of all statements (n × scenarios).
keep_all_strengths = Watch(lambda each, _: _table_of_strengths(each)[: each.graph.size], None)


def keep_strengths(nodes: Ints) -> Watch:
    """Keeps the strengths of `nodes`, a row each."""

    def watch(solution: Solution, _: Scenarios | None) -> Floats:
        return np.asarray(_table_of_strengths(solution)[nodes])

    return Watch(watch, nodes)


def keep_strength(node: int) -> Watch:
    """Keeps the strength of `node`, in one row."""
    return keep_strengths(np.array([node]))


def keep_outcome(node: int) -> Watch:
    """Keeps the `WeighingOutcome` of `node`, in three rows."""

    def watch(solution: Solution, scenarios: Scenarios | None) -> Floats:
        pro, con = _reasons_by_side(solution, node, scenarios)
        if solution.graph.is_claim[node]:
            base = solution.graph.base[[node]]
            if scenarios is not None and scenarios.base is not None:
                base = scenarios.base[node]
            # the base counts on its side, or strength and reasons would disagree
            start = bounded_logit(base)
            pro = pro + np.maximum(start, 0.0)
            con = con + np.maximum(-start, 0.0)
        return np.stack([_table_of_strengths(solution)[node], pro, con])

    return Watch(watch, np.array([node]))


def stack_watches(*watches: Watch) -> Watch:
    """A watch that keeps the rows of all `watches`, one below the other."""

    def watch(solution: Solution, scenarios: Scenarios | None) -> Floats:
        return np.concatenate([each(solution, scenarios) for each in watches])

    nodes = [each.nodes for each in watches if each.nodes is not None]
    return Watch(watch, np.unique(np.concatenate(nodes)) if len(nodes) == len(watches) else None)


def _reasons_by_side(
    solution: Solution, node: int, scenarios: Scenarios | None
) -> tuple[Floats, Floats]:
    """The sums of reasons for and against `node`, in nats, per scenario."""
    graph = solution.graph
    state = _table_of_strengths(solution)
    if solution.by_voices is not None:
        return solution.by_voices.pro[node], solution.by_voices.con[node]
    # other rules do not keep reasons, so those of this one statement are computed again
    reasons = reasons_by_target(graph)
    bears_on_node = reasons.targets[reasons.owner] == node
    nats = graph.settings.gain * counted_reasons(graph, reasons, state, scenarios)[bears_on_node]
    return np.maximum(nats, 0.0).sum(axis=0), np.maximum(-nats, 0.0).sum(axis=0)


def run_muted(graph: Graph, groups: Sequence[Ints], watch: Watch = keep_all_strengths) -> Floats:
    """Return what `watch` keeps (one column per group) when each group is muted.

    A muted statement keeps a strength of its own. If it is in a circle, which is solved as a
    whole, the circle is solved again without it, so that muting is the same as deleting.
    """
    in_circle = [False] * len(groups)
    if not graph.settings.follows_routes:
        circle = circle_of_nodes(graph)
        in_circle = [bool((circle[group] != NO_CIRCLE).any()) for group in groups]
    outside = [group for group, is_inside in zip(groups, in_circle, strict=True) if not is_inside]

    def mute(first: int, stop: int) -> Scenarios:
        loudness = np.ones((graph.size, stop - first))
        for column, group in enumerate(outside[first:stop]):
            loudness[group, column] = 0.0
        return Scenarios(stop - first, loudness=loudness)

    watched_outside = iter(run_scenarios(graph, len(outside), mute, watch).T)
    watched = [
        watch(solve(mute_nodes(graph, group)), None)[:, 0] if is_inside else next(watched_outside)
        for group, is_inside in zip(groups, in_circle, strict=True)
    ]
    if not watched:
        return run_scenarios(graph, 0, mute, watch)
    return np.stack(watched, axis=1)


def mute_nodes(graph: Graph, nodes: Ints) -> Graph:
    """`graph` without any arc that leaves `nodes`."""
    return graph.with_values(
        arc_weight=np.where(np.isin(graph.arc_premise, nodes), 0.0, graph.arc_weight)
    )


def run_held(
    graph: Graph, nodes: Sequence[int], values: Sequence[float], watch: Watch = keep_all_strengths
) -> Floats:
    """Return what `watch` keeps when `nodes[k]` is held at `values[k]` in scenario k.

    Circles keep their shape, so that holding a statement at its own strength changes nothing.
    """
    where = np.asarray(nodes, dtype=np.int64)
    strengths = np.asarray(values, dtype=float)

    def hold(first: int, stop: int) -> Scenarios:
        is_held = np.zeros((graph.size, stop - first), dtype=bool)
        value = np.zeros((graph.size, stop - first))
        column = np.arange(stop - first)
        is_held[where[first:stop], column] = True
        value[where[first:stop], column] = strengths[first:stop]
        return Scenarios(stop - first, held=is_held, held_value=value)

    return run_scenarios(graph, len(where), hold, watch)


def run_settled(graph: Graph, nodes: Sequence[int], watch: Watch) -> Floats:
    """Return what `watch` keeps with each of `nodes` held true, and with each held false, as a
    table (rows × 2 × nodes).
    """
    ends = [1.0] * len(nodes) + [0.0] * len(nodes)
    watched = run_held(graph, [*nodes, *nodes], ends, watch)
    return watched.reshape(len(watched), 2, len(nodes))


def run_rebased(
    graph: Graph,
    changes: Sequence[tuple[Ints, Floats]],
    watch: Watch,
    fractions: Sequence[tuple[Ints, Floats]] = (),
) -> Floats:
    """Return what `watch` keeps when, scenario by scenario, the bases of some statements are
    replaced.

    `fractions` replaces those of sources: positions in `source_group_fraction`, and their new
    values.
    """

    def rebase(first: int, stop: int) -> Scenarios:
        base = np.repeat(graph.base[:, None], stop - first, axis=1)
        for column, (nodes, values) in enumerate(changes[first:stop]):
            base[nodes, column] = values
        if not fractions:
            return Scenarios(stop - first, base=base)
        fraction = np.repeat(graph.source_group_fraction[:, None], stop - first, axis=1)
        for column, (places, values) in enumerate(fractions[first:stop]):
            fraction[places, column] = values
        return Scenarios(stop - first, base=base, source_group_fraction=fraction)

    return run_scenarios(graph, len(changes), rebase, watch)


def run_without_arcs(graph: Graph, groups: Sequence[Ints | list[int]], watch: Watch) -> Floats:
    """Return what `watch` keeps without each of several groups of arcs."""

    def drop(first: int, stop: int) -> Scenarios:
        weights = np.repeat(graph.arc_weight[:, None], stop - first, axis=1)
        for column, arcs in enumerate(groups[first:stop]):
            weights[arcs, column] = 0.0
        return Scenarios(stop - first, arc_weight=weights)

    return run_scenarios(graph, len(groups), drop, watch)


def run_scenarios(
    graph: Graph, count: int, make: Callable[[int, int], Scenarios], watch: Watch
) -> Floats:
    """Return what `watch` keeps of the scenarios 0 … `count` - 1 that `make(first, stop)`
    describes.
    """
    chunks: list[Floats] = []
    ends = _single_end(graph, watch.nodes)
    # chunks that fit the cache are three times as fast as all at once
    width = min(
        max(NUMBERS_AT_ONCE // max(_numbers_read(graph, ends), 1), MIN_SCENARIOS_AT_ONCE),
        MAX_SCENARIOS_AT_ONCE,
    )
    for first in range(0, count, width):
        scenarios = make(first, min(first + width, count))
        chunks.append(watch(solve(graph, scenarios, ends), scenarios))
    if not chunks:
        # no columns, but as many rows as the watch keeps
        return watch(solution_of(graph), None)[:, :0]
    return np.concatenate(chunks, axis=1)


def _single_end(graph: Graph, ends: Ints | None) -> Ints | None:
    """The only statement to solve for, if leaving others out pays: with circles each statement
    needs copies of its own. Without circles, or for several statements, one plan serves all.
    """
    if not graph.settings.follows_routes or not unfold_circles(graph).circles:
        return None
    return ends if ends is not None and len(ends) <= 1 else None


def _numbers_read(graph: Graph, ends: Ints | None) -> int:
    """Count the numbers that one scenario reads."""
    return (
        plan_voices(graph, ends=ends).size
        if graph.settings.follows_routes
        else len(graph.arc_premise)
    )
