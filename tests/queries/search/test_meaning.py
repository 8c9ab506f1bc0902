"""Search by meaning: other words for the same thing are found."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import kg
from kg.corpus import Corpus
from kg.files.read import NotesFolder
from kg.files.state import state_folder
from kg.queries.conditions.fields import Sort
from kg.queries.search.meaning import Encoder, meaning_index
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
