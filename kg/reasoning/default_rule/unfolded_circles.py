"""A graph without circles: each statement is weighed as if nothing that rests on it spoke for it.

In a circle of reasons, what a statement says to others must not come back as a reason for or
against itself: that would be begging the question. So wherever a statement is weighed, the
reasons to those that bear on it leave out the statements on the way back to it. What is left is
the tree of self-avoiding walks (Weitz, STOC 2006, for marginals of graphical models), with equal
branches shared. It has no circles, so one pass solves it, and there is only one solution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kg.reasoning.arrays import (
    Bools,
    Ints,
    group_by,
    release_next,
    run_positions,
    strong_components,
)
from kg.reasoning.graph import Graph

MOST_COPIES = 20_000
"""Copies of statements that one circle may need; larger circles are followed less far.

The number of self-avoiding walks may grow exponentially with the circle, so there must be a bound.
"""
NO_GATE = -1
"""The gate of an arc that nothing undercuts. (A graph says `open_gate`, which here is a copy.)"""
CUT_OFF = -2
"""A copy that would be needed but was not made, as the circle is too large."""
NO_CIRCLE = -1
"""The circle of what stands in none."""


@dataclass(frozen=True, slots=True)
class Unfolded:
    """Statements and gates, first as they are in the graph, then copies of some of them.

    `origin` gives each node's number in the graph. Per arc `src`, `dst` and `gate` are nodes
    (`gate` is `NO_GATE` where nothing undercuts), `arc` the arc of the graph. `circles` says
    whether the graph has any; `depth` how far the largest circles were followed, `None` if to the
    end.
    """

    origin: Ints
    src: Ints
    dst: Ints
    gate: Ints
    arc: Ints
    circles: bool
    depth: int | None

    def within(self, graph: Graph, part: Ints) -> Unfolded:
        """The same for a part of `graph` that nothing outside it bears on; `part` are its
        statements and gates in `graph`, in the order of their new numbers.
        """
        new_number = np.full(graph.node_count, -1)
        new_number[part] = np.arange(len(part))
        # a subgraph keeps the order of its arcs, and here all arcs to what it keeps
        new_arc = np.cumsum(new_number[graph.dst] >= 0) - 1
        return self._with_nodes(new_number[self.origin] >= 0, new_number, new_arc)

    def towards(self, ends: Ints, node_count: int) -> Unfolded:
        """What bears on `ends`; other statements and gates stay, and hear nothing.

        The first `node_count` nodes stay in any case, as their numbers are those of the graph.
        """
        seen = np.zeros(len(self.origin), dtype=bool)
        order, starts = group_by(self.dst, len(self.origin))
        front = ends
        while len(front):
            seen[front] = True
            arcs = order[run_positions(starts, front)]
            before = np.concatenate([self.src[arcs], self.gate[arcs]])
            front = np.unique(before[(before >= 0) & ~seen[before]])
        needed = seen[self.dst]
        part = replace(
            self,
            src=self.src[needed],
            dst=self.dst[needed],
            gate=self.gate[needed],
            arc=self.arc[needed],
        )
        seen[:node_count] = True
        return part._with_nodes(seen)

    def _with_nodes(
        self, keep: Bools, new_number: Ints | None = None, new_arc: Ints | None = None
    ) -> Unfolded:
        """Only the nodes in `keep`, and the arcs to them.

        `new_number` and `new_arc`, by the numbers that the graph's statements and arcs had, are
        those that they have in another graph, for which this is made.
        """
        # one more entry at the end, for NO_GATE is -1 and so reads the last
        new_node = np.append(np.cumsum(keep) - 1, NO_GATE)
        kept_arcs = keep[self.dst]
        origin, arc = self.origin[keep], self.arc[kept_arcs]
        return replace(
            self,
            origin=origin if new_number is None else new_number[origin],
            src=new_node[self.src[kept_arcs]],
            dst=new_node[self.dst[kept_arcs]],
            gate=new_node[self.gate[kept_arcs]],
            arc=arc if new_arc is None else new_arc[arc],
        )

    def with_evidence(self, size: int, targets: Ints, first_arc: int) -> Unfolded:
        """The same with a statement more for each of `targets`, on which it bears by an arc.

        They are numbered from `size` on, their arcs from `first_arc` on. As nothing bears on them,
        they stand in no circle: none has to be unfolded anew.
        """
        count = len(targets)

        def moved(numbers: Ints) -> Ints:
            # statements come first, so gates and copies make room for the new ones
            return np.where(numbers >= size, numbers + count, numbers)

        by_origin, starts = group_by(self.origin, int(self.origin.max(initial=-1)) + 1)
        # every copy of a target hears the new statement, not the target alone
        hearers = by_origin[run_positions(starts, targets)]
        added = np.repeat(np.arange(count), starts[targets + 1] - starts[targets])
        origin = moved(self.origin)
        return replace(
            self,
            origin=np.concatenate([origin[:size], size + np.arange(count), origin[size:]]),
            src=np.append(moved(self.src), size + added),
            dst=np.append(moved(self.dst), moved(hearers)),
            gate=np.append(moved(self.gate), np.full(len(added), NO_GATE)),
            arc=np.append(self.arc, first_arc + added),
        )


def unfolded(graph: Graph) -> Unfolded:
    """The graph with every circle unfolded, once; arcs of weight 0 are left out."""
    if graph.plans.unfolded is None:
        graph.plans.unfolded = _unfold(graph)
    known: Unfolded = graph.plans.unfolded
    return known


def _unfold(graph: Graph) -> Unfolded:
    # an arc of weight 0 would close circles in which nothing is said
    arcs = np.flatnonzero(graph.w)
    gate = np.where(graph.gate[arcs] == graph.open_gate, NO_GATE, graph.gate[arcs])
    circle = _circles(graph, arcs, gate)
    inside = circle[graph.src[arcs]] == circle[graph.dst[arcs]]
    inside |= (gate >= 0) & (circle[gate] == circle[graph.dst[arcs]])
    inside &= circle[graph.dst[arcs]] >= 0
    if not inside.any():
        origin = np.arange(graph.node_count)
        return Unfolded(origin, graph.src[arcs], graph.dst[arcs], gate, arcs, False, None)
    return _Copies(graph, arcs, gate, circle).unfolded()


def _circles(graph: Graph, arcs: Ints, gate: Ints) -> Ints:
    """The number of the circle that each statement or gate stands in, or `NO_CIRCLE`."""
    gated = gate >= 0
    # who undercuts an arc bears on its target through the gate, so that closes circles too
    tails = np.concatenate([graph.src[arcs], gate[gated]])
    heads = np.concatenate([graph.dst[arcs], graph.dst[arcs][gated]])
    count, label = strong_components(tails, heads, graph.node_count)
    is_circle = np.bincount(label, minlength=count) > 1
    # a component of one is a circle only if it bears on itself
    is_circle[label[tails[tails == heads]]] = True
    return np.where(is_circle[label], label, NO_CIRCLE)


class _Copies:
    """Copies of the statements of circles, one for each set of statements left out.

    `arcs` are those that weigh anything, `gate` is the gate of each and `circle` the circle of
    each statement. New copies are appended to `origin`, the arcs to them to `copied_arcs`.
    """

    def __init__(self, graph: Graph, arcs: Ints, gate: Ints, circle: Ints) -> None:
        self.graph, self.arcs, self.gate, self.circle = graph, arcs, gate, circle
        self.joint = graph.joint[arcs]
        self.by_target, self.starts = group_by(graph.dst[arcs], graph.node_count)
        self.origin: list[int] = []
        self.copied_arcs: list[tuple[int, int, int, int]] = []  # src, dst, gate, arc
        self.depth: int | None = None

    def arcs_to(self, node: int) -> list[int]:
        """The places in `arcs` of those to `node`."""
        places: list[int] = self.by_target[self.starts[node] : self.starts[node + 1]].tolist()
        return places

    def unfolded(self) -> Unfolded:
        graph, size = self.graph, self.graph.node_count
        in_circle = self.circle >= 0
        plain = ~in_circle[graph.dst[self.arcs]]
        order, starts = group_by(self.circle[in_circle], int(self.circle.max()) + 1)
        members = np.flatnonzero(in_circle)
        for number in range(len(starts) - 1):
            circle = members[order[starts[number] : starts[number + 1]]]
            if len(circle):  # components outside circles have numbers too
                self._copy(circle.tolist())
        rows = np.array(self.copied_arcs, dtype=np.int64).reshape(-1, 4)
        arcs = self.arcs[plain]
        return Unfolded(
            np.concatenate([np.arange(size), np.array(self.origin, dtype=np.int64)]),
            np.concatenate([graph.src[arcs], rows[:, 0]]),
            np.concatenate([graph.dst[arcs], rows[:, 1]]),
            np.concatenate([self.gate[plain], rows[:, 2]]),
            np.concatenate([arcs, rows[:, 3]]),
            True,
            self.depth,
        )

    def _copy(self, members: list[int]) -> None:
        """Copies for one circle, breadth first from the statements themselves.

        So a circle that is too large is followed equally far from each of its members.
        """
        circle = _Circle(self, members)
        node_of: dict[_Copy, int] = {}
        front = [circle.copy_of(node, 0) for node in members]
        # in its own context, a statement is its own copy: it has the number it has in the graph
        node_of.update({copy: copy[0] for copy in front})
        first, depth = len(self.origin), 0
        while front:
            following = circle.missing(front, node_of)
            room = len(self.origin) - first + len(following) <= max(MOST_COPIES, len(members))
            if following and not room:
                self.depth = depth if self.depth is None else min(depth, self.depth)
            for copy in following if room else ():
                node_of[copy] = self.graph.node_count + len(self.origin)
                self.origin.append(copy[0])
            # after the next step has its numbers: the arcs to `front` come from there
            for copy in front:
                self.copied_arcs += circle.arcs_to_copy(copy, node_of)
            front, depth = following if room else [], depth + 1


_Copy = tuple[int, int]
"""A statement or gate, and the set of statements that may not speak where it is weighed."""


class _CircleArc(NamedTuple):
    """An arc to a member of a circle; sets of members are bits of a number.

    `premises` are the members that have to speak for it to count: its source, or all premises of
    its joint reason. `ends` are its source and its gate.
    """

    source: int
    gate: int
    joint: int
    arc: int
    premises: int
    ends: int


class _Circle:
    """The statements and gates of one circle; sets of them are bits of a number.

    A copy is known by what it is of, and by those left out that it would hear, at whatever
    distance: what else is left out makes no difference to it.
    """

    def __init__(self, copies: _Copies, members: list[int]) -> None:
        graph = copies.graph
        self.place = {node: place for place, node in enumerate(members)}
        # gates are never left out: a gate is no statement, and only its undercutters speak
        self.statements = sum(1 << p for node, p in self.place.items() if node < graph.size)
        self.arcs: dict[int, list[_CircleArc]] = {}
        self._copy_of: dict[_Copy, _Copy] = {}
        for node in members:
            places = copies.arcs_to(node)
            sources = graph.src[copies.arcs[places]].tolist()
            reasons, gates = copies.joint[places].tolist(), copies.gate[places].tolist()
            premises: dict[int, int] = {}
            for source, reason in zip(sources, reasons, strict=True):
                premises[reason] = premises.get(reason, 0) | self.bit(source)
            self.arcs[node] = [
                _CircleArc(
                    source=source,
                    gate=gate,
                    joint=reason,
                    arc=int(copies.arcs[place]),
                    premises=self.bit(source) if reason < 0 else premises[reason],
                    ends=self.bit(source) | self.bit(gate),
                )
                for place, source, reason, gate in zip(places, sources, reasons, gates, strict=True)
            ]

    def bit(self, node: int) -> int:
        """The bit of a member; nothing for what stands outside."""
        return 1 << self.place[node] if node in self.place else 0

    def copy_of(self, node: int, silenced: int) -> _Copy:
        """The copy of `node` that is weighed where those of `silenced` may not speak."""
        if known := self._copy_of.get((node, silenced)):  # asked for when made, and when linked
            return known
        found = self._copy_of[node, silenced] = self._smallest(node, silenced)
        return found

    def _smallest(self, node: int, silenced: int) -> _Copy:
        """The same copy with no more silenced than makes a difference: contexts that differ in
        what cannot be heard anyway share a copy, which halves the number of copies.
        """
        silenced |= self.bit(node) & self.statements
        met, seen, waiting = 0, self.bit(node), [node]
        while waiting:
            for source, gate, _, _, premises, ends in self.arcs[waiting.pop()]:
                if premises & silenced:
                    met |= premises & silenced
                    continue
                if ends & ~seen:
                    waiting += [n for n in (source, gate) if self.bit(n) & ~seen]
                    seen |= ends
        return node, met | (self.bit(node) & self.statements)

    def heard(self, copy: _Copy) -> list[_CircleArc]:
        """The arcs that a copy hears; with one premise silenced, none of its reason is heard."""
        node, silenced = copy
        return [arc for arc in self.arcs[node] if not arc.premises & silenced]

    def missing(self, front: list[_Copy], node_of: dict[_Copy, int]) -> list[_Copy]:
        """Copies from which the arcs to `front` come and that are not there yet, each once."""
        found: dict[_Copy, None] = {}  # a set that keeps the order, so that numbers are the same
        for hearer in front:
            for source, gate, *_ in self.heard(hearer):
                for end in (source, gate):
                    if end in self.place and (copy := self.copy_of(end, hearer[1])) not in node_of:
                        found[copy] = None
        return list(found)

    def arcs_to_copy(
        self, copy: _Copy, node_of: dict[_Copy, int]
    ) -> list[tuple[int, int, int, int]]:
        """The arcs to a copy; what was cut off inside the circle is not heard."""
        rows, cut_reasons = [], set()
        for source, gate, joint, arc, _, _ in self.heard(copy):
            start, undercut = [
                node_of.get(self.copy_of(end, copy[1]), CUT_OFF) if end in self.place else end
                for end in (source, gate)
            ]
            if start == CUT_OFF:
                cut_reasons.add(joint)
                continue
            # an undercut that is cut off leaves the reason open
            undercut = NO_GATE if undercut == CUT_OFF else undercut
            rows.append((joint, (start, node_of[copy], undercut, arc)))
        # a premise alone is no reason: where one was cut off, the others go with it
        return [row for joint, row in rows if joint < 0 or joint not in cut_reasons]


def layers_of(tree: Unfolded) -> list[Ints]:
    """Nodes by the longest way from what nothing bears on (Kahn's topological sort)."""
    count = len(tree.origin)
    gated = tree.gate >= 0
    tails = np.concatenate([tree.src, tree.gate[gated]])
    heads = np.concatenate([tree.dst, tree.dst[gated]])
    waiting = np.bincount(heads, minlength=count)
    by_tail, starts = group_by(tails, count)
    left = np.ones(count, dtype=bool)
    front, layers = np.flatnonzero(waiting == 0), []
    while len(front):
        layers.append(front)
        left[front] = False
        front = release_next(waiting, left, heads[by_tail[run_positions(starts, front)]])
    return layers
