from __future__ import annotations

from kg.publish.build.search.stems import MAX_WORD_LETTERS, find_words, is_term, stem
from tests.support.every_row import every_row


@every_row(
    ("word", "expected"),
    [
        # From the vocabulary that the algorithm's author gives.
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("politics", "politic"),
        ("political", "politic"),
        ("personality", "personalit"),
        ("personalities", "personalit"),
        ("personal", "person"),
        ("politeness", "polit"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("vietnamization", "vietnam"),
        ("triplicate", "triplic"),
        ("hopefulness", "hope"),
        ("revival", "reviv"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("controlling", "control"),
        ("rate", "rate"),
        ("yes", "ye"),
        ("ai", "ai"),
        ("gpt4", "gpt4"),
        ("größes", "größes"),
        ("v2s", "v2s"),
        ("as", "as"),
        ("asks", "ask"),
    ],
)
def test_words_are_cut_to_their_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_words_are_without_case_accents_and_punctuation() -> None:
    assert find_words("Naïve GPT-4’s “Café”_x") == ["naive", "gpt", "4", "s", "cafe", "x"]
    assert [word for word in ("the", "s", "4", "ai", "not") if is_term(word)] == ["4", "ai"]


def test_a_very_long_word_is_indexed_by_its_beginning() -> None:
    assert find_words("a" * 80_000 + " é" + "b" * 70) == [
        "a" * MAX_WORD_LETTERS,
        "e" + "b" * (MAX_WORD_LETTERS - 1),
    ]
