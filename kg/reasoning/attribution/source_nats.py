"""What each independent source adds to an answer, in nats."""

from __future__ import annotations

import numpy as np

from kg.reasoning.attribution.losses import LossOfEachSource, parts_lost_by_source_group
from kg.reasoning.attribution.shares import all_shares
from kg.reasoning.attribution.source_groups import source_group_numbers
from kg.reasoning.default_rule.strengths_by_voices import voices_of
from kg.reasoning.graph.arrays import ROUNDING, Floats, Ints
from kg.reasoning.graph.graph import Graph
from kg.reasoning.reading import Question


def nats_by_source_group(
    question: Question, node: int, losses: LossOfEachSource
) -> tuple[Floats, Floats]:
    """The part of each source group in the bill of `node`, in nats for it and against it."""
    signed = nats_by_arc_and_source_group(question, node, losses)
    return np.maximum(signed, 0.0).sum(axis=0), np.maximum(-signed, 0.0).sum(axis=0)


def nats_by_arc_and_source_group(question: Question, node: int, losses: LossOfEachSource) -> Floats:
    """What each source group adds to `node` by each direct arc (arcs × source groups), negative if
    against. If sources are not followed, what the reasons lose without the source group is used
    instead.
    """
    if not question.settings.follows_routes:
        return shares_lost_by_source(question, node, losses)[2]
    graph = question.graph
    voices = voices_of(question.graph)
    number = source_group_numbers(question)
    column_of = {
        number[source_group]: column for column, source_group in enumerate(losses.source_groups)
    }
    row = {arc: number for number, arc in enumerate(graph.arcs_bearing_on(node).tolist())}
    nats = np.zeros((len(row), len(losses.source_groups)))
    for voice in np.flatnonzero(graph.arc_target[voices.arc] == node).tolist():
        column = column_of.get(int(voices.source_group[voice]))
        if column is not None:
            nats[row[int(voices.arc[voice])], column] += voices.nats[voice]
    return nats


def shares_lost_by_source(
    question: Question, node: int, losses: LossOfEachSource
) -> tuple[Ints, Floats, Floats]:
    """The direct arcs to `node`, their shares, and what these lose (arcs × source groups) per
    source group.
    """
    arcs = question.graph.arcs_bearing_on(node)
    shares = all_shares(question)[arcs]
    lost = parts_lost_by_source_group(question, question.graph.arc_source[arcs], losses)
    return arcs, shares, shares[:, None] * lost


def sources_heard(graph: Graph) -> list[int]:
    """How many independent sources have a part in the bill of each node; 0 if sources are not
    followed.
    """
    if not graph.settings.follows_routes:
        return [0] * graph.node_count
    voices = voices_of(graph)
    targets = graph.arc_target[voices.arc].astype(np.int64)
    width = int(voices.source_group.max(initial=0)) + 1
    # what premises that fall add is no source's
    nats_of_sources = np.abs(voices.nats) * np.isin(voices.source_group, graph.source_group_of)
    pairs, place = np.unique(targets * width + voices.source_group, return_inverse=True)
    nats = np.bincount(place, nats_of_sources, len(pairs))
    heard = pairs[nats > ROUNDING] // width
    return np.bincount(heard, minlength=graph.node_count).tolist()  # type: ignore[no-any-return]
