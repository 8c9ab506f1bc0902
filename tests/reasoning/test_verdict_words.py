"""Strengths beside their words: as many places as show on which side of a bound they are."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.verdict_words import (
    LEANING,
    SURENESS,
    Outcome,
    Word,
    WordLimit,
    is_surer,
    limit_of_word,
    render_strength,
    side_of,
    sides_of_outcomes,
    strength_in_table,
    sureness_cap,
    sureness_word,
    word_for,
    words_if_weighed_otherwise,
)
from tests.support.every_row import every_row

NAN = float("nan")


def test_a_word_is_surer_than_those_below_it_alone() -> None:
    words = ("undecided", LEANING, "perhaps", "probably", "very probably")
    for word, than in product(words, repeat=2):
        assert is_surer(word, than) is (words.index(word) > words.index(than))


@every_row(
    ("strength", "pro", "con", "word"),
    [
        (NAN, 5.0, 5.0, Word.UNSETTLED),
        (0.90, 0.24, 0.24, Word.OPEN),  # neither side has the .25 nats that an answer takes
        (0.90, 0.25, 0.00, Word.SUPPORTED),  # one side is enough
        (0.10, 0.00, 0.25, Word.REFUTED),
        (0.471, 1.0, 1.0, Word.EVEN),  # within .03 of the middle
        (0.529, 1.0, 1.0, Word.EVEN),
        (0.47, 1.0, 1.0, Word.CONTESTED),
        (0.53, 1.0, 1.0, Word.CONTESTED),
        (0.599, 1.0, 0.25, Word.CONTESTED),  # weight on both sides
        (0.599, 1.0, 0.24, Word.THINLY_SUPPORTED),  # on one alone
        (0.401, 0.25, 1.0, Word.CONTESTED),
        (0.401, 0.24, 1.0, Word.THINLY_REFUTED),
        (0.60, 1.0, 1.0, Word.LEANS_SUPPORTED),
        (0.60 - 1e-9, 1.0, 1.0, Word.LEANS_SUPPORTED),  # a difference of rounding is none
        (0.40, 1.0, 1.0, Word.LEANS_REFUTED),
        (0.749, 1.0, 0.0, Word.LEANS_SUPPORTED),
        (0.251, 0.0, 1.0, Word.LEANS_REFUTED),
        (0.75, 1.0, 0.0, Word.SUPPORTED),
        (0.25, 0.0, 1.0, Word.REFUTED),
        (0.952, 3.0, 0.0, Word.SUPPORTED),  # 20 to 1 is .95238
        (0.048, 0.0, 3.0, Word.REFUTED),
        (20 / 21, 3.0, 0.0, Word.STRONGLY_SUPPORTED),
        (1 / 21, 0.0, 3.0, Word.STRONGLY_REFUTED),
    ],
)
def test_a_strength_and_the_nats_on_both_sides_decide_the_word(
    strength: float, pro: float, con: float, word: Word
) -> None:
    assert word_for(Outcome(strength, pro, con), Reasoning()) is word
    at_once = sides_of_outcomes(np.array([[strength], [pro], [con]]), Reasoning())
    assert at_once.tolist() == [side_of(word.value)]


@every_row(
    ("strength", "said"),
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
    ],
)
def test_a_number_is_told_on_its_side_of_a_bound(strength: float, said: str) -> None:
    assert render_strength(strength, Reasoning()) == said


def test_a_table_shows_a_strength_on_its_side_of_a_bound() -> None:
    shown = [strength_in_table(strength) for strength in (0.61, 0.599994, 0.6, None)]
    assert shown == ["0.610", "0.59999", "0.600", "–"]


@every_row(
    ("word", "kept", "fragile", "sturdy", "said"),
    [
        ("contested", 0.9, True, False, "undecided"),
        ("thinly supported", 1.0, False, False, "perhaps"),
        ("leans refuted", 0.5, True, False, "perhaps"),
        ("leans refuted", 0.49, True, False, "undecided, leaning towards"),
        ("leans supported", 0.9, False, False, "probably"),
        ("supported", 0.9, True, False, "perhaps"),
        ("supported", 1.0, False, True, "probably"),
        ("strongly supported", 1.0, False, False, "probably"),
        ("strongly refuted", 1.0, False, True, "very probably"),
    ],
)
def test_an_answer_is_said_as_surely_as_it_stands(
    word: str, kept: float, fragile: bool, sturdy: bool, said: str
) -> None:
    assert sureness_word(word, kept, fragile, sturdy) == said


@every_row("page", ["docs/how-strength-is-computed.md", "site/pages/how-to-read.md"])
def test_the_words_of_sureness_are_explained_as_they_are_meant(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    _, told = re.split(r"^\| word \| when ", text, maxsplit=1, flags=re.MULTILINE | re.IGNORECASE)
    rows = re.findall(r"^\| (.+) \| (.+) \|$", told, re.MULTILINE)
    assert [row for row in rows if row[0] in SURENESS][: len(SURENESS)] == [*SURENESS.items()]


@every_row(
    ("word", "limit"),
    [
        ("open", "little bears on it"),
        ("contested", "weight on both sides"),
        ("thinly refuted", "the reasons are thin"),
        ("leans supported", "strength too low"),
        ("refuted", "strength too low"),
        ("strongly supported", ""),
    ],
)
def test_a_word_says_why_it_lets_nobody_be_surer(word: str, limit: str) -> None:
    assert limit_of_word(word) == limit
    assert bool(limit) == (sureness_cap(word) != "very probably")


@every_row("limit", [*WordLimit])
def test_a_limit_without_a_subject_becomes_a_clause_about_the_answer(limit: WordLimit) -> None:
    verb = re.match(r"hangs|turns|depends|(no surer)", limit)
    it = ("it is " if verb[1] else "it ") if verb else ""
    assert limit.clause == f"{it}{limit}"
    assert bool(limit.besides_strength) is (limit not in (WordLimit.NONE, WordLimit.TOO_LOW))


def test_an_answer_of_which_only_the_strength_is_known_is_placed_no_farther_than_its_word() -> None:
    words = words_if_weighed_otherwise("perhaps")
    assert words[Word.SUPPORTED] == (1, "probably", "perhaps")
    assert words[Word.LEANS_REFUTED] == (-1, "probably", "perhaps")
    assert words[Word.THINLY_SUPPORTED] == (1, "perhaps", "perhaps")
    assert words[Word.CONTESTED] == (0, "undecided", "undecided")
    assert words_if_weighed_otherwise("")[Word.STRONGLY_SUPPORTED][1:] == ("very probably",) * 2
