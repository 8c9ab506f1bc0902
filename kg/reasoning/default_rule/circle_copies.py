"""Copies of a circle's statements, one for each set of members that are silenced for it.

The docstring of `kg.reasoning.default_rule` has an example to follow by hand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import reduce
from itertools import compress, count
from operator import and_
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kg.reasoning.graph.arrays import Bools, Ints, positions_in_runs
from kg.reasoning.graph.graph import Graph

# Copies of statements that one circle may need; larger circles are followed less far.
#
# The number of self-avoiding walks may grow exponentially with the circle, so it needs a bound.
MAX_COPIES = 20_000
# Contexts to be compared in one step into a circle. Where statements have hundreds of links, there
# are many more contexts than copies, and comparing them all would take minutes.
MAX_CONTEXTS_COMPARED = 500_000
# The same as a bound on contexts times members, as a context says of each member whether it is
# silenced. It is the lower one in circles of more than 500 members: a random graph of 20,000 claims
# would take minutes and 6 GB, to find that there are too many copies.
MAX_BITS_COMPARED = 250_000_000
# The gate of an arc that is not undercut. (`open_gate` of the graph would be a copy here.)
NO_GATE = -1
OUTSIDE = -1  # the place of a node that is not a member of the circle
CUT_OFF = -1  # the number of a copy that was needed but not made, as the circle is too large
# Copies followed at once times members: a bit of each is held four times, in 32 MB.
BITS_AT_ONCE = 64_000_000

# A row of bits for each copy, with a bit for each member and at least one that is never set.
Sets: TypeAlias = NDArray[np.uint8]


class CircleCopies:
    """Copies for one circle, breadth first from the statements themselves.

    A circle that is too large is thus followed equally far from each of its members. `members` are
    statements and gates of `graph`, `arcs` the arcs to members, sorted by target, and `gate`
    the gate of each. New copies are numbered from `first` on.

    The results: `origin` has the member that each copy is of. `arc_premise`, `arc_target`, `gates`
    and `arc` are columns of the arcs to members and copies (see `UnfoldedGraph`), as lists of
    arrays to be concatenated. `depth` is how far the circle was followed, or `None` if to the end.

    A copy is identified by its original and by the silenced members that it would otherwise hear,
    directly or indirectly: silencing any others makes no difference to it.
    """

    def __init__(self, graph: Graph, members: Ints, arcs: Ints, gate: Ints, first: int) -> None:
        self.graph = graph
        self.members = members
        self.first = first
        self.graph_arcs = arcs
        self.graph_gate = gate
        position = np.full(
            graph.node_count + 1, OUTSIDE
        )  # NO_GATE reads the last, which is outside
        position[members] = np.arange(len(members))
        self.hearer = position[graph.arc_target[arcs]]
        self.speaker = position[graph.arc_premise[arcs]]
        self.gate = position[gate]
        self.arcs_of = np.append(0, np.cumsum(np.bincount(self.hearer, minlength=len(members))))
        # gates are never silenced: a gate is not a statement, and only its undercutters speak
        self.is_statement = members < graph.size
        self.premises = self._joint_members(graph.joint[arcs])
        self.hearing_arcs = self._hearing_arcs()
        self.arcs_by_hearer: list[list[int]] = [[] for _ in members]
        for number, hearing_arc in enumerate(self.hearing_arcs):
            self.arcs_by_hearer[hearing_arc.hearer].append(number)
        self.origin: list[int] = []
        self.depth: int | None = None
        self.arc_premise: list[Ints] = []
        self.arc_target: list[Ints] = []
        self.gates: list[Ints] = []
        self.arc: list[Ints] = []
        self._make_copies()

    def _joint_members(self, joint: Ints) -> Ints:
        """List for each arc the members that must speak for it to count: its speaker, or all
        premises of its joint reason.

        One row per arc; as rows are of one length, the rest of each is a number that no member has.
        """
        none = len(self.members)
        sole_premises = np.where(self.speaker == OUTSIDE, none, self.speaker)
        arcs_of_reason: dict[tuple[int, int], list[int]] = {}
        for arc in np.flatnonzero(joint >= 0).tolist():
            reason = int(self.hearer[arc]), int(joint[arc])
            arcs_of_reason.setdefault(reason, []).append(arc)
        table = np.full((len(joint), max(map(len, arcs_of_reason.values()), default=1)), none)
        table[:, 0] = sole_premises
        for arcs in arcs_of_reason.values():
            table[arcs, : len(arcs)] = sole_premises[arcs]
        return table

    def _hearing_arcs(self) -> list[_HearingArc]:
        """The arcs that `_heard_members` follows: each of those inside the circle once."""
        none = len(self.members)
        rows = np.column_stack([self.hearer, self.speaker, self.gate, self.premises])
        inside = (self.premises < none).any(axis=1) | (self.gate != OUTSIDE)
        return [
            _HearingArc(
                hearer,
                tuple(end for end in (speaker, gate) if end != OUTSIDE),
                tuple(premise for premise in premises if premise != none),
            )
            for hearer, speaker, gate, *premises in np.unique(rows[inside], axis=0).tolist()
        ]

    def _make_copies(self) -> None:
        """Make the copies, one step further from the members each time, until none is new.

        Of a circle in which a hears c, b hears a, and c hears b: where a itself is weighed, c is
        heard as one who must not quote a (`c∖a`), there b as `b∖ac`, and there nobody: a would
        speak for itself. A copy stands at one place of these arrays: `positions`, which
        member it is of; `sets`, those who may not speak to it; `numbers`, what it is called in the
        graph; `heard_numbers`, the numbers of the copies that it hears, in the order of its arcs.
        """
        positions = np.arange(len(self.members))
        sets = np.zeros((len(positions), len(positions) // 8 + 1), dtype=np.uint8)
        _set_member_bits(sets, positions, self.is_statement)
        # in its own context a statement is its own copy, with its number in the graph
        numbers = self.members
        number_of = dict(zip(_keys_of_copies(positions, sets), numbers.tolist(), strict=True))
        # what bears directly on a member is always followed
        max_copies = max(MAX_COPIES, int(np.sum((self.speaker >= 0) | (self.gate >= 0))))
        depth = 0
        while len(numbers):
            heard = self._heard_arcs(positions, sets)
            ends = np.concatenate((self.speaker[heard[1]], self.gate[heard[1]]))
            count = int(np.sum(ends != OUTSIDE))
            bits = count * len(self.members)
            if depth and (count > MAX_CONTEXTS_COMPARED or bits > MAX_BITS_COMPARED):
                heard_numbers = np.full(count, CUT_OFF)
                following = None
            else:
                heard_numbers, following = self._number_copies(
                    *self._ends_of_arcs(heard, sets), number_of, max_copies
                )
            self._add_arcs(heard, numbers, heard_numbers)
            if following is None:
                self.depth = depth
                return
            positions, sets = following
            numbers = self.first + len(self.origin) - len(positions) + np.arange(len(positions))
            depth += 1

    def _heard_arcs(self, positions: Ints, sets: Sets) -> tuple[Ints, Ints]:
        """The arcs that copies hear, as pairs of copy and arc; if one premise is silenced, its
        whole reason is.
        """
        copy = np.repeat(np.arange(len(positions)), np.diff(self.arcs_of)[positions])
        arc = positions_in_runs(self.arcs_of, positions)
        silenced = np.zeros(len(arc), dtype=bool)
        for premise in self.premises[arc].T:
            silenced |= _set_holds(sets, copy, premise)
        return copy[~silenced], arc[~silenced]

    def _ends_of_arcs(self, heard: tuple[Ints, Ints], sets: Sets) -> tuple[Ints, Sets]:
        """The members from which heard arcs come, speaker and gate in turn, each with the members
        that are silenced where it is weighed.
        """
        copy, arc = heard
        ends = np.stack([self.speaker[arc], self.gate[arc]], axis=1).ravel()
        inside = ends != OUTSIDE
        ends = ends[inside]
        end_sets = sets[np.repeat(copy, 2)[inside]]
        _set_member_bits(end_sets, ends, self.is_statement[ends])
        return ends, end_sets

    def _number_copies(
        self, ends: Ints, sets: Sets, number_of: dict[bytes, int], max_copies: int
    ) -> tuple[Ints, tuple[Ints, Sets] | None]:
        """The number of each copy of `ends`, and the copies that are new, in that order: the one
        in which they are met, so that numbers are reproducible.

        If there would be too many, none is made: `None`, and their numbers are `CUT_OFF`.
        """
        (ends, sets), place_in_merged = self._merge_equal_copies(ends, sets)
        keys = _keys_of_copies(ends, sets)
        place_of_new: dict[bytes, int] = {}
        for place, key in enumerate(keys):
            if key not in number_of:
                place_of_new.setdefault(key, place)
        following = None
        if len(self.origin) + len(place_of_new) <= max_copies:
            places = np.array([*place_of_new.values()], dtype=np.int64)
            following = ends[places], sets[places]
            first = self.first + len(self.origin)
            number_of.update(zip(place_of_new, count(first), strict=False))
            self.origin.extend(self.members[following[0]].tolist())
        numbers = np.array([number_of.get(key, CUT_OFF) for key in keys], dtype=np.int64)
        return numbers[place_in_merged], following

    def _merge_equal_copies(self, ends: Ints, sets: Sets) -> tuple[tuple[Ints, Sets], Ints]:
        """Merge the copies for contexts that differ only in members that cannot be heard anyway,
        and return also the copy of each of `ends`. This halves the number of copies.
        """
        place_of: dict[bytes, int] = {}
        keys = _keys_of_copies(ends, sets)
        merged = [place_of.setdefault(key, len(place_of)) for key in keys]
        _, first = np.unique(merged, return_index=True)
        ends, sets = ends[first], sets[first]
        parts = [
            self._heard_members(ends[part], sets[part])
            for part in self._portions_of_copies(len(ends))
        ]
        met_sets = np.concatenate(parts) if parts else sets
        _set_member_bits(met_sets, ends, self.is_statement[ends])
        return (ends, met_sets), np.array(merged, dtype=np.int64)

    def _portions_of_copies(self, count: int) -> Iterator[slice]:
        """Ranges of `count` copies, few enough for `BITS_AT_ONCE`."""
        step = max(1, BITS_AT_ONCE // len(self.members))
        return (slice(start, start + step) for start in range(0, count, step))

    def _heard_members(self, ends: Ints, sets: Sets) -> Sets:
        """Find for each copy, of the member in `ends`, those of its silenced members (`sets`) that
        it would otherwise hear, directly or not.

        All copies are followed at once: for each member a whole number has a bit for each copy.
        """
        copies, silenced = _members_of(sets)
        reached_in = self._bits_by_member(ends, np.arange(len(ends)), len(ends))
        self._follow(reached_in, self._bits_by_member(silenced, copies, len(ends)), len(ends))
        # a silenced member would be heard wherever one is reached that hears it
        met = [0] * len(reached_in)
        for arc in self.hearing_arcs:
            for premise in arc.premises:
                met[premise] |= reached_in[arc.hearer]
        width = len(ends) // 8 + 1
        table = np.frombuffer(b"".join(bits.to_bytes(width, "little") for bits in met), np.uint8)
        is_met = _set_holds(table.reshape(-1, width), silenced, copies)
        return _sets_of(len(ends), sets.shape[1], copies[is_met], silenced[is_met])

    def _follow(self, reached_in: list[int], silenced: list[int], count: int) -> None:
        """Add all that speak, directly or not, to the members reached in each of `count` copies.

        These are in `reached_in`; an arc of which a premise is `silenced` is not followed.
        """
        everywhere = (1 << count) - 1
        heard = [everywhere ^ bits for bits in silenced]
        is_open = [
            reduce(and_, map(heard.__getitem__, arc.premises)) if arc.premises else everywhere
            for arc in self.hearing_arcs
        ]
        is_waiting = [bits > 0 for bits in reached_in]
        waiting = deque(compress(range(len(reached_in)), is_waiting))
        while waiting:
            hearer = waiting.popleft()
            is_waiting[hearer] = False
            for number in self.arcs_by_hearer[hearer]:
                speaks = reached_in[hearer] & is_open[number]
                for end in self.hearing_arcs[number].ends:
                    bits = reached_in[end] | speaks
                    if bits != reached_in[end]:
                        reached_in[end] = bits
                        if not is_waiting[end]:
                            is_waiting[end] = True
                            waiting.append(end)

    def _bits_by_member(self, members: Ints, copies: Ints, count: int) -> list[int]:
        """Return for each member a number that has a bit for each of `count` copies, set for the
        pairs of `members` and `copies`.
        """
        rows = _sets_of(len(self.members), count // 8 + 1, members, copies)
        return [int.from_bytes(row.tobytes(), "little") for row in rows]

    def _add_arcs(self, heard: tuple[Ints, Ints], numbers: Ints, heard_numbers: Ints) -> None:
        """Add the arcs to copies; copies that were cut off are not heard."""
        copy, arc = heard
        speaker = self.graph.arc_premise[self.graph_arcs[arc]]
        gate = self.graph_gate[arc]
        ends = np.stack([speaker, gate], axis=1).ravel()
        inside = np.stack([self.speaker[arc], self.gate[arc]], axis=1).ravel() != OUTSIDE
        ends[inside] = heard_numbers
        speaker, gate = ends[::2], ends[1::2]  # an undercut that is cut off leaves the reason open
        is_cut = inside[::2] & (speaker == CUT_OFF)
        joint = self.graph.joint[self.graph_arcs[arc]]
        # a premise alone is not a reason: if one was cut off, the others are left out too
        reason = copy * (int(joint.max(initial=0)) + 1) + joint
        is_cut |= (joint >= 0) & np.isin(reason, reason[is_cut & (joint >= 0)])
        keep = ~is_cut
        self.arc_premise.append(speaker[keep])
        self.arc_target.append(numbers[copy[keep]])
        self.gates.append(gate[keep])
        self.arc.append(self.graph_arcs[arc[keep]])


class _HearingArc(NamedTuple):
    """An arc by which members hear each other: its speaker and gate, and all that must speak for
    it, as far as they are members.
    """

    hearer: int
    ends: tuple[int, ...]
    premises: tuple[int, ...]


def _set_holds(sets: Sets, rows: Ints, positions: Ints) -> Bools:
    """Return whether the set in each of `rows` holds the corresponding member in `positions`."""
    return np.asarray(
        sets[rows, positions // 8] >> (positions % 8).astype(np.uint8) & 1, dtype=bool
    )


def _set_member_bits(sets: Sets, positions: Ints, only: Bools) -> None:
    """Set in each set the bit of its member in `positions`, where `only` is true."""
    rows = np.flatnonzero(only)
    bits = np.left_shift(1, positions[rows] % 8).astype(np.uint8)
    sets[rows, positions[rows] // 8] |= bits


def _keys_of_copies(positions: Ints, sets: Sets) -> list[bytes]:
    """A key in bytes for each copy."""
    rows = np.concatenate([positions.astype(">u4").view(np.uint8).reshape(-1, 4), sets], axis=1)
    data = rows.tobytes()
    width = rows.shape[1]
    return [data[start : start + width] for start in range(0, len(data), width)]


def _members_of(sets: Sets) -> tuple[Ints, Ints]:
    """The number of a set and a member of it, for each member of each."""
    octets = np.flatnonzero(sets)
    bits = np.flatnonzero(np.unpackbits(sets.ravel()[octets], bitorder="little"))
    rows, octets = np.divmod(octets[bits // 8], sets.shape[1])
    return rows, 8 * octets + bits % 8


def _sets_of(count: int, width: int, rows: Ints, members: Ints) -> Sets:
    """The reverse of `_members_of`: `count` sets of `width` bytes."""
    sets = np.zeros((count, width), dtype=np.uint8)
    np.bitwise_or.at(sets, (rows, members // 8), np.left_shift(1, members % 8).astype(np.uint8))
    return sets
