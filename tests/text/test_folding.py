"""Names that differ in case, accents or signs are compared as one."""

from __future__ import annotations

from kg.text.folding import compose_accents, fold_name, fold_title, folded_words
from tests.support.every_row import every_row


@every_row(
    ("text", "words"),
    [
        ("Naps: 2 of_3!", ["naps", "2", "of", "3"]),
        ("CAFÉ cafe\u0301", ["café", "café"]),
        ("Straße", ["strasse"]),
        ("हिन्दी", ["हिन्दी"]),  # with combining marks
        ("— …", []),
    ],
)
def test_words_are_letters_digits_and_marks(text: str, words: list[str]) -> None:
    assert folded_words(text) == words
    assert fold_title(text) == " ".join(words)


def test_names_differ_in_their_signs_but_not_in_case_or_in_how_accents_are_written() -> None:
    assert fold_name("Cafe\u0301.md") == fold_name("CAFÉ.md") == "café.md"
    assert fold_name("a-b") != fold_name("a b")
    assert (compose_accents("A"), compose_accents("e\u0301")) == ("A", "é")
