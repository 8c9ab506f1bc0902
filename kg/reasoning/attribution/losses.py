"""What is left of a question without each independent source that bears on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kg.corpus.independent_sources import parts_of
from kg.reasoning.arrays import Floats, Ints, log_odds, runs
from kg.reasoning.attribution.camp_views import slopes
from kg.reasoning.graph import Graph
from kg.reasoning.reading import Question, once_per_question
from kg.reasoning.scenarios import Watch, outcome_of, rebased, stack_watches, strengths_of

FEWEST_LOSSES = 16
"""Losses that are tried whatever the budget: the heaviest of them are most of any answer."""
LARGEST_TABLE = 20_000_000
"""Numbers, of 8 bytes each: 160 MB."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """Per unit: its name, its evidence, and strengths (`rows` × units) without it.

    `whole` is false where only the units that should matter most were tried. `outcome`
    (3 × units) is what the word follows from without each, where something is asked.
    """

    units: tuple[str, ...]
    evidence: tuple[Ints, ...]
    rows: Ints
    without: Floats
    whole: bool
    outcome: Floats = field(default_factory=lambda: np.zeros((3, 0)))

    def at(self, nodes: Ints) -> Floats:
        """Strengths of `nodes`, all of which must be among the rows."""
        return np.asarray(self.without[np.searchsorted(self.rows, nodes)])


@once_per_question
def unit_members(question: Question) -> dict[str, Ints]:
    """The evidence (numbers) that rests on each unit."""
    return {
        unit: np.array([node for node, _, _ in held], dtype=np.int64)
        for unit, held in unit_parts(question).items()
    }


@once_per_question
def unit_parts(question: Question) -> dict[str, list[tuple[int, int, float]]]:
    """Per unit, the evidence that rests on it: its number, the place of the unit in `unit_part`,
    and the part that it has of what is left of the evidence.
    """
    graph, units = question.graph, question.reading.units
    by_unit: dict[str, list[tuple[int, int, float]]] = {}
    for node in np.flatnonzero(~graph.claim).tolist():
        first = int(graph.unit_start[node])
        for place, (unit, part) in enumerate(parts_of(graph.same[node], units).items(), first):
            if part > 0.0:
                by_unit.setdefault(unit, []).append((node, place, part))
    return by_unit


def without_units(question: Question, units: Sequence[str]) -> tuple[Ints, Floats]:
    """The evidence that rests on some of `units`, and the bases it keeps without them.

    Each cited source carries an equal part of the base.
    """
    lost: dict[int, float] = {}
    for unit in units:
        for node, _, part in unit_parts(question)[unit]:
            lost[node] = lost.get(node, 0.0) + part
    nodes = np.array(list(lost), dtype=np.int64)
    # parts add up to 1 only within rounding
    left = 1.0 - np.array(list(lost.values()))
    return nodes, question.graph.base[nodes] * np.maximum(left, 0.0)


def parts_without(question: Question, units: Sequence[str]) -> tuple[Ints, Floats]:
    """Places in `unit_part` of the evidence that rests on some of `units`, and the parts that its
    sources have without them.
    """
    graph = question.graph
    lost = [part for unit in units for part in unit_parts(question)[unit]]
    gone = [place for _, place, _ in lost]
    nodes = sorted({node for node, _, _ in lost})
    places = runs(graph.unit_start, np.array(nodes, dtype=np.int64))
    left = graph.unit_part[places]
    left[np.searchsorted(places, gone)] = 0.0
    owner = np.repeat(np.arange(len(nodes)), np.diff(graph.unit_start)[nodes])
    # what is left is split among the others; where none is left, all parts are 0
    total = np.bincount(owner, left, len(nodes))[owner]
    return places, np.where(total > 0.0, left / np.where(total > 0.0, total, 1.0), left)


def after_loss(question: Question, losses: Sequence[Sequence[str]], watch: Watch) -> Floats:
    """What `watch` keeps when all of some units fall, one column for each of `losses`."""
    return rebased(
        question.graph,
        [without_units(question, units) for units in losses],
        watch,
        [parts_without(question, units) for units in losses],
    )


@once_per_question
def dependence(question: Question) -> Dependence:
    """What is asked, and its direct reasons, without each independent source in turn.

    A piece of evidence that rests on k sources loses a k-th of its base with each.
    """
    direct = question.graph.src[question.graph.into(question.node)]
    rows = np.unique(np.append(direct, question.node))
    watch = stack_watches(outcome_of(question.node), strengths_of(rows))
    watched = _dependence(question, rows, watch)
    # the watches are stacked: three rows of the outcome, then one for each strength
    return replace(watched, outcome=watched.without[:3], without=watched.without[3:])


@once_per_question
def dependence_of_all(question: Question) -> Dependence | None:
    """The same for every statement; `None` where that would be too large a table."""
    if question.graph.size * len(unit_members(question)) > LARGEST_TABLE:
        return None
    statements = np.arange(question.graph.size)
    dependence = _dependence(question, statements, strengths_of(statements))
    return dependence if dependence.whole else None


def _dependence(question: Question, rows: Ints, watch: Watch) -> Dependence:
    members = unit_members(question)
    chosen = list(members)
    room = max(question.affordable(), FEWEST_LOSSES)
    if len(chosen) > room:
        # about what the answer would lose: how fast it follows the evidence, times its strength
        weight = np.abs(slopes(question)) * question.strengths
        chosen.sort(key=lambda unit: (-float(weight[members[unit]].sum()), unit))
    chosen = chosen[:room]
    lost = after_loss(question, [[unit] for unit in chosen], watch)
    evidence = tuple(members[unit] for unit in chosen)
    return Dependence(tuple(chosen), evidence, rows, lost, len(chosen) == len(members))


def losses(question: Question, nodes: Ints, dependence: Dependence) -> Floats:
    """The part (nodes × units) of what each of `nodes` passes on that is lost without a unit."""
    graph = question.graph
    now = passed_by(graph, nodes, question.strengths[nodes][:, None])
    then = passed_by(graph, nodes, dependence.at(nodes))
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(now > 0.0, (now - then) / now, 0.0)
    return np.asarray(np.clip(part, 0.0, 1.0))


def passed_by(graph: Graph, nodes: Ints, strengths: Floats) -> Floats:
    """What statements of some strengths (nodes × cases) pass on, up to a factor of each."""
    # where sources are followed, a claim at s passes on about ln(s / (1 − s)) in all
    if graph.settings.routed:
        argued = np.maximum(log_odds(strengths), 0.0)
        return np.where(graph.claim[nodes][:, None], argued, strengths)
    return np.maximum(strengths - graph.zero[nodes][:, None], 0.0)
