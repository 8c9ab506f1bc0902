"""The equilibrium of a loop: damped iteration, then the differential equation, else none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import Floats, Ints

TOLERANCE = 1e-10
PATIENCE = 16
LEAST_DAMPING = 0.2
FIRST_STEP = 0.25
LONGEST_STEP = 8.0
STEP_ERROR = 1e-7
MOST_STEPS = 1500
TINY = 1e-300

Respond = Callable[[Floats], list[tuple[Ints, Floats]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a loop ended: the largest residual of what converged, and whether all did."""

    residual: float
    converged: bool
    ode: bool


def settle(respond: Respond, state: Floats, leap: bool = False) -> Outcome:
    """Bring the targets of `respond` in `state` (one or many columns) to rest, in place.

    A column that neither damped iteration nor the differential equation brings below a
    residual of 1e-10 becomes NaN on all targets. `leap` speeds the iteration up; it is for
    loops that have one equilibrium, since it could pass over the nearest of several.
    """
    view = state if state.ndim == 2 else state[:, None]
    flat = state.ndim == 1

    def step(columns: Floats) -> list[tuple[Ints, Floats]]:
        answered = respond(columns[:, 0] if flat else columns)
        return [(nodes, v[:, None] if flat else v) for nodes, v in answered]

    began = view.copy()
    residual = _damped(step, view, leap)
    stuck = ~(residual < TOLERANCE)
    ode = False
    for column in np.flatnonzero(stuck):
        residual[column] = _follow(_single(step, began, int(column)), view, began, int(column))
        ode |= bool(residual[column] < TOLERANCE)
    fine = residual < TOLERANCE
    if not fine.all():
        for nodes, _ in step(view):
            view[np.ix_(nodes, ~fine)] = np.nan
    worst = float(residual[fine].max(initial=0.0))
    return Outcome(worst, bool(fine.all()), ode)


def _damped(step: Respond, view: Floats, leap: bool) -> Floats:
    """Iterate all columns, halving a column's step when 16 rounds did not halve its residual.

    With `leap`, a column that was never damped goes where its last two rounds point to
    (Anderson's acceleration with a memory of one), which saves two rounds in three.
    """
    damping = np.ones(view.shape[1])
    mark = np.full(view.shape[1], np.inf)
    before: tuple[Floats, Floats] | None = None
    rounds = 0
    while True:
        answered = step(view)
        nodes = np.concatenate([each for each, _ in answered])
        values = np.concatenate([each for _, each in answered])
        change = values - view[nodes]
        residual = np.abs(change).max(axis=0)
        going = (residual >= TOLERANCE) & (damping >= LEAST_DAMPING)
        if not going.any():
            return np.asarray(residual)
        if rounds % PATIENCE == 0:
            damping = np.where(residual > mark / 2.0, damping / 2.0, damping)
            mark = residual
        goal = view[nodes] + damping * change
        if leap and before is not None:
            goal = np.where(damping == 1.0, _leap(values, change, *before), goal)
        view[nodes] = np.where(residual >= TOLERANCE, goal, view[nodes])
        before = values, change
        rounds += 1


def _leap(values: Floats, change: Floats, old_values: Floats, old_change: Floats) -> Floats:
    bend = change - old_change
    square = (bend * bend).sum(axis=0)
    # where the last two rounds do not differ there is nothing to point with
    part = np.where(square > TINY, (change * bend).sum(axis=0) / np.maximum(square, TINY), 0.0)
    return np.clip(values - part * (values - old_values), 0.0, 1.0)


def _single(step: Respond, began: Floats, column: int) -> Callable[[Floats], Floats]:
    """The right-hand side F(s) - s of one column, over all state numbers."""

    def change(state: Floats) -> Floats:
        wide = np.repeat(state[:, None], began.shape[1], axis=1)
        out = np.zeros_like(state)
        for nodes, values in step(wide):
            out[nodes] = values[:, column] - state[nodes]
        return out

    return change


def _follow(change: Callable[[Floats], Floats], view: Floats, began: Floats, column: int) -> float:
    """Follow ds/dt = F(s) - s from the start to rest; the residual reached, `inf` if NaN."""
    state, size = began[:, column].copy(), FIRST_STEP
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
    view[:, column] = state
    return residual if residual < TOLERANCE else np.inf


def _rk4(change: Callable[[Floats], Floats], state: Floats, first: Floats, size: float) -> Floats:
    second = change(state + size / 2.0 * first)
    third = change(state + size / 2.0 * second)
    last = change(state + size * third)
    return np.asarray(state + size / 6.0 * (first + 2.0 * second + 2.0 * third + last))
