"""Counterfactuals, many at once: statements muted, held at a value, or given another base."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.graph import Graph
from kg.reasoning.plan import plan_of
from kg.reasoning.strength import Columns, solve

CHUNK = 256


def without(graph: Graph, groups: Sequence[Ints], rows: Ints | None = None) -> Floats:
    """Strengths (`rows`, default all statements × groups) when each group's arcs are deleted.

    A muted statement keeps a strength of its own. Where it stands in a loop, the loop is
    found anew without it, so that muting is the same as deleting.
    """
    part = plan_of(graph).part
    easy = [k for k, group in enumerate(groups) if not (part[group] >= 0).any()]
    out = np.empty((graph.size if rows is None else len(rows), len(groups)))

    def mute(first: int, last: int) -> Columns:
        voice = np.ones((graph.size, last - first))
        for column, k in enumerate(easy[first:last]):
            voice[groups[k], column] = 0.0
        return Columns(last - first, voice=voice)

    out[:, easy] = batched(graph, len(easy), mute, rows)
    for k in sorted(set(range(len(groups))) - set(easy)):
        strengths = solve(muted(graph, groups[k])).strength
        out[:, k] = strengths if rows is None else strengths[rows]
    return out


def muted(graph: Graph, nodes: Ints) -> Graph:
    """`graph` without any arc that leaves `nodes`."""
    return graph.having(w=np.where(np.isin(graph.src, nodes), 0.0, graph.w))


def holding(
    graph: Graph, nodes: Sequence[int], values: Sequence[float], rows: Ints | None = None
) -> Floats:
    """Strengths (`rows` × scenarios) when `nodes[k]` is held at `values[k]` in scenario k."""
    where, held = np.asarray(nodes, dtype=np.int64), np.asarray(values, dtype=float)

    def hold(first: int, last: int) -> Columns:
        fixed = np.zeros((graph.size, last - first), dtype=bool)
        value = np.zeros((graph.size, last - first))
        column = np.arange(last - first)
        fixed[where[first:last], column] = True
        value[where[first:last], column] = held[first:last]
        return Columns(last - first, fixed=fixed, value=value)

    return batched(graph, len(where), hold, rows)


def rebased(
    graph: Graph, changes: Sequence[tuple[Ints, Floats]], rows: Ints | None = None
) -> Floats:
    """Strengths (`rows` × scenarios) when the bases of some statements are replaced."""

    def rebase(first: int, last: int) -> Columns:
        base = np.repeat(graph.base[:, None], last - first, axis=1)
        for column, (nodes, values) in enumerate(changes[first:last]):
            base[nodes, column] = values
        return Columns(last - first, base=base)

    return batched(graph, len(changes), rebase, rows)


def batched(
    graph: Graph, count: int, make: Callable[[int, int], Columns], rows: Ints | None = None
) -> Floats:
    """Strengths (`rows` × count) of the scenarios that `make(first, last)` describes."""
    out = np.empty((graph.size if rows is None else len(rows), count))
    for first in range(0, count, CHUNK):
        last = min(first + CHUNK, count)
        strengths = solve(graph, make(first, last)).strength
        out[:, first:last] = strengths if rows is None else strengths[rows]
    return out
