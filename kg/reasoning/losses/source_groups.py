"""The evidence of each independent source, its name, and what is left of evidence without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.corpus.independent_sources import render_source_group, unretracted_fractions
from kg.model import SourceKey
from kg.reasoning.graph.arrays import ROUNDING, Floats, Ints, positions_in_runs
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import slopes_of
from kg.runtime.memoize import memoize
from kg.text.plurals import join_first

# A work that carries less than this fraction of what the heaviest carries is not named.
LEAST_PART_NAMED = 0.05
MAX_SOURCES_NAMED = 3  # names that fit in a sentence


class EvidenceFraction(NamedTuple):
    """How much of what is left of a piece of evidence rests on one source group."""

    node: int
    position: int  # of the source group in `Graph.source_group_fraction`
    fraction: float


@memoize
def evidence_by_source_group(question: Question) -> dict[str, Ints]:
    """The evidence (numbers) that rests on each source group."""
    return {
        source_group: np.array([item.node for item in items], dtype=np.int64)
        for source_group, items in evidence_fractions_by_source_group(question).items()
    }


@memoize
def evidence_fractions_by_source_group(question: Question) -> dict[str, list[EvidenceFraction]]:
    """Return, for each source group, the fractions of evidence that rest on it."""
    graph = question.graph
    source_groups = question.reading.source_groups
    by_source_group: dict[str, list[EvidenceFraction]] = {}
    for node in np.flatnonzero(~graph.is_claim).tolist():
        first = int(graph.source_group_start[node])
        for position, (source_group, fraction) in enumerate(
            unretracted_fractions(graph.ids_of[node], source_groups).items(), first
        ):
            if fraction > 0.0:
                item = EvidenceFraction(node, position, fraction)
                by_source_group.setdefault(source_group, []).append(item)
    return by_source_group


def bases_without_source_groups(
    question: Question, source_groups: Sequence[str]
) -> tuple[Ints, Floats]:
    """The evidence that rests on any of `source_groups`, and its bases without them.

    Each cited source carries an equal fraction of the base.
    """
    lost_fractions: dict[int, float] = {}
    for source_group in source_groups:
        for item in evidence_fractions_by_source_group(question)[source_group]:
            lost_fractions[item.node] = lost_fractions.get(item.node, 0.0) + item.fraction
    nodes = np.array(list(lost_fractions), dtype=np.int64)
    # fractions add up to 1 only within rounding
    fractions_left = 1.0 - np.array(list(lost_fractions.values()))
    return nodes, question.graph.base[nodes] * np.maximum(fractions_left, 0.0)


def source_group_fractions_without(
    question: Question, source_groups: Sequence[str]
) -> tuple[Ints, Floats]:
    """Positions in `Graph.source_group_fraction` of the evidence that rests on any of
    `source_groups`, and the fractions of its sources without them.
    """
    graph = question.graph
    lost_items = [
        item
        for source_group in source_groups
        for item in evidence_fractions_by_source_group(question)[source_group]
    ]
    lost_positions = [item.position for item in lost_items]
    nodes = sorted({item.node for item in lost_items})
    positions = positions_in_runs(graph.source_group_start, np.array(nodes, dtype=np.int64))
    fractions_left = graph.source_group_fraction[positions]
    fractions_left[np.searchsorted(positions, lost_positions)] = 0.0
    owner = np.repeat(np.arange(len(nodes)), np.diff(graph.source_group_start)[nodes])
    # the other sources share what is left; if none is left, all fractions are 0
    total = np.bincount(owner, fractions_left, len(nodes))[owner]
    return positions, np.where(
        total > 0.0, fractions_left / np.where(total > 0.0, total, 1.0), fractions_left
    )


def source_group_numbers(question: Question) -> dict[str, int]:
    """The number of each source group in the question's graph."""
    source_group_of = question.graph.source_group_of
    # all fractions of a source group have the same number
    return {
        source_group: int(source_group_of[items[0].position])
        for source_group, items in evidence_fractions_by_source_group(question).items()
    }


def works_of_source_group(question: Question, source_group: str) -> tuple[SourceKey, ...]:
    """The works of a source group that evidence bearing on the question cites."""
    graph = question.graph
    corpus = question.reading.corpus
    cited_keys = {
        key
        for node in evidence_by_source_group(question)[source_group].tolist()
        for name in graph.ids_of[node]
        for key in corpus.statements[name].sources
    }
    return tuple(
        k for k in question.reading.source_groups.sources.get(source_group, ()) if k in cited_keys
    )


def carrying_works(question: Question, source_group: str) -> tuple[SourceKey, ...]:
    """The works by which a source group moves the answer, the one that moves it most first, without
    those that only share its team or data. If none moves it, all its works that bear on the
    question.
    """
    graph = question.graph
    corpus = question.reading.corpus
    works = works_of_source_group(question, source_group)
    pull = slopes_of(question) * question.strengths
    nodes = evidence_by_source_group(question)[source_group]
    side = 1.0 if float(pull[nodes].sum()) >= 0.0 else -1.0
    pull_of_work = dict.fromkeys(works, 0.0)
    for node in nodes.tolist():
        cited_keys = [key for name in graph.ids_of[node] for key in corpus.statements[name].sources]
        works_of_node = [key for key in dict.fromkeys(cited_keys) if key in pull_of_work]
        for key in works_of_node:
            pull_of_work[key] += side * float(pull[node]) / len(works_of_node)
    threshold = LEAST_PART_NAMED * max(pull_of_work.values(), default=0.0)
    moving = [key for key in works if pull_of_work[key] > max(threshold, ROUNDING)]
    return tuple(sorted(moving, key=lambda key: -pull_of_work[key])) or works


def source_group_title(question: Question, source_group: str) -> str:
    """A name for a source group: the work that carries it in this question, and how many others it
    has.
    """
    works = carrying_works(question, source_group)
    sources = question.reading.source_groups.sources.get(source_group, ())
    return render_source_group(f"@{works[0]}", len(sources) - 1) if works else source_group


def describe_any_of(names: Sequence[str]) -> str:
    """`a alone` or `any one of a, b and 2 more`; at most three are named."""
    if len(names) == 1:
        return f"{names[0]} alone"
    return f"any one of {join_first(names, MAX_SOURCES_NAMED)}"


def describe_deciding_sources(names: Sequence[str]) -> str:
    """Sources without any one of which an answer would have a side, as the end of a sentence."""
    return f"; without {describe_any_of(names)} it would be on one" if names else ""
