"""What a map shows: the statements that weigh most, and the column of each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count

from kg.model import Edge, InquiryLine
from kg.publish.context.site_context import SiteContext
from kg.publish.context.site_strengths import BACK

MOST_BOXES = 15
PER_COLUMN = 7  # boxes, before there is another column
FARTHEST = 3  # steps; what is farther away stands with these


def find_weighed(line: InquiryLine, edges: Sequence[Edge]) -> list[str]:
    """What a line weighs or, where nothing bears on that, what bears on nothing itself."""
    sources = {source for edge in edges for source, _ in edge.directions}
    ends = dict.fromkeys(target for edge in edges for _, target in edge.directions)
    if line.proposition in ends:
        return [line.proposition]
    return [id for id in ends if id not in sources] or list(ends)[:1]


def shares_of(context: SiteContext, edges: Iterable[Edge]) -> defaultdict[tuple[str, str], float]:
    """How much the first of two statements adds to the second, for or against it, in nats."""
    found: defaultdict[tuple[str, str], float] = defaultdict(float)
    for edge in edges:
        for ends, back in zip(edge.directions, ("", BACK), strict=False):
            found[ends] = max(found[ends], abs(context.strengths.share(edge.id + back)))
    return found


def find_heaviest(
    context: SiteContext, edges: Sequence[Edge], roots: Sequence[str]
) -> dict[str, float]:
    """The statements that weigh most in the roots, the heaviest first, all joined to them.

    A chain carries what its weakest step adds: Dijkstra's search for the widest ways.
    """
    joined: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (source, target), share in shares_of(context, edges).items():
        joined[target][source] = share
        joined[source].setdefault(target, 0.0)
    found: dict[str, float] = {}
    waiting = [(-math.inf, at, id) for at, id in enumerate(roots)]
    number = count(len(waiting))
    while waiting and len(found) < MOST_BOXES:
        weight, _, id = heappop(waiting)
        if id not in found:
            found[id] = -weight
            for other, share in joined[id].items():
                heappush(waiting, (max(weight, -share), next(number), other))
    return found


def steps_from(roots: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """How many links lead from each statement to a root; where none do, how many lie between.

    At most `FARTHEST`.
    """
    ends = [pair for edge in edges for pair in edge.directions]
    steps = dict.fromkeys(roots, 0)
    for pairs in (ends, ends + [pair[::-1] for pair in ends]):
        reached = list(steps)
        for target in reached:
            for source in (one for one, other in pairs if other == target):
                if source not in steps:
                    steps[source] = min(steps[target] + 1, FARTHEST)
                    reached.append(source)
    return steps


def in_columns(
    steps: Mapping[str, int], weights: Mapping[str, float], place: Mapping[str, int]
) -> list[list[str]]:
    """A column for each step, or more where one would be too long, the heaviest first."""
    found = []
    for step in sorted(set(steps.values())):
        ids = sorted((id for id in steps if steps[id] == step), key=lambda id: -weights.get(id, 0))
        parts = -(-len(ids) // PER_COLUMN)
        each = -(-len(ids) // parts)
        columns = [ids[first : first + each] for first in range(0, len(ids), each)]
        found += columns if step > 0 else columns[::-1]
    return [sorted(column, key=lambda id: place.get(id, 0)) for column in found]
