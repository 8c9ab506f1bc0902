"""Standings on pages agree with the reasoning they come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import reasoning
from kg.loader import load_corpus
from kg.publish.context import strengths
from kg.publish.context.strengths import CorpusStrengths
from kg.reasoning.solver.strength import find_solution

NOTES = Path(__file__).parents[3] / "notes"


@pytest.fixture(scope="module")
def scales() -> CorpusStrengths:
    return CorpusStrengths(load_corpus(NOTES))


def test_words_and_weights_are_those_of_the_verdict(scales: CorpusStrengths) -> None:
    for line in scales.corpus.lines.values():
        if line.proposition is None:
            continue
        verdict, standing = scales.verdict(line.id), scales.of(line.proposition)
        assert verdict is not None
        assert standing.word == verdict.word
        assert standing.strength == pytest.approx(verdict.strength, abs=1e-5)
        assert (standing.pro, standing.con) == pytest.approx(
            (verdict.balance.pro, verdict.balance.con), abs=1e-5
        )


def test_a_verdict_is_the_same_whatever_was_asked_before() -> None:
    """Pages are kept where it is, to the byte, and builds ask in different orders."""
    corpus = load_corpus(NOTES)
    line = next(line.id for line in corpus.lines.values() if line.proposition)
    first, later = CorpusStrengths(corpus), CorpusStrengths(corpus)
    assert find_solution(first.reading.graph) is not None
    later.flips(line)
    assert first.verdict(line) == later.verdict(line)


def test_shares_of_reasons_are_those_that_the_verdict_adds_up(scales: CorpusStrengths) -> None:
    line = next(line for line in scales.corpus.lines.values() if line.proposition)
    verdict = scales.verdict(line.id)
    assert verdict is not None
    for reason in verdict.reasons:
        assert scales.share(reason.edge) == pytest.approx(reason.share, abs=1e-5)


def test_a_fall_is_the_strength_without_the_source(scales: CorpusStrengths) -> None:
    line = next(line for line in scales.corpus.lines.values() if line.proposition)
    effect = next(
        e for e in reasoning.sources(scales.corpus, line.id).effects if e.effect and e.sources
    )
    fall = next(fall for fall in scales.falls(effect.sources[0]) if fall.line == line.id)
    assert (fall.after, fall.undoes) == (effect.strength, effect.undoes)
    assert fall.sources == effect.sources


def test_where_too_much_bears_on_a_line_nothing_costly_is_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strengths, "SEARCH_LIMIT", 1)
    monkeypatch.setattr(strengths, "VERDICT_LIMIT", 1)
    scales = CorpusStrengths(load_corpus(NOTES))
    line = next(iter(scales.corpus.lines))
    assert (
        scales.verdict(line)
        is scales.cruxes(line)
        is scales.flips(line)
        is scales.sources(line)
        is None
    )
    assert scales.tensions is scales.gaps is None
    assert scales.of(next(iter(scales.corpus.statements))).word
