"""A corpus that was kept answers as one that is read, also where what was kept is damaged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.vault import write_vault
from kg.corpus import Corpus
from kg.files.state import SealedParts
from kg.loader import load_corpus, load_remembered
from kg.notes.cache import notes_cache_file
from kg.queries.conditions import link_index
from kg.queries.conditions.support_groups import support_of
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse import parse_question

JOINED = """---
type: evidence
method: survey
camp: skeptic
---

# What several premises say  of
REWARD together

Ünder a break. [@source1]

- supports:: [[note-000000]] with:: [[note-000005]] — so
- contradicts:: [[note-000005]] (mutual:: true) — both ways
- undercuts:: [[note-000003#^found]] — not so
- same-as:: [[note-000003]]
"""
QUESTIONS = (
    "camp:skeptic",
    "camp:skeptic claims sort:title limit:3",
    "reward of",
    '"of reward"',
    "ünder",
    "nothingatall",
    "-reward claims",
    "evidence method:survey,experiment sort:-sample",
    "sample:100..2000",
    "topic:grounding",
    "year:2020..",
    "source:source1",
    "contradicts:note-000005",
    "contradicted_by:note-000005",
    "supports:(camp:skeptic)",
    "supported_by:(evidence)",
    "supported_by:*",
    "undercuts:*",
    "undercut_by:*",
    "part_of:note-000003",
    "reaching:note-000000",
    "line:line-0000 group:camp,line",
    "claims group:method mean:sample",
    "edges relation:supports reason:*",
    "edges from:joined",
    "sources cited_by:joined",
    "lines places:(camp:skeptic)",
    "claims studies:1..2",
    "supporters:2..",
    "created:2026-01-12 count:yes",
    "concerns:* OR independence:*",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    notes = write_vault(tmp_path_factory.mktemp("corpus") / "notes", 60)
    (notes / "joined.md").write_text(JOINED, "utf-8")
    for place in notes.rglob("*"):
        os.utime(place, ns=(1, 1))
    return notes


@pytest.fixture(autouse=True)
def _all_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.files.read.COARSEST_CLOCK", -(10**18))


def _kept(folder: Path) -> Corpus:
    cache = notes_cache_file(folder)
    assert cache is not None
    return [load_remembered(folder, cache) for _ in range(3)][-1]


def _answer(corpus: Corpus, question: str) -> str:
    found = find(MemoryEngine(corpus), parse_question(question))
    if hasattr(found, "to_json"):
        told = found.to_json() + "\n" + found.to_csv()
        edges = getattr(found, "edges", ())
        return f"{told}{[edge.id for edge in edges]}{getattr(found, 'why_empty', '')}"
    return str(found if isinstance(found, int) else found.sizes().to_json())


@pytest.mark.parametrize("most", [0, 1000])
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_the_same(
    question: str, most: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = _answer(load_corpus(folder), question)
    monkeypatch.setattr("kg.queries.engines.engine.MAX_ASKED_APART", most)
    monkeypatch.setattr(link_index, "MAX_ASKED_APART", most)
    assert _answer(_kept(folder), question) == fresh


@pytest.mark.parametrize("question", QUESTIONS[::3])
def test_answers_are_the_same_whatever_is_damaged(
    question: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = _answer(load_corpus(folder), question)
    whole = SealedParts.part
    for fine in range(1, 12):
        corpus, left = _kept(folder), iter(range(fine))

        def part(of: SealedParts, number: int, left: Iterator[int] = left) -> bytes | None:
            return whole(of, number) if next(left, None) is not None else None

        with monkeypatch.context() as patch:
            patch.setattr(SealedParts, "part", part)
            assert _answer(corpus, question) == fresh


def test_every_record_and_index_is_the_same(folder: Path) -> None:
    fresh, kept = load_corpus(folder), _kept(folder)
    for name in ("edges_from", "edges_to", "edges_with", "edges_by_relation", "citing", "topics"):
        assert {**getattr(kept, name)} == {**getattr(fresh, name)}
    assert {**kept.about} == {**fresh.about}
    assert {**kept.default_camps} == {**fresh.default_camps}
    assert kept.edges_by_id == fresh.edges_by_id
    assert list(kept.statements.items()) == list(fresh.statements.items())
    assert kept.edges == fresh.edges
    assert "nothing" not in kept.statements
    assert kept.statements.get("nothing") is None
    assert kept.edges_to.get("nothing", ()) == ()
    for id in fresh.statements:
        assert support_of(kept, id) == support_of(fresh, id)
