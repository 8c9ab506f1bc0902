"""From effects, intervals and samples to p, and from p to what it says."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from kg.corpus.quality.evidence_quality import grade_evidence
from kg.corpus.quality.p_values import (
    MAX_DECADES,
    as_correlation,
    decades_of_odds,
    find_p_value,
    two_sided_p,
    z_score,
)
from kg.model import Method
from kg.model.settings.quality_settings import QualityLadder
from tests.support.corpus_parts import evidence
from tests.support.every_row import every_row


def test_effects_become_correlations_by_the_formulas_of_the_literature() -> None:
    assert as_correlation("r", 0.3) == 0.3
    assert as_correlation("d", 0.5) == pytest.approx(0.5 / math.sqrt(4.25))
    # ln(3.6)·√3/π = 0.7062: an odds ratio of 3.6 is a d of 0.7
    assert as_correlation("OR", 3.6) == pytest.approx(0.7062 / math.sqrt(0.7062**2 + 4), abs=1e-4)
    assert as_correlation("OR", 1 / 3.6) == pytest.approx(-(as_correlation("OR", 3.6) or 0.0))
    assert as_correlation("OR", 0.0) is None
    assert as_correlation("HR", 2.0) is None
    assert as_correlation("%", 45.0) is None


@given(st.floats(1e-290, 1.0))
def test_p_and_its_deviate_are_those_of_scipy(p: float) -> None:
    assert z_score(p) == pytest.approx(-ndtri(p / 2), rel=1e-6, abs=1e-9)
    assert two_sided_p(z_score(p)) == pytest.approx(p, rel=1e-6)


def test_a_recorded_p_comes_first() -> None:
    item = evidence("e", p=0.2, effect=0.5, effect_kind="d", effect_low=0.4, effect_high=0.6)
    assert find_p_value(item).p == 0.2


def test_p_follows_from_an_interval() -> None:
    item = evidence("e", effect=0.42, effect_kind="d", effect_low=0.1, effect_high=0.74)
    z = 0.42 / ((0.74 - 0.1) / 3.919928)
    assert find_p_value(item).p == pytest.approx(2 * ndtr(-z))
    assert find_p_value(item).origin == "interval"
    z = math.atanh(0.3) / ((math.atanh(0.5) - math.atanh(0.1)) / 3.919928)  # by Fisher's z
    for kind in ("r", "ρ"):
        item = evidence("e", effect=0.3, effect_kind=kind, effect_low=0.1, effect_high=0.5)
        assert find_p_value(item).p == pytest.approx(2 * ndtr(-z), rel=1e-5)
    ratio = evidence("e", effect=2.0, effect_kind="OR", effect_low=1.0, effect_high=4.0)
    assert find_p_value(ratio).p == pytest.approx(0.05, abs=1e-4)


def test_an_interval_that_ends_at_no_effect_is_just_significant() -> None:
    fields = {"effect_kind": "d", "method": Method.EXPERIMENT, "sample": 50, "effect_low": 0.0}
    for half in (0.1, 0.2, 0.3, 0.4, 0.7):  # some come out below .05 by rounding, some above
        item = evidence("e", effect=half, effect_high=2 * half, **fields)
        texts = {term.field: term.text for term in grade_evidence(item, (), QualityLadder()).terms}
        assert "not significant" not in texts["p"]


def test_p_follows_from_an_effect_and_its_sample() -> None:
    item = evidence("e", effect=0.3, effect_kind="r", sample=103)
    assert find_p_value(item).p == pytest.approx(2 * ndtr(-math.atanh(0.3) * 10))
    assert find_p_value(item).origin == "effect and n"


@every_row(
    "fields",
    [
        {},
        {"effect": 45.0, "effect_kind": "%", "effect_low": 40.0, "effect_high": 50.0},
        {"effect": 0.3, "effect_kind": "r"},
        {"effect": 0.3, "effect_kind": "r", "sample": 3},
        {"effect": 1.0, "effect_kind": "r", "sample": 30},
        {"effect": 1.5, "effect_kind": "HR", "sample": 30},
        {"effect": 0.3, "effect_kind": "d", "effect_low": 0.3, "effect_high": 0.3},
        {"p": 0.0},
        {"p": 2.0},
    ],
)
def test_without_enough_there_is_no_p(fields: dict[str, object]) -> None:
    assert find_p_value(evidence("e", **fields)) is None


@given(
    st.sampled_from(["d", "r", "OR", "AUC", "η²", "%", "?"]),
    st.lists(st.floats(allow_nan=False), min_size=3, max_size=3),
    st.none() | st.integers(-5, 10**15),
)
def test_no_figures_break_it(kind: str, numbers: list[float], sample: int | None) -> None:
    effect, low, high = numbers
    item = evidence(
        "e", effect=effect, effect_kind=kind, effect_low=low, effect_high=high, sample=sample
    )
    p_value = find_p_value(item)
    assert p_value is None or 0.0 < p_value.p <= 1.0


def test_decades_of_odds_match_a_calculation_by_hand() -> None:
    # z = 3.2905 at p = .001: (10.8276 - ln 50) / (2 ln 10) = 1.5016
    assert decades_of_odds(0.001, 50) == pytest.approx(1.5016, abs=1e-3)
    assert decades_of_odds(0.001, None) == decades_of_odds(0.001, 100)
    assert decades_of_odds(0.05, 1000) == 0.0
    # a note may record a sample of 0: as one of 1, so 3.8415 / (2 ln 10)
    assert decades_of_odds(0.05, 0) == pytest.approx(0.8342, abs=1e-3)
    assert decades_of_odds(1e-30, 50) == MAX_DECADES


@given(st.floats(1e-12, 0.05), st.floats(1e-12, 0.05), st.integers(1, 10**6))
def test_a_smaller_p_never_says_less(one: float, other: float, n: int) -> None:
    assert decades_of_odds(min(one, other), n) >= decades_of_odds(max(one, other), n)
