"""Strengths beside their words: as many places as show on which side of a bound they are."""

from __future__ import annotations

import pytest

from kg.model.config import Reasoning
from kg.reasoning.verdict_words import told


@pytest.mark.parametrize(
    ("strength", "said"),
    [
        (0.61, "0.61"),
        (0.6, "0.60"),
        (0.5996, "0.5996"),
        (0.598, "0.598"),
        (0.402, "0.402"),
        (0.7461, "0.746"),
        (0.953, "0.953"),
        (0.9991, "1.00"),
        (0.5, "0.50"),
    ],
)
def test_a_number_is_told_on_its_side_of_a_bound(strength: float, said: str) -> None:
    assert told(strength, Reasoning()) == said
