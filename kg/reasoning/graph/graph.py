"""The numbers behind a corpus: immutable arrays of statements, edges and shared sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Concatenate

import numpy as np

from kg.corpus.quality.evidence_quality import CLAIM_BASE
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arrays import (
    Bools,
    Floats,
    Ints,
    mark_reached,
    mark_repeated,
    positions_in_runs,
    sorted_runs,
)
from kg.runtime.memoize import Arguments, MemoizedFunction, Result, ResultsKeeper

NOT_JOINT = -1  # the joint reason of an arc that counts by itself
LEAST_BASE = 1e-9  # lower bound of the base to which the fall of a premise is relative


@dataclass(frozen=True, eq=False)
class Graph(ResultsKeeper):
    """Statements numbered 0 … n-1, and the arcs between them, as columns.

    Numbers are in read-only arrays, whose shape is given with each; `ids` and `edge_of_arc` have
    the names of what is numbered, and `number_of` is the inverse of `ids`. A *node* is a statement
    or a gate. Nodes from n on are *gates*: how far an arc that others undercut is open, 1 where
    nothing does. `open_gate` is the number after the last gate, whose state is always 1. Shapes:
    statements (n), nodes (n + `gate_count`), arcs (a), and pairs of a statement and an independent
    source that it rests on (p). `plans` is shared by the graphs that have the same arcs and
    weights.
    """

    ids: tuple[str, ...]
    """(n) Per number the statement; of statements declared the same, the first."""
    base: Floats
    """(n) Base scores."""
    base_unretracted: Floats
    """(n) Base scores without regard to retractions."""
    is_claim: Bools
    """(n) Which are claims."""
    arc_premise: Ints
    """(a) The statement that each arc leads from."""
    arc_target: Ints
    """(a) The node that it leads to: a statement, or the gate of an arc that it undercuts."""
    arc_weight: Floats
    """(a) Weights in [-1, 1]; positive ones support."""
    gate: Ints
    """(a) The gate that it passes, or `open_gate`."""
    fallen: Bools
    """(a) Which pass on how far their premise fell below its own base."""
    edge_of_arc: Sequence[str]
    """(a) The id of the edge that each comes from."""
    gate_count: int
    source_group_start: Ints
    """(n + 1) Where the pairs of each statement begin, and after the last their number."""
    source_group_of: Ints
    """(p) The independent source of each pair."""
    source_group_fraction: Floats
    """(p) The fraction of the statement that this source has; those of a statement add up to 1."""
    number_of: Mapping[str, int]
    """The number of each statement, by id; statements declared the same share one."""
    shared: Bools
    """(a) Arcs with an independent source that is heard more than once at their target, because
    another arc there rests on it, too: `mark_shared`.
    """
    joint: Ints
    """(a) The number of a reason that counts only as a whole (joint premises), of which only the
    weakest premise is heard; `NOT_JOINT` for arcs that count by themselves.
    """
    settings: Reasoning = field(default_factory=Reasoning)
    plans: ResultsKeeper = field(default_factory=ResultsKeeper)

    def __post_init__(self) -> None:
        # many answers share these arrays, so one that wrote into them would change the others
        for value in (getattr(self, each.name) for each in fields(self)):
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def size(self) -> int:
        """The number of statements."""
        return len(self.ids)

    @property
    def node_count(self) -> int:
        """The number of statements and gates."""
        return len(self.ids) + self.gate_count

    @property
    def open_gate(self) -> int:
        """The number that stands for "nothing undercuts this arc": the first after all nodes."""
        return self.node_count

    @cached_property
    def has_joint_premises(self) -> bool:
        """Whether any reasons count only together."""
        return bool((self.joint >= 0).any())

    def with_joint_partners(self, arcs: Bools) -> Bools:
        """`arcs` and all other arcs of the joint reasons that they belong to.

        A premise alone is not a reason, so removing one removes them all.
        """
        if not self.has_joint_premises:
            return arcs
        groups = self.joint[arcs]
        return np.asarray(arcs | np.isin(self.joint, groups[groups >= 0]))

    @cached_property
    def passing_threshold(self) -> Floats:
        """The strength up to which each statement (n) passes nothing on."""
        # a claim starts at ½ without having earned it; in the plain model it passes on even that
        earned = self.settings.transfer != "plain"
        return np.where(self.is_claim & earned, CLAIM_BASE, 0.0)

    @cached_property
    def transfer(self) -> tuple[Floats, Floats]:
        """Slope and offset of each arc (a), which passes on max(0, slope · strength + offset) by
        the rules that do not follow sources.
        """
        zero = self.passing_threshold[self.arc_premise]
        # a premise falls relative to its base before retractions: otherwise a premise whose
        # sources are all retracted, with a base of 0, could not fall
        stood_at = np.maximum(self.base_unretracted[self.arc_premise], LEAST_BASE)
        slope = np.where(self.fallen, -1.0 / stood_at, 1.0 / (1.0 - zero))
        offset = np.where(self.fallen, 1.0, -zero / (1.0 - zero))
        return slope, offset

    @cached_property
    def arcs_into(self) -> tuple[Ints, Ints]:
        """Arcs sorted by target (a), and where the run of each node and of `open_gate` begins, and
        the last one ends.
        """
        return sorted_runs(self.arc_target, self.node_count + 1)

    @cached_property
    def arcs_from(self) -> tuple[Ints, Ints]:
        """The same of arcs sorted by premise."""
        return sorted_runs(self.arc_premise, self.node_count + 1)

    def arcs_bearing_on(self, node: int) -> Ints:
        """The arcs that bear on `node`."""
        order, starts = self.arcs_into
        return order[starts[node] : starts[node + 1]]

    def out_of(self, node: int) -> Ints:
        """The arcs by which `node` bears on statements."""
        order, starts = self.arcs_from
        arcs = order[starts[node] : starts[node + 1]]
        return np.asarray(
            arcs[(self.arc_target[arcs] < self.size) & (self.arc_weight[arcs] != 0.0)]
        )

    def ancestors(self, node: int) -> Bools:
        """A mask of `node_count + 1` places: True where a statement or gate has a path to `node`,
        which has one to itself.
        """
        order, starts = self.arcs_into

        def predecessors_of(front: Ints) -> Ints:
            arcs = order[positions_in_runs(starts, front)]
            predecessors = np.concatenate([self.arc_premise[arcs], self.gate[arcs]])
            return np.asarray(predecessors[predecessors != self.open_gate])

        return mark_reached(np.array([node]), self.node_count + 1, predecessors_of)

    def restrict_to(self, keep: Bools) -> tuple[Graph, Ints]:
        """The subgraph of the statements and gates in `keep`, and their numbers in this graph.

        An arc is kept if its ends are, and those of all premises that it counts together with;
        an arc whose gate is not kept is no longer undercut.
        """
        nodes = np.flatnonzero(keep[: self.size])
        gates = np.flatnonzero(keep[self.size : self.node_count]) + self.size
        new_numbers = np.full(self.node_count + 1, len(nodes) + len(gates))
        new_numbers[nodes] = np.arange(len(nodes))
        new_numbers[gates] = np.arange(len(nodes), len(nodes) + len(gates))
        is_kept = np.append(keep[: self.node_count], False)
        arcs = np.flatnonzero(
            ~self.with_joint_partners(~(is_kept[self.arc_premise] & is_kept[self.arc_target]))
        )
        kept_source_groups = positions_in_runs(self.source_group_start, nodes)
        lengths = self.source_group_start[nodes + 1] - self.source_group_start[nodes]
        subgraph = replace(
            self,
            ids=tuple(self.ids[i] for i in nodes.tolist()),
            base=self.base[nodes],
            base_unretracted=self.base_unretracted[nodes],
            is_claim=self.is_claim[nodes],
            arc_premise=new_numbers[self.arc_premise[arcs]],
            arc_target=new_numbers[self.arc_target[arcs]],
            arc_weight=self.arc_weight[arcs],
            gate=new_numbers[self.gate[arcs]],
            fallen=self.fallen[arcs],
            shared=self.shared[arcs],
            joint=self.joint[arcs],
            edge_of_arc=tuple(self.edge_of_arc[i] for i in arcs.tolist()),
            gate_count=len(gates),
            source_group_start=np.append(0, np.cumsum(lengths)),
            source_group_of=self.source_group_of[kept_source_groups],
            source_group_fraction=self.source_group_fraction[kept_source_groups],
            number_of=self._numbers_in_subgraph(new_numbers, len(nodes)),
            plans=ResultsKeeper(),
        )
        return subgraph, np.append(nodes, gates)

    def _numbers_in_subgraph(self, new_numbers: Ints, size: int) -> dict[str, int]:
        """`number_of` of a subgraph, whose statements are the `new_numbers` below `size`."""
        # for a small subgraph, looking up its ids is cheaper than going through all of them
        if size * 8 < self.size:
            new_by_old = {
                old: int(new_numbers[old]) for old in np.flatnonzero(new_numbers < size).tolist()
            }
            return {
                name: new_by_old[old]
                for old in new_by_old
                if old < self.size
                for name in self.ids_of[old]
            }
        return {
            name: int(new_numbers[old])
            for name, old in self.number_of.items()
            if new_numbers[old] < size
        }

    @cached_property
    def ids_of(self) -> tuple[tuple[str, ...], ...]:
        """(n) Per number, the ids of all statements that share it: `ids` has the first."""
        ids: list[list[str]] = [[] for _ in self.ids]
        for name, node in self.number_of.items():
            ids[node].append(name)
        return tuple(map(tuple, ids))

    def with_values(
        self,
        *,
        base: Floats | None = None,
        arc_weight: Floats | None = None,
        source_group_fraction: Floats | None = None,
        settings: Reasoning | None = None,
    ) -> Graph:
        """A copy of this graph with other base scores, weights, fractions of sources or settings.

        If one premise gets the weight 0, so does its whole joint reason.
        """
        if arc_weight is not None:
            arc_weight = np.where(self.with_joint_partners(arc_weight == 0.0), 0.0, arc_weight)
        return replace(
            self,
            base=self.base if base is None else base,
            arc_weight=self.arc_weight if arc_weight is None else arc_weight,
            source_group_fraction=(
                self.source_group_fraction
                if source_group_fraction is None
                else source_group_fraction
            ),
            settings=settings or self.settings,
            # plans leave out arcs of weight 0, so other weights need other plans
            plans=self.plans if arc_weight is None else ResultsKeeper(),
        )


def memoize_by_arcs(
    make: Callable[Concatenate[Graph, Arguments], Result],
) -> MemoizedFunction[Graph, Arguments, Result]:
    """A function that is computed once for all graphs that have the same arcs and weights: how the
    solver traverses them.
    """
    return MemoizedFunction(make, lambda graph: graph.plans)


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Scenarios side by side, one per column: what each changes in a graph; `None` is nothing.

    Shapes as in `Graph`, by the number of scenarios (c).
    """

    count: int
    base: Floats | None = None
    """(n × c) Other base scores."""
    loudness: Floats | None = None
    """(n × c) The factor of what a statement passes on: 0 mutes it."""
    held: Bools | None = None
    """(n × c) Which statements are held at a strength, whatever bears on them."""
    held_value: Floats | None = None
    """(n × c) The strengths at which they are held."""
    arc_weight: Floats | None = None
    """(a × c) Other weights."""
    gain: Floats | None = None
    """(c) Another setting of this name, where sources are followed along their routes."""
    repeat: Floats | None = None
    """(c) The same of this setting."""
    source_group_fraction: Floats | None = None
    """(p × c) Other fractions that sources have: see `Graph.source_group_fraction`."""

    def restrict_to(self, scenarios: Bools) -> Scenarios:
        """The scenarios that `scenarios` marks."""
        columns = {
            name: value[..., scenarios]
            for name in (each.name for each in fields(self))
            if isinstance(value := getattr(self, name), np.ndarray)
        }
        return replace(self, count=int(scenarios.sum()), **columns)


def mark_shared(
    arc_premise: Ints, arc_target: Ints, source_group_start: Ints, source_group_of: Ints
) -> Bools:
    """Mark the arcs that share a source with another arc to the same target."""
    lengths = (source_group_start[1:] - source_group_start[:-1])[arc_premise]
    rows = np.repeat(np.arange(len(arc_premise)), lengths)
    source_group = source_group_of[positions_in_runs(source_group_start, arc_premise)]
    key = arc_target[rows] * (int(source_group_of.max(initial=0)) + 1) + source_group
    shared = np.zeros(len(arc_premise), dtype=bool)
    shared[rows[mark_repeated(key)]] = True
    return shared


def number_source_groups(
    fractions_of_statements: Iterable[Mapping[str, float]],
) -> tuple[Ints, Ints, Floats]:
    """Number the sources of all statements: where each statement's run begins, the sources, and
    their fractions. A statement without sources gets one of its own.
    """
    numbers: dict[object, int] = {}
    starts: list[int] = [0]
    flat: list[int] = []
    fractions: list[float] = []
    for node, fractions_by_source_group in enumerate(fractions_of_statements):
        source_groups: list[tuple[object, float]] = [*fractions_by_source_group.items()] or [
            (node, 1.0)
        ]
        # if every source is retracted, all fractions are 0 and stay 0
        total = sum(fraction for _, fraction in source_groups) or 1.0
        for key, fraction in source_groups:
            flat.append(numbers.setdefault(key, len(numbers)))
            fractions.append(fraction / total)
        starts.append(len(flat))
    return (
        np.array(starts, dtype=np.int64),
        np.array(flat, dtype=np.int64),
        np.array(fractions, dtype=float),
    )


def mark_reached_by_support(graph: Graph, base: Floats) -> Bools:
    """Mark the statements that are evidence with a base above 0, or reached from such by
    supports.
    """
    order, starts = graph.arcs_from

    def supported_by(front: Ints) -> Ints:
        arcs = order[positions_in_runs(starts, front)]
        arcs = arcs[(graph.arc_weight[arcs] > 0.0) & (graph.arc_target[arcs] < graph.size)]
        return graph.arc_target[arcs]

    return mark_reached(np.flatnonzero(~graph.is_claim & (base > 0.0)), len(base), supported_by)
