"""Counts agree with what is counted, and names are joined as in a sentence."""

from __future__ import annotations

from kg.text.plurals import (
    count_of,
    describe_rest,
    drop_plural_s,
    join_first,
    join_with_and,
    number_in_words,
    pluralize,
)
from tests.support.every_row import every_row


@every_row(
    ("count", "thing", "expected_output"),
    [
        (0, "claim", "0 claims"),
        (1, "query", "1 query"),
        (2, "query", "2 queries"),
        (3, "essay", "3 essays"),
        (2, "independent source", "2 independent sources"),
        (1200, "reply", "1,200 replies"),
    ],
)
def test_a_count_agrees_with_what_is_counted(count: int, thing: str, expected_output: str) -> None:
    assert pluralize(count, thing) == expected_output


def test_numbers_up_to_twelve_are_words() -> None:
    assert [*map(number_in_words, (0, 1, 12, 13))] == ["none", "one", "twelve", "13"]


def test_a_count_in_a_sentence_says_no_and_marks_thousands() -> None:
    counts = [count_of(0, "source"), count_of(1, "reply"), count_of(1200, "reply")]
    assert counts == ["no sources", "1 reply", "1,200 replies"]
    assert count_of(2, "piece of work", "pieces of work") == "2 pieces of work"


def test_the_last_of_several_names_comes_after_and() -> None:
    names = [(), ("A",), ("A", "B"), ("A", "B", "C")]
    assert [*map(join_with_and, names)] == ["", "A", "A and B", "A, B and C"]
    assert [join_first(["A", "B"], limit) for limit in (1, 2)] == ["A and 1 more", "A and B"]
    assert [describe_rest("AB", limit) for limit in (1, 2, None)] == ["… and 1 more", "", ""]


@every_row(
    ("word", "singular"),
    [
        ("studies", "studie"),
        ("nets", "net"),
        ("its", "its"),
        ("loss", "loss"),
        ("bus", "bus"),
        ("basis", "basis"),
        ("corpus", "corpus"),
        ("nap", "nap"),
    ],
)
def test_a_word_is_taken_without_the_s_of_its_plural(word: str, singular: str) -> None:
    assert drop_plural_s(word) == singular
