"""A graph with further pieces of evidence, each of which bears on one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.graph.arrays import Ints
from kg.reasoning.graph.graph import NOT_JOINT, Graph, mark_shared
from kg.runtime.memoize import ResultsKeeper

APPENDED_NAME = "new study"


@dataclass(frozen=True, slots=True)
class AppendedNode:
    """A piece of evidence: the number of its target in a graph, its weight and its base."""

    target: int
    weight: float
    base: float


def with_appended_nodes(
    graph: Graph, nodes: Sequence[AppendedNode], one_source: bool = False
) -> Graph:
    """`graph` with another piece of evidence for each of `nodes`, numbered from its size on.

    Each is a source of its own; with `one_source` all share one, for scenarios that hear one each.
    """
    count, size = len(nodes), graph.size
    names = tuple(f"{APPENDED_NAME} {position + 1}" for position in range(count))
    base = np.array([each.base for each in nodes], dtype=float)
    targets = np.array([each.target for each in nodes], dtype=np.int64)
    longer = replace(
        graph,
        ids=(*graph.ids, *names),
        base=np.append(graph.base, base),
        base_unretracted=np.append(graph.base_unretracted, base),
        is_claim=np.append(graph.is_claim, np.zeros(count, dtype=bool)),
        edge_of_arc=(*graph.edge_of_arc, *names),
        number_of={**graph.number_of, **{name: size + k for k, name in enumerate(names)}},
        arc_weight=np.append(graph.arc_weight, [each.weight for each in nodes]),
        **_columns_of_arcs(graph, targets),
        **_columns_of_source_groups(graph, count, one_source),
        plans=ResultsKeeper(),
    )
    if unfolded := unfold_circles.recall(graph):
        arc_count = len(graph.arc_premise)
        unfold_circles.give(longer, unfolded.with_evidence(size, targets, arc_count))
    starts, pairs = longer.source_group_start, longer.source_group_of
    return replace(longer, shared=mark_shared(longer.arc_premise, longer.arc_target, starts, pairs))


def _columns_of_arcs(graph: Graph, targets: Ints) -> dict[str, Any]:
    """The columns of arcs that refer to nodes, with an arc from each appended node to its target.

    The nodes come after the statements, so the numbers of gates grow.
    """
    count, size = len(targets), graph.size

    def append(column: Ints, appended: Ints) -> Ints:
        return np.concatenate([np.where(column >= size, column + count, column), appended])

    return {
        "arc_premise": append(graph.arc_premise, size + np.arange(count)),
        "arc_target": append(graph.arc_target, targets),
        "gate": append(graph.gate, np.full(count, graph.open_gate + count)),
        "fallen": np.append(graph.fallen, np.zeros(count, dtype=bool)),
        "joint": np.append(graph.joint, np.full(count, NOT_JOINT)),
    }


def _columns_of_source_groups(graph: Graph, count: int, one_source: bool) -> dict[str, Any]:
    """The pairs of statements and sources, with one of the full fraction for each appended node."""
    # the last start is where the first node's pair begins; a pair later, each ends
    ends = graph.source_group_start[-1] + 1 + np.arange(count)
    first_new = int(graph.source_group_of.max(initial=-1)) + 1
    new_groups = np.full(count, first_new) if one_source else first_new + np.arange(count)
    return {
        "source_group_start": np.append(graph.source_group_start, ends),
        "source_group_of": np.append(graph.source_group_of, new_groups),
        "source_group_fraction": np.append(graph.source_group_fraction, np.ones(count)),
    }
