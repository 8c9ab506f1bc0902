"""Strengths of all statements under one or many scenarios, exact outside loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints, first_best, like, spread
from kg.reasoning.graph import Graph
from kg.reasoning.plan import Batch, Contest, Step, plan_of
from kg.reasoning.settle import settle


@dataclass(frozen=True, slots=True)
class Columns:
    """Scenarios side by side, one per column: what each changes in a graph.

    `base` (statements × count) replaces base scores, `w` (arcs × count) weights; `voice`
    (statements × count) multiplies what a statement passes on, so 0 mutes it; where `fixed`
    is true the strength is `value` whatever bears on the statement. `None` changes nothing.
    """

    count: int
    base: Floats | None = None
    voice: Floats | None = None
    fixed: Bools | None = None
    value: Floats | None = None
    w: Floats | None = None

    def cut(self, first: int, last: int) -> Columns:
        """The scenarios `first` … `last` - 1."""
        parts = {
            name: None if array is None else array[:, first:last]
            for name in ("base", "voice", "fixed", "value", "w")
            for array in (getattr(self, name),)
        }
        return replace(self, count=min(last, self.count) - first, **parts)


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths, and how far they can be trusted.

    `state` holds statements, then gates, then a 1 (× scenarios if there are several);
    what did not converge, and all that depends on it, is NaN. `residual` is the largest
    |F(s) - s| over what converged; `ode` says that some loop needed the differential equation.
    """

    graph: Graph
    state: Floats
    residual: float
    converged: bool
    ode: bool

    @property
    def strength(self) -> Floats:
        """Strengths of the statements: (statements,) or (statements × scenarios)."""
        return self.state[: self.graph.size]

    def of(self, name: str) -> float | None:
        """The strength of the statement called `name`; `None` where it did not converge."""
        value = float(self.state[self.graph.names[name]])
        return None if np.isnan(value) else value


def solve(graph: Graph, columns: Columns | None = None) -> Solution:
    """The strengths that `graph`'s semantics gives its statements.

    Outside loops one pass in topological order is exact. A loop is iterated, damped, and
    at last followed as the limit of ds/dt = F(s) - s from the base scores by Runge-Kutta
    (Potyka, KR 2018); what still does not settle to 1e-10 is NaN, never a number.
    """
    state = _start(graph, columns)
    residual, converged, ode = 0.0, True, False
    for step in plan_of(graph).steps:
        if step.loop:
            outcome = settle(partial(_answered, graph, step, columns), state)
            residual = max(residual, outcome.residual)
            converged &= outcome.converged
            ode |= outcome.ode
        else:
            for nodes, values in _answers(graph, step, state, columns):
                state[nodes] = values
    return Solution(graph, state, residual, converged, ode)


def _start(graph: Graph, columns: Columns | None) -> Floats:
    rest = np.ones(graph.gates + 1)
    if columns is None:
        return np.concatenate([graph.base, rest])
    base = columns.base
    if base is None:
        base = np.repeat(graph.base[:, None], columns.count, axis=1)
    state = np.concatenate([base, np.repeat(rest[:, None], columns.count, axis=1)])
    if columns.fixed is not None and columns.value is not None:
        np.copyto(state[: graph.size], columns.value, where=columns.fixed)
    return state


def _answered(
    graph: Graph, step: Step, columns: Columns | None, state: Floats
) -> list[tuple[Ints, Floats]]:
    return list(_answers(graph, step, state, columns))


def _answers(
    graph: Graph, step: Step, state: Floats, columns: Columns | None
) -> Iterator[tuple[Ints, Floats]]:
    """What each batch of `step` makes of `state`: target numbers and their new values."""
    for batch in step.batches:
        c = heeded(graph, batch, reasons(batch, state, columns))
        if batch.gates:
            yield batch.nodes, answer(graph, batch, c, state[batch.nodes])
            continue
        base = like(graph.base[batch.nodes], state)
        if columns is not None and columns.base is not None:
            base = columns.base[batch.nodes]
        values = answer(graph, batch, c, base)
        if columns is not None and columns.fixed is not None and columns.value is not None:
            held = columns.fixed[batch.nodes]
            values = np.where(held, columns.value[batch.nodes], values)
        yield batch.nodes, values


def reasons(batch: Batch, state: Floats, columns: Columns | None = None) -> Floats:
    """What each arc of `batch` brings: weight × what its source passes on × its gate."""
    x = np.maximum(like(batch.slope, state) * state[batch.src] + like(batch.offset, state), 0.0)
    if batch.gate is not None:
        x = x * state[batch.gate]
    if columns is None:
        return np.asarray(like(batch.w, state) * x)
    if columns.voice is not None:
        x = x * columns.voice[batch.src]
    return np.asarray((like(batch.w, state) if columns.w is None else columns.w[batch.arcs]) * x)


def heeded(graph: Graph, batch: Batch, c: Floats) -> Floats:
    """The reasons that count: a source once per target, and in loops only the strongest."""
    if batch.contest is not None:
        c = c.copy()
        c[batch.contest.listed] *= _counted(batch.contest, c, graph.settings.repeat)
    if batch.inside is not None and graph.settings.loops == "cautious":
        inside = like(batch.inside, c)
        best = first_best(np.where(inside, c, 0.0), batch.starts)
        # multiplied rather than replaced, so that a mute reason keeps its sign and NaN stays NaN
        c = c * np.where(inside & ~best, 0.0, 1.0)
    return c


def _counted(contest: Contest, c: Floats, repeat: float) -> Floats:
    """The part of each listed reason that no stronger one from the same source has said.

    A reason that rests on several sources is split evenly among them; of each source the
    best part at a target counts, the next ones times `repeat`, its square, …: monotone in
    every reason, never below the best one, never above the sum.
    """
    part = like(contest.part, c)
    share = c[contest.arc] * part
    factor = first_best(share, contest.starts).astype(float)
    if repeat:
        factor = _ranked(contest, share, repeat)
    total = np.zeros((len(contest.listed), *c.shape[1:]))
    np.add.at(total, contest.place, part * factor)
    return np.asarray(like(contest.alone, c) + total)


def _ranked(contest: Contest, share: Floats, repeat: float) -> Floats:
    table = share if share.ndim == 2 else share[:, None]
    owner = spread(contest.starts, len(share))
    factors = np.empty_like(table)
    for column in range(table.shape[1]):
        values = table[:, column]
        order = np.lexsort((-np.abs(values), values < 0.0, owner))
        group = owner[order] * 2 + (values[order] < 0.0)
        first = np.flatnonzero(np.append(True, np.diff(group) != 0))
        rank = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
        factors[order, column] = repeat**rank
    return factors.reshape(share.shape)


def answer(graph: Graph, batch: Batch, c: Floats, base: Floats) -> Floats:
    """New values of the batch's targets: the semantics' for statements, what is left for gates."""
    if batch.gates:
        return np.asarray(np.multiply.reduceat(1.0 - np.abs(c), batch.starts, axis=0))
    semantics = graph.semantics
    total = semantics.aggregate(c, batch.starts, graph.settings.gain)
    return semantics.influence(base, total)
