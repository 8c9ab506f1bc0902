"""A model's labels against the distribution of human labels, edge by edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import structs

from kg.judgements.edge_labels import Judgement, Model, add_shares, as_proportions
from kg.judgements.label_table import (
    LABELS,
    MODEL_PREFIX,
    LabelAmounts,
    LabelRow,
    annotator_of,
    label_table_problem,
    one_hot,
    parse_count,
    parse_label,
    parse_shares,
    read_label_table,
)
from kg.model import Diagnostic, EdgeId, Span, Value
from kg.reasoning.annotation.agreement import FigureUnit, figure_lines, units_of
from kg.reasoning.annotation.panel import (
    SHARE_ROUNDING,
    Panel,
    RaterRank,
    SplitHalfDifference,
    jensen_shannon,
    model_rows,
    panel_of,
    rank_among_raters,
    shares_of_commonest,
    split_halves,
)
from kg.reasoning.graph.arrays import Bools, Floats, round_off, round_off_or_none
from kg.reasoning.weighed_answer import SentenceAnswer
from kg.reporting.report import Report, columns, line_of_values, table
from kg.text.plurals import pluralize

EdgeIds = tuple[EdgeId, ...]
HIGH_CONSENSUS, LOW_CONSENSUS, CERTAIN_FROM = 0.8, 0.7, 0.9
"""Shares of labels from which people agree, below which they do not, and from which a model is
sure.
"""
LEAST_PROBABILITY = 1e-6
"""Lower bound for a share before its logarithm is taken."""
MODEL_COLUMNS = ("edge", "label", *LABELS, "date", "note")

BITS = "bits, 0 to 1"
SQUARED = "squared shares, 0 to 2"
OF_ENTROPY = "of the greatest entropy, -1 to 1"
OF_LABELS = "share of others' labels that are the same"
OF_PEOPLE = "of single people, 0 to 100"
"""Units of several figures."""


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
    `score` to `raters` rank the model as one more rater (`panel.rank_among_raters`). The measures
    are this program's, after Taubenfeld et al., arXiv 2602.11328, and, for the ranks, after
    Strimling et al., arXiv 2508.19004.
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
    raters: Annotated[int, FigureUnit("people", "single people")]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain JSON values, and the unit of each figure."""
        return {**super().to_dict(), "units": units_of(type(self))}

    def report(self) -> Report:
        bands = table("bands", self.bands, BAND)
        figures = figure_lines(self)
        return Report((self.lead_line, *figures, *line_of_values("missing", self.missing), bands))


def load_models(file: Path) -> tuple[dict[str, Model], tuple[Diagnostic, ...]]:
    """Labels by model name, from columns edge and `model:NAME`, one for each model.

    A file may also hold one model, named after the file: columns edge and label (a row per
    sample), or edge, supports, contradicts, neutral (shares). What cannot be read becomes a
    diagnostic.

    `reasoning.load_models(Path("models.csv"))`
    """
    sheet = read_label_table(file, file.name, MODEL_COLUMNS)
    if isinstance(sheet, Diagnostic):
        return {}, (sheet,)
    names = [name for name in sheet.columns if name.startswith(MODEL_PREFIX)]
    if "edge" not in sheet.columns or len(sheet.columns) < 2:
        text = "no column edge with a column of labels beside it"
        return {}, (label_table_problem("judgement-file", text, Span(file.name)),)
    problems = list(sheet.warnings)
    models = dict[str, dict[EdgeId, LabelAmounts]]()
    for row in sheet.rows:
        if isinstance(row, Diagnostic):
            problems.append(row)
            continue
        shares_by_model = _parse_row(row, names, file.stem)
        edge = row.cells.get("edge")
        if not edge or not shares_by_model or None in shares_by_model.values():
            problems.append(
                label_table_problem("judgement-row", "no edge, or no valid label", row.span)
            )
        for name, shares in shares_by_model.items():
            if edge and shares is not None:
                add_shares(models.setdefault(name, {}), edge, shares)
    return {name: as_proportions(models[name]) for name in sorted(models)}, tuple(problems)


def holds_one_model(file: Path) -> bool:
    """Return whether a file holds a single model, without columns called `model:NAME`."""
    sheet = read_label_table(file, file.name, MODEL_COLUMNS)
    return isinstance(sheet, Diagnostic) or not any(map(annotator_of, sheet.columns))


def _parse_row(
    row: LabelRow, names: Sequence[str], model_name: str
) -> Mapping[str, LabelAmounts | None]:
    """The shares in a row by model; `None` for a cell that is not valid."""
    if names:
        return {
            annotator_of(name): parse_shares(row.cells[name]) for name in names if name in row.cells
        }
    if "label" in row.cells:
        label = parse_label(row.cells["label"])
        return {model_name: None if label is None else one_hot(label)}
    a, b, c = (parse_count(row.cells.get(name, "")) for name in LABELS)
    has_amounts = a is not None and b is not None and c is not None and a + b + c > 0.0
    return {model_name: (a, b, c) if has_amounts else None}  # type: ignore[dict-item]


def compare_model(
    judgements: Sequence[Judgement], model: Model, seed: int = 0, name: str = "model"
) -> ModelComparison:
    """Measure how `model` differs from the people who judged the same edges.

    `reasoning.compare_model(judgements.rows, judgements.models["large"])`
    """
    return compare_with_panel(panel_of(judgements), model, seed, name)


def compare_with_panel(
    full_panel: Panel,
    model: Model,
    seed: int,
    name: str,
    halves_by_edges: dict[EdgeIds, SplitHalfDifference] | None = None,
) -> ModelComparison:
    """Measure how `model` differs from a panel on the edges that both label.

    `halves_by_edges` caches what depends on the panel alone, for models that label the same edges.
    """
    panel = full_panel.restrict_to([edge for edge in full_panel.edges if edge in model])
    q = model_rows(model, panel.edges)
    halves_by_edges = {} if halves_by_edges is None else halves_by_edges
    if panel.edges not in halves_by_edges:
        halves_by_edges[panel.edges] = split_halves(panel, seed)
    return _compare_model(
        panel,
        q,
        halves_by_edges[panel.edges],
        rank_among_raters(panel, q, seed),
        name=name,
        missing=tuple(edge for edge in full_panel.edges if edge not in model),
        unjudged=len(set(model) - set(full_panel.edges)),
    )


def _compare_model(
    panel: Panel,
    q: Floats,
    halves: SplitHalfDifference,
    rank: RaterRank,
    *,
    name: str,
    missing: tuple[EdgeId, ...],
    unjudged: int,
) -> ModelComparison:
    """Compute all measures of one model with shares `q` against people with shares `p`: both (edges
    × labels), each row adding up to 1. Intermediate arrays have one entry per edge.
    """
    p = panel.shares
    total = panel.total
    consensus = p.max(axis=1, initial=0.0)
    top = q.max(axis=1, initial=0.0)
    is_clear = (p == consensus[:, None]).sum(axis=1) == 1
    # if several labels are equally common, each is right in part
    same = (shares_of_commonest(p) * shares_of_commonest(q)).sum(axis=1)
    one_label = bool(len(q)) and bool((top == 1.0).all())
    several = total > 1
    low = consensus < LOW_CONSENSUS - SHARE_ROUNDING
    gap = _entropy_of_rows(p) - _entropy_of_rows(q)
    noise = _chance_distance(p, total)
    squared = ((p - q) ** 2).sum(axis=1)
    comparison = ModelComparison(
        sentence="",
        model=name,
        edges=len(p),
        missing=missing,
        unjudged=unjudged,
        one_label=one_label,
        deviation=_mean_where(1.0 - same, several & (consensus >= HIGH_CONSENSUS - SHARE_ROUNDING)),
        flattening=None if one_label else _mean_where(top >= CERTAIN_FROM, low),
        agree=_mean_where(same, is_clear),
        bands=_bands_of_consensus(consensus, is_clear, same),
        overconfidence=_mean_where(top - consensus),
        calibration_slope=_regression_slope(consensus, top),
        entropy_gap=_mean_where(gap),
        entropy_gap_disputed=_mean_where(gap, low),
        divergence=_mean_where(jensen_shannon(p, q)),
        ceiling=round_off_or_none(halves.divergence),
        ceiling_agree=round_off_or_none(halves.agree),
        majority_divergence=_mean_where(jensen_shannon(p, _commonest_label_rows(p))),
        variation=_mean_where(np.abs(p - q).sum(axis=1) / 2.0),
        cross_entropy=_mean_where(-(p * np.log(np.maximum(q, LEAST_PROBABILITY))).sum(axis=1)),
        brier=_mean_where(squared),
        brier_unbiased=_mean_where(squared - noise, several),
        ceiling_brier=_mean_where(2.0 * noise, several),
        rank_correlation=_rank_correlation(p[:, 0] - p[:, 1], q[:, 0] - q[:, 1]),
        score=round_off_or_none(rank.score),
        score_people=round_off_or_none(rank.people),
        percentile=round_off_or_none(rank.percentile),
        percentile_low=round_off_or_none(rank.low),
        percentile_high=round_off_or_none(rank.high),
        rank=rank.rank or None,
        raters=rank.raters,
    )
    return structs.replace(comparison, sentence=_comparison_sentence(comparison))


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


def _bands_of_consensus(
    consensus: Floats, is_clear: Bools, same: Bools
) -> tuple[ConsensusBand, ...]:
    ranges = (
        ("below .7", 0.0, LOW_CONSENSUS),
        (".7 to .8", LOW_CONSENSUS, HIGH_CONSENSUS),
        (".8 or more", HIGH_CONSENSUS, 2.0),
    )
    bands = []
    for name, low, high in ranges:
        is_from_low = consensus >= low - SHARE_ROUNDING
        is_in_band = is_clear & is_from_low & (consensus < high - SHARE_ROUNDING)
        bands.append(
            ConsensusBand(
                consensus=name, edges=int(is_in_band.sum()), agree=_mean_where(same, is_in_band)
            )
        )
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
        text += f"; among {result.raters} single people it is at percentile {result.percentile:.0f}"
    return f"{text}."
