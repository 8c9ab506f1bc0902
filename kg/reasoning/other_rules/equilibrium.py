"""The equilibrium of a circle: damped iteration, then the differential equation, else none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints
from kg.reasoning.graph import Graph, Scenarios
from kg.reasoning.other_rules.circle_plan import Batch, InnerArcs, PlanStep
from kg.reasoning.other_rules.semantics import multiply_up, semantics_of

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
LEAST_SQUARE = 1e-300
"""Near the smallest double that can be a divisor: smaller squares of changes give no direction."""
MAX_MEMBERS_PROBED, ROUNDS_BEFORE_PROBE = 12, 2
"""Members up to which measuring slopes is cheap, and rounds after which they are near rest."""
PROBE_STEP, LEAST_DETERMINANT = 1e-6, 1e-3
"""The step in strength for measuring slopes, and the determinant below which they are no guide, as
the circle then hardly resists a push.
"""

Respond = Callable[[Floats], Floats]
"""Maps the strengths of a circle (targets × columns) to those that its reasons give."""


@dataclass(frozen=True, slots=True)
class SettledCircle:
    """How a circle ended: strengths, the largest residual of what converged, whether all did.

    `correction` is for how its members react to each other (see `settle_circle`).
    """

    state: Floats
    residual: float
    converged: bool
    needed_ode: bool
    correction: Floats | None


def settle_circle(
    respond: Respond, start: Floats, leap: bool = False, correction: Floats | None = None
) -> SettledCircle:
    """The strengths at which `respond` comes to rest from `start` (targets × columns).

    A column that neither damped iteration nor the differential equation brings below a
    residual of 1e-10 becomes NaN. `leap` speeds the iteration up; use it only for
    circles that have one equilibrium, since it could pass over the nearest of several.
    `correction`, the inverse of I - J with J the slopes of `respond` near its rest, speeds it up
    further: pass the `correction` of one run to similar ones.
    """
    state = start.copy()
    residual, correction = _iterate_damped(respond, state, leap, correction)
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
    return SettledCircle(state, worst, bool(is_settled.all()), needed_ode, correction)


def _iterate_damped(
    respond: Respond, state: Floats, leap: bool, correction: Floats | None
) -> tuple[Floats, Floats | None]:
    """Iterate all columns, halving a column's step when 16 rounds did not halve its residual.

    With `leap`, a column that was never damped goes where its last two rounds point to
    (Anderson's acceleration with a memory of one); in a small circle, corrected for how its
    members react to each other.
    """
    damping = np.ones(state.shape[1])
    residual_before = np.full(state.shape[1], np.inf)
    last_round: tuple[Floats, Floats] | None = None
    rounds = 0
    while True:
        values = respond(state)
        change = values - state
        residual = np.abs(change).max(axis=0)
        is_moving = residual >= REST_TOLERANCE
        if not (is_moving & (damping >= LEAST_DAMPING)).any():
            return np.asarray(residual), correction
        if rounds % ROUNDS_TO_HALVE == 0:
            damping = np.where(residual > residual_before / 2.0, damping / 2.0, damping)
            residual_before = residual
        if (
            leap
            and correction is None
            and rounds == ROUNDS_BEFORE_PROBE
            and len(state) <= MAX_MEMBERS_PROBED
        ):
            # the previous round gives no direction once the correction is made
            correction, last_round = _inverse_response(respond, state, values), None
        if correction is not None:
            change = np.matmul(correction, change, dtype=np.float64)
            values = np.add(state, change, dtype=np.float64)
        goal = state + damping * change
        if leap and last_round is not None:
            goal = np.where(damping == 1.0, _secant_step(values, change, *last_round), goal)
        if leap:
            # a leap may point outside the range of a strength
            goal = np.minimum(np.maximum(goal, 0.0), 1.0)
        np.copyto(state, goal, where=is_moving)
        last_round = values, change
        rounds += 1


def _inverse_response(respond: Respond, state: Floats, values: Floats) -> Floats | None:
    """The inverse of I - J, with J the mean over columns of how each target reacts to each.

    With it a round is a step of Newton's method. One inverse for all columns, as scenarios differ
    little; it need not be exact, since rounds go on until the residual is small. `None` if it
    would be no guide.
    """
    size = len(state)
    slopes = np.empty((size, size))
    for source in range(size):
        probed_state = state.copy()
        probed_state[source] -= PROBE_STEP
        slopes[:, source] = (values - respond(probed_state)).mean(axis=1) / PROBE_STEP
    if not np.isfinite(slopes).all():
        return None
    resistance = np.eye(size) - slopes
    if abs(np.linalg.det(resistance)) <= LEAST_DETERMINANT:
        return None
    return np.asarray(np.linalg.inv(resistance), dtype=np.float64)


def _secant_step(values: Floats, change: Floats, old_values: Floats, old_change: Floats) -> Floats:
    """A secant step: where the change would vanish, if linear between the last two rounds."""
    difference = change - old_change
    square = (difference * difference).sum(axis=0)
    # if the last two rounds do not differ, they give no direction
    part = np.where(
        square > LEAST_SQUARE,
        (change * difference).sum(axis=0) / np.maximum(square, LEAST_SQUARE),
        0.0,
    )
    return np.asarray(values - part * (values - old_values))


def _integrate_to_rest(respond: Respond, start: Floats, is_moving: Bools) -> tuple[Floats, Floats]:
    """Follow ds/dt = F(s) - s from `start` to rest in the columns that `is_moving` marks.

    Return the state reached, and the residual of each column, `inf` if it did not come to rest.
    Each column has its own step size, so that none affects another.
    """

    def change(state: Floats) -> Floats:
        return np.asarray(respond(state) - state)

    state, step = start.copy(), np.full(start.shape[1], FIRST_TIME_STEP)
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
    join = multiply_up if batch.gates else semantics_of(graph).join
    # joined once for all rounds: only inner reasons are weighed again
    return join(np.maximum(contributions, 0.0), batch.starts), join(
        np.maximum(-contributions, 0.0), batch.starts
    )


class CautiousCircle:
    """A circle under the cautious rule, after everything before it is solved.

    From outside, reasons for and against are joined into one each; from inside only the best
    on each side counts. So every target has four reasons, two of which are constant.
    Scenarios with the same input to the circle are settled in one column.
    """

    def __init__(
        self,
        graph: Graph,
        step: PlanStep,
        columns: Scenarios | None,
        state: Floats,
        reasons: Sequence[OuterReasons],
    ) -> None:
        table = _as_column(state[step.rows])
        inputs = [
            _batch_inputs(batch, inner, columns, outer_reasons)
            for batch, inner, outer_reasons in zip(step.batches, step.inner, reasons, strict=True)
        ]
        self.size = len(step.nodes)
        around = [table[self.size :], *(t for tables in inputs for t in tables.values())]
        self.first, self.kind = _group_equal_scenarios(around, table.shape[1])
        self.rows = self._one_of_each_kind(table).copy()
        self.parts = [
            _CircleBatch(
                graph, batch, inner, {name: self._one_of_each_kind(t) for name, t in tables.items()}
            )
            for batch, inner, tables in zip(step.batches, step.inner, inputs, strict=True)
        ]

    @property
    def start(self) -> Floats:
        """The initial strengths of the columns to settle (targets × columns)."""
        return self.rows[: self.size]

    def spread(self, settled: Floats) -> Floats:
        """`settled` with a column for each scenario."""
        return settled if len(self.first) == len(self.kind) else settled[:, self.kind]

    def respond(self, strengths: Floats) -> Floats:
        """The strengths that the circle's own strengths lead to (targets × settled columns)."""
        self.rows[: self.size] = strengths
        values = [part.respond(self.rows) for part in self.parts]
        return values[0] if len(values) == 1 else np.concatenate(values)

    def _one_of_each_kind(self, table: Floats) -> Floats:
        all_columns = table.shape[1] == 1 or len(self.first) == len(self.kind)
        return table if all_columns else table[:, self.first]


OUTER_PRO, OUTER_CON, INNER_PRO, INNER_CON = range(4)
"""The four reasons of each target in a circle, by their position in `_CircleBatch.four`."""


class _CircleBatch:
    """One batch of a circle: its inner arcs, and four reasons for each target.

    `four` is (targets × 4 × settled columns); the reasons from outside are written once.
    """

    def __init__(
        self, graph: Graph, batch: Batch, inner: InnerArcs, inputs: Mapping[str, Floats]
    ) -> None:
        arcs = batch.arcs[inner.within]
        self.graph, self.batch, self.inner, self.inputs = graph, batch, inner, inputs
        self.slope, self.offset = (column[arcs, None] for column in graph.transfer)
        self.w = inputs["w"]
        count = len(batch.nodes)
        self.starts = np.arange(0, 4 * count, 4)  # where each target's four begin
        self.four = np.empty((count, 4, inputs["pro"].shape[1]))
        self.four[:, OUTER_PRO], self.four[:, OUTER_CON] = inputs["pro"], -inputs["con"]
        self.base = inputs.get("base")
        if self.base is None and not batch.gates:
            self.base = graph.base[batch.nodes, None]

    def respond(self, rows: Floats) -> Floats:
        """The new values of the batch's targets (targets × settled columns), from the strengths
        in `rows`: those of the circle, and of what its inner arcs read.
        """
        inner, four = self.inner, self.four
        contributions = rows[inner.src] * self.slope + self.offset
        np.maximum(contributions, 0.0, out=contributions)
        contributions *= self.w
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
        semantics, gain = semantics_of(self.graph), self.graph.settings.gain
        total = semantics.aggregate(four.reshape(-1, four.shape[2]), self.starts, gain)
        values = semantics.influence(self.base, total)
        if "held" in self.inputs:
            values = np.where(self.inputs["held"] > 0.0, self.inputs["value"], values)
        return values


def _batch_inputs(
    batch: Batch, inner: InnerArcs, columns: Scenarios | None, outer_reasons: OuterReasons
) -> Mapping[str, Floats]:
    """The input of a batch: joined reasons, inner weights, bases, strengths that are held."""
    arcs = batch.arcs[inner.within]
    inputs = {
        "pro": _as_column(outer_reasons[0]),
        "con": _as_column(outer_reasons[1]),
        "w": batch.w[inner.within, None],
    }
    if columns is None:
        return inputs
    if columns.w is not None:
        inputs["w"] = columns.w[arcs]
    if columns.loudness is not None:
        inputs["w"] = inputs["w"] * columns.loudness[inner.voices]
    if columns.base is not None and not batch.gates:
        inputs["base"] = columns.base[batch.nodes]
    if columns.held is not None and columns.held_value is not None and not batch.gates:
        # as numbers, so that all tables can be compared as one (see `_group_equal_scenarios`)
        inputs["held"] = columns.held[batch.nodes].astype(float)
        inputs["value"] = columns.held_value[batch.nodes]
    return inputs


def _as_column(table: Floats) -> Floats:
    return table if table.ndim == 2 else table[:, None]


def _group_equal_scenarios(tables: Sequence[Floats], width: int) -> tuple[Ints, Ints]:
    """The first scenario of each kind in which all `tables` agree, and the kind of each."""
    if width == 1:
        return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    varied = [table for table in tables if table.shape[1] == width]
    keys = np.ascontiguousarray(np.concatenate(varied).T)
    kinds: dict[bytes, int] = {}
    kind = np.array([kinds.setdefault(key.tobytes(), len(kinds)) for key in keys])
    first = np.unique(kind, return_index=True)[1]
    return np.asarray(first), kind
