"""A panel of people as numbers: its shares, its halves, and how a model ranks in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.judgements.edge_labels import Judgement, Model
from kg.judgements.label_table import LABELS
from kg.model import EdgeId
from kg.reasoning.graph.arrays import ROUNDING, Floats, Ints

# Random splits of a panel into halves, and draws of edges for an interval, as many as is usual for
# a bootstrap.
RANDOM_HALVINGS, BOOTSTRAP_SAMPLES = 200, 1000
# Most labels that are drawn in all: with many edges, few draws are enough.
MAX_LABELS_DRAWN = 20_000_000
LABELS_PER_EDGE = len(LABELS)
# Shares of labels and sums of their products that differ by less count as equal.
SHARE_ROUNDING = 1e-12


def jensen_shannon(p: Floats, q: Floats) -> Floats:
    """Jensen-Shannon divergence of rows, in bits, 0 to 1."""
    # equal rows may come out just below 0
    middle = (p + q) / 2.0
    return np.asarray(
        np.maximum((_relative_entropy(p, middle) + _relative_entropy(q, middle)) / 2.0, 0.0)
    )


def _relative_entropy(p: Floats, q: Floats) -> Floats:
    """Σ p · log₂(p / q) per row (edges × labels), in bits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(p > 0.0, p * np.log2(p / q), 0.0).sum(axis=-1))


class Panel(NamedTuple):
    """Labels of people, sorted by edge and name, so that the order of files does not matter.

    `counts` has a row per edge; `edge_index`, `annotator` and `label` have an item per label given.
    """

    edges: tuple[EdgeId, ...]
    annotators: tuple[str, ...]
    counts: Floats
    edge_index: Ints
    annotator: Ints
    label: Ints

    @property
    def total(self) -> Floats:
        """The number of people who judged each edge."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def shares(self) -> Floats:
        """The share of each label on each edge."""
        return np.asarray(self.counts / np.maximum(self.total, 1.0)[:, None])

    def restrict_to(self, edges: Sequence[EdgeId]) -> Panel:
        """The panel restricted to some of its edges, in the given order."""
        index = np.full(len(self.edges), -1, dtype=np.int64)
        number = {edge: position for position, edge in enumerate(self.edges)}
        index[[number[edge] for edge in edges]] = np.arange(len(edges))
        mask = index[self.edge_index] >= 0
        edge_index = index[self.edge_index][mask]
        order = np.argsort(edge_index, kind="stable")
        annotator = self.annotator[mask][order]
        label = self.label[mask][order]
        return _make_panel(tuple(edges), self.annotators, edge_index[order], annotator, label)


def panel_of(judgements: Sequence[Judgement]) -> Panel:
    """The people who judged, as numbers."""
    rows = sorted(judgements, key=lambda row: (row.edge, row.annotator))
    edges = {edge: number for number, edge in enumerate(dict.fromkeys(row.edge for row in rows))}
    annotators = {
        name: number for number, name in enumerate(sorted({row.annotator for row in rows}))
    }
    label_index = {label: number for number, label in enumerate(LABELS)}
    return _make_panel(
        tuple(edges),
        tuple(annotators),
        np.array([edges[row.edge] for row in rows], dtype=np.int64),
        np.array([annotators[row.annotator] for row in rows], dtype=np.int64),
        np.array([label_index[row.label] for row in rows], dtype=np.int64),
    )


def _make_panel(
    edges: tuple[EdgeId, ...],
    annotators: tuple[str, ...],
    edge_index: Ints,
    annotator: Ints,
    label: Ints,
) -> Panel:
    counts = _count_labels(edge_index, label, len(edges))
    return Panel(edges, annotators, counts, edge_index, annotator, label)


def _count_labels(edge_index: Ints, label: Ints, edges: int) -> Floats:
    """Count how often each label was given to each edge (edges × labels)."""
    flat = np.bincount(edge_index * LABELS_PER_EDGE + label, minlength=edges * LABELS_PER_EDGE)
    return np.asarray(flat.reshape(edges, LABELS_PER_EDGE), dtype=float)


def model_rows(model: Model, edges: Sequence[EdgeId]) -> Floats:
    """A model's shares of `edges`, a row each; it must label all of them."""
    return np.array([model[edge] for edge in edges], dtype=float).reshape(-1, LABELS_PER_EDGE)


def shares_of_commonest(shares: Floats) -> Floats:
    """Divide 1 equally among the greatest shares of each row."""
    is_commonest = shares >= shares.max(axis=1, initial=0.0)[:, None] - ROUNDING
    return np.asarray(is_commonest / np.maximum(is_commonest.sum(axis=1), 1)[:, None])


class SplitHalfDifference(NamedTuple):
    """The difference between two random halves of a panel, averaged over edges with two or more
    annotators.

    `divergence` is scaled from the size of a half to that of the panel, as sampling noise shrinks
    when the panel grows. `agree` is the share of edges with the same commonest label in both, of
    those on which one half has a single commonest label.
    """

    divergence: float
    agree: float


def split_halves(panel: Panel, seed: int) -> SplitHalfDifference:
    """Split the annotators of each edge at random in two, many times, and compare the halves."""
    size = panel.total.astype(np.int64)
    half = size // 2
    several = size > 1
    if not several.any():
        return SplitHalfDifference(np.nan, np.nan)
    starts = np.cumsum(size) - size
    rng = np.random.default_rng(seed)
    divergence = 0.0
    same = 0.0
    clear_count = 0.0
    draws = max(10, min(RANDOM_HALVINGS, MAX_LABELS_DRAWN // len(panel.edge_index)))
    for _ in range(draws):
        shuffled = np.lexsort((rng.random(len(panel.edge_index)), panel.edge_index))
        turn = np.arange(len(shuffled)) - starts[panel.edge_index]
        label = panel.label[shuffled]
        first_half, second_half = (
            _count_labels(panel.edge_index[is_in_half], label[is_in_half], len(size))[several]
            / half[several][:, None]
            for is_in_half in (
                turn < half[panel.edge_index],
                (turn >= half[panel.edge_index]) & (turn < 2 * half[panel.edge_index]),
            )
        )
        divergence += float(
            (jensen_shannon(first_half, second_half) * (half / np.maximum(size, 1))[several]).mean()
        )
        first_shares = shares_of_commonest(first_half)
        second_shares = shares_of_commonest(second_half)
        is_clear = first_shares.max(axis=1) == 1.0
        same += float((first_shares * second_shares).sum(axis=1)[is_clear].sum())
        clear_count += float(is_clear.sum())
    return SplitHalfDifference(divergence / draws, same / clear_count if clear_count else np.nan)


class AnnotatorRank(NamedTuple):
    """The rank of a model among single people, each of whom is compared with all the others.

    `score` is how often the model agrees with the others, `people` how often a person does:
    means over people. `percentile` is the share of people, in per cent, below the model, those
    level with it counting half; `low` to `high` its middle 95% over resampled edges.
    """

    score: float
    people: float
    percentile: float
    low: float
    high: float
    rank: int
    annotators: int


NO_RANK = AnnotatorRank(np.nan, np.nan, np.nan, np.nan, np.nan, 0, 0)


def rank_among_annotators(panel: Panel, model_shares: Floats, seed: int) -> AnnotatorRank:
    """Rank a model with these shares of the panel's edges as if it were one more annotator.

    Each person is compared with the others who judged the same edges, and the model with the
    same others on the same edges, so that nobody is compared with themselves.
    """
    judged = panel.total[panel.edge_index] > 1.0
    edge_index = panel.edge_index[judged]
    annotator = panel.annotator[judged]
    label = panel.label[judged]
    if not len(edge_index):
        return NO_RANK
    others = panel.counts[edge_index] - np.eye(LABELS_PER_EDGE)[label]
    others /= others.sum(axis=1)[:, None]
    agreement = others[np.arange(len(label)), label]
    model_agreement = (others * model_shares[edge_index]).sum(axis=1)
    label_counts = np.bincount(annotator, minlength=len(panel.annotators))
    has_labels = label_counts > 0
    mean_agreement = (
        np.bincount(annotator, agreement, len(label_counts))[has_labels] / label_counts[has_labels]
    )
    mean_model = (
        np.bincount(annotator, model_agreement, len(label_counts))[has_labels]
        / label_counts[has_labels]
    )
    ahead = mean_model - mean_agreement
    percentiles = _resample_percentile(model_agreement - agreement, edge_index, annotator, seed)
    low, high = np.quantile(percentiles, [0.025, 0.975])
    return AnnotatorRank(
        score=float(mean_model.mean()),
        people=float(mean_agreement.mean()),
        percentile=_percentile_of_differences(ahead),
        low=float(low),
        high=float(high),
        rank=1 + int((ahead < -ROUNDING).sum()),
        annotators=int(has_labels.sum()),
    )


def _percentile_of_differences(ahead: Floats) -> float:
    below = (ahead > ROUNDING).mean()
    level = (np.abs(ahead) <= ROUNDING).mean()
    return float(100.0 * (below + level / 2.0))


def _resample_percentile(ahead: Floats, edge_index: Ints, annotator: Ints, seed: int) -> Floats:
    """The percentile over resampled edges."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    edges, row = np.unique(edge_index, return_inverse=True)
    size = (int(annotator.max()) + 1, len(edges))
    leads = csr_array((ahead, (annotator, row)), size)
    labels = csr_array((np.ones(len(row)), (annotator, row)), size)
    draws = max(100, min(BOOTSTRAP_SAMPLES, MAX_LABELS_DRAWN // len(edge_index)))
    percentiles: list[float] = []
    while len(percentiles) < draws:
        draws_at_once = max(1, min(draws - len(percentiles), MAX_LABELS_DRAWN // (4 * len(edges))))
        times = rng.multinomial(len(edges), np.full(len(edges), 1.0 / len(edges)), draws_at_once).T
        lead = leads @ times.astype(float)
        label_counts = labels @ times.astype(float)
        # a draw may leave out all edges that somebody judged
        percentiles += [
            _percentile_of_differences(
                lead_by_annotator[has_labels] / labels_by_annotator[has_labels]
            )
            for lead_by_annotator, labels_by_annotator in zip(lead.T, label_counts.T, strict=True)
            for has_labels in (labels_by_annotator > 0.0,)
        ]
    return np.array(percentiles)
