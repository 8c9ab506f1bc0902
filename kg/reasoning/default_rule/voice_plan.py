"""The order in which an unfolded graph is solved, and which sources meet where: as values.

What a statement passes on is a list of *voices*: nats, one for each independent source that
speaks through it. A *row* is one voice on one arc; rows of one source for one side of one
target compete in a *slot*, where the best of them counts.

All of that is the same in every scenario, so it is worked out once; a pass (`voice_pass`) then
only looks up numbers, for all targets of a level and all scenarios at once.

A small example is worked out in `kg/reasoning/default_rule/__init__.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints
from kg.reasoning.default_rule.unfolded_circles import Unfolded
from kg.reasoning.joint_premises import JointPremises

NO_VOICE = -1
"""The voice by which a statement tells how far it fell, where nothing depends on it."""


@dataclass(frozen=True, slots=True)
class OwnVoices:
    """Nodes, and the voices that they have of their own: `places`, each that of `nodes[owner]`."""

    nodes: Ints
    places: Ints
    owner: Ints


@dataclass(frozen=True, slots=True)
class Speech:
    """Statements (`nodes`) that are weighed at once, and what they pass on.

    `evidence` and `claims` are those of either sort that have voices: all from `first` to before
    `last`. The slots `heard` become the voices `heirs` of `claims.nodes[heir_of]`. It matters what
    `summed` pass on in all: the voices `sums`, cut at `cuts`. Others depend on `premises`.
    """

    nodes: Ints
    evidence: OwnVoices
    claims: OwnVoices
    first: int
    last: int
    heard: Ints
    heirs: Ints
    heir_of: Ints
    summed: Ints
    sums: Ints
    cuts: Ints
    premises: Ints


@dataclass(frozen=True)
class Level:
    """Targets that nothing among them bears on.

    A *row* is a voice on an arc; rows are sorted by target, for before against, then by source,
    and those alike in all three are a *slot*. Numbers of nodes and arcs are those of the unfolded
    graph, but for `own_arcs`.
    """

    nodes: Ints
    """The targets."""
    rows: Ints
    """Per row its voice."""
    arcs: Ints
    """Per row the arc that carries it, and in `own_arcs` that arc in the graph itself."""
    own_arcs: Ints
    size: Floats
    """Per row what its arc weighs, for or against."""
    starts: Ints
    """Per slot its first row."""
    slot_of: Ints
    """Per row its slot."""
    owner: Ints
    """Per slot the place of its target in `nodes`."""
    pro: Bools
    """Per slot whether it is for its target."""
    sides: Ints
    """The slots with which another side, or another target, begins."""
    pro_sides: Ints
    """Those of `sides` that are for a target, which `pro_nodes` names; the others are against."""
    pro_nodes: Ints
    con_sides: Ints
    con_nodes: Ints
    gates: Ints
    """The gates among the targets."""
    speech: Speech
    """What the statements among them pass on."""
    gated: Ints
    """The rows that pass a gate."""
    cutting: Ints
    """The rows that bear on a gate."""
    joint_arcs: Ints
    """The arcs to the targets that count only together."""
    joint: JointPremises | None
    """How those arcs make up reasons."""
    premise: Ints
    """Per row which of `joint_arcs` carries it; -1 where none does, empty where there are none."""
    first_row: Ints
    """Per row the first that the same joint reason brings to its slot; mostly itself."""

    @cached_property
    def later_premises(self) -> Ints:
        """The rows that are not the first of their source in a joint reason."""
        return np.flatnonzero(self.first_row != np.arange(len(self.first_row)))

    @cached_property
    def rivals(self) -> tuple[tuple[Ints, Ints], ...]:
        """The slots with more than one row, and the second row of each; then the third; …

        By turns, whole rows are compared at once, and only of the slots that have so many.
        """
        left = np.diff(np.append(self.starts, len(self.rows))) - 1
        slots = np.flatnonzero(left)
        turns: list[tuple[Ints, Ints]] = []
        while len(slots):
            turns.append((slots, self.starts[slots] + len(turns) + 1))
            slots = slots[left[slots] > len(turns)]
        return tuple(turns)


@dataclass(frozen=True, slots=True)
class VoicePlan:
    """An unfolded graph in levels; `bare` are the statements that nothing bears on.

    Voices of node k are `voice_start[k]` … `voice_start[k] + voice_count[k]` - 1; the first
    `own_count[k]` of them are its own, and `part` says which part each is of what it has of its
    own (`entry` is its place in the graph's `unit_part`). `unit` is the source of each voice,
    `speaker` its node, `fall` the voice that tells how far a premise fell (`NO_VOICE`: none does).
    """

    unfolded: Unfolded
    bare: Speech
    levels: tuple[Level, ...]
    voice_start: Ints
    voice_count: Ints
    own_count: Ints
    part: Floats
    entry: Ints
    unit: Ints
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


def weighed_in(plan: VoicePlan, level: Level) -> Ints:
    """The arcs of the graph whose weights matter in a level."""
    return np.append(level.own_arcs, plan.unfolded.arc[level.joint_arcs])
