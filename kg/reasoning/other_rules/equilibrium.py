"""Where an iteration comes to rest: small steps follow the differential equation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kg.reasoning.graph.arrays import Bools, Floats

REST_TOLERANCE = 1e-10
"""A column is at rest if |F(s) - s| is below this for every entry s."""
LEAST_STEP = 1 / 32
"""The smallest step that is tried: it brings to rest what reacts 60 times as much as it moves."""
MAX_ROUNDS = 8_000
"""What is not at rest after so many rounds cycles, or crawls past two merging equilibria."""
SMOOTH = 0.25
"""A motion whose change in a round is below this part of it is slow, not unsteady."""


def settle(
    respond: Callable[[Floats], Floats], start: Floats, patience: int, rounds_left: int = MAX_ROUNDS
) -> Floats:
    """Where s ← s + h (F(s) - s) comes to rest from `start` (entries, or entries × columns), F
    being `respond`; what does not, and all that depends on it, is NaN.

    The step h is 1 at first. Where `patience` / h rounds have not halved the distance to rest,
    h is halved and the column begins anew: in the limit of small steps this is the differential
    equation ds/dt = F(s) - s (Potyka, KR 2018). No column affects another.
    """
    state = start
    step = np.ones(start.shape[1:])
    due = np.zeros(step.shape, dtype=np.int64)
    residual_before = np.full(step.shape, np.inf)
    change_before = np.zeros_like(start)
    for rounds in range(rounds_left + patience):
        response = respond(state)
        change = response - state
        residual = np.abs(change).max(axis=0)
        is_moving = residual >= REST_TOLERANCE
        if not is_moving.any():
            break
        state = state + np.where(is_moving, step, 0.0) * change
        is_due = is_moving & (due == rounds)
        if is_due.any():
            turn = np.abs(change - change_before).max(axis=0)
            is_unsteady = (residual > residual_before / 2.0) & (turn > SMOOTH * residual)
            is_unsteady &= is_due & (step > LEAST_STEP)
            step = np.where(is_unsteady, step / 2.0, step)
            state = np.where(is_unsteady, start, state)
            residual_before = np.where(is_due, residual, residual_before)
            residual_before = np.where(is_unsteady, np.inf, residual_before)
            wait = np.where(is_unsteady, 1, patience / step).astype(int)
            due = np.where(is_due, rounds + wait, due)
        change_before = change
    return _without_restless(respond, response, np.abs(change) < REST_TOLERANCE)


def _without_restless(
    respond: Callable[[Floats], Floats], state: Floats, is_at_rest: Bools
) -> Floats:
    """`state` with NaN for what is not at rest, and for all that depends on it."""
    while not is_at_rest.all():
        state = np.where(is_at_rest, state, np.nan)
        is_at_rest = ~np.isnan(respond(state)) | np.isnan(state)
    return state
