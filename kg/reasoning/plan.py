"""The order in which a graph is solved: by level, loops as blocks, shared sources marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kg.reasoning.arrays import Bools, Floats, Ints, doubles, group_by, runs
from kg.reasoning.graph import Graph


@dataclass(frozen=True, slots=True)
class Contest:
    """Reasons of one batch that share a source at the same target.

    Row r says that `part[r]` of reason `arc[r]` rests on the source of its run (cut at
    `starts`); `alone` is the part of each listed reason that rests on sources of its own.
    """

    arc: Ints
    starts: Ints
    part: Floats
    listed: Ints
    place: Ints
    alone: Floats


@dataclass(frozen=True, slots=True)
class Batch:
    """Targets of one sort that can be answered at once, and the arcs that bear on them.

    Arcs are sorted by target and cut at `starts`. `inside` marks arcs from the target's own
    loop (`None` outside loops); `gate` is `None` where nothing undercuts any of the arcs.
    """

    nodes: Ints
    starts: Ints
    arcs: Ints
    src: Ints
    w: Floats
    slope: Floats
    offset: Floats
    gate: Ints | None
    inside: Bools | None
    contest: Contest | None
    gates: bool


@dataclass(frozen=True, slots=True)
class Step:
    """Batches to answer together: once, or again and again until they settle if `loop`."""

    batches: tuple[Batch, ...]
    loop: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order, the level of each statement and gate, and which loop it stands in.

    `part` numbers the strongly connected parts (-1 for the numbers outside any loop).
    """

    steps: tuple[Step, ...]
    level: Ints
    part: Ints

    @property
    def loops(self) -> bool:
        """Whether any statement bears on itself through others."""
        return any(step.loop for step in self.steps)


_PLANS: WeakKeyDictionary[Graph, Plan] = WeakKeyDictionary()


def plan_of(graph: Graph) -> Plan:
    """The plan of `graph`, made once: Kahn's peeling, then strongly connected parts."""
    found = _PLANS.get(graph)
    if found is None:
        found = _PLANS[graph] = _plan(graph)
    return found


def _plan(graph: Graph) -> Plan:
    size = graph.silent
    live = np.flatnonzero(graph.w != 0.0)
    tails, heads = _dependencies(graph, live)
    level, left = _peel(tails, heads, size)
    part = np.full(size, -1)
    if left.any():
        level, part = _condense(tails, heads, level, left)
    return Plan(tuple(_steps(graph, live, level, part)), level, part)


def _dependencies(graph: Graph, live: Ints) -> tuple[Ints, Ints]:
    if not graph.gates:
        return graph.src[live], graph.dst[live]
    gated = live[graph.gate[live] != graph.silent]
    tails = np.concatenate([graph.src[live], graph.gate[gated]])
    return tails, np.concatenate([graph.dst[live], graph.dst[gated]])


def _peel(tails: Ints, heads: Ints, size: int) -> tuple[Ints, Bools]:
    """The level of everything outside and above loops, and what could not be reached."""
    order, starts = group_by(tails, size)
    follow = heads[order]
    waiting = np.bincount(heads, minlength=size)
    level = np.zeros(size, dtype=np.int64)
    front = np.flatnonzero(waiting == 0)
    left = np.ones(size, dtype=bool)
    depth = 0
    while len(front):
        left[front] = False
        level[front] = depth
        reached = follow[runs(starts, front)]
        if len(reached) > size // 16:
            waiting -= np.bincount(reached, minlength=size)
            front = np.flatnonzero(left & (waiting == 0))
        else:
            unique, counts = np.unique(reached, return_counts=True)
            waiting[unique] -= counts
            front = unique[waiting[unique] == 0]
        depth += 1
    return level, left


def _condense(tails: Ints, heads: Ints, level: Ints, left: Bools) -> tuple[Ints, Ints]:
    """Levels of what stands in loops or behind them, and the number of each loop."""
    rest = np.flatnonzero(left)
    number = np.full(len(left), -1)
    number[rest] = np.arange(len(rest))
    within = left[tails] & left[heads]
    a, b = number[tails[within]], number[heads[within]]
    table = csr_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(len(rest), len(rest)))
    count, label = connected_components(table, directed=True, connection="strong")
    label = label.astype(np.int64)
    own = label[a] != label[b]
    depth, _ = _peel(label[a[own]], label[b[own]], count)
    level = level.copy()
    level[rest] = int(level.max(initial=0)) + 1 + depth[label]
    loop = np.bincount(label, minlength=count) > 1
    loop[label[a[a == b]]] = True
    part = np.full(len(left), -1)
    part[rest] = np.where(loop[label], label, -1)
    return level, part


def _steps(graph: Graph, live: Ints, level: Ints, part: Ints) -> Iterator[Step]:
    """One step per level and sort (outside loops, in loops), each with its batches."""
    gates = np.arange(graph.silent) >= graph.size
    rank = (level * 2 + (part >= 0)) * 2 + gates
    by_rank, ends = group_by(rank, int(rank.max(initial=0)) + 1)
    place = np.empty(graph.silent, dtype=np.int64)
    place[by_rank] = np.arange(graph.silent)
    order, starts = group_by(place[graph.dst[live]], graph.silent)
    arcs = live[order]
    shared = _sharing(graph)
    for first in range(0, len(ends) - 1, 2):
        found = []
        for kind in range(first, min(first + 2, len(ends) - 1)):
            low, high = ends[kind], ends[kind + 1]
            counts = np.diff(starts[low : high + 1])
            if counts.any():
                nodes = by_rank[low:high][counts > 0]
                mine = arcs[starts[low] : starts[high]]
                runs = starts[low:high][counts > 0] - starts[low]
                found.append(_batch(graph, nodes, mine, runs, part, shared))
        if found:
            yield Step(tuple(found), bool(first // 2 % 2))


def _batch(graph: Graph, nodes: Ints, arcs: Ints, starts: Ints, part: Ints, shared: Bools) -> Batch:
    src, gate = graph.src[arcs], graph.gate[arcs]
    slope, offset = graph.transfer
    inside = None
    if part[nodes[0]] >= 0:
        inside = part[src] == part[graph.dst[arcs]]
        if graph.gates:
            through = part[np.minimum(gate, graph.silent - 1)] == part[graph.dst[arcs]]
            inside |= through & (gate != graph.silent)
    heard = shared[arcs]
    if inside is not None and graph.settings.loops == "cautious":
        heard = heard & ~inside
    return Batch(
        nodes=nodes,
        starts=starts,
        arcs=arcs,
        src=src,
        w=graph.w[arcs],
        slope=slope[arcs],
        offset=offset[arcs],
        gate=gate if graph.gates and (gate != graph.silent).any() else None,
        inside=inside,
        contest=_contest(graph, arcs, heard) if heard.any() else None,
        gates=bool(nodes[0] >= graph.size),
    )


def _sharing(graph: Graph) -> Bools:
    """Arcs whose source shares a source with another, or that repeat an arc."""
    count = np.bincount(graph.unit_of)
    common = np.append(count[graph.unit_of] > 1, False)
    by_node = np.logical_or.reduceat(common, graph.unit_start[:-1]) if graph.size else common[:0]
    found = by_node[graph.src]
    found |= doubles(graph.dst * (graph.silent + 1) + graph.src)
    return np.asarray(found & (graph.w != 0.0))


def _contest(graph: Graph, arcs: Ints, heard: Bools) -> Contest | None:
    """The rows of the arcs in `heard` whose source is heard more than once at a target."""
    local = np.flatnonzero(heard)
    sources = graph.src[arcs[local]]
    lengths = graph.unit_start[sources + 1] - graph.unit_start[sources]
    row_arc = np.repeat(local, lengths)
    unit = graph.unit_of[runs(graph.unit_start, sources)]
    part = np.repeat(1.0 / lengths, lengths)
    key = graph.dst[arcs[row_arc]] * (int(graph.unit_of.max()) + 1) + unit
    many = np.flatnonzero(doubles(key))
    if not len(many):
        return None
    many = many[np.argsort(key[many], kind="stable")]
    key, row_arc, part = key[many], row_arc[many], part[many]
    listed, place = np.unique(row_arc, return_inverse=True)
    alone = 1.0 - np.bincount(place, weights=part, minlength=len(listed))
    starts = np.flatnonzero(np.append(True, np.diff(key) != 0))
    return Contest(row_arc, starts, part, listed, place, np.maximum(alone, 0.0))
