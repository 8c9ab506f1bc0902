"""The plan by which an unfolded graph is solved: the order, and where the sources meet.

What a statement passes on is a list of *voices*: nats, one for each independent source that
speaks through it. A *row* is one voice on one arc; rows of one source for one side of one
target compete in a *slot*, where the best of them counts.

All of that is the same in every scenario, so it is computed once; a pass (`voice_pass`) then
only looks up numbers, for all targets of a level and all scenarios at once.

A small example is worked out in `kg/reasoning/default_rule/__init__.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kg.reasoning.default_rule.unfolded_circles import UnfoldedGraph
from kg.reasoning.graph.arrays import Bools, Floats, Ints
from kg.reasoning.graph.joint_premises import JointPremises

NO_VOICE = -1  # in `fall`, for a statement on which nothing depends


@dataclass(frozen=True, slots=True)
class OwnVoices:
    """Nodes, and the voices that they have of their own. `places` are the numbers of these voices,
    and `owner` says of each which of `nodes` it belongs to, by its place there.
    """

    nodes: Ints
    places: Ints
    owner: Ints


@dataclass(frozen=True, slots=True)
class OutgoingVoices:
    """Statements that are weighed at once, and which voices they pass on.

    All arrays have one axis and hold numbers of nodes, voices or slots, which index the arrays of a
    pass.
    """

    nodes: Ints  # the statements
    evidence: OwnVoices  # the evidence among them that has voices
    claims: OwnVoices  # the claims among them that have voices
    first_voice: int  # the voices of both run from here …
    end_voice: int  # … up to, but not including, here
    dependencies: Ints  # those of `nodes` on which others depend

    # what claims hand on, one entry per voice
    heard_slots: Ints  # the slot in which it was heard
    handed_voices: Ints  # the voice that it becomes
    handing_claims: Ints  # the place of the claim in `claims.nodes`

    # the nodes whose sum over their voices is needed
    summing_nodes: Ints  # those of `nodes`
    summed_voices: Ints  # their voices, one after the other
    sum_starts: Ints  # for each of `summing_nodes`, its first place in `summed_voices`


@dataclass(frozen=True, slots=True)
class SidesOfLevel:
    """The sides of a level that have slots: those for a target, or those against it."""

    starts: Ints  # the first slot of each side
    pro: Ints  # the numbers of the sides that are for a target …
    pro_nodes: Ints  # … and these targets
    con: Ints  # the numbers of the sides that are against one …
    con_nodes: Ints  # … and these targets


@dataclass(frozen=True, slots=True)
class JointRows:
    """The rows of a level that come from premises, which count only together."""

    arcs: Ints  # the arcs of the premises, in the order of `premises`
    premises: JointPremises  # how those arcs form reasons
    place_of_row: Ints  # per row the place of its arc in `arcs`, or `NOT_JOINT`


@dataclass(frozen=True)
class TargetLevel:
    """Targets none of which bears on another.

    A *row* is a voice on an arc; rows are sorted by target, for before against, then by source,
    and those alike in all three are a *slot*. Numbers of nodes and arcs are those of the unfolded
    graph, except for `own_arcs`.
    """

    # targets, in the order of their numbers
    nodes: Ints  # the targets: nodes of the unfolded graph
    gates: Ints  # those of `nodes` that are gates
    outgoing_voices: OutgoingVoices  # what the statements among `nodes` pass on

    # one entry per row
    row_voices: Ints  # its voice
    arcs: Ints  # the arc that carries it
    own_arcs: Ints  # that arc in the graph itself
    size: Floats  # the weight of that arc, 0 to 1, for or against
    slot_of: Ints  # its slot
    first_row: Ints  # the first row of the same joint reason in its slot; mostly itself

    # some of the rows, by number
    gated_rows: Ints  # those that pass a gate
    cutting_rows: Ints  # those that bear on a gate

    # one entry per slot
    slot_starts: Ints  # its first row
    owner: Ints  # the place of its target in `nodes`
    pro: Bools  # whether it is for its target

    sides: SidesOfLevel
    joint: JointRows | None  # `None` if no row comes from a premise

    @cached_property
    def later_premises(self) -> Ints:
        """The rows that are not the first of their source in a joint reason."""
        return np.flatnonzero(self.first_row != np.arange(len(self.first_row)))

    @cached_property
    def rivals(self) -> tuple[tuple[Ints, Ints], ...]:
        """The slots that have a second row, with that row; then those that have a third; and so on.

        A pass finds the best row of each slot by one comparison of arrays per item.
        """
        left = np.diff(np.append(self.slot_starts, len(self.row_voices))) - 1
        slots = np.flatnonzero(left)
        turns: list[tuple[Ints, Ints]] = []
        while len(slots):
            turns.append((slots, self.slot_starts[slots] + len(turns) + 1))
            slots = slots[left[slots] > len(turns)]
        return tuple(turns)


@dataclass(frozen=True, slots=True)
class VoicePlan:
    """An unfolded graph in levels, and the voices of its nodes."""

    unfolded_graph: UnfoldedGraph
    bare: OutgoingVoices  # what statements on which nothing bears pass on
    levels: tuple[TargetLevel, ...]

    # one entry per node
    voice_start: Ints  # its first voice; the others follow
    voice_count: Ints  # how many it has
    own_count: Ints  # how many of these are its own; they come first
    fall: Ints  # the voice that says how far it fell, or `NO_VOICE`
    is_claim: Bools  # whether it is a claim
    gates: Bools  # whether it is a gate

    # one entry per voice
    source_group: Ints  # its source
    speaker: Ints  # its node
    entry: Ints  # where `Graph.source_group_fraction` has its fraction of its node's own

    @property
    def voices_in_all(self) -> int:
        """The number of all voices."""
        return len(self.speaker)

    @property
    def size(self) -> int:
        """The number of rows that one pass reads."""
        return sum(len(level.row_voices) for level in self.levels)
