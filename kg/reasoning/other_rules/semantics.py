"""Six semantics: ways to turn a base strength and reasons for and against into a strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kg.reasoning.graph.arrays import MAX_LOG_ODDS, Bools, Floats, Ints, run_of_each
from kg.reasoning.graph.graph import Graph

Influence = Callable[[Floats, Floats], Floats]
DIFFERENCE = 1e-5  # the distance of the points between which slopes are taken


@dataclass(frozen=True, slots=True)
class Semantics:
    """A modular gradual semantics: an aggregation joins the reasons of each side, and an influence
    function moves the base by their difference (Mossakowski & Neuhaus 2018).

    `join`, the aggregation, adds the sizes of reasons up, takes the largest, or multiplies what
    each leaves of 1; `influence(base, total)` is the strength. With `hears_support` false only
    attacks count. The setting `gain` does not affect products, where a reason is a share from 0 to
    1.
    """

    name: str
    join: np.ufunc
    influence: Influence
    hears_support: bool = True

    @property
    def is_additive(self) -> bool:
        """Whether totals are plain sums."""
        return self.join is np.add and self.hears_support

    def join_sides(self, c: Floats, starts: Ints) -> Floats:
        """The joined sizes of reasons for, then of reasons against, in each run (2 × runs).

        Those in `c` that are against are negative. Runs begin at `starts`. A side without reasons
        has what leaves others as they are: 0, or 1 where shares are multiplied.
        """
        sizes = np.maximum(np.stack([c, -c]), 0.0)
        if self.join is np.multiply:
            sizes = 1.0 - sizes
        return np.asarray(self.join.reduceat(sizes, starts, axis=1))

    def total(self, sides: Floats, gain: float) -> Floats:
        """Return what the influence function moves each target's base by: up if positive, down if
        negative.
        """
        pro, con = sides
        if self.join is np.multiply:
            return np.asarray(con - pro)
        return np.asarray(gain * ((pro if self.hears_support else 0.0) - con))

    def weigh(self, c: Floats, against: Bools, starts: Ints, gain: float) -> Floats:
        """The derivative of the total by each reason in `c`, of which some are `against`."""
        weights = np.where(against | self.hears_support, gain, 0.0)
        sizes = np.where([~against, against], np.abs(c), 0.0)
        if self.join is np.multiply:
            pro, con = (product_of_others(side, starts) for side in sizes)
            weights = np.where(against, con, pro)
        if self.join is np.maximum:
            best = self.join.reduceat(sizes, starts, axis=1)[:, run_of_each(starts, len(c))]
            weights = np.where(np.abs(c) >= np.where(against, best[1], best[0]), weights, 0.0)
        return weights

    def slope(self, base: Floats, total: Floats, rises: Bools) -> Floats:
        """The derivative of the influence by total, on the side to which the total moves."""
        step = np.where(rises, DIFFERENCE, -DIFFERENCE)
        at_total, at_step, at_two_steps = (self.influence(base, total + k * step) for k in range(3))
        return np.asarray((4.0 * at_step - 3.0 * at_total - at_two_steps) / (2.0 * step))

    def base_slope(self, base: Floats, total: Floats) -> Floats:
        """The derivative of the influence by base."""
        above, below = (self.influence(base + d, total) for d in (DIFFERENCE, -DIFFERENCE))
        return np.asarray((above - below) / (2.0 * DIFFERENCE))


def product_of_others(part: Floats, starts: Ints) -> Floats:
    """Product of 1 - part over the other reasons of the run, even if one of them is 1."""
    runs = run_of_each(starts, len(part))
    left = 1.0 - part
    # the product of all divided by the reason's own factor, with zeros counted separately
    zero = left == 0.0
    zeros = np.add.reduceat(zero.astype(np.int64), starts, axis=0)[runs]
    product = np.multiply.reduceat(np.where(zero, 1.0, left), starts, axis=0)[runs]
    return np.where(zeros - zero > 0, 0.0, product / np.where(zero, 1.0, left))


def _logistic_influence(base: Floats, total: Floats) -> Floats:
    """σ(logit(base) + total)."""
    # base / (base + (1 - base) e^-total) is exact at total 0 and keeps bases of 0 and 1 fixed
    return np.asarray(
        base / (base + (1.0 - base) * np.exp(-np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS)))
    )


def _quadratic_influence(base: Floats, total: Floats) -> Floats:
    """base + room · t² / (1 + t²), the room being up to 1 or down to 0 (quadratic energy)."""
    room = np.where(total >= 0.0, 1.0 - base, -base)
    square = total * total
    return np.asarray(base + room * (square / (1.0 + square)))


def _linear_influence(base: Floats, total: Floats) -> Floats:
    """base + room · total, the room being up to 1 or down to 0 (DF-QuAD)."""
    return np.asarray(base + np.where(total >= 0.0, 1.0 - base, base) * total)


def _euler_influence(base: Floats, total: Floats) -> Floats:
    """1 - (1 - base²) / (1 + base · eᵗ) (Euler-based)."""
    raised_base = 1.0 + base * np.exp(np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS))
    return np.asarray(1.0 - (1.0 - base * base) / raised_base)


def _categoriser_influence(base: Floats, total: Floats) -> Floats:
    """base / (1 + the sum of attacks) (weighted h-categoriser)."""
    return np.asarray(base / (1.0 - total))


LOGISTIC = Semantics("logistic", np.add, _logistic_influence)
QE = Semantics("qe", np.add, _quadratic_influence)
DFQUAD = Semantics("dfquad", np.multiply, _linear_influence)
EULER = Semantics("euler", np.add, _euler_influence)
EULERTOP = Semantics("eulertop", np.maximum, _euler_influence)
HCAT = Semantics("hcat", np.add, _categoriser_influence, hears_support=False)

# By name: logistic (Potyka, AAAI 2021), quadratic energy (Potyka, KR 2018), DF-QuAD (Rago et al.,
# KR 2016), Euler-based (Amgoud & Ben-Naim, ECSQARU 2017), Euler-top (Mossakowski & Neuhaus 2018)
# and the weighted h-categoriser (Amgoud et al., IJCAI 2017).
SEMANTICS: Mapping[str, Semantics] = {
    each.name: each for each in (LOGISTIC, QE, DFQUAD, EULER, EULERTOP, HCAT)
}


def semantics_of(graph: Graph) -> Semantics:
    """The semantics that the settings of `graph` name."""
    return SEMANTICS[graph.settings.semantics]
