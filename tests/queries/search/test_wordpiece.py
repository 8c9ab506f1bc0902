"""Word pieces: the longest that is known, first."""

from __future__ import annotations

import pytest

from kg.queries.search.meaning import Vocabulary, words

PIECES = ("[CLS]", "[SEP]", "[UNK]", "ground", "##ing", "##s", "talk", "a", "##t", ".", "cafe")
KNOWN = Vocabulary({piece: number for number, piece in enumerate(PIECES)})


def pieces(text: str, most: int = 20) -> list[str]:
    return [PIECES[number] for number in KNOWN.number(text, most)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Talk grounds.", ["talk", "ground", "##s", "."]),
        ("grounding at", ["ground", "##ing", "a", "##t"]),
        ("CAFÉ", ["cafe"]),
        ("groundx talk", ["[UNK]", "talk"]),
        ("a" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_pieces(text: str, expected: list[str]) -> None:
    assert pieces(text) == ["[CLS]", *expected, "[SEP]"]


def test_a_long_text_is_cut() -> None:
    assert pieces("talk " * 50, most=4) == ["[CLS]", "talk", "talk", "[SEP]"]


def test_words() -> None:
    assert list(words("It's\u200b 45% 中文")) == ["it", "'", "s", "45", "%", "中", "文"]
