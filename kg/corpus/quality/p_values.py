"""The p of a piece of evidence, recorded or worked out, and how far it speaks for an effect."""

from __future__ import annotations

import math
from statistics import NormalDist

from kg.model import Statement, Value
from kg.model.figures import NO_EFFECT, RATIO_KINDS

REFERENCE_SAMPLE = 100  # number of observations assumed if none is recorded
# A factor of 1000 in the odds: no single study counts for more, however small its p is.
MAX_DECADES = 3.0
_NORMAL = NormalDist()
_INTERVAL_WIDTH = 2 * _NORMAL.inv_cdf(0.975)  # of a 95 % interval, in standard errors
_LEAST_P = 1e-300  # so that its logarithm is finite


class PValue(Value, frozen=True):
    """A two-sided p, and what it was computed from if the note does not record it."""

    p: float
    origin: str = ""
    sign: str = ""


def find_p_value(statement: Statement) -> PValue | None:
    """The p of `statement`: as recorded, else from the interval, else from effect and sample.

    An interval is taken as one of 95 %; a correlation's standard error is that of Fisher's z,
    1/√(n − 3). None if none of these is possible, or the recorded p is not above 0 and up to 1.
    """
    if statement.p is not None:
        is_valid = 0.0 < statement.p <= 1.0
        return PValue(p=statement.p, sign=statement.p_sign) if is_valid else None
    if statement.effect is None:
        return None
    z = _z_of_interval(statement)
    if z is not None and math.isfinite(z):
        return PValue(p=two_sided_p(z), origin="interval")
    r = as_correlation(statement.effect_kind, statement.effect)
    if r is None or abs(r) >= 1.0 or statement.sample is None or statement.sample <= 3:
        return None
    return PValue(
        p=two_sided_p(math.atanh(r) * math.sqrt(statement.sample - 3)), origin="effect and n"
    )


def decades_of_odds(p: float, sample: int | None) -> float:
    """The decimal logarithm of the odds by which p favours an effect over none, from 0 to 3.

    The unit-information Bayes factor, log₁₀ B = (z² − ln n) / (2 ln 10) (Wagenmakers 2007); n is
    100 if no sample is recorded. The same p says less in a large sample than in a small one.
    """
    n = max(REFERENCE_SAMPLE if sample is None else sample, 1)
    decades = (z_score(p) ** 2 - math.log(n)) / (2 * math.log(10))
    return min(max(decades, 0.0), MAX_DECADES)


def z_score(p: float) -> float:
    """The standard normal deviate of a two-sided p."""
    return -_NORMAL.inv_cdf(max(p, _LEAST_P) / 2)


def two_sided_p(z: float) -> float:
    """The two-sided p of a standard normal deviate."""
    return max(math.erfc(abs(z) / math.sqrt(2)), _LEAST_P)


def as_correlation(measure: str, effect: float) -> float | None:
    """An effect as a correlation; None for measures that cannot be converted.

    d and g by r = d / √(d² + 4), for two groups of one size (Borenstein et al. 2009, ch. 7); an
    odds ratio by d = ln(OR)·√3/π first (Hasselblad & Hedges 1995; Chinn 2000).
    """
    if measure == "r":
        return effect
    if measure == "OR":
        measure = "d"
        effect = math.log(effect) * math.sqrt(3) / math.pi if effect > 0 else math.nan
    if measure in ("d", "g") and math.isfinite(effect):
        return effect / math.sqrt(effect * effect + 4.0)
    return None


def _z_of_interval(statement: Statement) -> float | None:
    """The distance of the effect from no effect, in standard errors."""
    null = NO_EFFECT.get(statement.effect_kind)
    low = statement.effect_low
    high = statement.effect_high
    if null is None or low is None or high is None or statement.effect is None:
        return None
    try:
        scaled = [
            _on_symmetric_scale(statement.effect_kind, each)
            for each in (statement.effect, low, high)
        ]
        error = (scaled[2] - scaled[1]) / _INTERVAL_WIDTH
        return (scaled[0] - _on_symmetric_scale(statement.effect_kind, null)) / error
    except (ValueError, ZeroDivisionError):
        return None


def _on_symmetric_scale(measure: str, value: float) -> float:
    """`value` on the scale on which intervals are symmetric."""
    if measure in RATIO_KINDS:
        return math.log(value)
    return math.atanh(value) if measure in ("r", "ρ") else value
