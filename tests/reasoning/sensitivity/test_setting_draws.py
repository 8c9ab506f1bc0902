"""Weights drawn at random: the same for the same seed, and as judgements have it."""

from __future__ import annotations

from kg.reasoning import EdgeLabel, Judgement, reading_of, robustness
from tests.support.reasoning_corpus import SPAN, direct_evidence, require_verdict


def test_draws_are_the_same_for_the_same_seed() -> None:
    notes = direct_evidence(pa=0.9, ca=0.4)
    one, other = (require_verdict(robustness(notes, "q", seed=s)) for s in (1, 2))
    assert one == require_verdict(robustness(notes, "q", seed=1))
    assert one.low != other.low
    assert 0.5 < one.kept < 0.95


def test_an_evenly_split_panel_leaves_its_edge_open() -> None:
    notes = direct_evidence(pa=0.9)
    rows = [
        Judgement(edge="pa supports q", annotator=f"{k}", label=label, span=SPAN)
        for k, label in enumerate([EdgeLabel.SUPPORTS, EdgeLabel.CONTRADICTS] * 2)
    ]
    found = require_verdict(robustness(reading_of(notes, judgements=rows), "q"))
    assert found.strength == 0.5
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.45 < 0.55 < found.high
