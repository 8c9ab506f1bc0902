"""Six semantics: ways to turn a base strength and reasons for and against into a strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kg.reasoning.graph.arrays import MAX_LOG_ODDS, Floats, Ints, run_of_each
from kg.reasoning.graph.graph import Graph

Aggregate = Callable[[Floats, Ints, float], Floats]
Influence = Callable[[Floats, Floats], Floats]
Join = Callable[[Floats, Ints], Floats]


@dataclass(frozen=True, slots=True)
class Semantics:
    """Aggregation of signed reasons per target, influence on the base, and both derivatives.

    `aggregate(c, starts, gain)` takes the reasons of all targets in one run, cut at “starts”;
    `weigh(c, starts, gain)` is its derivative by each reason (a mute reason against must be
    given as -0.0); `influence(base, total)` is the
    strength, `slope` and `base_slope` its derivatives by total and by base. `steepest` bounds
    `slope` over all totals, given the base; `join(sizes, starts)` is the single reason that
    counts as much as several of its sign; `additive` says whether totals are plain sums. The
    gain does not affect products, where a reason is a share from 0 to 1.
    """

    name: str
    aggregate: Aggregate
    weigh: Aggregate
    influence: Influence
    slope: Influence
    base_slope: Influence
    steepest: Callable[[Floats], Floats]
    join: Join
    additive: bool = False


def _sum_of_reasons(c: Floats, starts: Ints, gain: float) -> Floats:
    """The sum per run, gain · Σ c (quadratic energy, Euler-based, logistic)."""
    return np.asarray(gain * np.add.reduceat(c, starts, axis=0))


def _add_up(sizes: Floats, starts: Ints) -> Floats:
    """The sum of `sizes` per run."""
    return np.asarray(np.add.reduceat(sizes, starts, axis=0))


def noisy_or(sizes: Floats, starts: Ints) -> Floats:
    """The noisy-or per run, 1 - Π (1 - size): each share is taken of what the others leave."""
    return np.asarray(1.0 - np.multiply.reduceat(1.0 - sizes, starts, axis=0))


def _take_best(sizes: Floats, starts: Ints) -> Floats:
    """The largest of `sizes` per run."""
    return np.asarray(np.maximum.reduceat(sizes, starts, axis=0))


def _sum_weigh(c: Floats, starts: Ints, gain: float) -> Floats:
    """∂(sum)/∂c: the gain, for each reason."""
    return np.full_like(c, gain)


def _product_of_reasons(c: Floats, starts: Ints, gain: float) -> Floats:
    """Π (1 - |c|) over attacks minus the same over supports, per run (DF-QuAD)."""
    against = np.multiply.reduceat(1.0 - np.maximum(-c, 0.0), starts, axis=0)
    supporting = np.multiply.reduceat(1.0 - np.maximum(c, 0.0), starts, axis=0)
    return np.asarray(against - supporting)


def _product_weigh(c: Floats, starts: Ints, gain: float) -> Floats:
    """∂(product)/∂c: the product over the other reasons of the same side."""
    against = np.signbit(c)
    weights = product_of_others(np.where(against, 0.0, c), starts)
    return np.where(against, product_of_others(np.where(against, -c, 0.0), starts), weights)


def product_of_others(part: Floats, starts: Ints) -> Floats:
    """Product of 1 - part over the other reasons of the run, even if one of them is 1."""
    runs = run_of_each(starts, len(part))
    left = 1.0 - part
    # the product of all divided by the reason's own factor, with zeros counted separately
    zero = left == 0.0
    zeros = np.add.reduceat(zero.astype(np.int64), starts, axis=0)[runs]
    product = np.multiply.reduceat(np.where(zero, 1.0, left), starts, axis=0)[runs]
    return np.where(zeros - zero > 0, 0.0, product / np.where(zero, 1.0, left))


def _best_and_worst(c: Floats, starts: Ints, gain: float) -> Floats:
    """gain · (the best support + the worst attack) per run, 0 where there is none."""
    top = np.maximum(np.maximum.reduceat(c, starts, axis=0), 0.0)
    bottom = np.minimum(np.minimum.reduceat(c, starts, axis=0), 0.0)
    return np.asarray(gain * (top + bottom))


def _best_weigh(c: Floats, starts: Ints, gain: float) -> Floats:
    """∂(best)/∂c: the gain for the best of each side, 0 for the others."""
    runs = run_of_each(starts, len(c))
    top = np.maximum.reduceat(c, starts, axis=0)[runs]
    bottom = np.minimum.reduceat(c, starts, axis=0)[runs]
    against = np.signbit(c)
    return np.where(~against & (c >= top) | against & (c <= bottom), gain, 0.0)


def _sum_of_attacks(c: Floats, starts: Ints, gain: float) -> Floats:
    """gain · Σ c over the attacks of each run; supports do not count."""
    return np.asarray(gain * np.add.reduceat(np.minimum(c, 0.0), starts, axis=0))


def _attacks_weigh(c: Floats, starts: Ints, gain: float) -> Floats:
    """∂(attacks)/∂c: the gain for attacks, 0 for supports."""
    return np.where(np.signbit(c), gain, 0.0)


def _logistic_influence(base: Floats, total: Floats) -> Floats:
    """σ(logit(base) + total)."""
    # base / (base + (1 - base) e^-total) is exact at total 0 and keeps bases of 0 and 1 fixed
    return np.asarray(
        base / (base + (1.0 - base) * np.exp(-np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS)))
    )


def _logistic_slope(base: Floats, total: Floats) -> Floats:
    """∂(logistic)/∂total = s (1 - s)."""
    s = _logistic_influence(base, total)
    return np.asarray(s * (1.0 - s))


def _logistic_base_slope(base: Floats, total: Floats) -> Floats:
    """∂(logistic)/∂base = e⁻ᵗ / (base + (1 - base) e⁻ᵗ)²."""
    decay = np.exp(-np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS))
    return np.asarray(decay / (base + (1.0 - base) * decay) ** 2)


def _energy_of_total(total: Floats) -> Floats:
    """t² / (1 + t²): the part of the room left that a total moves by."""
    square = total * total
    return np.asarray(square / (1.0 + square))


def _quadratic_influence(base: Floats, total: Floats) -> Floats:
    """base + room · energy(total), the room being up to 1 or down to 0 (quadratic energy)."""
    room = np.where(total >= 0.0, 1.0 - base, -base)
    return np.asarray(base + room * _energy_of_total(total))


def _qe_slope(base: Floats, total: Floats) -> Floats:
    """∂(quadratic energy)/∂total = room · 2|t| / (1 + t²)²."""
    room = np.where(total >= 0.0, 1.0 - base, base)
    return np.asarray(room * 2.0 * np.abs(total) / (1.0 + total * total) ** 2)


def _qe_base_slope(base: Floats, total: Floats) -> Floats:
    """∂(quadratic energy)/∂base = 1 - energy(total)."""
    return np.asarray(1.0 - _energy_of_total(total) + 0.0 * base)


def _linear_influence(base: Floats, total: Floats) -> Floats:
    """base + room · total, the room being up to 1 or down to 0 (DF-QuAD)."""
    return np.asarray(base + np.where(total >= 0.0, 1.0 - base, base) * total)


def _linear_slope(base: Floats, total: Floats) -> Floats:
    """∂(linear)/∂total: the room up to 1 or down to 0."""
    return np.asarray(np.where(total >= 0.0, 1.0 - base, base) + 0.0 * total)


def _linear_base_slope(base: Floats, total: Floats) -> Floats:
    """∂(linear)/∂base = 1 - |t|."""
    return np.asarray(1.0 - np.abs(total) + 0.0 * base)


def _euler_influence(base: Floats, total: Floats) -> Floats:
    """1 - (1 - base²) / (1 + base · eᵗ) (Euler-based)."""
    raised_base = 1.0 + base * np.exp(np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS))
    return np.asarray(1.0 - (1.0 - base * base) / raised_base)


def _euler_slope(base: Floats, total: Floats) -> Floats:
    """∂(Euler-based)/∂total = (1 - b²) · b eᵗ / (1 + b eᵗ)²."""
    raised_base = base * np.exp(np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS))
    return np.asarray((1.0 - base * base) * raised_base / (1.0 + raised_base) ** 2)


def _euler_base_slope(base: Floats, total: Floats) -> Floats:
    """∂(Euler-based)/∂base = (2b (1 + b eᵗ) + (1 - b²) eᵗ) / (1 + b eᵗ)²."""
    factor = np.exp(np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS))
    raised_base = 1.0 + base * factor
    return np.asarray((2.0 * base * raised_base + (1.0 - base * base) * factor) / raised_base**2)


def _categoriser_influence(base: Floats, total: Floats) -> Floats:
    """base / (1 + the sum of attacks) (weighted h-categoriser)."""
    return np.asarray(base / (1.0 - np.minimum(total, 0.0)))


def _categoriser_slope(base: Floats, total: Floats) -> Floats:
    """∂(categoriser)/∂total = base / (1 + attacks)²."""
    return np.asarray(base / (1.0 - np.minimum(total, 0.0)) ** 2)


def _categoriser_base_slope(base: Floats, total: Floats) -> Floats:
    """∂(categoriser)/∂base = 1 / (1 + attacks)."""
    return np.asarray(1.0 / (1.0 - np.minimum(total, 0.0)) + 0.0 * base)


def _steepest_logistic(base: Floats) -> Floats:
    """The steepest slope of the logistic function, ¼ for every base."""
    return np.full_like(base, 0.25)


def _steepest_linear(base: Floats) -> Floats:
    """The widest room of a base, the steepest slope of the linear influence."""
    return np.maximum(base, 1.0 - base)


def _qe_steepest(base: Floats) -> Floats:
    """The steepest slope of quadratic energy: room · 3√3 / 8."""
    return np.asarray(_steepest_linear(base) * 3.0 * np.sqrt(3.0) / 8.0)


def _euler_steepest(base: Floats) -> Floats:
    """The steepest slope of the Euler-based influence: (1 - b²) / 4."""
    return np.asarray((1.0 - base * base) / 4.0)


def _own_base(base: Floats) -> Floats:
    """The steepest slope of the categoriser: the base itself."""
    return np.asarray(base)


LOGISTIC = Semantics(
    "logistic",
    _sum_of_reasons,
    _sum_weigh,
    _logistic_influence,
    _logistic_slope,
    _logistic_base_slope,
    _steepest_logistic,
    _add_up,
    additive=True,
)
QE = Semantics(
    "qe",
    _sum_of_reasons,
    _sum_weigh,
    _quadratic_influence,
    _qe_slope,
    _qe_base_slope,
    _qe_steepest,
    _add_up,
    additive=True,
)
DFQUAD = Semantics(
    "dfquad",
    _product_of_reasons,
    _product_weigh,
    _linear_influence,
    _linear_slope,
    _linear_base_slope,
    _steepest_linear,
    noisy_or,
)
EULER = Semantics(
    "euler",
    _sum_of_reasons,
    _sum_weigh,
    _euler_influence,
    _euler_slope,
    _euler_base_slope,
    _euler_steepest,
    _add_up,
    additive=True,
)
EULERTOP = Semantics(
    "eulertop",
    _best_and_worst,
    _best_weigh,
    _euler_influence,
    _euler_slope,
    _euler_base_slope,
    _euler_steepest,
    _take_best,
)
HCAT = Semantics(
    "hcat",
    _sum_of_attacks,
    _attacks_weigh,
    _categoriser_influence,
    _categoriser_slope,
    _categoriser_base_slope,
    _own_base,
    _add_up,
)

SEMANTICS: Mapping[str, Semantics] = {
    each.name: each for each in (LOGISTIC, QE, DFQUAD, EULER, EULERTOP, HCAT)
}
"""By name: logistic (Potyka, AAAI 2021), quadratic energy (Potyka, KR 2018), DF-QuAD (Rago et
al., KR 2016), Euler-based (Amgoud & Ben-Naim, ECSQARU 2017), Euler-top (Mossakowski &
Neuhaus 2018) and the weighted h-categoriser (Amgoud et al., IJCAI 2017)."""


def semantics_of(graph: Graph) -> Semantics:
    """The semantics that the settings of `graph` name."""
    return SEMANTICS[graph.settings.semantics]
