"""Strengths of all statements under one or many scenarios, exact outside loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from kg.reasoning.arrays import Bools, Columns, Floats, Ints, align_axes, first_best
from kg.reasoning.network.graph import LEAST_STANDING, Graph
from kg.reasoning.solver.fixed_point import (
    CAUTIOUS,
    CONTRACTION,
    CautiousLoop,
    Outcome,
    Outer,
    join_outer_reasons,
    proofs,
    settle,
)
from kg.reasoning.solver.plan import Batch, Contest, Step, plan_of
from kg.reasoning.solver.routes import Routes, solve_routes


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths, and how far they can be trusted.

    `state` holds statements, then gates, then a 1 (× scenarios if there are several);
    what did not converge, and all that depends on it, is NaN. `off` is |F(s) - s| per number,
    as large for each member of a loop as for its worst, and 0 outside loops and where nothing
    converged; `ode` says that some loop needed the differential equation.
    `aims` keeps, by step, what speeds up the loops of scenarios that start from here. `routes`
    says what brought strengths about where sources were followed along their routes.
    """

    graph: Graph
    state: Floats
    off: Floats
    converged: bool
    ode: bool
    aims: dict[int, Floats | None] = field(default_factory=dict)
    routes: Routes | None = None

    @property
    def residual(self) -> float:
        """The largest |F(s) - s| over what converged."""
        return float(self.off.max())

    @property
    def strength(self) -> Floats:
        """Strengths of the statements: (statements,) or (statements × scenarios)."""
        return self.state[: self.graph.size]

    def of(self, name: str) -> float | None:
        """The strength of the statement called `name`; `None` where it did not converge."""
        value = float(self.state[self.graph.names[name]])
        return None if np.isnan(value) else value


_SOLVED: WeakKeyDictionary[Graph, Solution] = WeakKeyDictionary()


def find_solution(graph: Graph) -> Solution | None:
    """The strengths of `graph`, if they have been worked out."""
    return _SOLVED.get(graph)


def reuse_outer_strengths(whole: Graph, part: Graph, numbers: Ints) -> None:
    """Give `part`, which nothing outside it bears on, the strengths that it has in `whole`, if
    those are known. `numbers` are the part's statements and gates in the whole.
    """
    known = find_solution(whole)
    if known is None or known.ode or not known.converged:
        return  # whether the part is settled, and how, is seen only alone
    held = np.append(numbers, whole.silent)
    routes = None if known.routes is None else known.routes.among(held)
    _SOLVED[part] = Solution(part, known.state[held], known.off[held], True, False, routes=routes)


def solution_of(graph: Graph) -> Solution:
    """The strengths of `graph` as it is, worked out once."""
    found = _SOLVED.get(graph)
    if found is None:
        found = _SOLVED[graph] = solve(graph)
    return found


def solve(
    graph: Graph,
    columns: Columns | None = None,
    near: Solution | None = None,
    plain: bool = False,
) -> Solution:
    """The strengths that `graph`'s semantics gives its statements.

    Outside loops one pass in topological order is exact. A loop is iterated, damped, and
    at last followed as the limit of ds/dt = F(s) - s from the base scores by Runge-Kutta
    (Potyka, KR 2018); what still does not settle to 1e-10 is NaN, never a number. A loop
    that has one equilibrium starts from `near`, a solution of this graph, or of one much
    like it, where that is given.
    `plain` takes no short cuts through loops: it is there to hold them to. Where sources are
    followed along their routes there are no loops, and one pass is exact.
    """
    if graph.settings.routed:
        return _follow_routes(graph, columns, near)
    state = _start(graph, columns, None if near is None else near.state)
    passed = passed_on(graph, state, columns)
    run = _Run(graph, columns, passed)
    aims = near.aims if near is not None and near.graph is graph else {}
    touched = None if near is None else _touched(graph, columns)
    off, converged, ode = np.zeros(graph.silent + 1), True, False
    for place, step in enumerate(plan_of(graph).steps):
        if touched is not None and not _touch(graph, step, touched):
            continue
        if step.loop:
            anywhere = near is not None and _may_start_anywhere(graph, columns, place)
            if near is not None and not anywhere:
                run.start_anew(step, state)
            outcome = run.settle(step, state, plain, aims.get(place))
            if anywhere:
                aims[place] = outcome.aim
            off[step.nodes] = outcome.residual
            converged &= outcome.converged
            ode |= outcome.ode
        else:
            for nodes, values in run.answers(step, state):
                state[nodes] = values
        run.pass_on(step, state)
    return Solution(graph, state, off, converged, ode)


def _follow_routes(graph: Graph, columns: Columns | None, near: Solution | None) -> Solution:
    begun = None if near is None or near.graph is not graph else near.routes
    found = solve_routes(graph, columns, near=begun)
    state = found.state[:, 0] if columns is None else found.state
    return Solution(graph, state, np.zeros(graph.silent + 1), True, False, routes=found)


def _touched(graph: Graph, columns: Columns | None) -> Bools | None:
    """What some scenario changes directly; `None` if that may be anything."""
    if columns is None or columns.w is not None:
        return None
    found = np.zeros(graph.silent + 1, dtype=bool)
    own = found[: graph.size]
    if columns.base is not None:
        own |= (columns.base != graph.base[:, None]).any(axis=1)
    if columns.voice is not None:
        own |= (columns.voice != 1.0).any(axis=1)
    if columns.fixed is not None:
        own |= columns.fixed.any(axis=1)
    return found


def _touch(graph: Graph, step: Step, touched: Bools) -> bool:
    """Mark what of a step's targets a change reaches; whether it reaches any."""
    reached = False
    for batch in step.batches:
        read = touched[graph.src[batch.arcs]]
        if batch.gate is not None:
            read |= touched[batch.gate]
        hit = np.logical_or.reduceat(read, batch.starts) | touched[batch.nodes]
        touched[batch.nodes] = hit
        reached |= bool(hit.any())
    if reached and step.loop:
        touched[step.nodes] = True
    return reached


def _may_start_anywhere(graph: Graph, columns: Columns | None, place: int) -> bool:
    """Whether a loop has one equilibrium in every scenario."""
    proof = proofs(graph)[place]
    same = columns is None or columns.w is None
    steep = graph.settings.semantics != "logistic"  # then the bound depends on bases
    return proof == CAUTIOUS or (proof == CONTRACTION and same and not steep)


def _start(graph: Graph, columns: Columns | None, near: Floats | None) -> Floats:
    """Base scores, or `near` for what has reasons; what is held where it is held."""
    whole = np.concatenate([graph.base, np.ones(graph.gates + 1)])
    bare = np.append(plan_of(graph).bare, True)
    if near is not None:
        whole = np.where(bare, whole, near)
    if columns is None:
        return whole
    state = np.repeat(whole[:, None], columns.count, axis=1)
    own = state[: graph.size]
    if columns.base is not None:
        moved = slice(None) if near is None else bare[: graph.size]
        own[moved] = columns.base[moved]
    if columns.fixed is not None and columns.value is not None:
        np.copyto(own, columns.value, where=columns.fixed)
    return state


def passed_on(graph: Graph, state: Floats, columns: Columns | None = None) -> Floats:
    """What each statement passes on at `state`; then, if premises can fall, how far each fell."""
    everyone = np.arange(graph.size)
    parts = [_passed(graph, everyone, state, columns)]
    if graph.fallen.any():
        parts.append(_fallen(graph, everyone, state, columns))
    return np.concatenate(parts)


def _passed(graph: Graph, nodes: Ints, state: Floats, columns: Columns | None) -> Floats:
    zero = align_axes(graph.zero[nodes], state)
    return _voiced(np.maximum((state[nodes] - zero) / (1.0 - zero), 0.0), nodes, columns)


def _fallen(graph: Graph, nodes: Ints, state: Floats, columns: Columns | None) -> Floats:
    standing = align_axes(np.maximum(graph.standing[nodes], LEAST_STANDING), state)
    return _voiced(np.maximum(1.0 - state[nodes] / standing, 0.0), nodes, columns)


def _voiced(x: Floats, nodes: Ints, columns: Columns | None) -> Floats:
    return x if columns is None or columns.voice is None else x * columns.voice[nodes]


@dataclass(frozen=True, slots=True)
class _Run:
    """One pass through a plan, and what each statement passes on so far."""

    graph: Graph
    columns: Columns | None
    passed: Floats

    def pass_on(self, step: Step, state: Floats) -> None:
        """Bring what the targets of `step` pass on up to `state`."""
        size = self.graph.size
        for batch in step.batches:
            if not batch.gates:
                nodes = batch.nodes
                self.passed[nodes] = _passed(self.graph, nodes, state, self.columns)
                if len(self.passed) > size and self.graph.premises[nodes].any():
                    fallen = _fallen(self.graph, nodes, state, self.columns)
                    self.passed[size + nodes] = fallen

    def start_anew(self, step: Step, state: Floats) -> None:
        """Set a loop back to its base scores, but for what is held."""
        fresh = _start(self.graph, self.columns, None)
        state[step.nodes] = fresh[step.nodes]

    def settle(self, step: Step, state: Floats, plain: bool, aim: Floats | None) -> Outcome:
        """Bring a loop to rest in `state`."""
        graph, nodes = self.graph, step.nodes
        cautious = graph.settings.loops == "cautious"
        one = cautious and graph.settings.semantics == "logistic"
        start = state[nodes] if state.ndim == 2 else state[nodes, None]
        if cautious and not plain and not graph.linked:
            ring = CautiousLoop(graph, step, self.columns, state, self._outer(step, state))
            outcome = settle(ring.respond, ring.start, one, aim)
            found = ring.spread(outcome.state)
        else:
            outcome = settle(lambda own: self._respond(step, state, own), start, one)
            found = outcome.state
        state[nodes] = found if state.ndim == 2 else found[:, 0]
        return outcome

    def _outer(self, step: Step, state: Floats) -> list[Outer]:
        """Per batch of a loop, what all reasons from outside it come to."""
        graph, columns = self.graph, self.columns
        return [
            join_outer_reasons(
                graph, batch, said_once(graph, batch, reasons(batch, self.passed, state, columns))
            )
            for batch in step.batches
        ]

    def _respond(self, step: Step, state: Floats, own: Floats) -> Floats:
        """What a loop makes of its `own` strengths, every arc to it weighed."""
        state[step.nodes] = own if state.ndim == 2 else own[:, 0]
        self.pass_on(step, state)
        found = np.concatenate([values for _, values in self.answers(step, state)])
        return found if state.ndim == 2 else found[:, None]

    def answers(self, step: Step, state: Floats) -> Iterator[tuple[Ints, Floats]]:
        """What each batch of `step` makes of `state`: target numbers and their new values."""
        graph, columns = self.graph, self.columns
        for batch in step.batches:
            c = counted_reasons(graph, batch, reasons(batch, self.passed, state, columns))
            if batch.gates:
                yield batch.nodes, answer(graph, batch, c, state[batch.nodes])
                continue
            base = align_axes(graph.base[batch.nodes], state)
            if columns is not None and columns.base is not None:
                base = columns.base[batch.nodes]
            values = answer(graph, batch, c, base)
            if columns is not None and columns.fixed is not None and columns.value is not None:
                held = columns.fixed[batch.nodes]
                values = np.where(held, columns.value[batch.nodes], values)
            yield batch.nodes, values


def reasons(batch: Batch, passed: Floats, state: Floats, columns: Columns | None = None) -> Floats:
    """What each arc of `batch` brings: weight × what its source passes on × its gate.

    Of premises that count only together, the one that passes on least is heard.
    """
    x = passed[batch.read]
    if batch.joint is not None:
        x = batch.joint.silence(x)
    if batch.gate is not None:
        x = x * state[batch.gate]
    if columns is not None and columns.w is not None:
        return np.asarray(columns.w[batch.arcs] * x)
    return np.asarray(align_axes(batch.w, x) * x)


def said_once(graph: Graph, batch: Batch, c: Floats) -> Floats:
    """The reasons, of one source at one target the best alone."""
    if batch.contest is not None:
        c = c.copy()
        c[batch.contest.listed] *= _counted(batch.contest, c, graph.settings.repeat)
    return c


def counted_reasons(graph: Graph, batch: Batch, c: Floats) -> Floats:
    """The reasons that count: a source once per target, and in loops only the strongest."""
    c = said_once(graph, batch, c)
    if batch.inside is not None and graph.settings.loops == "cautious":
        inside = align_axes(batch.inside, c)
        best = first_best(np.where(inside, c, 0.0), batch.starts, batch.owner)
        # multiplied rather than replaced, so that a mute reason keeps its sign and NaN stays NaN
        c = c * np.where(inside & ~best, 0.0, 1.0)
    return c


def _counted(contest: Contest, c: Floats, repeat: float) -> Floats:
    """The part of each listed reason that no stronger one from the same source has said.

    A reason that rests on several sources is split evenly among them; of each source the
    best part at a target counts, the next ones times `repeat`, its square, …: monotone in
    every reason, never below the best one, never above the sum.
    """
    part = align_axes(contest.part, c)
    share = c[contest.arc] * part
    factor = first_best(share, contest.starts, contest.owner).astype(float)
    if repeat:
        factor = _ranked(contest, share, repeat)
    total = np.zeros((len(contest.listed), *c.shape[1:]))
    np.add.at(total, contest.place, part * factor)
    return np.asarray(align_axes(contest.alone, c) + total)


def _ranked(contest: Contest, share: Floats, repeat: float) -> Floats:
    """What counts of each row of a source at a target: all of the largest for or against, then
    `repeat` of the next, its square of the third, …
    """
    group = align_axes(2 * contest.owner, share) + (share < 0.0)
    order = np.lexsort((-np.abs(share), group), axis=0)
    group = np.take_along_axis(group, order, axis=0)
    place = align_axes(np.arange(len(order)), share)
    first = np.ones(group.shape, dtype=bool)
    np.not_equal(group[1:], group[:-1], out=first[1:])
    rank = place - np.maximum.accumulate(np.where(first, place, 0), axis=0)
    factors = np.empty_like(share)
    np.put_along_axis(factors, order, repeat**rank, axis=0)
    return factors


def answer(graph: Graph, batch: Batch, c: Floats, base: Floats) -> Floats:
    """New values of the batch's targets: the semantics' for statements, what is left for gates."""
    if batch.gates:
        return np.asarray(np.multiply.reduceat(1.0 - np.abs(c), batch.starts, axis=0))
    semantics = graph.semantics
    total = semantics.aggregate(c, batch.starts, graph.settings.gain)
    return semantics.influence(base, total)
