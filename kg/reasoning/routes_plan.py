"""The order in which an unfolded graph is solved, and which sources meet where.

What a statement passes on is a list of *voices*: nats, one for each independent source that
speaks through it. A *row* is one voice on one arc; rows of one source for one side of one
target compete in a *slot*, where the best of them counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints, group_by, runs
from kg.reasoning.graph import Graph
from kg.reasoning.joint import Joint, joint_among
from kg.reasoning.quality import UNKNOWN
from kg.reasoning.unfold import Unfolded, unfold


@dataclass(frozen=True, slots=True)
class Level:
    """Targets that nothing among them bears on.

    `rows` are the voices that bear on them, `arcs` the arcs on which they do (places in the
    unfolded graph) and `size` what those weigh, for or against, sorted into slots that begin at
    `starts`. `slot_of` numbers the slot of each row, `owner` the target of each slot, `pro` says
    which slots are for it; `sides` are the slots with which another side or another target
    begins. `heirs` are the voices of claims that the slots `heard` become. `joint` tells the arcs
    to the level that count only together: `linked` are those arcs, `premise` says which of them
    carries each row (-1: none).
    """

    nodes: Ints
    rows: Ints
    arcs: Ints
    size: Floats
    starts: Ints
    slot_of: Ints
    owner: Ints
    pro: Bools
    sides: Ints
    heard: Ints
    heirs: Ints
    linked: Ints
    joint: Joint | None
    premise: Ints


@dataclass(frozen=True, slots=True)
class Plan:
    """An unfolded graph in levels.

    Voices of node k are `voice_start[k]` … `voice_start[k] + voice_count[k]` - 1; the first
    `own_count[k]` of them are its own, and `part` says which part each is of what it has of its
    own. `speaker` is the node of each voice, `fall` the voice that tells how far a premise fell
    (-1: none does).
    """

    unfolded: Unfolded
    levels: tuple[Level, ...]
    voice_start: Ints
    voice_count: Ints
    own_count: Ints
    part: Floats
    speaker: Ints
    fall: Ints
    claims: Bools
    gates: Bools

    @property
    def voices(self) -> int:
        """How many voices there are."""
        return len(self.speaker)

    @property
    def size(self) -> int:
        """How many rows one pass reads."""
        return sum(len(level.rows) for level in self.levels)


def unfolded(graph: Graph) -> Unfolded:
    """`graph` with its circles unfolded, once."""
    found = graph.plans.get("unfolded")
    if not isinstance(found, Unfolded):
        found = graph.plans["unfolded"] = unfold(graph)
    return found


def plan_of(graph: Graph, everyone: bool = False) -> Plan:
    """The plan of `graph`, made once; with `everyone`, bare claims have a voice of their own too.

    That is needed where claims are held at a strength, or given another base.
    """
    kept = graph.plans
    voiced = everyone | (graph.base > UNKNOWN) | ~graph.claim
    key = "all" if everyone else np.packbits(voiced).tobytes().hex()
    found = kept.get(key)
    if not isinstance(found, Plan):
        found = kept[key] = _Planner(graph, voiced).plan()
    return found


class _Planner:
    """Voices that grow level by level while the plan is made."""

    def __init__(self, graph: Graph, voiced: Bools) -> None:
        self.graph, self.unfolded = graph, unfolded(graph)
        origin = self.unfolded.origin
        self.gates = origin >= graph.size
        statement = np.where(self.gates, 0, origin)
        self.claims = graph.claim[statement] & ~self.gates
        self.units = int(graph.unit_of.max(initial=-1)) + 1
        lengths = graph.unit_start[1:] - graph.unit_start[:-1]
        has_own = voiced[statement] & ~self.gates
        self.own_count = np.where(has_own, lengths[statement], 0)
        falling = np.zeros(graph.size, dtype=bool)
        falling[graph.src[graph.fallen]] = True
        self.falls = falling[statement] & ~self.gates
        self.statement = statement

    def plan(self) -> Plan:
        count = len(self.unfolded.origin)
        order, starts = group_by(self.unfolded.dst, count)
        self.voice_start = np.zeros(count, dtype=np.int64)
        self.voice_count = np.zeros(count, dtype=np.int64)
        self.fall = np.full(count, -1)
        self.told = 0
        units: list[Ints] = []
        levels: list[Level] = []
        for nodes in _layers(self.unfolded, order, starts):
            bare = starts[nodes + 1] == starts[nodes]
            if bare.any():
                units.append(self._voice(nodes[bare], np.zeros(0, np.int64), np.zeros(0, np.int64)))
            if not bare.all():
                flat = np.concatenate(units) if units else np.zeros(0, dtype=np.int64)
                units = [flat]
                level, more = self._level(nodes[~bare], order, starts, flat)
                levels.append(level)
                units.append(more)
        speaker = np.zeros(self.told, dtype=np.int64)
        whole = self.voice_count + (self.fall >= 0)
        places = np.repeat(np.arange(count), whole)
        speaker[spans(self.voice_start, whole)] = places
        return Plan(
            self.unfolded,
            tuple(levels),
            self.voice_start,
            self.voice_count,
            self.own_count,
            self._parts(),
            speaker,
            self.fall,
            self.claims,
            self.gates,
        )

    def _parts(self) -> Floats:
        found = np.zeros(self.told)
        owners = np.flatnonzero(self.own_count)
        places = spans(self.voice_start[owners], self.own_count[owners])
        found[places] = self.graph.unit_part[runs(self.graph.unit_start, self.statement[owners])]
        return found

    def _voice(self, nodes: Ints, inherited: Ints, units: Ints) -> Ints:
        """Give `nodes` voices: their own, then `inherited` many, then one for a fall.

        `units` are the sources of what is inherited, node by node; returns those of all voices.
        """
        own = self.own_count[nodes]
        heirs = inherited if len(inherited) else np.zeros(len(nodes), dtype=np.int64)
        falls = self.falls[nodes].astype(np.int64)
        whole = own + heirs + falls
        first = self.told + np.cumsum(whole) - whole
        self.voice_start[nodes], self.voice_count[nodes] = first, own + heirs
        self.fall[nodes] = np.where(falls > 0, first + own + heirs, -1)
        found = np.empty(int(whole.sum()), dtype=np.int64)
        base = first - self.told
        statements = self.statement[nodes]
        with_own = own > 0
        own_runs = runs(self.graph.unit_start, statements[with_own])
        found[spans(base[with_own], own[with_own])] = self.graph.unit_of[own_runs]
        found[spans(base + own, heirs)] = units
        found[(base + own + heirs)[falls > 0]] = self.units + statements[falls > 0]
        self.told += len(found)
        return found

    def _level(self, nodes: Ints, order: Ints, starts: Ints, units: Ints) -> tuple[Level, Ints]:
        graph, tree = self.graph, self.unfolded
        arcs = order[runs(starts, nodes)]
        source, falls = tree.src[arcs], graph.fallen[tree.arc[arcs]]
        count = np.where(falls, 1, self.voice_count[source])
        first = np.where(falls, self.fall[source], self.voice_start[source])
        rows, of = spans(first, count), np.repeat(np.arange(len(arcs)), count)
        number = np.full(len(tree.origin), -1)
        number[nodes] = np.arange(len(nodes))
        target = number[tree.dst[arcs]][of]
        pro = (graph.w[tree.arc[arcs]] > 0.0)[of]
        keep = ~self._vouches_for_itself(nodes[target], units[rows], pro)
        rows, of, target, pro = rows[keep], of[keep], target[keep], pro[keep]
        span = self.units + graph.size + 1
        key = (2 * target + ~pro) * span + units[rows]
        by = np.argsort(key, kind="stable")
        key = key[by]
        slots = np.flatnonzero(np.append(True, np.diff(key) != 0)) if len(key) else by
        owner, sided = target[by][slots], pro[by][slots]
        heard = np.flatnonzero(sided & self.claims[nodes][owner])
        inherited = np.bincount(owner[heard], minlength=len(nodes))
        more = self._voice(nodes, inherited, key[slots][heard] % span)
        heirs = spans((self.voice_start + self.own_count)[nodes], inherited)
        slot_of = np.repeat(np.arange(len(slots)), np.diff(np.append(slots, len(key))))
        side = 2 * owner + ~sided
        sides = np.flatnonzero(np.append(True, np.diff(side) != 0)) if len(side) else slots
        carried = arcs[of[by]]
        size = np.abs(graph.w[tree.arc[carried]])
        joint = joint_among(graph.joint[tree.arc[arcs]], tree.dst[arcs]) if graph.linked else None
        level = Level(
            nodes=nodes,
            rows=rows[by],
            arcs=carried,
            size=size,
            starts=slots,
            slot_of=slot_of,
            owner=owner,
            pro=sided,
            sides=sides,
            heard=heard,
            heirs=heirs,
            linked=arcs[:0] if joint is None else arcs[joint.places],
            joint=joint,
            premise=of[:0] if joint is None else joint.rank[of[by]],
        )
        return level, more

    def _vouches_for_itself(self, target: Ints, unit: Ints, pro: Bools) -> Bools:
        """Rows in which a source supports evidence that is its own."""
        evidence = pro & ~self.claims[target] & ~self.gates[target]
        found = np.zeros(len(target), dtype=bool)
        if evidence.any():
            places = np.flatnonzero(evidence)
            statements = np.arange(self.graph.size)
            lengths = self.graph.unit_start[1:] - self.graph.unit_start[:-1]
            span = self.units + self.graph.size + 1
            own = np.repeat(statements, lengths) * span + self.graph.unit_of
            asked = self.statement[target[places]] * span + unit[places]
            found[places] = np.isin(asked, own)
        return found


def spans(first: Ints, count: Ints) -> Ints:
    """first[k] … first[k] + count[k] - 1 for every k, one run after the other."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(first - (ends - count), count))


def _layers(tree: Unfolded, order: Ints, starts: Ints) -> list[Ints]:
    """Nodes by the longest way from what nothing bears on."""
    count = len(tree.origin)
    gated = tree.gate >= 0
    tails = np.concatenate([tree.src, tree.gate[gated]])
    heads = np.concatenate([tree.dst, tree.dst[gated]])
    waiting = np.bincount(heads, minlength=count)
    out, begin = group_by(tails, count)
    front, found = np.flatnonzero(waiting == 0), []
    while len(front):
        found.append(front)
        reached = heads[out[runs(begin, front)]]
        unique, times = np.unique(reached, return_counts=True)
        waiting[unique] -= times
        front = unique[waiting[unique] == 0]
    return found
