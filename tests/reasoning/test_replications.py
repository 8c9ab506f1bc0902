"""Base quality, through notes, set against what happened when studies were repeated.

Reproducibility Project: Psychology (Open Science Collaboration 2015) and Experimental Economics
Replication Project (Camerer et al. 2016); `docs/quality.md` says what this is not.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kg.reasoning import quality
from tests.support.corpora import corpus_of_notes

DATA = Path(__file__).parents[1] / "data" / "replications.csv"
NOTE = """---
type: evidence
asserted_by: the authors
method: experiment
peer_reviewed: yes
{}
---

# It was found
"""


@cache
def studies() -> list[dict[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def outcome() -> np.ndarray:
    return np.array([row["replicated"] == "1" for row in studies()])


def bases(*lines: str) -> np.ndarray:
    """Each study's base quality, where its note has these lines."""
    filled = ["\n".join(lines).format(**row) for row in studies()]
    corpus = corpus_of_notes(
        **{f"s{number}": NOTE.format(text) for number, text in enumerate(filled)}
    )
    assert corpus.diagnostics == ()
    return np.array([quality(corpus, f"s{number}").base for number in range(len(filled))])


def auc(score: np.ndarray) -> float:
    """Of all pairs, one that replicated and one that did not, how many the score puts right."""
    pairs = [
        (score[a] > score[b]) + 0.5 * (score[a] == score[b])
        for a in np.flatnonzero(outcome())
        for b in np.flatnonzero(~outcome())
    ]
    return float(np.mean(pairs))


def left_out(score: np.ndarray) -> np.ndarray:
    """Each study's probability by a logistic curve through all the others."""
    from scipy.optimize import minimize

    known = outcome().astype(float)
    scaled = (score - score.mean()) / score.std()

    def chance(weights: np.ndarray, some: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-weights[0] - weights[1] * scaled[some]))

    values = np.zeros(len(score))
    for one in range(len(score)):
        others = np.arange(len(score)) != one

        def loss(weights: np.ndarray, others: np.ndarray = others) -> float:
            p = np.clip(chance(weights, others), 1e-9, 1 - 1e-9)
            right = known[others] * np.log(p) + (1 - known[others]) * np.log(1 - p)
            return -float(right.sum())

        weights = minimize(loss, np.zeros(2)).x
        values[one] = chance(weights, np.arange(len(score)) == one)[0]
    return values


FIGURES = ("sample: {original_n} people", "effect: r={original_r}", "p: {original_p}")


def test_studies_of_higher_base_quality_replicate_more_often() -> None:
    score = bases(*FIGURES)
    assert auc(score) >= 0.70
    brier = float(np.mean((left_out(score) - outcome()) ** 2))
    assert brier <= 0.22
    assert brier < float(outcome().mean() * (1 - outcome().mean()))


def test_without_p_values_effect_and_sample_predict_replication_as_well() -> None:
    assert auc(bases(*FIGURES[:2])) >= 0.70
    assert auc(bases(FIGURES[2])) == pytest.approx(0.67, abs=0.01)


def test_the_sample_alone_predicts_no_replication_and_moves_the_quality_little() -> None:
    score = bases(FIGURES[0])
    assert abs(auc(score) - 0.5) < 0.05
    assert score.max() - score.min() <= 0.1
