"""Loops made small: what comes from outside is joined, and scenarios that agree share a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kg.reasoning.arrays import Columns, Floats, Ints
from kg.reasoning.network.graph import Graph
from kg.reasoning.network.semantics import multiply_up
from kg.reasoning.solver.plan import Batch, Inner, Step

Outer = tuple[Floats, Floats]
"""What all reasons from outside come to, for and against (targets, or targets × scenarios)."""


def outer(graph: Graph, batch: Batch, c: Floats) -> Outer:
    """The reasons in `c` that come from outside a loop, each sort joined into one."""
    inside = np.zeros(len(c), dtype=bool) if batch.inside is None else batch.inside
    c = np.where(inside[:, None] if c.ndim == 2 else inside, 0.0, c)
    join = multiply_up if batch.gates else graph.semantics.join
    return join(np.maximum(c, 0.0), batch.starts), join(np.maximum(-c, 0.0), batch.starts)


class Ring:
    """A loop under the cautious rule, once its surroundings are solved.

    From outside, reasons for and against are joined into one each; from inside only the best
    of each sort counts. So every target has four reasons, two of which stay as they are.
    Scenarios that agree in all that reaches the loop are settled in one column.
    """

    def __init__(
        self,
        graph: Graph,
        step: Step,
        columns: Columns | None,
        state: Floats,
        reasons: Sequence[Outer],
    ) -> None:
        table = _wide(state[step.rows])
        given = [
            _given(batch, inner, columns, pair)
            for batch, inner, pair in zip(step.batches, step.inner, reasons, strict=True)
        ]
        self.size = len(step.nodes)
        around = [table[self.size :], *(each for one in given for each in one.values())]
        self.first, self.place = _agreeing(around, table.shape[1])
        self.rows = self._pick(table).copy()
        self.parts = [
            _Part(graph, batch, inner, {name: self._pick(each) for name, each in one.items()})
            for batch, inner, one in zip(step.batches, step.inner, given, strict=True)
        ]

    @property
    def start(self) -> Floats:
        """Where the settled columns begin (targets × columns)."""
        return self.rows[: self.size]

    def spread(self, settled: Floats) -> Floats:
        """A column for each scenario."""
        return settled if len(self.first) == len(self.place) else settled[:, self.place]

    def respond(self, own: Floats) -> Floats:
        """What the loop makes of its own strengths (targets × settled columns)."""
        self.rows[: self.size] = own
        found = [part.respond(self.rows) for part in self.parts]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def _pick(self, table: Floats) -> Floats:
        whole = table.shape[1] == 1 or len(self.first) == len(self.place)
        return table if whole else table[:, self.first]


class _Part:
    """One batch of a loop: its inner arcs, and four reasons for each target."""

    def __init__(
        self, graph: Graph, batch: Batch, inner: Inner, given: Mapping[str, Floats]
    ) -> None:
        arcs = batch.arcs[inner.within]
        self.graph, self.batch, self.inner, self.given = graph, batch, inner, given
        self.slope, self.offset = (column[arcs, None] for column in graph.transfer)
        self.w = given["w"]
        count = len(batch.nodes)
        self.starts = np.arange(0, 4 * count, 4)
        self.four = np.empty((count, 4, given["pro"].shape[1]))
        self.four[:, 0], self.four[:, 1] = given["pro"], -given["con"]
        self.base = given.get("base")
        if self.base is None and not batch.gates:
            self.base = graph.base[batch.nodes, None]

    def respond(self, rows: Floats) -> Floats:
        """What the batch's targets become."""
        inner, four = self.inner, self.four
        c = rows[inner.src] * self.slope + self.offset
        np.maximum(c, 0.0, out=c)
        c *= self.w
        if inner.gate is not None:
            c *= rows[inner.gate]
        np.maximum(np.maximum.reduceat(c, inner.starts, axis=0), 0.0, out=four[:, 2])
        np.minimum(np.minimum.reduceat(c, inner.starts, axis=0), 0.0, out=four[:, 3])
        if self.base is None:
            return np.asarray((1.0 - np.abs(four)).prod(axis=1))
        semantics, gain = self.graph.semantics, self.graph.settings.gain
        total = semantics.aggregate(four.reshape(-1, four.shape[2]), self.starts, gain)
        values = semantics.influence(self.base, total)
        if "fixed" in self.given:
            values = np.where(self.given["fixed"] > 0.0, self.given["value"], values)
        return values


def _given(
    batch: Batch, inner: Inner, columns: Columns | None, pair: Outer
) -> Mapping[str, Floats]:
    """What reaches a batch: joined reasons, inner weights, bases, strengths that are held."""
    arcs = batch.arcs[inner.within]
    found = {"pro": _wide(pair[0]), "con": _wide(pair[1]), "w": batch.w[inner.within, None]}
    if columns is None:
        return found
    if columns.w is not None:
        found["w"] = columns.w[arcs]
    if columns.voice is not None:
        found["w"] = found["w"] * columns.voice[inner.voices]
    if columns.base is not None and not batch.gates:
        found["base"] = columns.base[batch.nodes]
    if columns.fixed is not None and columns.value is not None and not batch.gates:
        found["fixed"] = columns.fixed[batch.nodes].astype(float)
        found["value"] = columns.value[batch.nodes]
    return found


def _wide(table: Floats) -> Floats:
    return table if table.ndim == 2 else table[:, None]


def _agreeing(tables: Sequence[Floats], width: int) -> tuple[Ints, Ints]:
    """The first scenario of each kind in which all `tables` agree, and the kind of each."""
    if width == 1:
        return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    varied = [table for table in tables if table.shape[1] == width]
    keys = np.ascontiguousarray(np.concatenate(varied).T)
    kinds: dict[bytes, int] = {}
    place = np.array([kinds.setdefault(key.tobytes(), len(kinds)) for key in keys])
    first = np.unique(place, return_index=True)[1]
    return np.asarray(first), place
