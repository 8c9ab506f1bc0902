"""Several models against one panel of people, and against each other: whether they err together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, NamedTuple

import numpy as np

from kg.judgements.edge_labels import Judgement, Model
from kg.model import EdgeId, Value
from kg.reasoning.annotation.agreement import FigureUnit, units_of
from kg.reasoning.annotation.model_comparison import ModelComparison, compare_model_with_panel
from kg.reasoning.annotation.panel import (
    LABELS_PER_EDGE,
    SHARE_ROUNDING,
    Panel,
    SplitHalfDifference,
    panel_of,
)
from kg.reasoning.graph.arrays import Bools, Floats, Ints, round_off, round_off_or_none
from kg.reasoning.weighed_answer import SentenceAnswer
from kg.reporting.report import (
    MAX_ROWS,
    Report,
    Table,
    TextLine,
    aside_lines,
    columns,
    fact_line,
    lines_in_cell,
    table,
)
from kg.text.plurals import pluralize

FEWEST_ANNOTATORS = 4  # of an edge: two people, and two or more to compare them with
OF_BOTH_WRONG = "share of the edges on which both are wrong"
MODEL = columns(
    ModelComparison,
    "model, edges, agrees (share): agree, deviates (share): deviation, "
    "flattens (share): flattening, divergence (bits): divergence, "
    "second panel (bits): ceiling",
)
RANK = columns(
    ModelComparison,
    "model, says what others say (share): score, people do (share): score_people, "
    "percentile (0-100): percentile, 95% from: percentile_low, to: percentile_high, rank, "
    "among (people): annotators",
)
PANEL_TERMS = (
    "agrees: gives people's commonest label, where there is one; deviates: gives another where at "
    "least .8 of two or more people agree; flattens: is .9 sure where less than .7 agree",
    "divergence: Jensen-Shannon, 0 to 1; second panel: what another panel of the same size would "
    "show beside this one, worked out from its halves; who knew the true shares would show about "
    "half of that",
    "percentile: people whom the model beats at saying what the others say of the same edges, "
    "those level with it counting half",
    "correlation: of how often each is wrong on an edge, that is, says other than people's "
    "commonest label; expected: if errors were independent; beyond chance: 0 for as often the same "
    "wrong label as chance has it, 1 for always",
)


class ModelPair(Value, frozen=True, omit_defaults=False):
    """The common errors of two annotators, on edges that both label, with one commonest label.

    An error is a label other than people's commonest. `correlation` is Pearson's, of how often
    each is wrong on an edge; `both_wrong` counts edges, `expected` how many there would be if
    errors were independent. `same_wrong` is the share of `both_wrong` with the same wrong label
    (Kim et al., ICML 2025), `by_chance` what it would be if each drew its wrong labels as often
    as it gives them, `beyond_chance` the rest: (same - chance) / (1 - chance).
    """

    one: str
    other: str
    edges: Annotated[int, FigureUnit("edges")]
    correlation: Annotated[
        float | None, FigureUnit("-1 to 1, 0 for errors that have nothing to do with each other")
    ]
    both_wrong: Annotated[float, FigureUnit("edges")]
    expected: Annotated[float, FigureUnit("edges")]
    same_wrong: Annotated[float | None, FigureUnit(OF_BOTH_WRONG)]
    by_chance: Annotated[float | None, FigureUnit(OF_BOTH_WRONG)]
    beyond_chance: Annotated[
        float | None, FigureUnit("0 for chance, 1 for always the same wrong label")
    ]


PAIR = columns(
    ModelPair,
    ("annotators", lambda p: lines_in_cell(p.one, p.other)),
    "edges, correlation (-1 to 1): correlation, both wrong (edges): both_wrong, "
    "expected (edges): expected, same wrong label (share): same_wrong, "
    "by chance (share): by_chance, beyond chance (to 1): beyond_chance",
)


class ModelComparisons(SentenceAnswer, frozen=True, kw_only=True):
    """Several models against one panel, singly and in pairs, the most correlated errors first.

    `people` is the same figure for two people of the panel, each compared with the rest, on edges
    that four or more judged: errors correlate because some edges are hard, also for people.
    `all_wrong` counts edges, labelled by all models, that all of them get wrong, and `missed`
    names those on which each is wrong more often than right.
    """

    models: tuple[ModelComparison, ...]
    pairs: tuple[ModelPair, ...]
    people: ModelPair | None
    mean_correlation: Annotated[float | None, FigureUnit("-1 to 1")]
    all_wrong: Annotated[float, FigureUnit("edges")]
    all_wrong_expected: Annotated[float, FigureUnit("edges")]
    missed: tuple[EdgeId, ...]

    def to_dict(self) -> dict[str, Any]:
        """The comparisons as plain JSON values, and the unit of each figure."""
        own_units = units_of(type(self))
        of_pairs = {**units_of(ModelPair), **own_units}
        units = {"models": units_of(ModelComparison), "pairs": of_pairs, "people": of_pairs}
        return {**super().to_dict(), "units": {**own_units, **units}}

    def report(self) -> Report:
        lines_and_tables = (
            self.lead_line,
            table("beside the panel", self.models, MODEL, None),
            table("as one more annotator", self.models, RANK, None),
        )
        # the last term explains errors of two, which are none of a single model
        terms = PANEL_TERMS if self.pairs else PANEL_TERMS[:-1]
        return Report((*lines_and_tables, *self._common_errors(), *aside_lines(terms)))

    def _common_errors(self) -> list[TextLine | Table]:
        """The part of the report on errors that models have in common; empty of a single model."""
        if not self.pairs:
            return []
        # the pair of people, if there is one, is the last row shown: models are compared with it
        people = (self.people,) if self.people else ()
        pairs = (*self.pairs[:MAX_ROWS], *people, *self.pairs[MAX_ROWS:])
        missed = [fact_line("mostly missed by each", self.missed)] if self.missed else []
        return [
            table("errors of two", pairs, PAIR, MAX_ROWS + len(people)),
            TextLine(""),
            fact_line("mean correlation of two models' errors", self.mean_correlation, "-1 to 1"),
            fact_line("all models wrong", self.all_wrong, "edges"),
            fact_line("expected, were errors independent", self.all_wrong_expected, "edges"),
            *missed,
        ]


def compare_models(
    judgements: Sequence[Judgement], models: Mapping[str, Model], seed: int = 0
) -> ModelComparisons:
    """Measure how each of `models` differs from the people who judged, and whether models err
    alike.

    `reasoning.compare_models(judgements.rows, judgements.models)`
    """
    panel = panel_of(judgements)
    names = sorted(models)
    halves_by_edges: dict[tuple[EdgeId, ...], SplitHalfDifference] = {}
    comparisons = tuple(
        compare_model_with_panel(panel, models[name], seed, name, halves_by_edges) for name in names
    )
    decided_panel = _edges_with_majority(panel)
    majority_label = (
        decided_panel.counts.argmax(axis=1) if decided_panel.edges else np.zeros(0, dtype=np.int64)
    )
    wrong = [_wrong_shares(decided_panel, majority_label, models[name]) for name in names]
    pairs = [
        _pair_of((names[a], names[b]), majority_label, wrong[a], wrong[b])
        for a, b in combinations(range(len(names)), 2)
    ]
    pairs.sort(key=lambda pair: 2.0 if pair.correlation is None else -pair.correlation)
    correlations = [pair.correlation for pair in pairs if pair.correlation is not None]
    mean = round_off(float(np.mean(correlations))) if correlations else None
    people = _pair_of_people(panel)
    shared_errors = _edges_all_get_wrong(decided_panel, wrong)
    return ModelComparisons(
        sentence=_panel_sentence(comparisons, mean, people),
        models=comparisons,
        pairs=tuple(pairs),
        people=people,
        mean_correlation=mean,
        all_wrong=round_off(shared_errors.number),
        all_wrong_expected=round_off(shared_errors.expected_number),
        missed=shared_errors.edges,
    )


def _edges_with_majority(panel: Panel) -> Panel:
    """The edges that two or more people judged and that have one commonest label."""
    counts = panel.counts
    has_one_commonest = (counts == counts.max(axis=1, initial=0.0)[:, None]).sum(axis=1) == 1
    positions = np.flatnonzero(has_one_commonest & (panel.total > 1)).tolist()
    return panel.restrict_to([panel.edges[position] for position in positions])


def _wrong_shares(panel: Panel, majority_label: Ints, model: Model) -> Floats:
    """A model's shares of wrong labels on each edge; NaN for an edge that it does not label."""
    nothing = (np.nan,) * LABELS_PER_EDGE
    shares = np.array([model.get(edge, nothing) for edge in panel.edges]).reshape(
        -1, LABELS_PER_EDGE
    )
    shares[np.arange(len(shares)), majority_label] *= 0.0
    return shares


def _pair_of(
    names: tuple[str, str], majority_label: Ints, first: Floats, second: Floats
) -> ModelPair:
    is_labelled = ~np.isnan(first[:, 0] + second[:, 0])
    a = first[is_labelled]
    b = second[is_labelled]
    majority_label = majority_label[is_labelled]
    x = a.sum(axis=1)
    y = b.sum(axis=1)
    both = float((x * y).sum())
    same = float((a * b).sum())
    chance = 0.0
    for label in range(LABELS_PER_EDGE):
        has_label = majority_label == label
        chance += float(
            (x * y)[has_label].sum()
            * _agreement_of(a[has_label].sum(axis=0), b[has_label].sum(axis=0))
        )
    expected = float(x.mean() * y.mean() * len(x)) if len(x) else 0.0
    return _as_pair(names, len(x), _correlation(x, y), (both, expected, same, chance))


def _agreement_of(first: Floats, second: Floats) -> float:
    """The probability that labels drawn from each are the same."""
    all_pairs = float(first.sum() * second.sum())
    return float((first * second).sum()) / all_pairs if all_pairs > 0.0 else 0.0


def _as_pair(
    names: tuple[str, str],
    edge_count: int,
    correlation: float | None,
    mass: tuple[float, float, float, float],
) -> ModelPair:
    both, expected, same, by_chance = mass
    has_mass = both > SHARE_ROUNDING
    agreement, chance = (same / both, by_chance / both) if has_mass else (0.0, 0.0)
    return ModelPair(
        one=names[0],
        other=names[1],
        edges=edge_count,
        correlation=correlation,
        both_wrong=round_off(both),
        expected=round_off(expected),
        same_wrong=round_off(agreement) if has_mass else None,
        by_chance=round_off(chance) if has_mass else None,
        beyond_chance=round_off((agreement - chance) / (1.0 - chance))
        if has_mass and chance < 1.0 - SHARE_ROUNDING
        else None,
    )


def _correlation(x: Floats, y: Floats) -> float | None:
    """Pearson's correlation; `None` if either is constant."""
    if len(x) < 2:
        return None
    a = x - x.mean()
    b = y - y.mean()
    spread = float(np.sqrt((a**2).mean() * (b**2).mean()))
    return round_off_or_none(float((a * b).mean()) / spread) if spread > SHARE_ROUNDING else None


def _pair_of_people(panel: Panel) -> ModelPair | None:
    """The errors of two people, over all pairs on each edge, against the rest's commonest label.

    A pair counts only if the rest have one commonest label.
    """
    has_enough_annotators = panel.total >= FEWEST_ANNOTATORS
    counts = panel.counts[has_enough_annotators]
    total = panel.total[has_enough_annotators]
    both = np.zeros(LABELS_PER_EDGE)
    same = np.zeros(LABELS_PER_EDGE)
    pairs = 0.0
    errors = np.zeros((LABELS_PER_EDGE, LABELS_PER_EDGE))
    edge_weights = np.zeros(len(total))
    for first in range(LABELS_PER_EDGE):
        for second in range(LABELS_PER_EDGE):
            probability, right = _draw_two_labels(counts, total, first, second)
            pairs += float(probability.sum())
            edge_weights += probability
            for label in range(LABELS_PER_EDGE):
                label_mass = float(probability[right == label].sum())
                errors[label, first] += label_mass * (first != label)
                both[label] += label_mass * (first != label and second != label)
                same[label] += label_mass * (first == second != label)
    if pairs <= 0.0:
        return None
    error = float(errors.sum()) / pairs
    spread = error * (1.0 - error)
    correlation = (
        round_off_or_none((float(both.sum()) / pairs - error**2) / spread)
        if spread > SHARE_ROUNDING
        else None
    )
    chance = sum(
        both[label] * _agreement_of(errors[label], errors[label])
        for label in range(LABELS_PER_EDGE)
    )
    mass = (float(both.sum()), pairs * error**2, float(same.sum()), float(chance))
    return _as_pair(("a person", "another"), int((edge_weights > 0.0).sum()), correlation, mass)


def _draw_two_labels(counts: Floats, total: Floats, first: int, second: int) -> tuple[Floats, Ints]:
    """The probability that two people give these labels, and the commonest label of the rest."""
    first_label = np.eye(LABELS_PER_EDGE)[first]
    second_label = np.eye(LABELS_PER_EDGE)[second]
    # people are drawn without putting back, so the first one's label is gone for the second
    left_for_second = counts[:, second] - (1 if first == second else 0)
    probability = counts[:, first] * left_for_second / (total * (total - 1.0))
    rest = counts - first_label - second_label
    has_one_commonest: Bools = (rest == rest.max(axis=1, initial=0.0)[:, None]).sum(axis=1) == 1
    return np.asarray(np.where(has_one_commonest, probability, 0.0)), np.asarray(
        rest.argmax(axis=1)
    )


class _SharedErrors(NamedTuple):
    """How many edges all models get wrong, how many they would if errors were independent, and the
    edges that each model mostly gets wrong.
    """

    number: float = 0.0
    expected_number: float = 0.0
    edges: tuple[EdgeId, ...] = ()


def _edges_all_get_wrong(panel: Panel, wrong: Sequence[Floats]) -> _SharedErrors:
    if not panel.edges or len(wrong) < 2:
        return _SharedErrors()
    wrong_parts = np.array([shares.sum(axis=1) for shares in wrong])
    is_labelled = ~np.isnan(wrong_parts).any(axis=0)
    missed = np.flatnonzero((wrong_parts > 0.5).all(axis=0)).tolist()
    wrong_parts = wrong_parts[:, is_labelled]
    expected = (
        float(wrong_parts.mean(axis=1).prod() * is_labelled.sum()) if is_labelled.any() else 0.0
    )
    return _SharedErrors(
        float(wrong_parts.prod(axis=0).sum()),
        expected,
        tuple(panel.edges[position] for position in missed),
    )


def _panel_sentence(
    models: Sequence[ModelComparison], mean: float | None, people: ModelPair | None
) -> str:
    ranked = [(m.percentile, m.model) for m in models if m.percentile is not None]
    text = f"{pluralize(len(models), 'model')} beside people"
    if ranked:
        best, name = max(ranked)
        text += f": {name} comes highest among single people, at percentile {best:.0f}"
    if mean is not None:
        text += f"; errors of two models correlate at {mean:.2f}"
        if people is not None and people.correlation is not None:
            text += f", those of two people at {people.correlation:.2f}"
    return f"{text}."
