"""Premises that count only together: the weakest of them is heard for the whole reason."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints, beginnings, run_ids

SAME = 1e-12
"""Premises pass on equally little if they differ by less, as sums in another order do."""


@dataclass(frozen=True, slots=True)
class Joint:
    """The premises among some arcs: their `places`, reason by reason, with cuts at `starts`.

    `owner` numbers the reason of each premise, `rank` tells where each arc stands among the
    premises (-1: it counts by itself).
    """

    places: Ints
    starts: Ints
    owner: Ints
    rank: Ints

    def weakest(self, passed: Floats) -> Bools:
        """Which premises pass on least of their reason (× scenarios).

        `passed` is what the premises pass on, in the order of `places`.
        """
        least = np.minimum.reduceat(passed, self.starts, axis=0)[self.owner]
        return np.asarray(passed <= least + SAME)

    def parts(self, passed: Floats) -> Floats:
        """The part in which each premise is heard: the weakest, in equal parts if several are."""
        weakest = self.weakest(passed)
        count = np.add.reduceat(weakest, self.starts, axis=0, dtype=np.int64)[self.owner]
        return np.asarray(weakest / count)

    def heard(self, passed: Floats) -> Bools:
        """Which premises are heard where one has to be: of each reason the first weakest."""
        weakest = self.weakest(passed)
        count = np.cumsum(weakest, axis=0)
        before: Ints = count[self.starts] - weakest[self.starts]
        return np.asarray(weakest & (count - before[self.owner] == 1))

    def silence(self, x: Floats) -> Floats:
        """What all arcs pass on, 0 for premises that are not heard."""
        found = x.copy()
        found[self.places] *= self.heard(x[self.places])
        return found


def joint_among(groups: Ints, targets: Ints) -> Joint | None:
    """The premises among arcs, by the joint reason (-1: none) and the target of each."""
    places = np.flatnonzero(groups >= 0)
    if not len(places):
        return None
    key = targets[places] * (int(groups.max()) + 1) + groups[places]
    order = np.argsort(key, kind="stable")
    places, key = places[order], key[order]
    starts = beginnings(key)
    rank = np.full(len(groups), -1)
    rank[places] = np.arange(len(places))
    return Joint(places, starts, run_ids(starts, len(places)), rank)


def leads(slot_of: Ints, reason: Ints) -> Ints:
    """Per row, the first row of its slot that belongs to the same joint reason; else itself."""
    found, premises = np.arange(len(slot_of)), np.flatnonzero(reason >= 0)
    key = slot_of[premises] * (int(reason.max(initial=-1)) + 1) + reason[premises]
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    found[premises] = premises[first[group]]
    return found


def as_one(brought: Floats, lead: Ints, twins: Ints) -> Floats:
    """What rows bring, with all that the premises of a joint reason bring of a source as one.

    `lead` is as `leads` gives it, and `twins` are the rows that it sends elsewhere.
    """
    if not len(twins):
        return brought
    found = brought.copy()
    found[twins] = 0.0
    np.add.at(found, lead[twins], brought[twins])
    return found
