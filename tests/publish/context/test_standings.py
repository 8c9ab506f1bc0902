"""How standings are told to readers."""

from __future__ import annotations

import pytest

from kg.publish.context.standings import StatementStrength


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("quality 0.52", "quality 0.5"),
        ("quality 0.55, 0.31 after objections", "quality 0.6, 0.3 after objections"),
        ("quality 0.52, 0.46 after objections", "quality 0.5, hardly changed by objections"),
        ("quality 0.52, 0.31 to 0.34 after objections", "quality 0.5, 0.3 after objections"),
    ],
)
def test_readers_see_a_quality_to_one_decimal(word: str, said: str) -> None:
    assert StatementStrength(0.5, word, quality=0.5).reader_word == said
