"""Misspelled names find the ones that were meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text import spelling
from kg.text.spelling import BoundedNameSearch, most_similar_name, similar_names, word_within_slips
from tests.support.every_row import every_row

NAMES = ["grounding-is-earned", "grounding-is-learned", "rewards", "x", "Ünicode-names"]


def test_the_closest_name_comes_first() -> None:
    assert similar_names("grounding-is-earnd", NAMES) == tuple(NAMES[:2])
    assert similar_names("grounding-is-earnd", NAMES, limit=1) == tuple(NAMES[:1])
    assert similar_names("unicode-names", NAMES) == ("Ünicode-names",)
    assert similar_names("learned", NAMES) == ("grounding-is-learned",)
    assert similar_names("quite different", NAMES) == ()
    assert similar_names("", NAMES) == ()


def test_no_more_are_looked_for_than_the_bound_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelling, "MAX_PAIRS_COMPARED", 10)
    monkeypatch.setattr(spelling, "FEWEST_LOOKED_FOR", 1)
    requests = []

    def look(expected: str) -> tuple[str, ...]:
        requests.append(expected)
        return similar_names(expected, NAMES)

    near = BoundedNameSearch(look, len(NAMES))
    assert near.nearest("rewrads") == ("rewards",)
    assert near.nearest("quite different") == ()
    assert near.nearest("rewarsd") is None
    assert near.nearest("rewrads") == ("rewards",)  # known already
    assert requests == ["rewrads", "quite different"]
    assert BoundedNameSearch(look, 1000).nearest("rewrads") == ("rewards",)  # one in any case


def test_names_have_to_share_as_many_letters_as_is_said() -> None:
    assert most_similar_name("rewrad", NAMES) == "rewards"
    assert most_similar_name("rewrad", NAMES, 0.9) is None
    assert most_similar_name("rewards", NAMES, 1.0) == "rewards"


@given(st.lists(st.text("abc-", min_size=1, max_size=12), max_size=8), st.text("abc-", max_size=12))
def test_only_known_names_are_suggested(names: list[str], expected: str) -> None:
    suggestions = similar_names(expected, names)
    assert set(suggestions) <= set(names)
    assert len(suggestions) <= 3


@given(st.lists(st.text("abc-", min_size=1, max_size=12), min_size=1, max_size=8))
def test_a_known_name_is_suggested_first(names: list[str]) -> None:
    assert similar_names(names[0], names)[0] == names[0]


def test_a_word_is_corrected_by_few_slips() -> None:
    known = [("reward", 9), ("rewrite", 2), ("ground", 4), ("grounding", 5), ("an", 70)]
    assert word_within_slips("rewrad", known) == "reward"
    assert word_within_slips("groundng", known) == "grounding"
    assert word_within_slips("grundng", known) == "grounding"
    assert word_within_slips("grnd", known) is None  # two slips, in a short word
    assert word_within_slips("xyz", known) is None
    assert word_within_slips("elephant", known) is None


@every_row("short", ["cat", "ab"])
def test_a_word_of_up_to_three_letters_is_not_corrected(short: str) -> None:
    """So short a word has neighbours that have nothing to do with it."""
    assert word_within_slips(short, [("cart", 9), ("bat", 9), ("abc", 9), ("act", 9)]) is None
    assert word_within_slips("cats", [("cat", 9)]) == "cat"  # but one may have been meant


def test_of_words_as_near_the_first_letter_decides_then_how_frequent_they_are() -> None:
    assert word_within_slips("cold", [("bold", 9), ("colt", 1)]) == "colt"
    assert word_within_slips("cold", [("colt", 1), ("cord", 2)]) == "cord"
    assert word_within_slips("cold", [("cord", 2), ("colt", 2)]) == "colt"
