"""What each piece of evidence does for an answer."""

from __future__ import annotations

import pytest

from kg.reasoning import contributions
from tests.support.corpus_parts import corpus_of_direct_evidence, require_verdict, strength_of_nats
from tests.support.shorthand import corpus_of_shorthand


def test_a_contribution_is_given_by_removal_slope_and_fair_share() -> None:
    answer = require_verdict(contributions(corpus_of_direct_evidence(pa=0.8, ca=0.5), "q"))
    first, second = answer.contributions
    assert (first.statement, second.statement) == ("pa", "ca")
    assert first.removal == pytest.approx(strength_of_nats(0.3) - strength_of_nats(-0.5))
    fair = [c.shapley for c in answer.contributions]
    assert sum(x or 0.0 for x in fair) == pytest.approx(strength_of_nats(0.3) - 0.5)
    assert first.gradient == pytest.approx(strength_of_nats(0.3) * (1 - strength_of_nats(0.3)))


def test_what_changes_nothing_neither_adds_nor_takes_away() -> None:
    refuted = "evidence f .9 @t\nevidence g .9 @u\nf contradicts c\ng contradicts c\n"
    text = "claim q\nclaim c\nevidence e .6 @s\ne supports c\nc supports q\n" + refuted
    answer = require_verdict(contributions(corpus_of_shorthand(text), "q"))
    assert [each.removal for each in answer.contributions] == [0.0, 0.0, 0.0]
    assert answer.sentence == "No piece of evidence alone changes the strength of “Claim q”."
    assert require_verdict(
        contributions(corpus_of_direct_evidence(ca=0.5), "q")
    ).sentence.startswith("“Evidence ca” takes away")


def test_too_many_for_exact_shapley_values_says_so() -> None:
    answer = require_verdict(
        contributions(corpus_of_direct_evidence(**{f"p{k:02}": 0.2 for k in range(15)}), "q")
    )
    assert not answer.complete
    assert {c.shapley for c in answer.contributions} == {None}


def test_shapley_values_of_many_are_sampled_when_asked_for_with_their_error() -> None:
    notes = corpus_of_direct_evidence(**{f"p{k:02}": 0.2 for k in range(15)})
    answer = require_verdict(contributions(notes, "q", orders=5))
    assert answer.complete
    assert answer.strength is not None
    values = [c.shapley or 0.0 for c in answer.contributions]
    assert sum(values) == pytest.approx(answer.strength - 0.5, abs=1e-8)
    assert values == pytest.approx([values[0]] * 15, abs=1e-3)
    assert all(c.error is not None and c.error < 1e-3 for c in answer.contributions)
