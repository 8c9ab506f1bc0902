"""What the figures of a study say: effects as correlations, p from what is recorded, and how far
they speak for an effect.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from kg.model import Statement, Value
from kg.model.figures import NO_EFFECT, RATIOS

SIGNIFICANT = 0.05
REFERENCE_SAMPLE = 100
MOST_DECADES = 3.0
_NORMAL = NormalDist()
_WIDTH = 2 * _NORMAL.inv_cdf(0.975)  # of a 95 % interval, in standard errors
_LEAST_P = 1e-300


class Found(Value, frozen=True):
    """A two-sided p, and what it was taken from where the note does not record it."""

    p: float
    origin: str = ""
    sign: str = ""


def as_correlation(kind: str, effect: float) -> float | None:
    """An effect as a correlation; None for kinds that cannot be turned into one.

    d and g by r = d / √(d² + 4), for two groups of one size (Borenstein et al. 2009, ch. 7); an
    odds ratio by d = ln(OR)·√3/π first (Hasselblad & Hedges 1995; Chinn 2000).
    """
    if kind == "r":
        return effect
    if kind == "OR":
        kind, effect = "d", math.log(effect) * math.sqrt(3) / math.pi if effect > 0 else math.nan
    if kind in ("d", "g") and math.isfinite(effect):
        return effect / math.sqrt(effect * effect + 4.0)
    return None


def find_p(statement: Statement) -> Found | None:
    """The p of `statement`: as recorded, else from the interval, else from effect and sample.

    An interval is taken as one of 95 %; a correlation's standard error is that of Fisher's z,
    1/√(n − 3). None where neither is recorded, or the kind of effect has no zero.
    """
    if statement.p is not None:
        known = 0.0 < statement.p <= 1.0
        return Found(p=statement.p, sign=statement.p_sign) if known else None
    if statement.effect is None:
        return None
    z = _z_of_interval(statement)
    if z is not None and math.isfinite(z):
        return Found(p=p_of(z), origin="interval")
    r = as_correlation(statement.effect_kind, statement.effect)
    if r is None or abs(r) >= 1.0 or statement.sample is None or statement.sample <= 3:
        return None
    return Found(p=p_of(math.atanh(r) * math.sqrt(statement.sample - 3)), origin="effect and n")


def _z_of_interval(statement: Statement) -> float | None:
    """How many standard errors lie between the effect and none."""
    null = NO_EFFECT.get(statement.effect_kind)
    low, high = statement.effect_low, statement.effect_high
    if null is None or low is None or high is None or statement.effect is None:
        return None
    try:
        scaled = [_scaled(statement.effect_kind, each) for each in (statement.effect, low, high)]
        error = (scaled[2] - scaled[1]) / _WIDTH
        return (scaled[0] - _scaled(statement.effect_kind, null)) / error
    except (ValueError, ZeroDivisionError):
        return None


def _scaled(kind: str, value: float) -> float:
    """On the scale on which intervals are symmetric."""
    if kind in RATIOS:
        return math.log(value)
    return math.atanh(value) if kind in ("r", "ρ") else value


def p_of(z: float) -> float:
    """The two-sided p of a standard normal deviate."""
    return max(math.erfc(abs(z) / math.sqrt(2)), _LEAST_P)


def z_of(p: float) -> float:
    """The standard normal deviate of a two-sided p."""
    return -_NORMAL.inv_cdf(max(p, _LEAST_P) / 2)


def decades(p: float, sample: int | None) -> float:
    """Tens of the odds by which p speaks for an effect rather than none, from 0 to 3.

    The unit-information Bayes factor, log₁₀ B = (z² − ln n) / (2 ln 10) (Wagenmakers 2007); n is
    100 where no sample is recorded. The same p says less in a large sample than in a small one.
    """
    n = max(REFERENCE_SAMPLE if sample is None else sample, 1)
    found = (z_of(p) ** 2 - math.log(n)) / (2 * math.log(10))
    return min(max(found, 0.0), MOST_DECADES)
