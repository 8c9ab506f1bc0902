"""Two worlds side by side, and what differs between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kg.model import LineId, StatementId, Value
from kg.reasoning.answer import many, number, side
from kg.reasoning.arrays import Floats
from kg.reasoning.attribution import heard
from kg.reasoning.columns import Columns
from kg.reasoning.graph import Graph
from kg.reasoning.reading import Reading
from kg.reasoning.strength import solve
from kg.reasoning.verdict import word_for

SEEN = 1e-6


class Change(Value, frozen=True, omit_defaults=False):
    """A statement's strength before and after."""

    statement: StatementId
    title: str
    before: float | None
    after: float | None
    change: float


class Turn(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after; `turns` if it changes sides."""

    line: LineId
    statement: StatementId
    before: float | None
    after: float | None
    word_before: str
    word_after: str
    turns: bool


def turning(verdicts: Sequence[Turn]) -> str:
    """How many verdicts would change, and how, as the end of a sentence."""
    turned = sum(turn.turns for turn in verdicts)
    if not verdicts:
        return "no verdict would change"
    if not turned:
        return f"no verdict would change sides, but the wording of {len(verdicts)} would"
    kept = len(verdicts) - turned
    return f"{many(turned, 'verdict')} would change sides" + (
        f" (and the wording of {kept} more would change)" if kept else ""
    )


@dataclass(frozen=True)
class World:
    """One scenario of a graph, solved."""

    graph: Graph
    columns: Columns
    state: Floats

    @property
    def strengths(self) -> Floats:
        """Strength per statement."""
        return np.asarray(self.state[: self.graph.size, 0])

    @cached_property
    def _volumes(self) -> Floats:
        shares = np.abs(heard(self.graph, self.state, self.columns)[:, 0])
        return np.asarray(np.bincount(self.graph.dst, shares, self.graph.silent), dtype=float)

    def standing(self, node: int) -> tuple[float, float]:
        """Strength and volume of reasons of one statement."""
        return float(self.state[node, 0]), float(self._volumes[node])


def world(graph: Graph, base: Floats | None = None, fixed: dict[int, float] | None = None) -> World:
    """`graph` solved with other bases (per statement), and some statements held at a strength."""
    held = np.zeros((graph.size, 1), dtype=bool)
    value = np.zeros((graph.size, 1))
    for node, strength in (fixed or {}).items():
        held[node], value[node] = True, strength
    start = graph.base if base is None else base
    columns = Columns(1, base=start[:, None], fixed=held, value=value)
    return World(graph, columns, solve(graph, columns).state)


def changes(reading: Reading, before: World, after: World) -> list[Change]:
    """Statements whose strength differs by more than a millionth, the farthest first."""
    moved = np.nan_to_num(after.strengths - before.strengths)
    found = [
        Change(
            statement=name,
            title=reading.corpus.statements[name].title,
            before=number(before.strengths[node]),
            after=number(after.strengths[node]),
            change=round(float(moved[node]), 9),
        )
        for node in np.flatnonzero(np.abs(moved) > SEEN).tolist()
        for name in reading.graph.same[node]
    ]
    return sorted(found, key=lambda c: (-abs(c.change), c.statement))


def turns(reading: Reading, before: World, after: World) -> Iterator[Turn]:
    """Lines whose verdict has another word or another side after."""
    for line in reading.corpus.lines.values():
        if line.proposition is None or line.proposition not in reading.graph.names:
            continue
        node = reading.graph.names[line.proposition]
        (s, v), (t, u) = before.standing(node), after.standing(node)
        words = word_for(s, v, reading.settings), word_for(t, u, reading.settings)
        if words[0] != words[1] or side(s) != side(t):
            yield Turn(
                line=line.id,
                statement=line.proposition,
                before=number(s),
                after=number(t),
                word_before=words[0],
                word_after=words[1],
                turns=bool(side(s) != side(t)),
            )
