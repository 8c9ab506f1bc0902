"""Dung's labels for a graph: what is in, out or undecided when only clear edges count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kg.reasoning.graph.arrays import (
    Bools,
    Ints,
    mark_reached,
    positions_in_runs,
    sorted_runs,
    strong_components,
)
from kg.reasoning.graph.graph import Graph

Support = Literal["evidential", "necessary", "deductive"]
IN, UNDECIDED, OUT = 1, 0, -1
LABEL_WORDS = {IN: "in", OUT: "out", UNDECIDED: "undecided"}
# The positions of the three sorts of links in `_LabelCounters.out_of`.
ATTACKS, NEEDS, BACKING = range(3)

Pairs = tuple[Ints, Ints]


@dataclass(frozen=True, slots=True)
class Framework:
    """Attacks, needs and backing among `size` arguments, as (from, to) pairs of numbers.

    An argument is in if all its attackers are out, all it needs is in and, unless it
    `stands_alone`, something in backs it; out if an attacker is in, something it needs is out, or
    nothing can back it. `member` maps each statement to its argument.
    """

    size: int
    attacks: Pairs
    needs: Pairs
    backing: Pairs
    stands_alone: Bools
    member: Ints


def framework_of(graph: Graph, support: Support = "evidential") -> Framework:
    """The attack graph of `graph` under one reading of support.

    Edges weaker than the setting `attack_from` do not count. `necessary`: what is supported
    needs its supporters; `deductive`: a supporter needs what it supports (Boella et al.,
    COMMA 2010; Cayrol & Lagasquie-Schiex, IJAR 2013); `evidential`: a statement needs a chain
    of support from evidence of base `prima_facie` or more (Oren & Norman, COMMA 2008). What
    depends on a premise needs it in every reading. An edge that is undercut becomes an
    argument of its own, which needs its premise and which the undercutter attacks. So does a
    joint reason: it needs all its premises.
    """
    links = _ClearArcs(graph)
    plain = ~graph.fallen[links.arcs]
    against = plain & (links.arc_weight < 0.0)
    pro = plain & (links.arc_weight > 0.0)
    attacks = _compose_pairs((links.start[against], links.end[against]), links.cuts)
    supports = (links.start[pro], links.end[pro])
    needs = _compose_pairs((links.start[~plain], links.end[~plain]), links.carried)
    nothing = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    stands_alone = np.ones(links.size, dtype=bool)
    backing = nothing
    if support == "evidential":
        backing = supports
        stands_alone[: graph.size] = ~graph.is_claim & (graph.base >= graph.settings.prima_facie)
    elif support == "necessary":
        needs = _compose_pairs(needs, supports)
    else:
        needs = _compose_pairs(needs, (supports[1], supports[0]))
    members = np.arange(links.size)
    framework = Framework(links.size, attacks, needs, backing, stands_alone, members)
    return framework if support == "evidential" else _merge_circles_of_need(framework)


class _ClearArcs:
    """The arcs of weight `attack_from` or more, as links between arguments. An arc that is
    undercut, and a joint reason, is an argument itself, numbered after the statements.

    `arcs`, `arc_weight`, `start` and `end` have an entry for each such arc to a statement;
    `carried` are pairs of a statement and the argument that its arc is, `cuts` of an undercutter
    and the argument that it attacks.

    Let statements 0 and 1 support 2, and 3 undercut the first support. That one is argument 4, so
    `size` is 5; the supports lead from `start` [4, 1] to `end` [2, 2], `carried` is ([0], [4]) and
    `cuts` is ([3], [4]).
    """

    def __init__(self, graph: Graph) -> None:
        is_clear = np.abs(graph.arc_weight) >= graph.settings.attack_from
        is_cut = is_clear & (graph.arc_target >= graph.size)  # leads to a gate: it undercuts
        is_argument = _are_arguments(graph, is_clear, is_cut)
        argument, self.size = _number_arguments(graph, is_argument)
        start = np.where(is_argument, argument, graph.arc_premise)
        self.arcs = np.flatnonzero(is_clear & ~is_cut)
        self.arc_weight = graph.arc_weight[self.arcs]
        self.start = start[self.arcs]
        self.end = graph.arc_target[self.arcs]
        self.carried = (graph.arc_premise[is_argument], argument[is_argument])
        pairs = [
            (int(start[arc]), int(target))
            for arc in np.flatnonzero(is_cut).tolist()
            for target in argument[is_argument & (graph.gate == graph.arc_target[arc])].tolist()
        ]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self.cuts = (table[:, 0], table[:, 1])


def _are_arguments(graph: Graph, is_clear: Bools, is_cut: Bools) -> Bools:
    """Mark the clear arcs that are arguments themselves: those that are undercut or of a joint
    reason.
    """
    cut_gates = np.zeros(graph.node_count + 1, dtype=bool)
    cut_gates[graph.arc_target[is_cut]] = True
    return np.asarray(is_clear & ((graph.joint >= 0) | cut_gates[graph.gate]))


def _number_arguments(graph: Graph, is_argument: Bools) -> tuple[Ints, int]:
    """The argument that each arc is, -1 for none, and how many there are with the statements: one
    for each arc, and one for all arcs of a joint reason.
    """
    argument = np.full(len(is_argument), -1)
    reason = np.where(graph.joint < 0, np.arange(len(argument)), len(argument) + graph.joint)
    reasons, number = np.unique(reason[is_argument], return_inverse=True)
    argument[is_argument] = graph.size + number
    return argument, graph.size + len(reasons)


def _compose_pairs(first: Pairs, second: Pairs) -> Pairs:
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])


def _merge_circles_of_need(framework: Framework) -> Framework:
    """Arguments that need each other in a circle stand and fall together: make them one.

    Only for readings of support in which nothing need be backed: `backing` is empty.
    """
    assert not len(framework.backing[0])  # so it has no numbers to change
    size = framework.size
    needed, needing = framework.needs
    count, label = strong_components(needed, needing, size)
    if count == size:
        return framework
    attacks, needs = (
        (label[start], label[end]) for start, end in (framework.attacks, framework.needs)
    )
    needs_another = needs[0] != needs[1]  # an argument does not need itself
    return Framework(
        size=count,
        attacks=attacks,
        needs=(needs[0][needs_another], needs[1][needs_another]),
        backing=framework.backing,
        stands_alone=np.ones(count, dtype=bool),
        member=label[framework.member],
    )


def grounded_labelling(framework: Framework) -> Ints:
    """The grounded label (1 in, -1 out, 0 undecided) of each argument (Dung, AIJ 1995).

    The least of the complete labellings, by counters of unsettled links, O(V + E) per wave; if
    backing is needed, an argument that has lost every chain to its ground is out.
    """
    tally = _LabelCounters(framework)
    front = np.flatnonzero(tally.due_in() | tally.due_out())
    while True:
        while len(front):
            front = tally.settle(front)
        # only now: a circle of backers counts as backed for as long as each waits for the others
        front = np.flatnonzero(tally.unfounded_arguments() & (tally.label == UNDECIDED))
        if not len(front):
            return tally.label
        tally.lost[front] = True


def grounded_label(graph: Graph, node: int, support: Support = "evidential") -> str:
    """The grounded label of `node`: in, out or undecided."""
    framework = framework_of(graph, support)
    return LABEL_WORDS[int(grounded_labelling(framework)[framework.member[node]])]


def side_of_label(grounded: str) -> int:
    """1 for Dung's label in, -1 for out, 0 for undecided."""
    return {"in": 1, "out": -1}.get(grounded, 0)


def label_differs(current_side: int, grounded: str) -> bool:
    """Return whether Dung's label, in or out, is on the side opposite to `current_side`."""
    return current_side * side_of_label(grounded) < 0


class _LabelCounters:
    """The state of a labelling in progress, per argument. `label` is its label. `attackers` and
    `backers` count those that are not out yet, `needed` the arguments that it needs and that are
    not in yet. `lost` says whether an attacker is in or something that it needs is out. `backed`
    says whether something in backs it, or nothing need.
    """

    def __init__(self, framework: Framework) -> None:
        size = framework.size
        self.framework = framework
        self.label = np.zeros(size, dtype=np.int64)
        self.out_of = [
            (to, *sorted_runs(start, size))
            for start, to in (framework.attacks, framework.needs, framework.backing)
        ]
        count = [
            np.bincount(to, minlength=size)
            for _, to in (framework.attacks, framework.needs, framework.backing)
        ]
        self.attackers, self.needed, self.backers = count
        self.lost = np.zeros(size, dtype=bool)
        self.backed = framework.stands_alone.copy()

    def due_in(self) -> Bools:
        is_unthreatened = (self.attackers == 0) & (self.needed == 0)
        return np.asarray((self.label == UNDECIDED) & is_unthreatened & self.backed & ~self.lost)

    def due_out(self) -> Bools:
        unbacked = ~self.framework.stands_alone & (self.backers == 0)
        return np.asarray((self.label == UNDECIDED) & (self.lost | unbacked))

    def settle(self, front: Ints) -> Ints:
        """Label the front, update its neighbours, and return the arguments due next."""
        is_out = self.lost[front] | (
            ~self.framework.stands_alone[front] & (self.backers[front] == 0)
        )
        self.label[front] = np.where(is_out, OUT, IN)
        fell = front[is_out]
        rose = front[~is_out]
        np.subtract.at(self.attackers, self._nodes_reached(ATTACKS, fell), 1)
        np.subtract.at(self.backers, self._nodes_reached(BACKING, fell), 1)
        np.subtract.at(self.needed, self._nodes_reached(NEEDS, rose), 1)
        self.backed[self._nodes_reached(BACKING, rose)] = True
        self.lost[self._nodes_reached(ATTACKS, rose)] = True
        self.lost[self._nodes_reached(NEEDS, fell)] = True
        return np.flatnonzero(self.due_in() | self.due_out())

    def _nodes_reached(self, kind: int, front: Ints) -> Ints:
        to, order, starts = self.out_of[kind]
        return np.asarray(to[order[positions_in_runs(starts, front)]])

    def unfounded_arguments(self) -> Bools:
        """Arguments without a chain of backing from one that stands alone and is not out."""

        def backed_by(front: Ints) -> Ints:
            targets = self._nodes_reached(BACKING, front)
            return np.asarray(targets[self.label[targets] != OUT])

        grounds = np.flatnonzero(self.framework.stands_alone & (self.label != OUT))
        founded = mark_reached(grounds, len(self.label), backed_by)
        return np.asarray(~founded & ~self.framework.stands_alone)


def starts_by_end(pairs: Pairs, size: int) -> list[list[int]]:
    """List for each argument the starts of the pairs that end at it."""
    starts: list[list[int]] = [[] for _ in range(size)]
    for start, end in zip(pairs[0].tolist(), pairs[1].tolist(), strict=True):
        starts[end].append(start)
    return starts


def is_founded(framework: Framework, label: Sequence[int]) -> bool:
    """Return whether each argument that is in stands alone, or is backed by a chain of arguments
    that are in and begins with one that stands alone.
    """
    backers = starts_by_end(framework.backing, framework.size)
    accepted = {i for i in range(framework.size) if label[i] == IN}
    founded = {i for i in accepted if framework.stands_alone[i]}
    while True:
        newly_founded = {i for i in accepted - founded if not founded.isdisjoint(backers[i])}
        if not newly_founded:
            return accepted == founded
        founded |= newly_founded
