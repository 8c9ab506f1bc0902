"""How far base quality tells which studies replicate: `python -m bench.replications [docs]`.

Reads `tests/data/replications.csv`, grades each study as a note would record it, prints what
`docs/quality.md` says, and with a folder writes `reliability.svg` into it. Every draw is seeded.
"""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from kg.corpus.quality.evidence_quality import grade_evidence
from kg.corpus.quality.p_values import z_score
from kg.model import Kind, SampleClass, Span, Statement
from kg.model.figures import SIGNIFICANCE_LEVEL
from kg.model.settings.quality_settings import QualityLadder

DATA = Path(__file__).parents[1] / "tests" / "data" / "replications.csv"
FOLDS = 10
REPEATS = 50
SEED = 13
RIDGE = 0.01
SILENT_DRAWS = 400
TOP = QualityLadder().top
Numbers = NDArray[np.float64]


class Study(NamedTuple):
    """An original study, and whether its repetition found the same."""

    project: str
    n: int
    r: float
    p: float
    replicated: bool


class Skill(NamedTuple):
    """How well a score tells replicated studies from others, on studies it was not fitted to."""

    auc: float
    auc_pooled: float
    brier: float


def load_studies(file: Path = DATA) -> list[Study]:
    """The studies of `file`."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            Study(
                row["project"],
                int(row["original_n"]),
                float(row["original_r"]),
                float(row["original_p"]),
                row["replicated"] == "1",
            )
            for row in csv.DictReader(lines)
        ]


def as_statement(study: Study) -> Statement:
    """The study as a note records it: an experiment on people, peer reviewed."""
    return Statement(
        id="s",
        kind=Kind.EVIDENCE,
        title="S",
        span=Span("s.md"),
        method="experiment",
        peer_reviewed=True,
        sample=study.n,
        sample_class=SampleClass.PEOPLE,
        p=study.p,
        effect=study.r,
        effect_kind="r",
    )


def base_qualities(studies: Sequence[Study], **changed: object) -> Numbers:
    """The base quality of each study under the default ladder, with some fields changed."""
    table = QualityLadder()
    statements = [msgspec.structs.replace(as_statement(each), **changed) for each in studies]
    return np.array([grade_evidence(each, (), table).base for each in statements])


def auc(score: Numbers, outcome: Numbers) -> float:
    """How often a study that replicated has the higher score, of all pairs; ties count half."""
    yes, no = score[outcome == 1][:, None], score[outcome == 0][None]
    return float((yes > no).mean() + 0.5 * (yes == no).mean())


def fit_logistic(score: Numbers, outcome: Numbers) -> Numbers:
    """Intercept and slope of a logistic curve, the slope held back a little."""
    design = np.column_stack([np.ones_like(score), score])
    weights = np.zeros(2)
    penalty = np.diag([0.0, RIDGE])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ weights))
        curve = design.T @ (design * (chance * (1 - chance))[:, None]) + penalty
        weights = weights - np.linalg.solve(
            curve, design.T @ (chance - outcome) + penalty @ weights
        )
    return weights


def folds(outcome: Numbers, draw: np.random.Generator) -> NDArray[np.int64]:
    """Each study's fold, with as many replicated ones in each as can be."""
    place = np.zeros(len(outcome), dtype=np.int64)
    for kind in (0, 1):
        shuffled = draw.permutation(np.flatnonzero(outcome == kind))
        place[shuffled] = np.arange(len(shuffled)) % FOLDS
    return place


def cross_validated(score_of: Callable[[Numbers], Numbers], outcome: Numbers) -> Skill:
    """Skill on held-out folds. `score_of` gets the mask of the training studies and gives the
    score of all; the curve from score to probability is fitted to the training studies alone.
    """
    draw = np.random.default_rng(SEED)
    found = []
    for _ in range(REPEATS):
        place = folds(outcome, draw)
        chance, within = np.zeros(len(outcome)), []
        for fold in range(FOLDS):
            held = place == fold
            score = score_of(~held)
            spread = score[~held].std() or 1.0
            weights = fit_logistic(score[~held] / spread, outcome[~held])
            chance[held] = 1 / (1 + np.exp(-weights[0] - weights[1] * score[held] / spread))
            within.append(auc(chance[held], outcome[held]))
        brier = float(((chance - outcome) ** 2).mean())
        found.append((float(np.mean(within)), auc(chance, outcome), brier))
    return Skill(*map(float, np.mean(found, axis=0)))


def _same_score(score: Numbers, _training: Numbers) -> Numbers:
    """A score that nothing has to be fitted for."""
    return score


def p_terms(studies: Sequence[Study], most: float, typical: float, neutral: bool) -> Numbers:
    """The ladder's term for p under other constants."""
    found = []
    for study in studies:
        z = z_score(study.p)
        tens = min(max((z * z - np.log(study.n)) / (2 * np.log(10)), 0.0), most)
        found.append(typical if neutral and study.p > SIGNIFICANCE_LEVEL else tens)
    return np.array(found)


def nested_skill(studies: Sequence[Study], outcome: Numbers) -> Skill:
    """Skill where even the term's constants are chosen on the training studies alone."""
    grid = itertools.product((2.0, 3.0, 4.0), (0.25, 0.5, 0.75), (True, False))
    scores = [p_terms(studies, *constants) for constants in grid]

    def best(training: Numbers) -> Numbers:
        known = training.astype(bool)
        return max(scores, key=lambda score: auc(score[known], outcome[known]))

    return cross_validated(best, outcome)


def skill_with_gaps(
    studies: Sequence[Study], outcome: Numbers, points: float
) -> tuple[float, float]:
    """AUC and Brier score where half of the studies say nothing of p and sample, drawn at random,
    and a grade takes `points` for that.
    """
    draw, told = np.random.default_rng(SEED), base_qualities(studies)
    silent = (
        base_qualities(studies, p=None, effect=None, effect_kind="", sample=None) + points / TOP
    )
    start, slope = fit_logistic(told, outcome)
    found = []
    for _ in range(SILENT_DRAWS):
        score = np.where(draw.random(len(studies)) < 0.5, silent, told)
        chance = 1 / (1 + np.exp(-start - slope * score))
        found.append((auc(score, outcome), float(((chance - outcome) ** 2).mean())))
    area, brier = np.mean(found, axis=0)
    return float(area), float(brier)


def bootstrap_interval(score: Numbers, outcome: Numbers) -> tuple[float, float]:
    """Within what the AUC lies in 95 of 100 draws of as many studies."""
    draw = np.random.default_rng(SEED)
    drawn: list[float] = []
    while len(drawn) < 2000:
        some = draw.integers(0, len(outcome), len(outcome))
        if 0 < outcome[some].sum() < len(outcome):
            drawn.append(auc(score[some], outcome[some]))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def out_of_fold(score: Numbers, outcome: Numbers) -> Numbers:
    """Each study's probability, averaged over the repeats in which it was held out."""
    draw = np.random.default_rng(SEED)
    total = np.zeros(len(outcome))
    for _ in range(REPEATS):
        place = folds(outcome, draw)
        for fold in range(FOLDS):
            held = place == fold
            weights = fit_logistic(score[~held], outcome[~held])
            total[held] += 1 / (1 + np.exp(-weights[0] - weights[1] * score[held]))
    return total / REPEATS


def probability_bins(
    chance: Numbers, outcome: Numbers, count: int = 5
) -> list[tuple[float, float, int]]:
    """Groups of equal size by probability: foretold, found, how many."""
    order = np.argsort(chance, kind="stable")
    groups = np.array_split(order, count)
    return [(float(chance[g].mean()), float(outcome[g].mean()), len(g)) for g in groups]


def render_svg(groups: Sequence[tuple[float, float, int]]) -> str:
    """A reliability plot: foretold along, found up, each with its 95 % Wilson interval."""

    def x(value: float) -> float:
        return 50 + 300 * value

    def y(value: float) -> float:
        return 320 - 300 * value

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 370 370" font-family="sans-serif" '
        'font-size="11" role="img" aria-label="Reliability of base quality as a forecast of '
        'replication">',
        '<rect width="370" height="370" fill="#fff"/>',
        f'<path d="M{x(0)} {y(1)}V{y(0)}H{x(1)}" fill="none" stroke="#444"/>',
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="#999" stroke-dasharray="4 4"/>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<text x="{x(tick)}" y="336" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="44" y="{y(tick) + 4}" text-anchor="end">{tick:g}</text>')
    for foretold, share, count in groups:
        low, high = wilson(share, count)
        parts.append(
            f'<path d="M{x(foretold):.1f} {y(low):.1f}V{y(high):.1f}" stroke="#0b6e8a"/>'
            f'<circle cx="{x(foretold):.1f}" cy="{y(share):.1f}" r="4" fill="#0b6e8a"/>'
        )
    parts.append('<text x="200" y="358" text-anchor="middle">foretold to replicate</text>')
    parts.append(
        '<text x="14" y="170" text-anchor="middle" transform="rotate(-90 14 170)">'
        "did replicate</text></svg>"
    )
    return "\n".join(parts) + "\n"


def wilson(share: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share of `count` (Wilson 1927)."""
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * np.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def main(arguments: Sequence[str]) -> None:
    """Print every figure; with a folder, draw the plot into it."""
    studies = load_studies()
    outcome = np.array([float(study.replicated) for study in studies])
    rate = outcome.mean()
    print(f"{len(studies)} studies, {rate:.3f} replicated, Brier of that rate {rate - rate**2:.3f}")
    ours = base_qualities(studies)
    unsized = {"effect": None, "effect_kind": "", "sample": None, "sample_class": None}
    rows = {
        "n": np.array([float(study.n) for study in studies]),
        "r": np.array([study.r for study in studies]),
        "p": np.array([z_score(study.p) for study in studies]),
        "base, only n recorded": base_qualities(studies, p=None, effect=None, effect_kind=""),
        "base, only r and n": base_qualities(studies, p=None),
        "base, only p": base_qualities(studies, **unsized),
        "base": ours,
    }
    print(f"{'score':24} AUC   95 %          held out: AUC  pooled Brier")
    for name, score in rows.items():
        low, high = bootstrap_interval(score, outcome)
        skill = cross_validated(partial(_same_score, score), outcome)
        print(
            f"{name:24} {auc(score, outcome):.3f} {low:.2f} to {high:.2f}            "
            f"{skill.auc:.3f} {skill.auc_pooled:.3f} {skill.brier:.3f}"
        )
    skill = nested_skill(studies, outcome)
    chosen = f"{skill.auc:.3f} {skill.auc_pooled:.3f} {skill.brier:.3f}"
    print(f"{'constants chosen in each fold':54}{chosen}")
    print(f"base itself taken for the chance: Brier {((ours - outcome) ** 2).mean():.3f}")
    for project in sorted({study.project for study in studies}):
        some = np.array([study.project == project for study in studies])
        print(f"{project}: {some.sum()} studies, base {auc(ours[some], outcome[some]):.3f}")
    firm = np.array([study.p <= SIGNIFICANCE_LEVEL for study in studies])
    print(f"p up to .05 alone: {firm.sum()} studies, base {auc(ours[firm], outcome[firm]):.3f}")
    start, slope = fit_logistic(ours, outcome)
    print(f"curve: log-odds {start:.2f} + {slope:.2f} times base")
    unsaid = base_qualities(studies, p=None, effect=None, effect_kind="", sample=None)
    terms = TOP * (ours - unsaid)
    print(f"p and sample add {terms.mean():+.2f} points in the mean")
    weak = terms <= -0.2
    print(f"those that lose a fifth or more: {outcome[weak].sum():.0f} of {weak.sum()} replicated")
    for points in (-0.25, 0.0, 0.25):
        right, brier = skill_with_gaps(studies, outcome, points)
        print(f"half silent, {points:+.2f} for that: AUC {right:.3f}, Brier {brier:.3f}")
    groups = probability_bins(out_of_fold(ours, outcome), outcome)
    for foretold, share, count in groups:
        print(f"foretold {foretold:.2f}, found {share:.2f} of {count}")
    for folder in arguments:
        Path(folder, "reliability.svg").write_text(render_svg(groups), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
