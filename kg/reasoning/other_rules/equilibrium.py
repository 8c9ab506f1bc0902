"""The equilibrium of a circle: damped iteration, then the differential equation, else none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kg.reasoning.graph.arrays import Bools, Floats
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.other_rules.circle_plan import Batch, InnerArcs, PlanStep
from kg.reasoning.other_rules.semantics import noisy_or, semantics_of

REST_TOLERANCE = 1e-10
"""A circle is at rest if |F(s) - s| is below this for every strength s."""
ROUNDS_TO_HALVE, LEAST_DAMPING = 16, 0.2
"""Rounds in which the residual must halve, or else the step is halved; and the smallest step that
is tried: a circle that needs a smaller one oscillates, and the differential equation suits it
better.
"""
FIRST_TIME_STEP, MAX_TIME_STEP = 0.25, 8.0
"""Steps of the differential equation; in a unit of time the distance to rest falls to 1/e."""
MAX_STEP_ERROR = 1e-7
"""Largest difference in strength between two half steps and a whole one."""
MAX_TIME_STEPS = 1500
"""A circle not at rest after that many steps cycles, or crawls past two merging equilibria."""

Respond = Callable[[Floats], Floats]
"""Maps the strengths of a circle (targets × columns) to those that its reasons give."""


@dataclass(frozen=True, slots=True)
class SettledCircle:
    """How a circle ended: strengths, the largest residual of what converged, whether all did."""

    state: Floats
    residual: float
    converged: bool
    needed_ode: bool


def settle_circle(respond: Respond, start: Floats) -> SettledCircle:
    """The strengths at which `respond` comes to rest from `start` (targets × columns).

    A column that neither damped iteration nor the differential equation brings below a
    residual of 1e-10 becomes NaN.
    """
    state = start.copy()
    residual = _iterate_damped(respond, state)
    # not `>=`: a residual that is NaN is not at rest either
    is_restless = ~(residual < REST_TOLERANCE)
    needed_ode = False
    if is_restless.any():
        # from `start` again: the equilibrium meant is the one reached from there
        followed_state, followed_residual = _integrate_to_rest(respond, start, is_restless)
        np.copyto(state, followed_state, where=is_restless)
        residual = np.where(is_restless, followed_residual, residual)
        needed_ode = bool((followed_residual[is_restless] < REST_TOLERANCE).any())
    is_settled = residual < REST_TOLERANCE
    state[:, ~is_settled] = np.nan
    worst = float(residual[is_settled].max(initial=0.0))
    return SettledCircle(state, worst, bool(is_settled.all()), needed_ode)


def _iterate_damped(respond: Respond, state: Floats) -> Floats:
    """Iterate all columns, halving a column's step when 16 rounds did not halve its residual."""
    damping = np.ones(state.shape[1])
    residual_before = np.full(state.shape[1], np.inf)
    rounds = 0
    while True:
        change = respond(state) - state
        residual = np.abs(change).max(axis=0)
        is_moving = residual >= REST_TOLERANCE
        if not (is_moving & (damping >= LEAST_DAMPING)).any():
            return np.asarray(residual)
        if rounds % ROUNDS_TO_HALVE == 0:
            damping = np.where(residual > residual_before / 2.0, damping / 2.0, damping)
            residual_before = residual
        np.copyto(state, state + damping * change, where=is_moving)
        rounds += 1


def _integrate_to_rest(respond: Respond, start: Floats, is_moving: Bools) -> tuple[Floats, Floats]:
    """Follow ds/dt = F(s) - s from `start` to rest in the columns that `is_moving` marks.

    Return the state reached, and the residual of each column, `inf` if it did not come to rest.
    Each column has its own step size, so that none affects another.
    """

    def change(state: Floats) -> Floats:
        return np.asarray(respond(state) - state)

    state = start.copy()
    step = np.full(start.shape[1], FIRST_TIME_STEP)
    residual = np.full(start.shape[1], np.inf)
    is_moving = is_moving.copy()
    for _ in range(MAX_TIME_STEPS):
        slope = change(state)
        residual = np.abs(slope).max(axis=0)
        is_moving &= residual >= REST_TOLERANCE
        if not is_moving.any():
            break
        # step doubling: the difference of two half steps from a whole one estimates the error
        full_step = _runge_kutta_step(change, state, slope, step)
        half_step = _runge_kutta_step(change, state, slope, step / 2.0)
        two_half_steps = _runge_kutta_step(change, half_step, change(half_step), step / 2.0)
        is_accurate = np.abs(two_half_steps - full_step).max(axis=0) <= MAX_STEP_ERROR
        np.copyto(state, two_half_steps, where=is_moving & is_accurate)
        step = np.where(is_accurate, np.minimum(step * 1.5, MAX_TIME_STEP), step / 2.0)
    return state, np.where(residual < REST_TOLERANCE, residual, np.inf)


def _runge_kutta_step(
    change: Callable[[Floats], Floats], state: Floats, first: Floats, step: Floats
) -> Floats:
    """One step of the classical Runge-Kutta method; `first` is the slope at `state`."""
    second = change(state + step / 2.0 * first)
    third = change(state + step / 2.0 * second)
    last = change(state + step * third)
    return np.asarray(state + step / 6.0 * (first + 2.0 * second + 2.0 * third + last))


OuterReasons = tuple[Floats, Floats]
"""All reasons from outside in one, for and against (targets, or targets × scenarios)."""


def join_outer_reasons(graph: Graph, batch: Batch, contributions: Floats) -> OuterReasons:
    """The reasons in `contributions` from outside a circle, joined into one for and one against."""
    inside = np.zeros(len(contributions), dtype=bool) if batch.inside is None else batch.inside
    contributions = np.where(
        inside[:, None] if contributions.ndim == 2 else inside, 0.0, contributions
    )
    join = noisy_or if batch.gates else semantics_of(graph).join
    # joined once for all rounds: only inner reasons are weighed again
    return join(np.maximum(contributions, 0.0), batch.starts), join(
        np.maximum(-contributions, 0.0), batch.starts
    )


class CautiousCircle:
    """A circle under the cautious rule, after everything before it is solved.

    From outside, reasons for and against are joined into one each; from inside only the best
    on each side counts. So every target has four reasons, two of which are constant.
    """

    def __init__(
        self,
        graph: Graph,
        step: PlanStep,
        scenarios: Scenarios | None,
        state: Floats,
        reasons: Sequence[OuterReasons],
    ) -> None:
        self.size = len(step.nodes)
        self.rows = _as_column(state[step.rows]).copy()
        self.parts = [
            _CircleBatch(graph, batch, inner, _batch_inputs(batch, inner, scenarios, outer_reasons))
            for batch, inner, outer_reasons in zip(step.batches, step.inner, reasons, strict=True)
        ]

    @property
    def start(self) -> Floats:
        """The initial strengths (targets × scenarios)."""
        return self.rows[: self.size]

    def respond(self, strengths: Floats) -> Floats:
        """The strengths that the circle's own strengths lead to (targets × scenarios)."""
        self.rows[: self.size] = strengths
        values = [part.respond(self.rows) for part in self.parts]
        return values[0] if len(values) == 1 else np.concatenate(values)


OUTER_PRO, OUTER_CON, INNER_PRO, INNER_CON = range(4)
"""The four reasons of each target in a circle, by their position in `_CircleBatch.four`."""


class _CircleBatch:
    """One batch of a circle: its inner arcs, and four reasons for each target.

    `four` is (targets × 4 × scenarios); the reasons from outside are written once.
    """

    def __init__(
        self, graph: Graph, batch: Batch, inner: InnerArcs, inputs: Mapping[str, Floats]
    ) -> None:
        arcs = batch.arcs[inner.within]
        self.graph = graph
        self.batch = batch
        self.inner = inner
        self.inputs = inputs
        self.slope, self.offset = (column[arcs, None] for column in graph.transfer)
        self.arc_weight = inputs["arc_weight"]
        count = len(batch.nodes)
        self.starts = np.arange(0, 4 * count, 4)  # where each target's four begin
        self.four = np.empty((count, 4, inputs["pro"].shape[1]))
        self.four[:, OUTER_PRO] = inputs["pro"]
        self.four[:, OUTER_CON] = -inputs["con"]
        self.base = inputs.get("base")
        if self.base is None and not batch.gates:
            self.base = graph.base[batch.nodes, None]

    def respond(self, rows: Floats) -> Floats:
        """The new values of the batch's targets (targets × scenarios), from the strengths
        in `rows`: those of the circle, and of what its inner arcs read.
        """
        inner = self.inner
        four = self.four
        contributions = rows[inner.arc_source] * self.slope + self.offset
        np.maximum(contributions, 0.0, out=contributions)
        contributions *= self.arc_weight
        if inner.gate is not None:
            contributions *= rows[inner.gate]
        best, worst = (
            each.reduceat(contributions, inner.starts, axis=0) for each in (np.maximum, np.minimum)
        )
        # if all inner reasons are on one side, the other is 0
        np.maximum(best, 0.0, out=four[:, INNER_PRO])
        np.minimum(worst, 0.0, out=four[:, INNER_CON])
        if self.base is None:
            # Gates: each undercut leaves 1 − its force of the reason, whatever the others left.
            return np.asarray((1.0 - np.abs(four)).prod(axis=1))
        semantics = semantics_of(self.graph)
        gain = self.graph.settings.gain
        total = semantics.aggregate(four.reshape(-1, four.shape[2]), self.starts, gain)
        values = semantics.influence(self.base, total)
        if "held" in self.inputs:
            values = np.where(self.inputs["held"] > 0.0, self.inputs["value"], values)
        return values


def _batch_inputs(
    batch: Batch, inner: InnerArcs, scenarios: Scenarios | None, outer_reasons: OuterReasons
) -> Mapping[str, Floats]:
    """The input of a batch: joined reasons, inner weights, bases, strengths that are held."""
    arcs = batch.arcs[inner.within]
    inputs = {
        "pro": _as_column(outer_reasons[0]),
        "con": _as_column(outer_reasons[1]),
        "arc_weight": batch.arc_weight[inner.within, None],
    }
    if scenarios is None:
        return inputs
    if scenarios.arc_weight is not None:
        inputs["arc_weight"] = scenarios.arc_weight[arcs]
    if scenarios.loudness is not None:
        inputs["arc_weight"] = inputs["arc_weight"] * scenarios.loudness[inner.voices]
    if scenarios.base is not None and not batch.gates:
        inputs["base"] = scenarios.base[batch.nodes]
    if scenarios.held is not None and scenarios.held_value is not None and not batch.gates:
        # as numbers, so that all tables can be compared as one (see `_group_equal_scenarios`)
        inputs["held"] = scenarios.held[batch.nodes].astype(float)
        inputs["value"] = scenarios.held_value[batch.nodes]
    return inputs


def _as_column(table: Floats) -> Floats:
    return table if table.ndim == 2 else table[:, None]
