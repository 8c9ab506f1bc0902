"""Unfold circles: a statement is weighed as if nothing that rests on it bore on it.

In a circle of reasons, what a statement says to others must not come back as a reason for or
against itself: that would be begging the question. So wherever a statement is weighed, the
reasons to those that bear on it leave out the statements on the way back to it. What is left is
the tree of self-avoiding walks (Weitz, STOC 2006, for marginals of graphical models), with equal
branches shared. It has no circles, so one pass solves it, and there is only one solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kg.reasoning.default_rule.circle_copies import NO_GATE, CircleCopies
from kg.reasoning.graph.arrays import (
    Bools,
    Ints,
    mark_reached,
    positions_in_runs,
    release_ready_nodes,
    sorted_runs,
)
from kg.reasoning.graph.graph import Graph, memoize_by_arcs
from kg.reasoning.graph.node_circles import circle_of_nodes


@dataclass(frozen=True, slots=True)
class UnfoldedGraph:
    """Statements and gates: first those of the graph, then copies of some of them.

    `origin` gives each node's number in the graph. Per arc `arc_premise`, `arc_target` and `gate`
    are nodes (`gate` is `NO_GATE` if the arc is not undercut), `arc` the arc of the graph.
    `circles` says whether the graph has any; `depth` how far the largest circles were followed,
    `None` if to the end.
    """

    origin: Ints
    arc_premise: Ints
    arc_target: Ints
    gate: Ints
    arc: Ints
    circles: bool
    depth: int | None

    def restrict_to(self, graph: Graph, nodes: Ints) -> UnfoldedGraph:
        """The unfolding of a part of `graph` on which nothing outside it bears; `nodes` are its
        statements and gates in `graph`, in the order of their new numbers.
        """
        new_number = np.full(graph.node_count, -1)
        new_number[nodes] = np.arange(len(nodes))
        # a subgraph keeps the order of arcs, and this one all arcs to the nodes it keeps
        new_arc = np.cumsum(new_number[graph.arc_target] >= 0) - 1
        return self._with_nodes(new_number[self.origin] >= 0, new_number, new_arc)

    def restrict_to_targets(self, ends: Ints, node_count: int) -> UnfoldedGraph:
        """The part that bears on `ends`; arcs to other nodes are left out.

        The first `node_count` nodes are always kept, as their numbers are those of the graph.
        """
        order, starts = sorted_runs(self.arc_target, len(self.origin))

        def predecessors_of(front: Ints) -> Ints:
            arcs = order[positions_in_runs(starts, front)]
            predecessors = np.concatenate([self.arc_premise[arcs], self.gate[arcs]])
            return predecessors[predecessors >= 0]

        is_reached = mark_reached(ends, len(self.origin), predecessors_of)
        needed = is_reached[self.arc_target]
        part = replace(
            self,
            arc_premise=self.arc_premise[needed],
            arc_target=self.arc_target[needed],
            gate=self.gate[needed],
            arc=self.arc[needed],
        )
        is_reached[:node_count] = True
        return part._with_nodes(is_reached)

    def _with_nodes(
        self, keep: Bools, new_number: Ints | None = None, new_arc: Ints | None = None
    ) -> UnfoldedGraph:
        """A copy with only the nodes in `keep`, and the arcs to them.

        `new_number` and `new_arc` map the nodes and arcs of the graph to those of another graph,
        for which this is made.
        """
        # with an extra entry at the end, as NO_GATE is -1 and so reads the last
        new_node = np.append(np.cumsum(keep) - 1, NO_GATE)
        kept_arcs = keep[self.arc_target]
        origin = self.origin[keep]
        arc = self.arc[kept_arcs]
        return replace(
            self,
            origin=origin if new_number is None else new_number[origin],
            arc_premise=new_node[self.arc_premise[kept_arcs]],
            arc_target=new_node[self.arc_target[kept_arcs]],
            gate=new_node[self.gate[kept_arcs]],
            arc=arc if new_arc is None else new_arc[arc],
        )

    def with_evidence(self, size: int, targets: Ints, first_arc: int) -> UnfoldedGraph:
        """A copy with one more statement for each of `targets`, on which it bears by an arc.

        They are numbered from `size` on, their arcs from `first_arc` on. As nothing bears on them,
        they are in no circle, and none has to be unfolded again.
        """
        count = len(targets)

        def shift(numbers: Ints) -> Ints:
            # statements come first, so gates and copies make room for the new ones
            return np.where(numbers >= size, numbers + count, numbers)

        by_origin, starts = sorted_runs(self.origin, int(self.origin.max(initial=-1)) + 1)
        # every copy of a target hears the new statement, not only the target
        hearers = by_origin[positions_in_runs(starts, targets)]
        study_numbers = np.repeat(np.arange(count), starts[targets + 1] - starts[targets])
        origin = shift(self.origin)
        return replace(
            self,
            origin=np.concatenate([origin[:size], size + np.arange(count), origin[size:]]),
            arc_premise=np.append(shift(self.arc_premise), size + study_numbers),
            arc_target=np.append(shift(self.arc_target), shift(hearers)),
            gate=np.append(shift(self.gate), np.full(len(study_numbers), NO_GATE)),
            arc=np.append(self.arc, first_arc + study_numbers),
        )


@memoize_by_arcs
def unfold_circles(graph: Graph) -> UnfoldedGraph:
    """The graph with every circle unfolded; arcs of weight 0 are left out."""
    # an arc of weight 0 would close circles that pass nothing on
    arcs = np.flatnonzero(graph.arc_weight)
    gate = np.where(graph.gate[arcs] == graph.open_gate, NO_GATE, graph.gate[arcs])
    circle = circle_of_nodes(graph)
    is_inside = circle[graph.arc_premise[arcs]] == circle[graph.arc_target[arcs]]
    is_inside |= (gate >= 0) & (circle[gate] == circle[graph.arc_target[arcs]])
    is_inside &= circle[graph.arc_target[arcs]] >= 0
    if not is_inside.any():
        origin = np.arange(graph.node_count)
        return UnfoldedGraph(
            origin, graph.arc_premise[arcs], graph.arc_target[arcs], gate, arcs, False, None
        )
    return _copy_circles(graph, arcs, gate, circle)


def _copy_circles(graph: Graph, arcs: Ints, gate: Ints, circle: Ints) -> UnfoldedGraph:
    """The graph with copies for each circle; `arcs` are those of non-zero weight, `gate` the gate
    of each, and `circle` the circle of each statement or gate.
    """
    members, first_member = sorted_runs(circle[circle >= 0], int(circle.max()) + 1)
    members = np.flatnonzero(circle >= 0)[members]
    of_target = circle[graph.arc_target[arcs]]
    position = np.zeros(graph.node_count, dtype=np.int64)
    position[members] = np.arange(len(members))
    inner = np.flatnonzero(of_target >= 0)
    # by circle, then by member, then in their original order
    inner = inner[np.argsort(position[graph.arc_target[arcs[inner]]], kind="stable")]
    first_arc = np.searchsorted(of_target[inner], np.arange(len(first_member)))
    copies_by_circle: list[CircleCopies] = []
    origin = np.arange(graph.node_count)
    for number in np.unique(of_target[inner]).tolist():
        part = inner[first_arc[number] : first_arc[number + 1]]
        circle_members = members[first_member[number] : first_member[number + 1]]
        copies = CircleCopies(graph, circle_members, arcs[part], gate[part], len(origin))
        copies_by_circle.append(copies)
        origin = np.append(origin, np.array(copies.origin, dtype=np.int64))
    is_outside = of_target < 0

    def join(uncopied: Ints, column: Callable[[CircleCopies], list[Ints]]) -> Ints:
        return np.concatenate(
            [uncopied, *(part for copies in copies_by_circle for part in column(copies))]
        )

    return UnfoldedGraph(
        origin=origin,
        arc_premise=join(graph.arc_premise[arcs[is_outside]], lambda copies: copies.arc_premise),
        arc_target=join(graph.arc_target[arcs[is_outside]], lambda copies: copies.arc_target),
        gate=join(gate[is_outside], lambda copies: copies.gates),
        arc=join(arcs[is_outside], lambda copies: copies.arc),
        circles=True,
        depth=min(
            (copies.depth for copies in copies_by_circle if copies.depth is not None), default=None
        ),
    )


def layers_of(tree: UnfoldedGraph) -> list[Ints]:
    """Nodes by the longest path from nodes on which nothing bears (Kahn's topological sort)."""
    count = len(tree.origin)
    gated = tree.gate >= 0
    tails = np.concatenate([tree.arc_premise, tree.gate[gated]])
    heads = np.concatenate([tree.arc_target, tree.arc_target[gated]])
    waiting = np.bincount(heads, minlength=count)
    by_tail, starts = sorted_runs(tails, count)
    left = np.ones(count, dtype=bool)
    front = np.flatnonzero(waiting == 0)
    layers = []
    while len(front):
        layers.append(front)
        left[front] = False
        front = release_ready_nodes(waiting, left, heads[by_tail[positions_in_runs(starts, front)]])
    return layers
