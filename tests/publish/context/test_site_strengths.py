"""Standings on pages agree with the reasoning they come from.

Of `kg/publish/context/standings.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from kg import reasoning
from kg.loader import load_corpus
from kg.publish.context import site_strengths as module
from kg.publish.context.site_strengths import SiteStrengths
from kg.publish.context.standings import StatementStrength
from kg.reasoning.solution import solution_of
from tests.support.own import NOTES
from tests.support.shorthand import corpus_of_shorthand

GOLDEN_NOTES = Path(__file__).parents[1] / "golden/notes"
WEIGHED = "claim q\nevidence e .8 @s\nevidence f .6 @t\ne supports q\n"


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


def test_only_evidence_that_has_a_strength_has_a_quality_in_words() -> None:
    corpus = corpus_of_shorthand(f"{WEIGHED}f contradicts e\n")
    strengths = SiteStrengths(corpus)
    assert strengths.quality_words("q") == ""
    assert strengths.quality_words("e").startswith("Good, fair after objections: ")
    no_number = StatementStrength(strength=None, word="", quality=0.8)
    standings = structs.replace(strengths.standings, statements={"e": no_number})
    assert SiteStrengths(corpus, standings).quality_words("e") == ""


def test_claims_that_no_evidence_reaches_are_listed() -> None:
    corpus = corpus_of_shorthand(f"{WEIGHED}claim bare\nclaim above\nq supports above\n")
    assert SiteStrengths(corpus).claims_without_evidence == ["bare"]


def test_a_strength_is_in_words_as_far_as_there_is_one() -> None:
    def words(strength: float | None, reach: float | None = None) -> str:
        return StatementStrength(strength, "supported", held=reach).strength_in_words

    assert words(None) == ""
    assert words(0.72) == words(0.72, reach=0.72) == "strength 0.72"
    assert words(0.89, reach=0.6) == "strength 0.89 by the weights alone"


def test_an_undercut_edge_says_what_it_would_add_alone() -> None:
    statements = f"{WEIGHED}evidence u .6 @w\nf supports q\nu undercuts e>q\n"
    corpus = corpus_of_shorthand(statements)
    strengths = SiteStrengths(corpus)
    reason, other = (next(iter(corpus.edges_from[id])).id for id in "ef")
    if_heard = strengths.share_if_heard(reason)
    assert if_heard == pytest.approx(0.8 * strengths.share(other) / 0.6)
    assert strengths.share(reason) < (if_heard or 0.0)
    assert strengths.share_if_heard(other) is None


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
    effects_of_sources = reasoning.independence(strengths.corpus, line.id).effects
    effects = [each for each in effects_of_sources if each.effect and each.sources]
    assert len(effects) > 3
    for effect in effects:
        fall = next(
            fall for fall in strengths.losses_of(effect.sources[0]) if fall.line_id == line.id
        )
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
