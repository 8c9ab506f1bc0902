"""Joint premises: they count only together, and only the weakest of a reason is heard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.reasoning.graph.arrays import (
    Bools,
    Floats,
    Ints,
    mark_first_of_runs,
    run_of_each,
    run_starts,
)
from kg.reasoning.graph.graph import NOT_JOINT

# Premises that differ by less pass on equally little: rounding may differ by as much.
EQUAL_NATS = 1e-12


@dataclass(frozen=True, slots=True)
class JointPremises:
    """Those of some arcs that come from joint premises, in runs, one for each reason at each
    target.
    """

    positions: Ints  # (premises) their places among the arcs, run by run
    starts: Ints  # (reasons) the first premise of each
    owner: Ints  # (premises) the number of their reason
    rank: Ints  # (arcs) the place of each among the premises, or `NOT_JOINT`

    def weakest(self, amounts: Floats) -> Bools:
        """Mark the premises (premises × scenarios) that pass on the least within their reason.

        `amounts` is what the premises pass on, in the order of `positions`.
        """
        least_amounts = np.minimum.reduceat(amounts, self.starts, axis=0)[self.owner]
        return np.asarray(amounts <= least_amounts + EQUAL_NATS)

    def parts(self, amounts: Floats) -> Floats:
        """The part of each premise that is heard: all of the weakest, split equally among ties."""
        weakest = self.weakest(amounts)
        # if only the first of equals were heard, file names would decide (decision 0028)
        count = np.add.reduceat(weakest, self.starts, axis=0, dtype=np.int64)[self.owner]
        return np.asarray(weakest / count)

    def first_weakest(self, amounts: Floats) -> Bools:
        """The first of the weakest premises of each reason, where only one can be heard.

        The rules that do not follow sources use this.
        """
        return mark_first_of_runs(self.weakest(amounts), self.starts, self.owner)

    def with_silenced_premises(self, amounts: Floats) -> Floats:
        """Return what all arcs pass on, 0 for premises that are not heard."""
        audible = amounts.copy()
        audible[self.positions] *= self.first_weakest(amounts[self.positions])
        return audible


def joint_premises_among(reasons: Ints, targets: Ints) -> JointPremises | None:
    """The premises among arcs, by the joint reason (or `NOT_JOINT`) and the target of each."""
    positions = np.flatnonzero(reasons >= 0)
    if not len(positions):
        return None
    # by target too, as each copy of a target hears the reason for itself
    key = targets[positions] * (int(reasons.max()) + 1) + reasons[positions]
    order = np.argsort(key, kind="stable")
    positions = positions[order]
    key = key[order]
    starts = run_starts(key)
    rank = np.full(len(reasons), NOT_JOINT)
    rank[positions] = np.arange(len(positions))
    return JointPremises(positions, starts, run_of_each(starts, len(positions)), rank)


def first_rows(slot_of: Ints, reason: Ints) -> Ints:
    """Return, for each row, the first row of its slot that belongs to the same joint reason; else
    itself.
    """
    first_row = np.arange(len(slot_of))
    premises = np.flatnonzero(reason >= 0)
    key = slot_of[premises] * (int(reason.max(initial=-1)) + 1) + reason[premises]
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    first_row[premises] = premises[first[group]]
    return first_row


def sum_joint_premises(row_nats: Floats, first_row: Ints, later_rows: Ints) -> Floats:
    """Return what rows bring, with what the premises of a joint reason bring of one source summed.

    `first_row` comes from `first_rows`, and `later_rows` are the rows that it maps to another row.
    Kept apart, they would compete in their slot, and only one part of the reason would count.
    """
    if not len(later_rows):
        return row_nats
    summed = row_nats.copy()
    summed[later_rows] = 0.0
    np.add.at(summed, first_row[later_rows], row_nats[later_rows])
    return summed
