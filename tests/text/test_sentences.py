"""Where sentences end."""

from __future__ import annotations

from itertools import accumulate

from kg.text.sentences import first_sentence, quote_title, sentence_starts, split_sentences
from tests.support.every_row import every_row


@every_row(
    ("text", "sentences"),
    [
        ("", [""]),
        ("It rests. It wakes?  So.", ["It rests. ", "It wakes?  ", "So."]),
        (
            "“It rests.” [[naps]] help! *So* ends.",
            ["“It rests.” ", "[[naps]] help! ", "*So* ends."],
        ),
        ("See p. 4, e.g. sleep.", ["See p. 4, e.g. sleep."]),
        ("Es ruht. Über ihm", ["Es ruht. ", "Über ihm"]),
    ],
)
def test_a_sentence_ends_before_a_capital_or_a_mark_that_opens(
    text: str, sentences: list[str]
) -> None:
    assert split_sentences(text) == sentences
    assert first_sentence(text) == sentences[0].rstrip()
    ends = [*accumulate(map(len, sentences))]
    assert [*sentence_starts(text)] == ends[:-1]
    assert [*sentence_starts(text, stop=ends[0])] == []


def test_a_title_is_quoted_without_its_closing_punctuation() -> None:
    assert quote_title("Does it help?") == "“Does it help”"
