"""Copies of a circle's statements, one for each set of members that are silenced for it.

The docstring of `kg.reasoning.default_rule` has an example to follow by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kg.reasoning.arrays import Bools, Ints, positions_in_runs, run_starts, sorted_runs
from kg.reasoning.graph import Graph

MAX_COPIES = 20_000
"""Copies of statements that one circle may need; larger circles are followed less far.

The number of self-avoiding walks may grow exponentially with the circle, so it needs a bound.
"""
MAX_CONTEXTS_COMPARED = 500_000
"""Contexts to be compared in one step into a circle. Where statements have hundreds of links, there
are many more contexts than copies, and comparing them all would take minutes.
"""
MAX_BITS_COMPARED = 250_000_000
"""The same as a bound on contexts times members, as a context says of each member whether it is
silenced. It is the lower one in circles of more than 500 members: a random graph of 20,000 claims
would take minutes and 6 GB, to find that there are too many copies.
"""
NO_GATE = -1
"""The gate of an arc that is not undercut. (`open_gate` of the graph would be a copy here.)"""
OUTSIDE = -1
"""The place of a node that is not a member of the circle."""
CUT_OFF = -1
"""The number of a copy that was needed but not made, as the circle is too large."""
CELLS = 250_000
"""Words of 64 bits in one table of arcs by copies: 2 MB, to fit a processor's cache."""

BitWords: TypeAlias = NDArray[np.uint64]
"""A row of bits for each member or arc, a bit for each copy."""
Sets: TypeAlias = NDArray[np.uint8]
"""A row of bits for each copy, with a bit for each member and at least one that is never set."""


class CircleCopies:
    """Copies for one circle, breadth first from the statements themselves.

    A circle that is too large is thus followed equally far from each of its members. `members` are
    statements and gates of `graph`, `arcs` the arcs to members, sorted by target, and `gate`
    the gate of each. New copies are numbered from `first` on. `origin` gives the original of each;
    `src`, `dst`, `gates` and `arc` are the arcs to members and copies, in parts; `depth` is how far
    the circle was followed, or `None` if to the end.

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
        self.hearer = position[graph.dst[arcs]]
        self.source = position[graph.src[arcs]]
        self.gate = position[gate]
        self.arcs_of = np.append(0, np.cumsum(np.bincount(self.hearer, minlength=len(members))))
        # gates are never silenced: a gate is not a statement, and only its undercutters speak
        self.is_statement = members < graph.size
        self.premises = self._joint_members(graph.joint[arcs])
        self.hearing_arcs = self._hearing_arcs()
        self.origin: list[int] = []
        self.depth: int | None = None
        self.src: list[Ints] = []
        self.dst: list[Ints] = []
        self.gates: list[Ints] = []
        self.arc: list[Ints] = []
        self._make_copies()

    def _joint_members(self, joint: Ints) -> Ints:
        """Per arc, a row of the members that must speak for it to count: its source, or all
        premises of its joint reason; padded with a place that no member has.
        """
        none = len(self.members)
        sole_premises = np.where(self.source == OUTSIDE, none, self.source)
        arcs_of_reason: dict[tuple[int, int], list[int]] = {}
        for arc in np.flatnonzero(joint >= 0).tolist():
            reason = int(self.hearer[arc]), int(joint[arc])
            arcs_of_reason.setdefault(reason, []).append(arc)
        table = np.full((len(joint), max(map(len, arcs_of_reason.values()), default=1)), none)
        table[:, 0] = sole_premises
        for arcs in arcs_of_reason.values():
            table[arcs, : len(arcs)] = sole_premises[arcs]
        return table

    def _hearing_arcs(self) -> _HearingArcs:
        """The arcs that `_heard_members` follows: each of those inside the circle once."""
        rows = np.column_stack([self.hearer, self.source, self.gate, self.premises])
        inside = (self.premises < len(self.members)).any(axis=1) | (self.gate != OUTSIDE)
        rows = np.unique(rows[inside], axis=0)
        premises = rows[:, 3:]
        return _HearingArcs(
            hearer=rows[:, 0],
            premises=premises,
            by_end=_ArcsByMember(rows[:, 1:3], OUTSIDE),
            by_premise=_ArcsByMember(premises, len(self.members)),
        )

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
        _add_members(sets, positions, self.is_statement)
        # in its own context a statement is its own copy, with its number in the graph
        numbers = self.members
        number_of = dict(zip(_keys_of_copies(positions, sets), numbers.tolist(), strict=True))
        # what bears directly on a member is always followed
        max_copies = max(MAX_COPIES, int(np.sum((self.source >= 0) | (self.gate >= 0))))
        depth = 0
        while len(numbers):
            heard = self._heard_arcs(positions, sets)
            count = self._count_ends(heard[1])
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

    def _count_ends(self, arcs: Ints) -> int:
        """How many ends some arcs have inside the circle: sources and gates."""
        return int(np.sum(self.source[arcs] != OUTSIDE) + np.sum(self.gate[arcs] != OUTSIDE))

    def _ends_of_arcs(self, heard: tuple[Ints, Ints], sets: Sets) -> tuple[Ints, Sets]:
        """The members from which heard arcs come, source and gate in turn, each with the members
        that are silenced where it is weighed.
        """
        copy, arc = heard
        ends = np.stack([self.source[arc], self.gate[arc]], axis=1).ravel()
        inside = ends != OUTSIDE
        ends = ends[inside]
        end_sets = sets[np.repeat(copy, 2)[inside]]
        _add_members(end_sets, ends, self.is_statement[ends])
        return ends, end_sets

    def _number_copies(
        self, ends: Ints, sets: Sets, number_of: dict[bytes, int], max_copies: int
    ) -> tuple[Ints, tuple[Ints, Sets] | None]:
        """The number of each copy of `ends`, and the copies that are new, in that order.

        If there would be too many, none is made: `None`, and their numbers are `CUT_OFF`.
        """
        reduced, place_in_reduced = self._merge_equal_copies(ends, sets)
        keys = _keys_of_copies(*reduced)
        numbers = np.fromiter((number_of.get(key, CUT_OFF) for key in keys), np.int64, len(keys))
        # new ones in the order in which they are met, so that numbers are reproducible
        first_met = np.full(len(keys), len(place_in_reduced))
        np.minimum.at(first_met, place_in_reduced, np.arange(len(place_in_reduced)))
        order = np.argsort(first_met, kind="stable")
        distinct: dict[bytes, int] = {}
        for position in order[numbers[order] == CUT_OFF].tolist():
            distinct.setdefault(keys[position], position)
        if len(self.origin) + len(distinct) > max_copies:
            return numbers[place_in_reduced], None
        first_numbers = np.fromiter(distinct.values(), np.int64, len(distinct))
        for key in distinct:
            number_of[key] = self.first + len(self.origin)
            self.origin.append(int(self.members[reduced[0][distinct[key]]]))
        numbers = np.fromiter((number_of[key] for key in keys), np.int64, len(keys))
        return numbers[place_in_reduced], (reduced[0][first_numbers], reduced[1][first_numbers])

    def _merge_equal_copies(self, ends: Ints, sets: Sets) -> tuple[tuple[Ints, Sets], Ints]:
        """One copy for all contexts that differ only in members that cannot be heard anyway, and
        the copy of each of `ends`. This halves the number of copies.
        """
        rows = np.concatenate([ends.astype(">u4").view(np.uint8).reshape(-1, 4), sets], axis=1)
        row_keys = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").ravel()
        _, first, inverse = np.unique(row_keys, return_index=True, return_inverse=True)
        ends = ends[first]
        sets = sets[first]
        parts = [
            self._heard_members(ends[part], sets[part])
            for part in self._portions_of_copies(len(ends))
        ]
        met_sets = np.concatenate(parts) if parts else sets
        _add_members(met_sets, ends, self.is_statement[ends])
        return (ends, met_sets), np.asarray(inverse)

    def _portions_of_copies(self, count: int) -> Iterator[slice]:
        """Ranges of `count` copies, small enough for a table by arcs of at most `CELLS` words."""
        step = 64 * max(1, CELLS // max(1, len(self.hearing_arcs.hearer)))
        return (slice(start, start + step) for start in range(0, count, step))

    def _heard_members(self, ends: Ints, sets: Sets) -> Sets:
        """The members of `sets` that would be heard, directly or not, where `ends` are weighed.

        All copies are followed at once, 64 to a word.
        """
        ways = self.hearing_arcs
        silenced = _by_member(sets, len(self.members))
        blocked = silenced[ways.premises[:, 0]]
        for premise in ways.premises.T[1:]:
            blocked |= silenced[premise]
        is_reached = np.zeros_like(silenced)
        columns = np.arange(len(ends))
        np.bitwise_or.at(is_reached, (ends, columns // 64), _bit_in_word(columns))
        heard_at = ways.hearer[ways.by_end.arcs]
        open_to = ~blocked[ways.by_end.arcs]
        was_reached = np.zeros_like(is_reached)
        while not np.array_equal(is_reached, was_reached):
            was_reached[:] = is_reached
            ways.by_end.join_into(is_reached, is_reached[heard_at] & open_to)
        is_met = np.zeros_like(silenced)
        by_premise = ways.by_premise
        has_spoken = is_reached[ways.hearer[by_premise.arcs]] & blocked[by_premise.arcs]
        by_premise.join_into(is_met, has_spoken)
        is_met &= silenced
        return _by_copy(is_met, len(ends), sets.shape[1])

    def _add_arcs(self, heard: tuple[Ints, Ints], numbers: Ints, heard_numbers: Ints) -> None:
        """Add the arcs to copies; copies that were cut off are not heard."""
        copy, arc = heard
        source = self.graph.src[self.graph_arcs[arc]]
        gate = self.graph_gate[arc]
        ends = np.stack([source, gate], axis=1).ravel()
        inside = np.stack([self.source[arc], self.gate[arc]], axis=1).ravel() != OUTSIDE
        ends[inside] = heard_numbers
        source, gate = ends[::2], ends[1::2]  # an undercut that is cut off leaves the reason open
        is_cut = inside[::2] & (source == CUT_OFF)
        joint = self.graph.joint[self.graph_arcs[arc]]
        # a premise alone is not a reason: if one was cut off, the others are left out too
        reason = copy * (int(joint.max(initial=0)) + 1) + joint
        is_cut |= (joint >= 0) & np.isin(reason, reason[is_cut & (joint >= 0)])
        keep = ~is_cut
        self.src.append(source[keep])
        self.dst.append(numbers[copy[keep]])
        self.gates.append(gate[keep])
        self.arc.append(self.graph_arcs[arc[keep]])


class _ArcsByMember:
    """The arcs that refer to each member, from a table with a row per arc; `none` is no member."""

    def __init__(self, table: Ints, none: int) -> None:
        arcs = np.repeat(np.arange(len(table)), table.shape[1])
        places = table.ravel()
        arcs = arcs[places != none]
        places = places[places != none]
        order, _ = sorted_runs(places, int(places.max(initial=0)) + 1)
        self.arcs = arcs[order]
        self.starts = run_starts(places[order])
        self.places = places[order][self.starts]

    def join_into(self, members: BitWords, of_arcs: BitWords) -> None:
        """Add to each member's row those of all arcs that refer to it (`of_arcs`, as `arcs`)."""
        if len(self.arcs):
            members[self.places] |= np.bitwise_or.reduceat(of_arcs, self.starts, axis=0)


class _HearingArcs(NamedTuple):
    """The distinct arcs by which members hear each other."""

    hearer: Ints
    premises: Ints
    by_end: _ArcsByMember
    by_premise: _ArcsByMember


def _bit_in_word(positions: Ints) -> BitWords:
    """The bit of each place within its word."""
    return np.left_shift(np.uint64(1), (positions % 64).astype(np.uint64))


def _set_holds(sets: Sets, rows: Ints, positions: Ints) -> Bools:
    """Whether the set in each of `rows` holds the corresponding member in `positions`."""
    return np.asarray(
        sets[rows, positions // 8] >> (positions % 8).astype(np.uint8) & 1, dtype=bool
    )


def _add_members(sets: Sets, positions: Ints, only: Bools) -> None:
    """Add to each set its member in `positions`, where `only` is true."""
    rows = np.flatnonzero(only)
    bits = np.left_shift(1, positions[rows] % 8).astype(np.uint8)
    sets[rows, positions[rows] // 8] |= bits


def _keys_of_copies(positions: Ints, sets: Sets) -> list[bytes]:
    """A key in bytes for each copy."""
    rows = np.concatenate([positions.astype(">u4").view(np.uint8).reshape(-1, 4), sets], axis=1)
    data = rows.tobytes()
    width = rows.shape[1]
    return [data[start : start + width] for start in range(0, len(data), width)]


def _by_member(sets: Sets, count: int) -> BitWords:
    """Sets transposed: a row for each of `count` members and one of zeros, a bit for each set."""
    bits = np.unpackbits(sets, axis=1, bitorder="little")[:, : count + 1]
    padded = np.zeros((count + 1, -(-len(sets) // 64) * 64), dtype=np.uint8)
    padded[:, : len(sets)] = bits.T
    words: NDArray[Any] = np.packbits(padded, axis=1, bitorder="little")
    return words.view("<u8").astype(np.uint64, copy=False)


def _by_copy(words: BitWords, count: int, width: int) -> Sets:
    """The reverse of `_by_member`: a row of `width` bytes for each of `count` sets."""
    octets = np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little")[:, :count]
    return np.packbits(bits.T, axis=1, bitorder="little")[:, :width]
