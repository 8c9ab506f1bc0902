"""The sureness of answers: what trials leave of a strength word, and how it is said."""

from __future__ import annotations

import re
from itertools import pairwise, product
from pathlib import Path

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.strength_words import StrengthWord, side_of
from kg.reasoning.sureness_words import (
    SCALE_WORDS,
    SURENESS_MEANINGS,
    Sureness,
    SurenessLimit,
    answer_phrase,
    bound_barely_passed,
    bounded_phrase,
    describe_limits,
    describe_undecided,
    greatest_sureness,
    held_strength,
    is_held_back,
    is_surer,
    is_undecided,
    remark_if_held_back,
    sureness_after_trials,
    words_if_weighed_otherwise,
)
from tests.support.every_row import every_row


def test_a_word_is_surer_than_those_below_it_alone() -> None:
    words = ("undecided", Sureness.UNDECIDED_WITH_LEAD, "perhaps", "probably", "very probably")
    for word, than in product(words, repeat=2):
        assert is_surer(word, than) is (words.index(word) > words.index(than))
    assert [word.steps for word in Sureness] == [0, 0, 0, 1, 2, 3]


def test_the_words_of_a_scale_are_those_of_its_sides_about_the_middle() -> None:
    assert " | ".join(SCALE_WORDS) == (
        "very probably not | probably not | perhaps not | undecided | perhaps | probably"
        " | very probably"
    )


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
    assert [row for row in rows if row[0] in SURENESS_MEANINGS][: len(SURENESS_MEANINGS)] == [
        *SURENESS_MEANINGS.items()
    ]


def test_the_guide_for_readers_explains_every_word_the_least_sure_first() -> None:
    guide = (ROOT / "site" / "pages" / "how-to-read.md").read_text(encoding="utf-8")
    words = [
        word
        for word in re.findall(r"^\| (.+) \| .+ \|$", guide, re.MULTILINE)
        if word in SURENESS_MEANINGS
    ]
    assert sorted(words) == sorted(SURENESS_MEANINGS)
    assert all(is_surer(surer, word) for word, surer in pairwise(words))


@every_row(
    ("word", "limit"),
    [
        ("open", "too little evidence"),
        ("contested", "reasons on both sides"),
        ("thinly refuted", "the reasons are thin"),
        ("leans supported", "strength too low"),
        ("refuted", "strength too low"),
        ("strongly supported", ""),
    ],
)
def test_a_word_says_why_it_lets_nobody_be_surer(word: str, limit: str) -> None:
    greatest = greatest_sureness(word)
    assert greatest.limit == limit
    assert bool(limit) == (greatest.sureness != "very probably")


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


@every_row(
    ("word", "sureness", "phrase"),
    [
        ("supported", "probably", "probably"),
        ("refuted", "probably", "probably not"),
        ("supported", Sureness.UNDECIDED_WITH_LEAD, "undecided, leaning towards yes"),
        ("refuted", Sureness.UNDECIDED_WITH_LEAD, "undecided, leaning towards no"),
        ("contested", "undecided", "undecided"),
        ("quality 0.60", "", "quality 0.60"),
        ("quality 0.60", None, "quality 0.60"),
        ("strongly refuted", None, "very probably not"),
        ("thinly supported", None, "perhaps"),
        ("open", None, "undecided"),
    ],
)
def test_a_sureness_is_read_with_its_side(word: str, sureness: str | None, phrase: str) -> None:
    assert answer_phrase(word, sureness) == phrase


@every_row(
    ("word", "sureness", "phrase"),
    [
        ("supported", "perhaps", "perhaps"),
        ("supported", "", "at most probably"),
        ("thinly refuted", "", "at most perhaps not"),
        ("open", "", "undecided"),
        ("quality 0.60", "", "quality 0.60"),
    ],
)
def test_an_answer_that_was_not_tried_is_at_most_as_sure(
    word: str, sureness: str, phrase: str
) -> None:
    assert bounded_phrase(word, Sureness(sureness)) == phrase


BOUNDS = Reasoning(even_within=0.03, contested_below=0.6, strong_from=0.9, open_below=0.25)


@every_row(
    ("sureness", "word", "strength", "place"),
    [
        ("perhaps", "supported", 0.9, 0.6),
        ("perhaps", "refuted", 0.1, 0.4),
        ("perhaps", "leans supported", 0.58, 0.58),
        ("probably", "strongly supported", 0.97, 0.9),
        ("very probably", "strongly supported", 0.97, 0.97),
        ("undecided", "supported", 0.9, 0.53),
        (Sureness.UNDECIDED_WITH_LEAD, "refuted", 0.1, 0.47),
        ("undecided", "contested", 0.58, 0.58),
        ("", "quality 0.90", 0.9, 0.9),
    ],
)
def test_an_answer_stands_no_farther_out_than_its_sureness_reaches(
    sureness: str, word: str, strength: float, place: float
) -> None:
    assert held_strength(sureness, side_of(word), strength, BOUNDS) == pytest.approx(place)
    held_back = place != strength
    assert is_held_back(strength, place) is held_back
    assert remark_if_held_back(strength, place) == " by the weights alone" * held_back


def test_what_has_no_strength_or_none_visibly_other_is_not_held_back() -> None:
    assert not is_held_back(None, 0.5)
    assert not is_held_back(0.5, None)
    assert not is_held_back(0.604, 0.6)
    assert is_held_back(0.62, 0.6)


@every_row(
    ("sureness", "strength", "con", "bound"),
    [
        ("very probably", 0.905, 0.0, 0.9),
        ("very probably", 0.9, 0.0, 0.9),
        ("very probably", 0.96, 0.0, None),
        ("very probably", 0.89, 0.0, None),
        ("very probably", 0.095, 0.0, 0.1),
        ("probably", 0.605, 0.0, 0.6),
        ("perhaps", 0.605, 0.3, 0.6),
        ("perhaps", 0.605, 0.25, 0.6),
        ("perhaps", 0.605, 0.0, None),
        ("perhaps", 0.535, 0.0, 0.53),
        (Sureness.UNDECIDED_WITH_LEAD, 0.465, 0.0, 0.47),
        ("undecided", 0.535, 0.0, None),
    ],
)
def test_a_bound_that_an_answer_barely_passes_is_found(
    sureness: str, strength: float, con: float, bound: float | None
) -> None:
    passed_bound = bound_barely_passed(sureness, strength, 0.9, con, BOUNDS)
    assert passed_bound == (None if bound is None else pytest.approx(bound))


def test_only_weight_on_both_sides_is_said_of_an_undecided_answer() -> None:
    assert describe_undecided("contested") == "undecided, reasons on both sides"
    assert describe_undecided("open") == describe_undecided("evenly balanced") == "undecided"
    assert [word for word in SURENESS_MEANINGS if is_undecided(word)] == [
        "undecided",
        Sureness.UNDECIDED_WITH_LEAD,
    ]


RULES, CHECK = SurenessLimit.RULE_OPPOSED, SurenessLimit.CHECK_OPPOSED


@every_row(
    ("limit", "side", "words", "label", "clause"),
    [
        (SurenessLimit.ONE_SOURCE, 1, [], "undecided", "it depends on one source"),
        (SurenessLimit.ONE_SOURCE, 0, [], "undecided", ""),
        (SurenessLimit.TOO_LOW, 1, [], "undecided", ""),
        (CHECK, 1, ["supported"], "out", "a stricter check, in which no weights count, "
         "decides against it: nobody denies x"),
        (CHECK, -1, ["refuted"], "in", "a stricter check, in which no weights count, "
         "lets it stand: nobody denies x"),
        (RULES, 1, ["refuted", "supported"], "in", "one of the three other rules of "
         "weighing says the opposite"),
        (RULES, -1, ["supported", "open"], "undecided",
         "one of the three other rules of weighing leaves it undecided"
         " and one says the opposite"),
        (RULES, 1, ["open", "contested"], "undecided",
         "two of the three other rules of weighing leave it undecided"),
        (RULES, 1, ["refuted", "open"], "out", "one of the three other rules of weighing leaves it"
         " undecided and two say the opposite"),
    ],
)  # fmt: skip
def test_a_limit_is_described_with_how_many_other_rules_differ(
    limit: SurenessLimit, side: int, words: list[str], label: str, clause: str
) -> None:
    names = dict(zip("abc", words, strict=False))
    others = (SurenessLimit.TOO_LOW, limit)
    assert describe_limits(others, side, 0.9, names, label, "nobody denies x") == (
        (clause,) if clause else ()
    )


@every_row(
    ("fraction_kept", "times"),
    [(0.4, "40 times"), (0.011, "1 time"), (0.001, "1 time"), (0.0, "0 times")],
)
def test_how_often_an_answer_stands_in_trials_is_never_rounded_to_nought(
    fraction_kept: float, times: str
) -> None:
    (clause,) = describe_limits([SurenessLimit.TRIALS], 1, fraction_kept, {}, "in", "")
    assert clause.endswith(f"it stands only {times} in 100")
