"""Strengths and their words: as many places as show on which side of a bound they are."""

from __future__ import annotations

import ast
import re

import numpy as np

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.strength_words import (
    StrengthWord,
    WeighingOutcome,
    quality_phrase,
    render_strength,
    side_of,
    sides_of_outcomes,
    strength_in_table,
    strength_word,
)
from tests.support.every_row import every_row
from tests.support.source_code import ROOT, SOURCES, nodes_of

NAN = float("nan")


@every_row(
    ("strength", "pro", "con", "word"),
    [
        (NAN, 5.0, 5.0, StrengthWord.UNSETTLED),
        (0.90, 0.24, 0.24, StrengthWord.OPEN),  # neither side has the .25 nats that an answer takes
        (0.90, 0.25, 0.00, StrengthWord.SUPPORTED),  # one side is enough
        (0.10, 0.00, 0.25, StrengthWord.REFUTED),
        (0.471, 1.0, 1.0, StrengthWord.EVEN),  # within .03 of the middle
        (0.529, 1.0, 1.0, StrengthWord.EVEN),
        (0.47, 1.0, 1.0, StrengthWord.CONTESTED),
        (0.53, 1.0, 1.0, StrengthWord.CONTESTED),
        (0.599, 1.0, 0.25, StrengthWord.CONTESTED),  # weight on both sides
        (0.599, 1.0, 0.24, StrengthWord.THINLY_SUPPORTED),  # on one alone
        (0.401, 0.25, 1.0, StrengthWord.CONTESTED),
        (0.401, 0.24, 1.0, StrengthWord.THINLY_REFUTED),
        (0.60, 1.0, 1.0, StrengthWord.LEANS_SUPPORTED),
        (0.60 - 1e-9, 1.0, 1.0, StrengthWord.LEANS_SUPPORTED),  # a difference of rounding is none
        (0.40, 1.0, 1.0, StrengthWord.LEANS_REFUTED),
        (0.749, 1.0, 0.0, StrengthWord.LEANS_SUPPORTED),
        (0.251, 0.0, 1.0, StrengthWord.LEANS_REFUTED),
        (0.75, 1.0, 0.0, StrengthWord.SUPPORTED),
        (0.25, 0.0, 1.0, StrengthWord.REFUTED),
        (0.952, 3.0, 0.0, StrengthWord.SUPPORTED),  # 20 to 1 is .95238
        (0.048, 0.0, 3.0, StrengthWord.REFUTED),
        (20 / 21, 3.0, 0.0, StrengthWord.STRONGLY_SUPPORTED),
        (1 / 21, 0.0, 3.0, StrengthWord.STRONGLY_REFUTED),
    ],
)
def test_a_strength_and_the_nats_on_both_sides_decide_the_word(
    strength: float, pro: float, con: float, word: StrengthWord
) -> None:
    assert strength_word(WeighingOutcome(strength, pro, con), Reasoning()) is word
    at_once = sides_of_outcomes(np.array([[strength], [pro], [con]]), Reasoning())
    assert at_once.tolist() == [side_of(word.value)]


@every_row(
    ("strength", "text"),
    [
        (0.61, "0.61"),
        (0.6, "0.60"),
        (0.5996, "just under 0.60"),
        (0.598, "just under 0.60"),
        (0.402, "just over 0.40"),
        (0.7461, "just under 0.75"),
        (0.953, "just over 0.95"),
        (0.9991, "1.00"),
        (0.5, "0.50"),
        (0.5299, "just under 0.53"),
        (0.471, "just over 0.47"),
        (0.47, "0.47"),
    ],
)
def test_a_number_is_rounded_on_its_side_of_a_bound(strength: float, text: str) -> None:
    assert render_strength(strength, Reasoning()) == text


def test_a_number_is_rounded_by_the_bounds_of_its_corpus() -> None:
    assert render_strength(0.5996, Reasoning(contested_below=0.55)) == "0.60"
    assert render_strength(0.6496, Reasoning(contested_below=0.65)) == "just under 0.65"


def test_no_strength_is_formatted_otherwise() -> None:
    """Except where no word stands beside it: in charts, and where a premise has fallen."""
    own_format = {"strength_words.py", "plots.py", "direct_reasons.py"}
    found = [
        f"{file.relative_to(ROOT)}: {ast.unparse(node.value)}"
        for file in SOURCES
        if file.name not in own_format
        for node in nodes_of(file)
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None
        if re.search(r"strengths?(\[.*\])?$", ast.unparse(node.value))
    ]
    assert found == [], "use `render_strength`, or `strength_in_table`"


def test_a_table_shows_a_strength_on_its_side_of_a_bound() -> None:
    strengths = [strength_in_table(strength) for strength in (0.61, 0.599994, 0.6, None)]
    assert strengths == ["0.610", "0.59999", "0.600", "–"]


@every_row(
    ("base", "strength", "openings", "word"),
    [
        (0.25, 0.25, (), "quality 0.25"),
        (0.25, 0.2501, (), "quality 0.25"),
        (0.55, 0.31, (), "quality 0.55, 0.31 after objections"),
        (0.4, 0.52, (), "quality 0.40, 0.52 with support"),
        (0.4, NAN, (), "not settled"),
        (0.6, 0.6, (1.0, 1.0), "quality 0.60"),
        (0.6, 0.6, (0.5,), "quality 0.60, 0.30 after objections"),
        (0.6, 0.6, (0.999,), "quality 0.60"),
        (0.6, 0.6, (1.0, 0.5), "quality 0.60, 0.30 on 1 of 2 links after objections"),
        (0.6, 0.6, (0.9, 0.5, 0.2), "quality 0.60, 0.12 to 0.54 after objections"),
        (0.6, 0.4, (0.5,), "quality 0.60, 0.20 after objections"),
        (0.6, 0.4, (1.0, 0.5), "quality 0.60, 0.40, 0.20 on 1 of 2 links after objections"),
        (0.6, 0.8, (0.5,), "quality 0.60, 0.80 with support, 0.40 after objections"),
    ],
)
def test_the_word_for_evidence_follows_from_base_strength_and_what_its_links_let_through(
    base: float, strength: float, openings: tuple[float, ...], word: str
) -> None:
    assert quality_phrase(base, strength, openings) == word


def test_a_word_says_whether_it_is_thin_or_strong() -> None:
    thin = {word.value for word in StrengthWord if word.is_thin}
    strong = {word.value for word in StrengthWord if word.is_strong}
    assert thin == {"thinly supported", "thinly refuted"}
    assert strong == {"strongly supported", "strongly refuted"}
