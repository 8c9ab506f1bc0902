"""A model's labels against the distribution of human labels, edge by edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from msgspec import structs

from kg.judgements.edge_labels import Judgement, Model
from kg.judgements.label_table import LABELS
from kg.model import EdgeId, Value
from kg.reasoning.annotation.agreement import FigureUnit, figure_lines, units_of
from kg.reasoning.annotation.panel import (
    SHARE_ROUNDING,
    AnnotatorRank,
    Panel,
    SplitHalfDifference,
    jensen_shannon,
    model_rows,
    panel_of,
    rank_among_annotators,
    shares_of_commonest,
    split_halves,
)
from kg.reasoning.graph.arrays import Bools, Floats, round_off, round_off_or_none
from kg.reasoning.weighed_answer import SentenceAnswer
from kg.reporting.report import Report, columns, line_of_values, table
from kg.text.plurals import pluralize

EdgeIds = tuple[EdgeId, ...]
# Shares of labels from which people agree, below which they do not, and from which a model is sure.
HIGH_CONSENSUS, LOW_CONSENSUS, CERTAIN_FROM = 0.8, 0.7, 0.9
LEAST_PROBABILITY = 1e-6  # lower bound for a share before its logarithm is taken

BITS = "bits, 0 to 1"
SQUARED = "squared shares, 0 to 2"
OF_ENTROPY = "of the greatest entropy, -1 to 1"
OF_LABELS = "share of others' labels that are the same"
OF_PEOPLE = "of single people, 0 to 100"  # units of several figures


class ConsensusBand(Value, frozen=True, omit_defaults=False):
    """Agreement on the commonest label among edges of one range of human consensus."""

    consensus: str
    edges: int
    agree: float | None


BAND = columns(ConsensusBand, "consensus, edges, agree")


class ModelComparison(SentenceAnswer, frozen=True, kw_only=True):
    """The differences between a model's labels and people's.

    `deviation` is the share of edges on which two or more people judge and agree (consensus .8 or
    more) but the model's label differs. `flattening` is the share of edges on which they do not
    agree (below .7) but the model gives one label .9 or more; `None` for a model with one label
    per edge, which flattens by construction. `divergence` is the mean Jensen-Shannon divergence,
    `ceiling` that between a second panel of the same size and the first, estimated from halves of
    the panel, `majority_divergence` that of giving each edge its commonest label.
    `brier_unbiased` subtracts the noise of a finite panel; `ceiling_brier` is a second panel's.
    `score` to `annotators` rank the model as one more annotator (`panel.rank_among_annotators`).
    The measures are this program's, after Taubenfeld et al., arXiv 2602.11328, and, for the ranks,
    after Strimling et al., arXiv 2508.19004.
    """

    model: str
    edges: Annotated[int, FigureUnit("edges that people and the model label")]
    missing: tuple[EdgeId, ...]
    unjudged: Annotated[int, FigureUnit("edges that the model labels and nobody judged")]
    one_label: bool
    deviation: Annotated[float | None, FigureUnit("of the edges on which people agree")]
    flattening: Annotated[float | None, FigureUnit("of the edges on which they do not")]
    agree: Annotated[float | None, FigureUnit("of edges with one commonest label")]
    bands: tuple[ConsensusBand, ...]
    overconfidence: Annotated[float | None, FigureUnit("share of labels, -1 to 1")]
    calibration_slope: Annotated[float | None, FigureUnit("share per share, ideally 1")]
    entropy_gap: Annotated[float | None, FigureUnit(OF_ENTROPY)]
    entropy_gap_disputed: Annotated[float | None, FigureUnit(OF_ENTROPY)]
    divergence: Annotated[float | None, FigureUnit(BITS)]
    ceiling: Annotated[float | None, FigureUnit(BITS, "a second panel's divergence")]
    ceiling_agree: Annotated[
        float | None,
        FigureUnit("of edges, half a panel beside the other half", "a second panel agrees"),
    ]
    majority_divergence: Annotated[
        float | None, FigureUnit(BITS, "divergence of each edge's commonest label")
    ]
    variation: Annotated[float | None, FigureUnit("share of labels, 0 to 1")]
    cross_entropy: Annotated[float | None, FigureUnit("nats, 0 or more")]
    brier: Annotated[float | None, FigureUnit(SQUARED)]
    brier_unbiased: Annotated[float | None, FigureUnit("squared shares, at most 2")]
    ceiling_brier: Annotated[float | None, FigureUnit(SQUARED, "a second panel's brier")]
    rank_correlation: Annotated[float | None, FigureUnit("-1 to 1")]
    score: Annotated[float | None, FigureUnit(OF_LABELS, "says what others say")]
    score_people: Annotated[float | None, FigureUnit(OF_LABELS, "people do")]
    percentile: Annotated[float | None, FigureUnit(OF_PEOPLE)]
    percentile_low: Annotated[float | None, FigureUnit(OF_PEOPLE, "95% interval from")]
    percentile_high: Annotated[float | None, FigureUnit(OF_PEOPLE, "to")]
    rank: Annotated[int | None, FigureUnit("among single people, 1 the best")]
    annotators: Annotated[int, FigureUnit("people", "single people")]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain JSON values, and the unit of each figure."""
        return {**super().to_dict(), "units": units_of(type(self))}

    def report(self) -> Report:
        bands = table("bands", self.bands, BAND)
        figures = figure_lines(self)
        return Report((self.lead_line, *figures, *line_of_values("missing", self.missing), bands))


def compare_model(
    judgements: Sequence[Judgement], model: Model, seed: int = 0, name: str = "model"
) -> ModelComparison:
    """Measure how `model` differs from the people who judged the same edges.

    `reasoning.compare_model(judgements.rows, judgements.models["large"])`
    """
    return compare_model_with_panel(panel_of(judgements), model, seed, name)


def compare_model_with_panel(
    full_panel: Panel,
    model: Model,
    seed: int,
    name: str,
    halves_by_edges: dict[EdgeIds, SplitHalfDifference] | None = None,
) -> ModelComparison:
    """`compare_model`, with a panel: on the edges that both label.

    `halves_by_edges` caches what depends on the panel alone, for models that label the same edges.
    """
    panel = full_panel.restrict_to([edge for edge in full_panel.edges if edge in model])
    shares = _PairedShares(panel.shares, model_rows(model, panel.edges), panel.total)
    halves_by_edges = {} if halves_by_edges is None else halves_by_edges
    if panel.edges not in halves_by_edges:
        halves_by_edges[panel.edges] = split_halves(panel, seed)
    halves = halves_by_edges[panel.edges]
    rank = rank_among_annotators(panel, shares.of_model, seed)
    comparison = ModelComparison(
        sentence="",
        model=name,
        edges=len(panel.edges),
        missing=tuple(edge for edge in full_panel.edges if edge not in model),
        unjudged=len(set(model) - set(full_panel.edges)),
        one_label=shares.gives_one_label,
        bands=_bands_of_consensus(shares),
        ceiling=round_off_or_none(halves.divergence),
        ceiling_agree=round_off_or_none(halves.agree),
        rank=rank.rank or None,
        annotators=rank.annotators,
        **_figures_of_agreement(shares),
        **_figures_of_calibration(shares),
        **_figures_of_distance(shares),
        **_figures_of_rank(shares, rank),
    )
    return structs.replace(comparison, sentence=_comparison_sentence(comparison))


@dataclass(frozen=True)
class _PairedShares:
    """The shares of labels that people give and that a model gives, on the same edges, and what
    follows from them. They are edges × labels, and each row adds up to 1.
    """

    of_people: Floats
    of_model: Floats
    total: Floats  # people who judged each edge

    @cached_property
    def consensus(self) -> Floats:
        return np.asarray(self.of_people.max(axis=1, initial=0.0))

    @cached_property
    def is_clear(self) -> Bools:
        """Whether people give one label more often than each other."""
        return np.asarray((self.of_people == self.consensus[:, None]).sum(axis=1) == 1)

    @cached_property
    def is_disputed(self) -> Bools:
        return np.asarray(self.consensus < LOW_CONSENSUS - SHARE_ROUNDING)

    @cached_property
    def has_several_annotators(self) -> Bools:
        return np.asarray(self.total > 1)

    @cached_property
    def certainty(self) -> Floats:
        """The model's share of the label that it gives most."""
        return np.asarray(self.of_model.max(axis=1, initial=0.0))

    @cached_property
    def gives_one_label(self) -> bool:
        return bool(len(self.of_model)) and bool((self.certainty == 1.0).all())

    @cached_property
    def same(self) -> Floats:
        """Agreement on the commonest label; if several are equally common, each is right in
        part.
        """
        of_people, of_model = map(shares_of_commonest, (self.of_people, self.of_model))
        return np.asarray((of_people * of_model).sum(axis=1))


def _figures_of_agreement(shares: _PairedShares) -> dict[str, Any]:
    is_agreed = shares.consensus >= HIGH_CONSENSUS - SHARE_ROUNDING
    is_certain = shares.certainty >= CERTAIN_FROM
    return {
        "deviation": _mean_where(1.0 - shares.same, shares.has_several_annotators & is_agreed),
        "flattening": None
        if shares.gives_one_label
        else _mean_where(is_certain, shares.is_disputed),
        "agree": _mean_where(shares.same, shares.is_clear),
    }


def _figures_of_calibration(shares: _PairedShares) -> dict[str, Any]:
    gap = _entropy_of_rows(shares.of_people) - _entropy_of_rows(shares.of_model)
    return {
        "overconfidence": _mean_where(shares.certainty - shares.consensus),
        "calibration_slope": _regression_slope(shares.consensus, shares.certainty),
        "entropy_gap": _mean_where(gap),
        "entropy_gap_disputed": _mean_where(gap, shares.is_disputed),
    }


def _figures_of_distance(shares: _PairedShares) -> dict[str, Any]:
    """How far the model's shares are from people's, by several measures."""
    p, q = shares.of_people, shares.of_model
    noise = _chance_distance(p, shares.total)
    squared = ((p - q) ** 2).sum(axis=1)
    return {
        "divergence": _mean_where(jensen_shannon(p, q)),
        "majority_divergence": _mean_where(jensen_shannon(p, _commonest_label_rows(p))),
        "variation": _mean_where(np.abs(p - q).sum(axis=1) / 2.0),
        "cross_entropy": _mean_where(-(p * np.log(np.maximum(q, LEAST_PROBABILITY))).sum(axis=1)),
        "brier": _mean_where(squared),
        "brier_unbiased": _mean_where(squared - noise, shares.has_several_annotators),
        "ceiling_brier": _mean_where(2.0 * noise, shares.has_several_annotators),
    }


def _figures_of_rank(shares: _PairedShares, rank: AnnotatorRank) -> dict[str, Any]:
    p, q = shares.of_people, shares.of_model
    return {
        "rank_correlation": _rank_correlation(p[:, 0] - p[:, 1], q[:, 0] - q[:, 1]),
        "score": round_off_or_none(rank.score),
        "score_people": round_off_or_none(rank.people),
        "percentile": round_off_or_none(rank.percentile),
        "percentile_low": round_off_or_none(rank.low),
        "percentile_high": round_off_or_none(rank.high),
    }


def _chance_distance(p: Floats, total: Floats) -> Floats:
    """Return what chance alone adds to a squared distance, as few people judge an edge: the
    variance of their shares, estimated without bias from `total` labels.
    """
    return np.asarray((1.0 - (p**2).sum(axis=1)) / np.maximum(total - 1.0, 1.0))


def _mean_where(values: Floats | Bools, mask: Bools | None = None) -> float | None:
    """The mean of `values` where `mask` holds; None if it holds nowhere."""
    selected_values = values if mask is None else values[mask]
    return round_off(float(np.mean(selected_values))) if len(selected_values) else None


def _entropy_of_rows(p: Floats) -> Floats:
    """The entropy of each row of `p` (edges × labels) as a part of the highest possible."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(-np.where(p > 0.0, p * np.log(p), 0.0).sum(axis=1) / np.log(len(LABELS)))


def _commonest_label_rows(p: Floats) -> Floats:
    """1 for the commonest label of each row of `p`, else 0 (edges × labels)."""
    return np.eye(len(LABELS))[p.argmax(axis=1)] if len(p) else p


def _bands_of_consensus(shares: _PairedShares) -> tuple[ConsensusBand, ...]:
    ranges = (
        ("below .7", 0.0, LOW_CONSENSUS),
        (".7 to .8", LOW_CONSENSUS, HIGH_CONSENSUS),
        (".8 or more", HIGH_CONSENSUS, 2.0),
    )
    bands = []
    for name, low, high in ranges:
        is_from_low = shares.consensus >= low - SHARE_ROUNDING
        is_below_high = shares.consensus < high - SHARE_ROUNDING
        is_in_band = shares.is_clear & is_from_low & is_below_high
        agree = _mean_where(shares.same, is_in_band)
        bands.append(ConsensusBand(consensus=name, edges=int(is_in_band.sum()), agree=agree))
    return tuple(bands)


def _regression_slope(x: Floats, y: Floats) -> float | None:
    """The slope of y on x by least squares; None if x does not vary."""
    varies = len(x) and float(np.ptp(x)) > SHARE_ROUNDING
    return round_off(float(np.polyfit(x, y, 1)[0])) if varies else None


# `scipy.stats` has this, too, but takes longer to import than all else that the command does.
def _rank_correlation(x: Floats, y: Floats) -> float | None:
    """Spearman's rank correlation of two columns; None if either does not vary."""
    a, b = _mean_ranks(x), _mean_ranks(y)
    vary = len(a) and float(np.ptp(a)) > 0.0 and float(np.ptp(b)) > 0.0
    return round_off(float(np.corrcoef(a, b)[0, 1])) if vary else None


def _mean_ranks(x: Floats) -> Floats:
    """Ranks from 0; equals have their mean rank."""
    _, group, count = np.unique(np.round(x, 12), return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return np.asarray((ends - (count + 1) / 2.0)[group])


def _comparison_sentence(result: ModelComparison) -> str:
    if not result.edges:
        return "The model labels none of the judged edges."
    agreed = (
        "no edge on which people agree" if result.deviation is None else f"{result.deviation:.0%}"
    )
    text = f"Over {pluralize(result.edges, 'edge')}: it departs from agreed labels on {agreed}"
    if result.one_label:
        text += "; with one label per edge it cannot show disagreement"
    elif result.flattening is not None:
        text += f" and flattens {result.flattening:.0%} of disputed ones"
    text += f"; divergence {result.divergence:.3f} bits"
    if result.ceiling is not None:
        text += f", and a second panel's {result.ceiling:.3f}"
    if result.percentile is not None:
        text += (
            f"; among {result.annotators} single people it is at percentile {result.percentile:.0f}"
        )
    return f"{text}."
