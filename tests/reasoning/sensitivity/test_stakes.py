"""The line whose answer a statement would move most, and how far."""

from __future__ import annotations

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import gaps, reading_of
from kg.reasoning.sensitivity.stakes import FEWEST_CLAIMS_SETTLED, Stake, stakes
from tests.support.corpus_parts import claim, corpus_of_parts, edge, line, require_verdict


def test_a_stake_is_the_line_that_a_statement_would_move_most_and_how_far() -> None:
    corpus = corpus_of_parts(
        *(line("near", "p"), line("far", "q"), *map(claim, "pqcx")),
        *(edge("c supports q", strength="weak"), "c contradicts p"),
    )
    (gap,) = (each for each in require_verdict(gaps(corpus)).gaps if each.statement == "c")
    assert stakes(corpus, ["c", "x"]) == {"c": Stake("near", abs(gap.gain or 0))}
    assert stakes(corpus, ["x"]) == {}


def test_where_the_budget_is_short_only_what_bears_most_has_a_stake() -> None:
    names = [f"c{k:02}" for k in range(FEWEST_CLAIMS_SETTLED + 2)]
    word_of = dict.fromkeys((names[3], names[7]), "weak")
    corpus = corpus_of_parts(
        *(claim("q"), line("l", "q"), *map(claim, names)),
        *(edge(f"{name} supports q", strength=word_of.get(name)) for name in names),
    )
    assert set(stakes(reading_of(corpus, Reasoning(budget=1)), names)) == set(names) - set(word_of)
    assert set(stakes(reading_of(corpus), names)) == set(names)
