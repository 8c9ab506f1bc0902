"""Weights drawn at random: the same for the same seed, and as judgements have it."""

from __future__ import annotations

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import EdgeLabel, Judgement, reading_of, robustness
from kg.reasoning.sensitivity.setting_draws import DRAWS, draw_settings
from tests.support.corpus_parts import (
    SPAN,
    corpus_of_direct_evidence,
    require_verdict,
    with_retracted_sources,
)
from tests.support.shorthand import corpus_of_shorthand


def test_draws_are_the_same_for_the_same_seed() -> None:
    question = reading_of(corpus_of_direct_evidence(pa=0.9, ca=0.4)).question("q")
    one, again, other = (draw_settings(question, DRAWS, seed) for seed in (1, 1, 2))
    assert one == again
    assert (one.low, one.high) == pytest.approx((0.578399, 0.660423), abs=1e-6)
    assert (other.low, other.high) == pytest.approx((0.578600, 0.663717), abs=1e-6)
    assert (one.fraction_kept, other.fraction_kept) == (149 / 200, 150 / 200)


def test_the_band_ends_at_the_answer_where_all_draws_lie_on_one_side_of_it() -> None:
    """As where many findings of one source oppose others, since its repeats only ever gain."""
    for repeated, other in (("contradicts", "supports"), ("supports", "contradicts")):
        rows = [f"evidence e{k} .3 @s\ne{k} {repeated} q\n" for k in range(30)]
        rows += [f"evidence o{k} .3 @t{k}\no{k} {other} q\n" for k in range(9)]
        question = reading_of(corpus_of_shorthand("claim q\n" + "".join(rows))).question("q")
        trials = draw_settings(question, DRAWS, 0)
        assert question.strength_or_nan == (trials.high if other == "supports" else trials.low)


def test_an_evenly_split_panel_leaves_its_edge_open() -> None:
    notes = corpus_of_direct_evidence(pa=0.9)
    rows = [
        Judgement(edge="pa supports q", annotator=f"{k}", label=label, span=SPAN)
        for k, label in enumerate([EdgeLabel.SUPPORTS, EdgeLabel.CONTRADICTS])
    ]
    answer = require_verdict(robustness(reading_of(notes, judgements=rows), "q"))
    assert answer.strength == 0.5
    assert answer.low is not None
    assert answer.high is not None
    assert answer.low < 0.45 < 0.55 < answer.high


def test_what_is_retracted_stays_so_in_every_draw() -> None:
    notes = with_retracted_sources(corpus_of_direct_evidence(pa=0.9, ca=0.4), ["src-pa", "src-ca"])
    for rules in (Reasoning(), Reasoning(transfer="plain")):
        settings = draw_settings(reading_of(notes, rules).question("q"), DRAWS, 0)
        assert (settings.low, settings.high, settings.fraction_kept) == (0.5, 0.5, 1.0)
