"""A model's labels against the distribution of human labels, edge by edge."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from kg.files.read import read_file
from kg.model import Diagnostic, EdgeId, Severity, Span, Value
from kg.reasoning.answer import Report, many, number, tidy
from kg.reasoning.arrays import Bools, Floats
from kg.reasoning.judgements import LABELS, LARGEST, Judgement, counts

HIGH, LOW, CERTAIN = 0.8, 0.7, 0.9
FLOOR = 1e-6
PANELS = 200

Model = Mapping[EdgeId, tuple[float, float, float]]
"""Per edge, the share a model gives to supports, contradicts, neutral."""


class Band(Value, frozen=True, omit_defaults=False):
    """Agreement on the commonest label among edges of one range of human consensus."""

    consensus: str
    edges: int
    agree: float | None


class Comparison(Report, frozen=True, kw_only=True):
    """How a model's labels differ from people's; shares are 0 to 1, divergence in bits.

    `deviation`: where people agree (consensus .8 or more), the share of edges on which the
    model's label is another. `flattening`: where they do not (below .7), the share on which
    the model gives one label .9 or more; `None` for a model with one label per edge, which
    flattens by construction. `divergence` is the mean Jensen-Shannon divergence, `ceiling`
    what a second panel of the same size would reach, `majority_divergence` that of giving
    each edge its commonest label. `brier_unbiased` takes off the noise of a finite panel.
    The measures are this program's, after Taubenfeld et al., arXiv 2602.11328.
    """

    edges: int
    missing: tuple[EdgeId, ...]
    unjudged: int
    one_label: bool
    deviation: float | None
    flattening: float | None
    agree: float | None
    bands: tuple[Band, ...]
    overconfidence: float | None
    calibration_slope: float | None
    entropy_gap: float | None
    entropy_gap_disputed: float | None
    divergence: float | None
    ceiling: float | None
    majority_divergence: float | None
    variation: float | None
    cross_entropy: float | None
    brier: float | None
    brier_unbiased: float | None
    rank_correlation: float | None


def load_model(file: Path) -> tuple[Model, tuple[Diagnostic, ...]]:
    """A model's labels: columns edge and label (a row per sample), or edge, supports,
    contradicts, neutral (shares). Rows that cannot be read become diagnostics.
    """
    found: defaultdict[EdgeId, Floats] = defaultdict(lambda: np.zeros(len(LABELS)))
    problems = []
    try:
        text = read_file(file, LARGEST).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return {}, (_problem(f"cannot be read: {why}", Span(file.name)),)
    reader = csv.DictReader(text.splitlines())
    for row in reader:
        edge, shares = (row.get("edge") or "").strip(), _shares(row)
        if not edge or shares is None:
            where = Span(file.name, reader.line_num)
            problems.append(_problem("no edge, or no label of ours", where))
        else:
            found[edge] += shares
    model = {edge: _normal(total) for edge, total in found.items()}
    return model, tuple(problems)


def _normal(total: Floats) -> tuple[float, float, float]:
    a, b, c = (total / total.sum()).tolist()
    return a, b, c


def _shares(row: Mapping[str, str | None]) -> Floats | None:
    label = (row.get("label") or "").strip().casefold()
    if label:
        return np.eye(len(LABELS))[LABELS.index(label)] if label in set(LABELS) else None
    try:
        shares = np.array([float(row.get(name) or "") for name in LABELS])
    except ValueError:
        return None
    return shares if (shares >= 0.0).all() and np.isfinite(shares).all() and shares.any() else None


def _problem(message: str, span: Span) -> Diagnostic:
    return Diagnostic(rule="model-row", severity=Severity.WARNING, message=message, span=span)


def compare(judgements: Sequence[Judgement], model: Model, seed: int = 0) -> Comparison:
    """How `model` differs from the people who judged the same edges."""
    tally = counts(judgements)
    edges = [edge for edge in tally if edge in model]
    n = np.array([tally[edge] for edge in edges], dtype=float).reshape(-1, len(LABELS))
    total = n.sum(axis=1)
    p = n / np.maximum(total, 1.0)[:, None]
    q = np.array([model[edge] for edge in edges], dtype=float).reshape(-1, len(LABELS))
    return _comparison(
        p,
        q,
        total,
        missing=tuple(edge for edge in tally if edge not in model),
        unjudged=len(set(model) - set(tally)),
        seed=seed,
    )


def _comparison(
    p: Floats, q: Floats, total: Floats, missing: tuple[EdgeId, ...], unjudged: int, seed: int
) -> Comparison:
    consensus, top = p.max(axis=1, initial=0.0), q.max(axis=1, initial=0.0)
    clear = (p == consensus[:, None]).sum(axis=1) == 1
    same = (p.argmax(axis=1) == q.argmax(axis=1)) if len(p) else np.zeros(0, dtype=bool)
    one_label = bool(len(q)) and bool((top == 1.0).all())
    high, low = consensus >= HIGH - 1e-12, consensus < LOW - 1e-12
    gap = _entropy(p) - _entropy(q)
    noise = (1.0 - (p**2).sum(axis=1)) / np.maximum(total - 1.0, 1.0)
    squared = ((p - q) ** 2).sum(axis=1)
    deviation, flattening = _mean(~same, high), _mean(top >= CERTAIN, low)
    divergence, ceiling = _mean(jensen_shannon(p, q)), _ceiling(p, total, seed)
    return Comparison(
        sentence=_sentence(len(p), deviation, flattening, one_label, divergence, ceiling),
        edges=len(p),
        missing=missing,
        unjudged=unjudged,
        one_label=one_label,
        deviation=deviation,
        flattening=None if one_label else flattening,
        agree=_mean(same, clear),
        bands=_bands(consensus, clear, same),
        overconfidence=_mean(top - consensus),
        calibration_slope=_slope(consensus, top),
        entropy_gap=_mean(gap),
        entropy_gap_disputed=_mean(gap, low),
        divergence=divergence,
        ceiling=ceiling,
        majority_divergence=_mean(jensen_shannon(p, _one_hot(p))),
        variation=_mean(np.abs(p - q).sum(axis=1) / 2.0),
        cross_entropy=_mean(-(p * np.log(np.maximum(q, FLOOR))).sum(axis=1)),
        brier=_mean(squared),
        brier_unbiased=_mean(squared - noise, total > 1),
        rank_correlation=_spearman(p[:, 0] - p[:, 1], q[:, 0] - q[:, 1]),
    )


def _mean(values: Floats | Bools, where: Bools | None = None) -> float | None:
    chosen = values if where is None else values[where]
    return tidy(float(np.mean(chosen))) if len(chosen) else None


def _entropy(p: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(-np.where(p > 0.0, p * np.log(p), 0.0).sum(axis=1) / np.log(len(LABELS)))


def jensen_shannon(p: Floats, q: Floats) -> Floats:
    """Jensen-Shannon divergence of rows, in bits, 0 to 1."""
    middle = (p + q) / 2.0
    return np.asarray(np.maximum((_relative(p, middle) + _relative(q, middle)) / 2.0, 0.0))


def _relative(p: Floats, q: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(p > 0.0, p * np.log2(p / q), 0.0).sum(axis=-1))


def _ceiling(p: Floats, total: Floats, seed: int) -> float | None:
    """The mean divergence of a second panel of the same size, drawn from what the first said."""
    if not len(p):
        return None
    rng = np.random.default_rng(seed)
    size = total.astype(np.int64)
    each = [
        float(jensen_shannon(p, rng.multinomial(size, p) / total[:, None]).mean())
        for _ in range(PANELS)
    ]
    return tidy(float(np.mean(each)))


def _one_hot(p: Floats) -> Floats:
    return np.eye(len(LABELS))[p.argmax(axis=1)] if len(p) else p


def _bands(consensus: Floats, clear: Bools, same: Bools) -> tuple[Band, ...]:
    ranges = (("below .7", 0.0, LOW), (".7 to .8", LOW, HIGH), (".8 or more", HIGH, 2.0))
    found = []
    for name, least, below in ranges:
        within = clear & (consensus >= least - 1e-12) & (consensus < below - 1e-12)
        found.append(Band(consensus=name, edges=int(within.sum()), agree=_mean(same, within)))
    return tuple(found)


def _slope(x: Floats, y: Floats) -> float | None:
    spread = x - x.mean() if len(x) else x
    square = float((spread**2).sum())
    return tidy(float((spread * y).sum()) / square) if square > 1e-12 else None


def _spearman(x: Floats, y: Floats) -> float | None:
    a, b = _ranks(x), _ranks(y)
    spread = float(a.std() * b.std()) if len(a) else 0.0
    if spread <= 0.0:
        return None
    return number(float(((a - a.mean()) * (b - b.mean())).mean()) / spread)


def _ranks(x: Floats) -> Floats:
    """Ranks from 0, equals sharing their mean rank."""
    _, place, count = np.unique(np.round(x, 12), return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return np.asarray((ends - (count + 1) / 2.0)[place])


def _sentence(
    edges: int,
    deviation: float | None,
    flattening: float | None,
    one_label: bool,
    divergence: float | None,
    ceiling: float | None,
) -> str:
    if not edges:
        return "The model labels none of the judged edges."
    agreed = "no edge on which people agree" if deviation is None else f"{deviation:.0%}"
    text = f"Over {many(edges, 'edge')}: it departs from agreed labels on {agreed}"
    if one_label:
        text += "; with one label per edge it cannot show disagreement"
    elif flattening is not None:
        text += f" and flattens {flattening:.0%} of disputed ones"
    return f"{text}; divergence {divergence:.3f} bits, and a second panel's {ceiling:.3f}."
