"""Circles of reasons: which statements and gates bear on themselves through others."""

from __future__ import annotations

import numpy as np

from kg.reasoning.graph.arrays import Ints, strong_components
from kg.reasoning.graph.graph import Graph, memoize_by_arcs

NO_CIRCLE = -1  # in place of the number of a circle, for a statement or gate that is in no circle


@memoize_by_arcs
def circle_of_nodes(graph: Graph) -> Ints:
    """The number of the circle that each statement or gate is in, or `NO_CIRCLE`.

    Arcs of weight 0 close no circles.
    """
    tails, heads = node_pairs(graph)
    count, label = strong_components(tails, heads, graph.node_count)
    is_circle = np.bincount(label, minlength=count) > 1
    # a component of one is a circle only if it bears on itself
    is_circle[label[tails[tails == heads]]] = True
    return np.where(is_circle[label], label, NO_CIRCLE)


def node_pairs(graph: Graph) -> tuple[Ints, Ints]:
    """The nodes that bear on others, and those that they bear on, pair by pair."""
    arcs = np.flatnonzero(graph.arc_weight)
    # what undercuts an arc bears on its target through the gate, so this closes circles too
    gated = arcs[graph.gate[arcs] != graph.open_gate]
    tails = np.concatenate([graph.arc_premise[arcs], graph.gate[gated]])
    return tails, np.concatenate([graph.arc_target[arcs], graph.arc_target[gated]])
