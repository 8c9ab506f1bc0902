"""A corpus that was kept answers as one that is read, also where what was kept is damaged.

Of `kg/corpus/columns.py`, `kg/corpus/lazy_collections.py`, `kg/corpus/searched_texts.py`,
`kg/grouping.py`, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.vault import write_vault
from kg.corpus import Corpus
from kg.files.cache_files import SealedParts
from kg.loader import load_corpus, load_remembered
from kg.notes.notes_cache import notes_cache_file
from kg.queries.conditions import link_index
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse_query import parse_request
from kg.queries.support_groups import support_of
from tests.support.every_row import every_row

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
    "edges origin:joined",
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


@pytest.fixture(scope="module", autouse=True)
def _all_is_old() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18))
        yield


@pytest.fixture(scope="module")
def fresh(folder: Path) -> Corpus:
    return load_corpus(folder)


@pytest.fixture(scope="module")
def load_kept(folder: Path) -> Callable[[], Corpus]:
    """The corpus as it was kept, nothing of it read yet."""
    cache = notes_cache_file(folder)
    assert cache is not None
    for _ in range(2):
        load_remembered(folder, cache)
    return lambda: load_remembered(folder, cache)


def _answer(corpus: Corpus, question: str) -> str:
    answer = find(MemoryEngine(corpus), parse_request(question))
    if hasattr(answer, "to_json"):
        text = answer.to_json() + "\n" + answer.to_csv()
        edges = getattr(answer, "edges", ())
        return f"{text}{[edge.id for edge in edges]}{getattr(answer, 'why_empty', '')}"
    return str(answer if isinstance(answer, int) else answer.sizes().to_json())


@every_row("maximum", [0, 1000])
@every_row("question", QUESTIONS)
def test_answers_are_the_same(
    question: str,
    maximum: int,
    fresh: Corpus,
    load_kept: Callable[[], Corpus],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = _answer(fresh, question)
    monkeypatch.setattr("kg.queries.engines.engine.MAX_SINGLE_LOOKUPS", maximum)
    monkeypatch.setattr(link_index, "MAX_SINGLE_LOOKUPS", maximum)
    assert _answer(load_kept(), question) == expected


@every_row("question", QUESTIONS[::3])
def test_answers_are_the_same_whatever_is_damaged(
    question: str, fresh: Corpus, load_kept: Callable[[], Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _answer(fresh, question)
    whole_part = SealedParts.part
    for fine in range(1, 30):
        corpus, left = load_kept(), iter(range(fine))

        def part(of: SealedParts, number: int, left: Iterator[int] = left) -> bytes | None:
            return whole_part(of, number) if next(left, None) is not None else None

        with monkeypatch.context() as patch:
            patch.setattr(SealedParts, "part", part)
            assert _answer(corpus, question) == expected
        if next(left, None) is not None:  # no more parts are read than were fine
            return
    pytest.fail("more parts are read than were tried")


def test_every_record_and_index_is_the_same(fresh: Corpus, load_kept: Callable[[], Corpus]) -> None:
    corpus = load_kept()
    for name in (
        "edges_from",
        "edges_to",
        "edges_with",
        "edges_by_relation",
        "statements_citing",
        "topics",
    ):
        assert {**getattr(corpus, name)} == {**getattr(fresh, name)}
    assert {**corpus.about} == {**fresh.about}
    assert {**corpus.default_camps} == {**fresh.default_camps}
    assert corpus.edges_by_id == fresh.edges_by_id
    assert list(corpus.statements.items()) == list(fresh.statements.items())
    assert corpus.edges == fresh.edges
    assert "nothing" not in corpus.statements
    assert corpus.statements.get("nothing") is None
    assert corpus.edges_to.get("nothing", ()) == ()
    for id in fresh.statements:
        assert support_of(corpus, id) == support_of(fresh, id)
