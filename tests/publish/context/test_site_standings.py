"""Standings on pages agree with the reasoning they come from.

Of `kg/publish/context/standings.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from kg import reasoning
from kg.loader import load_corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.site_standings import SiteStandings
from kg.publish.context.standings import Standing
from tests.support.shorthand import corpus_of_shorthand

GOLDEN_NOTES = Path(__file__).parents[1] / "golden/notes"
WEIGHED = "claim q\nevidence e .8 @s\nevidence f .6 @t\ne supports q\n"


@pytest.fixture(scope="module")
def standings() -> SiteStandings:
    return SiteStandings(load_corpus(GOLDEN_NOTES))


def test_words_and_weights_are_those_of_the_verdict(standings: SiteStandings) -> None:
    assert len({standings.of(claim.id).word for claim in standings.corpus.claims}) > 2
    for claim in standings.corpus.claims:
        verdict = reasoning.verdict(standings.corpus, claim.id)
        standing = standings.of(claim.id)
        assert standing.word == verdict.word
        assert standing.strength == pytest.approx(verdict.strength, abs=1e-5)
        assert (standing.pro, standing.con) == pytest.approx(
            (verdict.balance.pro, verdict.balance.con), abs=1e-5
        )


def test_only_evidence_that_has_a_strength_has_a_quality_in_words() -> None:
    corpus = corpus_of_shorthand(f"{WEIGHED}f contradicts e\n")
    standings = SiteStandings(corpus)
    assert standings.quality_words("q") == ""
    assert standings.quality_words("e").startswith("Good, fair after objections: ")
    no_number = Standing(strength=None, word="", quality=0.8)
    known = structs.replace(standings.all_standings, statements={"e": no_number})
    assert SiteStandings(corpus, known).quality_words("e") == ""


def test_claims_that_no_evidence_reaches_are_listed() -> None:
    corpus = corpus_of_shorthand(f"{WEIGHED}claim bare\nclaim above\nq supports above\n")
    assert SiteStandings(corpus).claims_without_evidence == ["bare"]


def test_a_strength_is_in_words_as_far_as_there_is_one() -> None:
    def words(strength: float | None, reach: float | None = None) -> str:
        return Standing(strength, "supported", held_strength=reach).describe_strength(Reasoning())

    assert words(None) == ""
    assert words(0.72) == words(0.72, reach=0.72) == "strength 0.72"
    assert words(0.89, reach=0.6) == "strength 0.89 by the weights alone"
    assert words(0.5999) == "strength just under 0.60"


def test_an_undercut_edge_says_what_it_would_add_alone() -> None:
    statements = f"{WEIGHED}evidence u .6 @w\nf supports q\nu undercuts e>q\n"
    corpus = corpus_of_shorthand(statements)
    standings = SiteStandings(corpus)
    reason, other = (next(iter(corpus.edges_from[id])).id for id in "ef")
    unless_undercut = standings.share_unless_undercut(reason)
    assert unless_undercut == pytest.approx(0.8 * standings.share(other) / 0.6)
    assert standings.share(reason) < (unless_undercut or 0.0)
    assert standings.share_unless_undercut(other) is None
