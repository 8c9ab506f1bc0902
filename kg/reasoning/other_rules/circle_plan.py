"""The order in which a graph with circles is solved: by level, each circle in one step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kg.reasoning.graph.arrays import (
    Bools,
    Floats,
    Ints,
    mark_repeated,
    positions_in_runs,
    release_waiting,
    run_of_each,
    run_starts,
    sorted_runs,
    strong_components,
)
from kg.reasoning.graph.graph import Graph
from kg.reasoning.graph.joint_premises import JointPremises, joint_among

NO_CIRCLE = -1
"""In place of the number of a circle, for a statement or gate that is in no circle."""
OUTSIDE = -2
"""The circle of `open_gate`; unlike `NO_CIRCLE`, it equals no number in `circle_of`."""


@dataclass(frozen=True, slots=True)
class SharedSourceReasons:
    """Reasons of one batch that share a source at the same target.

    Row r says that `part[r]` of reason `arc[r]` rests on the source of its run (runs begin at
    `starts`, `owner` numbers them); `reasons` are the reasons, `entry` the position of each row's
    reason there; `unshared_part` is the part of each that rests on sources of its own.
    """

    arc: Ints
    starts: Ints
    owner: Ints
    part: Floats
    reasons: Ints
    entry: Ints
    unshared_part: Floats


@dataclass(frozen=True, slots=True)
class Batch:
    """Targets of one sort that can be computed at once, and the arcs that bear on them."""

    gates: bool  # whether the targets are gates, not statements

    # one entry per target
    nodes: Ints  # its number: a statement or a gate
    starts: Ints  # where its run of arcs begins

    # one entry per arc, sorted by target
    owner: Ints  # the place of its target in `nodes`
    arcs: Ints  # its number in the graph
    arc_weight: Floats  # its weight
    # the place of what it reads in `amounts_and_falls`: its source there, or, past all sources, how
    # far that fell
    place_in_amounts: Ints
    gate: Ints | None  # its gate, or the open gate of arcs without one; `None` if all have none
    inside: Bools | None  # whether it reads its target's circle; `None` outside circles

    # some of the arcs; `None` if there are none
    shared_sources: SharedSourceReasons | None  # those whose source is heard more than once
    joint: JointPremises | None  # those that count only together


@dataclass(frozen=True, slots=True)
class InnerArcs:
    """The arcs of a batch from inside its circle: their positions in it, in runs from `starts`.

    `voices` are their sources; `arc_source` and `gate` are positions in the step's `rows`.
    """

    within: Ints
    starts: Ints
    voices: Ints
    arc_source: Ints
    gate: Ints | None


@dataclass(frozen=True, slots=True)
class PlanStep:
    """Batches to compute together: once or, in a `circle`, repeatedly until they settle.

    In a circle, `rows` are the targets, then whatever else its inner arcs read.
    """

    batches: tuple[Batch, ...]
    circle: bool
    rows: Ints
    inner: tuple[InnerArcs, ...] = ()

    @property
    def nodes(self) -> Ints:
        """Numbers of all targets."""
        return np.concatenate([batch.nodes for batch in self.batches])


@dataclass(frozen=True, slots=True)
class CirclePlan:
    """Steps in order, and for each statement and gate its level and the circle it is in.

    Arcs lead from lower to higher levels, except within a circle. `circle_of` numbers the circles;
    it is `NO_CIRCLE` for nodes in no circle. `bare` marks nodes to which no arc leads.
    """

    steps: tuple[PlanStep, ...]
    level: Ints
    circle_of: Ints
    bare: Bools

    @property
    def has_circles(self) -> bool:
        """Whether any statement bears on itself through others."""
        return any(step.circle for step in self.steps)

    def batches_of(self, node: int) -> Iterator[Batch]:
        """Yield the batch of `node`; nothing if no arc leads to it."""
        # backwards, as the statement asked about comes last
        for step in reversed(self.steps):
            for batch in step.batches:
                if (batch.nodes == node).any():
                    yield batch
                    return


def plan_circles(graph: Graph) -> CirclePlan:
    """The plan of `graph`, made once: nodes that bear on nothing peeled off, circles in order."""
    plans: dict[str, CirclePlan] = graph.plans.loops
    # `loops` is the only setting on which the plan depends (see `_batch_of_nodes`)
    key = graph.settings.loops
    if key not in plans:
        plans[key] = _CirclePlanner(graph).plan()
    return plans[key]


@dataclass(frozen=True, slots=True)
class _Layer:
    """Targets of one height, the arcs to them in order, and the sources of these."""

    nodes: Ints
    arcs: Ints
    arc_source: Ints


class _CirclePlanner:
    """Arcs of non-zero weight, by target, while the plan is made."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.size = graph.node_count
        arcs_with_weight = np.flatnonzero(graph.arc_weight)
        order, self.starts = sorted_runs(graph.arc_target[arcs_with_weight], self.size)
        self.arcs = arcs_with_weight[order]
        self.height = np.zeros(self.size, dtype=np.int64)
        self.circle_of = np.full(self.size, NO_CIRCLE)

    def plan(self) -> CirclePlan:
        layers, left = self._peel_layers()
        if left.any():
            layers += self._layers_of_circles(np.flatnonzero(left), len(layers))
        steps = tuple(step for layer in reversed(layers) for step in self._steps_of_layer(layer))
        bare = self.starts[1:] == self.starts[:-1]
        return CirclePlan(steps, len(layers) - 1 - self.height, self.circle_of, np.asarray(bare))

    def layer(self, nodes: Ints) -> _Layer:
        """`nodes` with the arcs to them."""
        arcs = self.arcs[positions_in_runs(self.starts, nodes)]
        return _Layer(nodes, arcs, self.graph.arc_source[arcs])

    def nodes_read_by(self, layer: _Layer) -> Ints:
        """The statements and gates that the arcs of a layer read, one by one."""
        if not self.graph.gate_count:
            return layer.arc_source
        gate = self.graph.gate[layer.arcs]
        return np.concatenate([layer.arc_source, gate[gate != self.size]])

    def _peel_layers(self) -> tuple[list[_Layer], Bools]:
        """Kahn's peeling from the end: layers of nodes that only earlier layers read, and the rest.

        What cannot be peeled is in circles or leads to one.
        """
        waiting = np.bincount(self.graph.arc_source[self.arcs], minlength=self.size)
        if self.graph.gate_count:
            gate = self.graph.gate[self.arcs]
            waiting += np.bincount(gate[gate != self.size], minlength=self.size)
        left = np.ones(self.size, dtype=bool)
        layers: list[_Layer] = []
        front = np.flatnonzero(waiting == 0)
        while len(front):
            left[front] = False
            self.height[front] = len(layers)
            layers.append(self.layer(front))
            front = release_waiting(waiting, left, self.nodes_read_by(layers[-1]))
        return layers, left

    def _layers_of_circles(self, rest: Ints, height: int) -> list[_Layer]:
        """Layers of the nodes in circles or before them, from `height` up; marks the circles.

        Each circle is one point of the condensation, which has no circles and so has an order.
        """
        tails, heads = self._arcs_among(rest)
        count, components = strong_components(tails, heads, len(rest))
        self._mark_circles(rest, components, tails[tails == heads])
        is_between = components[tails] != components[heads]
        depths = _longest_path_lengths(
            components[tails[is_between]], components[heads[is_between]], count
        )[components]
        self.height[rest] = height + depths
        order, starts = sorted_runs(depths, int(depths.max()) + 1)
        return [self.layer(rest[order[i:j]]) for i, j in pairwise(starts.tolist())]

    def _arcs_among(self, rest: Ints) -> tuple[Ints, Ints]:
        """The ends of the arcs to `rest`, as positions in it; all that these read is in it."""
        positions = np.full(self.size, -1)
        positions[rest] = np.arange(len(rest))
        targets = np.concatenate(
            [np.repeat(rest, self._arc_counts(rest)), self._gated_targets(rest)]
        )
        return positions[self.nodes_read_by(self.layer(rest))], positions[targets]

    def _mark_circles(self, rest: Ints, components: Ints, own_targets: Ints) -> None:
        """Number the circles; `own_targets` are the positions of nodes that bear on themselves."""
        is_circle = np.bincount(components) > 1
        # a component of one is a circle only if it bears on itself
        is_circle[components[own_targets]] = True
        self.circle_of[rest] = np.where(is_circle[components], components, NO_CIRCLE)

    def _arc_counts(self, nodes: Ints) -> Ints:
        return np.asarray(self.starts[nodes + 1] - self.starts[nodes])

    def _gated_targets(self, nodes: Ints) -> Ints:
        """Targets of the arcs to `nodes` that pass a gate, in the order of `nodes_read_by`."""
        if not self.graph.gate_count:
            return nodes[:0]
        arcs = self.arcs[positions_in_runs(self.starts, nodes)]
        return np.asarray(self.graph.arc_target[arcs[self.graph.gate[arcs] != self.size]])

    def _steps_of_layer(self, layer: _Layer) -> Iterator[PlanStep]:
        """The nodes of a layer outside circles in one step, then those of its circles."""
        nodes = layer.nodes[self._arc_counts(layer.nodes) > 0]
        in_circle = self.circle_of[nodes] >= 0
        gates = nodes >= self.graph.size
        if len(nodes) and not in_circle.any() and not gates.any():
            yield PlanStep((self._batch_of_nodes(nodes, layer, False),), False, nodes)
            return
        # statements and gates are computed by different rules, so in separate batches
        for circle in (False, True):
            kinds = [nodes[(in_circle == circle) & (gates == kind)] for kind in (False, True)]
            batches = [
                self._batch_of_nodes(kind, self.layer(kind), circle) for kind in kinds if len(kind)
            ]
            if batches:
                yield (
                    self._step_of_circle(batches)
                    if circle
                    else PlanStep(tuple(batches), circle, nodes[:0])
                )

    def _step_of_circle(self, batches: list[Batch]) -> PlanStep:
        """The step of a circle, its inner arcs listed."""
        graph = self.graph
        nodes = np.concatenate([batch.nodes for batch in batches])
        within = [np.flatnonzero(batch.inside) for batch in batches if batch.inside is not None]
        arcs = [batch.arcs[places] for batch, places in zip(batches, within, strict=True)]
        read_nodes = np.concatenate(
            [*(graph.arc_source[each] for each in arcs), *(graph.gate[a] for a in arcs)]
        )
        # the targets first, so that one slice of `rows` is what an iteration changes
        rows = np.concatenate([nodes, np.setdiff1d(read_nodes, nodes)])
        order = np.argsort(rows)
        inner = []
        for batch, places, each in zip(batches, within, arcs, strict=True):
            inner.append(
                InnerArcs(
                    within=places,
                    starts=np.searchsorted(places, batch.starts),
                    voices=graph.arc_source[each],
                    arc_source=order[np.searchsorted(rows, graph.arc_source[each], sorter=order)],
                    gate=order[np.searchsorted(rows, graph.gate[each], sorter=order)]
                    if batch.gate is not None
                    else None,
                )
            )
        return PlanStep(tuple(batches), True, rows, tuple(inner))

    def _batch_of_nodes(self, nodes: Ints, layer: _Layer, circle: bool) -> Batch:
        """The batch of `nodes` (targets), with the arcs of `layer`, which are in their order."""
        graph = self.graph
        arcs = layer.arcs
        degrees = self._arc_counts(nodes)
        inside = self._reads_own_circle(nodes, arcs) if circle else None
        return Batch(
            gates=bool(nodes[0] >= graph.size),
            nodes=nodes,
            starts=np.cumsum(degrees) - degrees,
            owner=np.repeat(np.arange(len(nodes)), degrees),
            arcs=arcs,
            arc_weight=graph.arc_weight[arcs],
            place_in_amounts=layer.arc_source + graph.size * graph.fallen[arcs]
            if graph.fallen.any()
            else layer.arc_source,
            gate=self._gates_of_arcs(arcs),
            inside=inside,
            shared_sources=self._contested_reasons(arcs, inside),
            joint=joint_among(graph.joint[arcs], graph.arc_target[arcs])
            if graph.has_joint_premises
            else None,
        )

    def _gates_of_arcs(self, arcs: Ints) -> Ints | None:
        """The gate of each arc, the open one if it has none; `None` if that is so of all."""
        if not self.graph.gate_count:
            return None
        gate = self.graph.gate[arcs]
        return gate if (gate != self.size).any() else None

    def _contested_reasons(self, arcs: Ints, inside: Bools | None) -> SharedSourceReasons | None:
        """The arcs of which the best counts, as their source is heard more than once."""
        contested = self.graph.shared[arcs]
        if inside is not None and self.graph.settings.loops == "cautious":
            # there only the strongest of the inner reasons counts anyway
            contested = contested & ~inside
        if not contested.any():
            return None
        return _shared_source_reasons(self.graph, arcs, contested)

    def _reads_own_circle(self, nodes: Ints, arcs: Ints) -> Bools:
        """Which `arcs` read something in their target's own circle; those of each node in a run."""
        # one more entry for `open_gate`
        circle_of = np.append(self.circle_of, OUTSIDE)
        graph = self.graph
        target_circle = np.repeat(self.circle_of[nodes], self._arc_counts(nodes))
        is_inside = (circle_of[graph.arc_source[arcs]] == target_circle) | (
            circle_of[graph.gate[arcs]] == target_circle
        )
        # a joint reason is inside if any of its premises is
        mates = np.isin(graph.joint[arcs], graph.joint[arcs][is_inside & (graph.joint[arcs] >= 0)])
        return np.asarray(is_inside | mates)


def _longest_path_lengths(tails: Ints, heads: Ints, size: int) -> Ints:
    """The longest path from each number to an end, in a graph without circles."""
    order, starts = sorted_runs(heads, size)
    waiting = np.bincount(tails, minlength=size)
    height = np.zeros(size, dtype=np.int64)
    left = np.ones(size, dtype=bool)
    front = np.flatnonzero(waiting == 0)
    depth = 0
    while len(front):
        left[front] = False
        height[front] = depth
        front = release_waiting(waiting, left, tails[order[positions_in_runs(starts, front)]])
        depth += 1
    return height


def _shared_source_reasons(
    graph: Graph, arcs: Ints, contested: Bools
) -> SharedSourceReasons | None:
    """The rows of the `contested` arcs whose source is heard more than once at a target."""
    local = np.flatnonzero(contested)
    sources = graph.arc_source[arcs[local]]
    lengths = graph.source_group_start[sources + 1] - graph.source_group_start[sources]
    row_arc = np.repeat(local, lengths)
    source_group = graph.source_group_of[positions_in_runs(graph.source_group_start, sources)]
    part = graph.source_group_part[positions_in_runs(graph.source_group_start, sources)]
    key = graph.arc_target[arcs[row_arc]] * (int(graph.source_group_of.max()) + 1) + source_group
    repeated = np.flatnonzero(mark_repeated(key))
    if not len(repeated):
        return None
    repeated = repeated[np.argsort(key[repeated], kind="stable")]
    key = key[repeated]
    row_arc = row_arc[repeated]
    part = part[repeated]
    listed, entry = np.unique(row_arc, return_inverse=True)
    unshared_part = 1.0 - np.bincount(entry, weights=part, minlength=len(listed))
    starts = run_starts(key)
    owner = run_of_each(starts, len(key))
    # parts add up to 1 only within rounding, so the rest may come out just below 0
    return SharedSourceReasons(
        row_arc, starts, owner, part, listed, entry, np.maximum(unshared_part, 0.0)
    )
