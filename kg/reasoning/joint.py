"""Joint reasons: arcs that count only together, of which the weakest premise alone is heard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.reasoning.arrays import Bools, Floats, Ints, beginnings, spread

SAME = 1e-12


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

    def heard(self, said: Floats) -> Bools:
        """Which premises are heard (× scenarios): of each reason the first that says least.

        The numbers in `said` are those of the premises, in the order of `places`.
        """
        least = np.minimum.reduceat(said, self.starts, axis=0)[self.owner]
        weakest = said <= least + SAME
        count = np.cumsum(weakest, axis=0)
        before: Ints = count[self.starts] - weakest[self.starts]
        return np.asarray(weakest & (count - before[self.owner] == 1))

    def silence(self, x: Floats) -> Floats:
        """What all arcs say, 0 for premises that are not heard."""
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
    return Joint(places, starts, spread(starts, len(places)), rank)
