"""The agreement of annotators about edges, and the edges on which they do not agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

import numpy as np

from kg.judgements.edge_labels import Judgement, label_counts
from kg.judgements.label_table import LABELS
from kg.model import EdgeId, Value
from kg.reasoning.annotation.panel import BOOTSTRAP_SAMPLES
from kg.reasoning.graph.arrays import Floats, round_off, round_off_or_none
from kg.reasoning.weighed_answer import SentenceAnswer
from kg.reporting.report import Report, TextLine, columns, fact_line, line_of_values, table
from kg.text.plurals import pluralize

PanelStatus = Literal["single", "unanimous", "high", "moderate", "polarised", "split"]
OF_CHANCE = "1 for all alike, 0 for as by chance"


class FigureUnit(NamedTuple):
    """The unit of a field of an answer, and its heading in reports, if that is not its name."""

    unit: str = ""
    heading: str = ""


class JudgedEdge(Value, frozen=True, omit_defaults=False):
    """A panel's labels of one edge.

    `consensus` is the share of the commonest label, `entropy` from 0 to 1, `pairwise` the
    share of pairs that agree (`None` for one annotator), `direction` p(supports) - p(contradicts),
    `majority_real` how probable it is that more than half of all such annotators would say
    the commonest label, under Jeffreys' prior.
    """

    edge: EdgeId
    supports: int
    contradicts: int
    neutral: int
    consensus: float
    entropy: float
    pairwise: float | None
    direction: float
    majority_real: float
    status: PanelStatus


class Annotator(Value, frozen=True, omit_defaults=False):
    """One annotator: how many labels they gave, and the share of others' labels that agree."""

    name: str
    labels: int
    agreement: float | None


def units_of(kind: type[Value]) -> dict[str, str]:
    """The unit of each figure of a kind of answer."""
    return {name: figure.unit for name, figure in _figures_of(kind).items() if figure.unit}


def _figures_of(kind: type[Value]) -> dict[str, FigureUnit]:
    hints = get_type_hints(kind, include_extras=True)
    no_figure = (FigureUnit(),)
    return {
        name: getattr(hints[name], "__metadata__", no_figure)[0] for name in kind.__struct_fields__
    }


def figure_lines(answer: SentenceAnswer) -> Iterator[TextLine]:
    """A line for each number and word of an answer, with its unit."""
    for name, figure in _figures_of(type(answer)).items():
        value = getattr(answer, name)
        if name not in ("sentence", "complete") and not isinstance(value, dict | tuple):
            yield fact_line(figure.heading or name.replace("_", " "), value, figure.unit)


ANNOTATOR = columns(Annotator, "name, labels, of others' labels the same: agreement")


class Agreement(SentenceAnswer, frozen=True, kw_only=True):
    """The agreement of a set of judgements.

    `alpha` is Krippendorff's (nominal, missing labels allowed; 2004), `low` to `high` its
    middle 95% over resampled edges, `ac1` Gwet's (2008), which holds where one label
    dominates and alpha collapses, `kappa` Fleiss' (1971), defined if each edge has equally many
    annotators. `None` if undefined. `flagged` are the edges on which
    the panel is split or polarised: disputed, not wrong.
    """

    alpha: Annotated[float | None, FigureUnit(f"{OF_CHANCE}, below 0 worse")]
    low: Annotated[float | None, FigureUnit("of alpha", "95% interval from")]
    high: Annotated[float | None, FigureUnit("of alpha", "to")]
    ac1: Annotated[float | None, FigureUnit(OF_CHANCE, "AC1")]
    kappa: Annotated[float | None, FigureUnit(OF_CHANCE, "Fleiss' kappa")]
    edges: Annotated[int, FigureUnit("edges judged")]
    judged_by_several: Annotated[int, FigureUnit("edges")]
    labels: Annotated[int, FigureUnit("labels")]
    annotators: tuple[Annotator, ...]
    statuses: dict[str, int]
    flagged: tuple[EdgeId, ...]
    resampled: Annotated[int, FigureUnit("draws of edges", "times resampled")]
    seed: Annotated[int, FigureUnit(heading="seed of the draws")]

    def to_dict(self) -> dict[str, Any]:
        """The agreement as plain JSON values, and the unit of each figure."""
        return {**super().to_dict(), "units": units_of(type(self))}

    def report(self) -> Report:
        annotators = table("annotators", self.annotators, ANNOTATOR)
        disagreements = (
            *line_of_values("statuses", self.statuses),
            *line_of_values("flagged", self.flagged),
        )
        return Report((self.lead_line, *figure_lines(self), annotators, *disagreements))


def judged_edges(judgements: Sequence[Judgement]) -> tuple[JudgedEdge, ...]:
    """The distribution of labels on each judged edge, in the order of first judgement.

    `reasoning.judged_edges(judgements.rows)`
    """
    return tuple(_judged_edge(edge, n) for edge, n in label_counts(judgements).items())


def _judged_edge(edge: EdgeId, n: tuple[int, int, int]) -> JudgedEdge:
    from scipy.special import betainc

    total = sum(n)
    top = max(n)
    fractions = np.array(n) / total
    positive = fractions[fractions > 0.0]
    same = sum(k * (k - 1) for k in n)
    return JudgedEdge(
        edge=edge,
        supports=n[0],
        contradicts=n[1],
        neutral=n[2],
        consensus=round_off(top / total),
        entropy=round_off(-float((positive * np.log(positive)).sum()) / float(np.log(len(LABELS)))),
        pairwise=round_off(same / (total * (total - 1))) if total > 1 else None,
        direction=round_off((n[0] - n[1]) / total),
        majority_real=round_off(1.0 - float(betainc(top + 0.5, total - top + 0.5, 0.5))),
        status=status_of_panel(n),
    )


def status_of_panel(n: tuple[int, int, int]) -> PanelStatus:
    """The word for a panel's counts of supports, contradicts, neutral, by whole numbers only."""
    total = sum(n)
    top = max(n)
    if total < 2:
        return "single"
    if top == total:
        return "unanimous"
    if 10 * top >= 8 * total:
        return "high"
    if 10 * top >= 7 * total:
        return "moderate"
    return "polarised" if 10 * min(n[0], n[1]) >= 3 * total else "split"


def agreement(
    judgements: Sequence[Judgement], bootstrap: int = BOOTSTRAP_SAMPLES, seed: int = 0
) -> Agreement:
    """Measure how far annotators agree; the same seed gives the same interval.

    `reasoning.agreement(judgements.rows)`
    """
    # sorted, so that the order of files does not matter
    edges = sorted(judged_edges(judgements), key=lambda item: item.edge)
    table = np.array([(i.supports, i.contradicts, i.neutral) for i in edges], dtype=float)
    table = table.reshape(-1, len(LABELS))
    several = table[table.sum(axis=1) > 1]
    value = krippendorff_alpha(table)
    low, high = _bootstrap_interval(several, bootstrap, seed)
    statuses = Counter(item.status for item in edges)
    flagged = tuple(item.edge for item in edges if item.status in ("split", "polarised"))
    return Agreement(
        sentence=_agreement_sentence(value, low, high, len(edges), len(flagged)),
        alpha=round_off_or_none(value),
        low=round_off_or_none(low),
        high=round_off_or_none(high),
        ac1=round_off_or_none(gwet_ac1(table)),
        kappa=round_off_or_none(fleiss_kappa(table)),
        edges=len(edges),
        judged_by_several=len(several),
        labels=int(table.sum()),
        annotators=agreement_by_annotator(judgements),
        statuses={status: statuses[status] for status in sorted(statuses)},
        flagged=flagged,
        resampled=bootstrap,
        seed=seed,
    )


def krippendorff_alpha(table: Floats) -> float:
    """Krippendorff's alpha of counts (items × labels); NaN if only one label occurs."""
    return float(_alpha_of(_disagreement_sums(table).sum(axis=0)))


def _disagreement_sums(table: Floats) -> Floats:
    """Return, for items with several labels, the observed disagreement, the number of labels, and
    the count of each label.
    """
    several = table[table.sum(axis=1) > 1]
    total = several.sum(axis=1)
    observed = (total**2 - (several**2).sum(axis=1)) / np.maximum(total - 1.0, 1.0)
    return np.column_stack([observed, total, several])


def _alpha_of(sums: Floats) -> Floats:
    """Krippendorff's α, 1 - observed / expected disagreement, of sums per sample."""
    observed = sums[..., 0]
    total = sums[..., 1]
    labels = sums[..., 2:]
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = (total**2 - (labels**2).sum(axis=-1)) / (total * (total - 1.0))
        return np.asarray(np.where(expected > 0.0, 1.0 - observed / total / expected, np.nan))


def _bootstrap_interval(several: Floats, bootstrap: int, seed: int) -> tuple[float, float]:
    """The middle 95% of alpha over resampled items; NaN if alpha is never defined."""
    if not len(several) or not bootstrap:
        return np.nan, np.nan
    rng = np.random.default_rng(seed)
    sums = _disagreement_sums(several)
    resampled_sums = np.stack(
        [sums[rng.integers(0, len(sums), len(sums))].sum(axis=0) for _ in range(bootstrap)]
    )
    values = _alpha_of(resampled_sums)
    values = values[~np.isnan(values)]
    if not len(values):
        return np.nan, np.nan
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def gwet_ac1(table: Floats) -> float:
    """Gwet's AC1 of counts (items × labels); NaN if no item has two labels."""
    total = table.sum(axis=1)
    several = total > 1
    if not several.any():
        return float("nan")
    n = table[several]
    m = total[several]
    agreed = float(((n * (n - 1.0)).sum(axis=1) / (m * (m - 1.0))).mean())
    fractions = (table / total[:, None]).mean(axis=0)
    chance = float((fractions * (1.0 - fractions)).sum()) / (len(LABELS) - 1)
    return (agreed - chance) / (1.0 - chance)


def fleiss_kappa(table: Floats) -> float:
    """Fleiss' kappa of counts (items × labels); NaN unless all items have equally many labels."""
    total = table.sum(axis=1)
    if not len(total) or total[0] < 2 or (total != total[0]).any():
        return float("nan")
    n = total[0]
    agreed = float(((table * (table - 1.0)).sum(axis=1) / (n * (n - 1.0))).mean())
    chance = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return (agreed - chance) / (1.0 - chance) if chance < 1.0 else float("nan")


def agreement_by_annotator(judgements: Sequence[Judgement]) -> tuple[Annotator, ...]:
    """Return each annotator and how often the others agree, the least often first."""
    tally = label_counts(judgements)
    label_index = {label: k for k, label in enumerate(LABELS)}
    agreements: defaultdict[str, list[float]] = defaultdict(list)
    labels_given: Counter[str] = Counter()
    for row in judgements:
        labels_given[row.annotator] += 1
        others = sum(tally[row.edge]) - 1
        if others:
            agreements[row.annotator].append((tally[row.edge][label_index[row.label]] - 1) / others)
    annotators = [
        Annotator(
            name=name,
            labels=labels_given[name],
            agreement=round_off(float(np.mean(agreements[name]))) if agreements[name] else None,
        )
        for name in labels_given
    ]
    return tuple(
        sorted(annotators, key=lambda a: (2.0 if a.agreement is None else a.agreement, a.name))
    )


def _agreement_sentence(value: float, low: float, high: float, edges: int, flagged: int) -> str:
    if not edges:
        return "No edge has been judged."
    disputed = f"{pluralize(flagged, 'edge')} of {edges} disputed"
    if np.isnan(value):
        return f"Alpha is undefined, for no two labels differ or none can be paired; {disputed}."
    return f"Krippendorff's alpha is {value:.2f} ({low:.2f} to {high:.2f}); {disputed}."
