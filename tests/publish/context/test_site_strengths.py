"""Standings on pages agree with the reasoning they come from.

Of `kg/publish/context/standings.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import reasoning
from kg.loader import load_corpus
from kg.publish.context import site_strengths as module
from kg.publish.context.site_strengths import SiteStrengths
from kg.reasoning.solution import solution_of
from tests.support.own import NOTES

GOLDEN_NOTES = Path(__file__).parents[1] / "golden/notes"


@pytest.fixture(scope="module")
def strengths() -> SiteStrengths:
    return SiteStrengths(load_corpus(GOLDEN_NOTES))


def test_words_and_weights_are_those_of_the_verdict(strengths: SiteStrengths) -> None:
    assert len({strengths.of(claim.id).word for claim in strengths.corpus.claims}) > 2
    for claim in strengths.corpus.claims:
        verdict = reasoning.verdict(strengths.corpus, claim.id)
        standing = strengths.of(claim.id)
        assert standing.word == verdict.word
        assert standing.strength == pytest.approx(verdict.strength, abs=1e-5)
        assert (standing.pro, standing.con) == pytest.approx(
            (verdict.balance.pro, verdict.balance.con), abs=1e-5
        )


def test_a_verdict_is_the_same_whatever_was_asked_before() -> None:
    """Pages are kept where it is, to the byte, and builds ask in different orders."""
    corpus = load_corpus(NOTES)
    line = next(line.id for line in corpus.lines.values() if line.proposition)
    first, later = SiteStrengths(corpus), SiteStrengths(corpus)
    assert solution_of.recall(first.reading.graph) is not None
    later.flips(line)
    assert first.verdict(line) == later.verdict(line)


def test_shares_of_reasons_are_those_that_the_verdict_adds_up(
    strengths: SiteStrengths,
) -> None:
    line = next(line for line in strengths.corpus.lines.values() if line.proposition)
    verdict = strengths.verdict(line.id)
    assert verdict is not None
    for reason in verdict.reasons:
        assert strengths.share(reason.edge) == pytest.approx(reason.share, abs=1e-5)


def test_the_fall_of_a_source_leaves_the_strength_that_independence_reports() -> None:
    strengths = SiteStrengths(load_corpus(GOLDEN_NOTES))
    line = next(line for line in strengths.corpus.lines.values() if line.proposition)
    found = reasoning.independence(strengths.corpus, line.id).effects
    effects = [each for each in found if each.effect and each.sources]
    assert len(effects) > 3
    for effect in effects:
        fall = next(fall for fall in strengths.falls(effect.sources[0]) if fall.line_id == line.id)
        assert (fall.after, fall.undoes) == (effect.strength, effect.undoes)
        assert fall.sources == effect.sources


def test_beyond_the_limits_no_verdict_crux_or_flip_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SEARCH_LIMIT", 1)
    monkeypatch.setattr(module, "VERDICT_LIMIT", 1)
    strengths = SiteStrengths(load_corpus(NOTES))
    line = next(iter(strengths.corpus.lines))
    assert (
        strengths.verdict(line)
        is strengths.cruxes(line)
        is strengths.flips(line)
        is strengths.sources(line)
        is None
    )
    assert strengths.tensions is strengths.gaps is None
    assert strengths.of(next(iter(strengths.corpus.statements))).word
