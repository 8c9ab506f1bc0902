"""The sureness of answers: what trials leave of a strength word, and how it is said."""

from __future__ import annotations

import re
from itertools import pairwise, product
from pathlib import Path

from kg.reasoning.strength_words import StrengthWord
from kg.reasoning.sureness_words import (
    LEANING,
    SURENESS,
    SurenessLimit,
    greatest_sureness,
    is_surer,
    sureness_after_trials,
    words_if_weighed_otherwise,
)
from tests.support.every_row import every_row


def test_a_word_is_surer_than_those_below_it_alone() -> None:
    words = ("undecided", LEANING, "perhaps", "probably", "very probably")
    for word, than in product(words, repeat=2):
        assert is_surer(word, than) is (words.index(word) > words.index(than))


@every_row(
    ("word", "fraction_kept", "rule", "fragile", "sturdy", "sureness"),
    [
        ("contested", 0.9, True, True, False, "undecided"),
        ("thinly supported", 1.0, True, False, False, "perhaps"),
        ("thinly supported", 1.0, False, True, False, "undecided, leaning towards"),
        ("leans refuted", 0.5, True, True, False, "perhaps"),
        ("leans refuted", 0.49, True, True, False, "undecided, leaning towards"),
        ("supported", 1.0, False, True, False, "undecided, leaning towards"),
        ("leans supported", 0.9, True, False, False, "probably"),
        ("supported", 0.9, True, True, False, "perhaps"),
        ("supported", 1.0, True, False, True, "probably"),
        ("strongly supported", 1.0, True, False, False, "probably"),
        ("strongly refuted", 1.0, True, False, True, "very probably"),
    ],
)
def test_an_answer_is_as_sure_as_trials_and_other_rules_leave_it(
    word: str, fraction_kept: float, rule: bool, fragile: bool, sturdy: bool, sureness: str
) -> None:
    sureness_word = sureness_after_trials(
        word, fraction_kept, does_rule_agree=rule, fragile=fragile, sturdy=sturdy
    )
    assert sureness_word == sureness


ROOT = Path(__file__).parents[2]


def test_the_words_of_sureness_are_explained_as_they_are_meant() -> None:
    text = (ROOT / "docs" / "how-strength-is-computed.md").read_text(encoding="utf-8")
    _, table = re.split(r"^\| word \| when ", text, maxsplit=1, flags=re.MULTILINE)
    rows = re.findall(r"^\| (.+) \| (.+) \|$", table, re.MULTILINE)
    assert [row for row in rows if row[0] in SURENESS][: len(SURENESS)] == [*SURENESS.items()]


def test_the_guide_for_readers_explains_every_word_the_least_sure_first() -> None:
    guide = (ROOT / "site" / "pages" / "how-to-read.md").read_text(encoding="utf-8")
    words = [
        word for word in re.findall(r"^\| (.+) \| .+ \|$", guide, re.MULTILINE) if word in SURENESS
    ]
    assert sorted(words) == sorted(SURENESS)
    assert all(is_surer(surer, word) for word, surer in pairwise(words))


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
    greatest = greatest_sureness(word)
    assert greatest.limit == limit
    assert bool(limit) == (greatest.word != "very probably")


@every_row("limit", [*SurenessLimit])
def test_a_limit_without_a_subject_becomes_a_clause_about_the_answer(limit: SurenessLimit) -> None:
    verb = re.match(r"hangs|turns|depends|(no surer)", limit)
    it = ("it is " if verb[1] else "it ") if verb else ""
    assert limit.clause == f"{it}{limit}"
    assert bool(limit.besides_strength) is (
        limit not in (SurenessLimit.NONE, SurenessLimit.TOO_LOW)
    )


def test_an_answer_of_which_only_the_strength_is_known_is_placed_no_farther_than_its_word() -> None:
    words = words_if_weighed_otherwise()
    assert words[StrengthWord.SUPPORTED] == (1, "probably")
    assert words[StrengthWord.LEANS_REFUTED] == (-1, "probably")
    assert words[StrengthWord.STRONGLY_SUPPORTED] == (1, "very probably")
    assert words[StrengthWord.THINLY_SUPPORTED] == (1, "perhaps")
    assert words[StrengthWord.CONTESTED] == (0, "undecided")
