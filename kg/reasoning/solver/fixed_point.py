"""The equilibrium of a loop: damped iteration, then the differential equation, else none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import Floats

TOLERANCE = 1e-10
PATIENCE = 16
LEAST_DAMPING = 0.2
FIRST_STEP = 0.25
LONGEST_STEP = 8.0
STEP_ERROR = 1e-7
MOST_STEPS = 1500
TINY = 1e-300
SMALL, PROBED, NUDGE, FLAT = 12, 2, 1e-6, 1e-3

Respond = Callable[[Floats], Floats]
"""What a loop makes of its own strengths (targets × columns)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a loop ended: its strengths, the largest residual of what converged, and if all did.

    `aim` is how its members were seen to answer each other (see `settle`).
    """

    state: Floats
    residual: float
    converged: bool
    ode: bool
    aim: Floats | None


def settle(
    respond: Respond, start: Floats, leap: bool = False, aim: Floats | None = None
) -> Outcome:
    """Where `respond` comes to rest from `start` (targets × columns).

    A column that neither damped iteration nor the differential equation brings below a
    residual of 1e-10 becomes NaN. `leap` speeds the iteration up; it is for
    loops that have one equilibrium, since it could pass over the nearest of several. `aim`,
    the inverse of I - J with J the slopes of `respond` near its rest, speeds it up further:
    give the `aim` of an outcome to what is much like it.
    """
    state = start.copy()
    residual, aim = _damped(respond, state, leap, aim)
    ode = False
    for column in np.flatnonzero(~(residual < TOLERANCE)):
        change = _single(respond, start.shape[1], int(column))
        state[:, column], residual[column] = _follow(change, start[:, column])
        ode |= bool(residual[column] < TOLERANCE)
    fine = residual < TOLERANCE
    state[:, ~fine] = np.nan
    worst = float(residual[fine].max(initial=0.0))
    return Outcome(state, worst, bool(fine.all()), ode, aim)


def _damped(
    respond: Respond, state: Floats, leap: bool, aim: Floats | None
) -> tuple[Floats, Floats | None]:
    """Iterate all columns, halving a column's step when 16 rounds did not halve its residual.

    With `leap`, a column that was never damped goes where its last two rounds point to
    (Anderson's acceleration with a memory of one); in a small loop, corrected for how its
    members were seen to answer each other.
    """
    damping = np.ones(state.shape[1])
    mark = np.full(state.shape[1], np.inf)
    before: tuple[Floats, Floats] | None = None
    rounds = 0
    while True:
        values = respond(state)
        change = values - state
        residual = np.abs(change).max(axis=0)
        going = residual >= TOLERANCE
        if not (going & (damping >= LEAST_DAMPING)).any():
            return np.asarray(residual), aim
        if rounds % PATIENCE == 0:
            damping = np.where(residual > mark / 2.0, damping / 2.0, damping)
            mark = residual
        if leap and aim is None and rounds == PROBED and len(state) <= SMALL:
            aim, before = _aim(respond, state, values), None
        if aim is not None:
            change = np.matmul(aim, change, dtype=np.float64)
            values = np.add(state, change, dtype=np.float64)
        goal = state + damping * change
        if leap and before is not None:
            goal = np.where(damping == 1.0, _leap(values, change, *before), goal)
        if leap:
            goal = np.minimum(np.maximum(goal, 0.0), 1.0)
        np.copyto(state, goal, where=going)
        before = values, change
        rounds += 1


def _aim(respond: Respond, state: Floats, values: Floats) -> Floats | None:
    """The inverse of I - J, for the mean over columns of how each target answers each.

    `None` where that is no guide.
    """
    size = len(state)
    slopes = np.empty((size, size))
    for source in range(size):
        moved = state.copy()
        moved[source] -= NUDGE
        slopes[:, source] = (values - respond(moved)).mean(axis=1) / NUDGE
    if not np.isfinite(slopes).all():
        return None
    away = np.eye(size) - slopes
    if abs(np.linalg.det(away)) <= FLAT:
        return None
    return np.asarray(np.linalg.inv(away), dtype=np.float64)


def _leap(values: Floats, change: Floats, old_values: Floats, old_change: Floats) -> Floats:
    bend = change - old_change
    square = (bend * bend).sum(axis=0)
    # where the last two rounds do not differ there is nothing to point with
    part = np.where(square > TINY, (change * bend).sum(axis=0) / np.maximum(square, TINY), 0.0)
    return np.asarray(values - part * (values - old_values))


def _single(respond: Respond, width: int, column: int) -> Callable[[Floats], Floats]:
    """The right-hand side F(s) - s of one column."""

    def change(state: Floats) -> Floats:
        wide = np.repeat(state[:, None], width, axis=1)
        return np.asarray(respond(wide)[:, column] - state)

    return change


def _follow(change: Callable[[Floats], Floats], began: Floats) -> tuple[Floats, float]:
    """Follow ds/dt = F(s) - s from the start to rest; the residual reached, `inf` if NaN."""
    state, size = began.copy(), FIRST_STEP
    residual = np.inf
    for _ in range(MOST_STEPS):
        slope = change(state)
        residual = float(np.abs(slope).max())
        if not residual >= TOLERANCE:
            break
        whole = _rk4(change, state, slope, size)
        half = _rk4(change, state, slope, size / 2.0)
        fine = _rk4(change, half, change(half), size / 2.0)
        if float(np.abs(fine - whole).max()) <= STEP_ERROR:
            state, size = fine, min(size * 1.5, LONGEST_STEP)
        else:
            size /= 2.0
    return state, residual if residual < TOLERANCE else np.inf


def _rk4(change: Callable[[Floats], Floats], state: Floats, first: Floats, size: float) -> Floats:
    second = change(state + size / 2.0 * first)
    third = change(state + size / 2.0 * second)
    last = change(state + size * third)
    return np.asarray(state + size / 6.0 * (first + 2.0 * second + 2.0 * third + last))
