"""Answers of lines on pages agree with the reasoning they come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import reasoning
from kg.loader import load_corpus
from kg.publish.context import site_answers, site_standings
from kg.publish.context.site_answers import SiteAnswers
from kg.publish.context.site_standings import SiteStandings
from kg.reasoning.solution import solution_of
from tests.support.own import NOTES

GOLDEN_NOTES = Path(__file__).parents[1] / "golden/notes"


def test_a_verdict_is_the_same_whatever_was_asked_before() -> None:
    """Pages are kept where it is, to the byte, and builds ask in different orders."""
    corpus = load_corpus(NOTES)
    line = next(line.id for line in corpus.lines.values() if line.proposition)
    standings = SiteStandings(corpus)
    first, later = SiteAnswers(standings), SiteAnswers(SiteStandings(corpus))
    assert solution_of.recall(standings.reading.graph) is not None
    later.flips(line)
    assert first.verdict(line) == later.verdict(line)


def test_shares_of_reasons_are_those_that_the_verdict_adds_up() -> None:
    standings = SiteStandings(load_corpus(GOLDEN_NOTES))
    line = next(line for line in standings.corpus.lines.values() if line.proposition)
    verdict = SiteAnswers(standings).verdict(line.id)
    assert verdict is not None
    for reason in verdict.reasons:
        assert standings.share(reason.edge) == pytest.approx(reason.share, abs=1e-5)


def test_the_fall_of_a_source_leaves_the_strength_that_independence_reports() -> None:
    corpus = load_corpus(GOLDEN_NOTES)
    answers = SiteAnswers(SiteStandings(corpus))
    line = next(line for line in corpus.lines.values() if line.proposition)
    effects_of_sources = reasoning.independence(corpus, line.id).effects
    effects = [each for each in effects_of_sources if each.effect and each.sources]
    assert len(effects) > 3
    for effect in effects:
        fall = next(
            fall for fall in answers.losses_of(effect.sources[0]) if fall.line_id == line.id
        )
        assert (fall.strength_after, fall.takes_from_side) == (effect.strength, effect.undoes)
        assert fall.sources == effect.sources


def test_beyond_the_limits_no_verdict_crux_or_flip_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site_standings, "SEARCH_LIMIT", 1)
    monkeypatch.setattr(site_answers, "SEARCH_LIMIT", 1)
    monkeypatch.setattr(site_answers, "VERDICT_LIMIT", 1)
    standings = SiteStandings(load_corpus(NOTES))
    answers, line = SiteAnswers(standings), next(iter(standings.corpus.lines))
    assert (
        answers.verdict(line)
        is answers.cruxes(line)
        is answers.flips(line)
        is answers.sources(line)
        is None
    )
    assert standings.tensions is standings.gaps is None
    assert standings.of(next(iter(standings.corpus.statements))).word
