"""The statements on a map: the heaviest ones, and the column of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from kg.model import Edge, InquiryLine, Kind
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import BACKWARD_MARK

MAX_BOXES, MIN_BOXES = 15, 3  # boxes: fewer show no more than the text beside them
BOXES_PER_COLUMN = 7  # boxes, before another column begins; direct reasons stay in one
LEAST_PART_ON_MAP = 0.01  # of the answer; if there is not room for all, smaller parts are left out
MAX_STEPS = 3  # steps; statements farther away are placed with these


def weighed_statements(line: InquiryLine, edges: Sequence[Edge]) -> list[str]:
    """The statement that a line weighs or, if nothing bears on it, those that bear on nothing."""
    sources = {source for edge in edges for source, _ in edge.directions}
    ends = dict.fromkeys(target for edge in edges for _, target in edge.directions)
    if line.proposition in ends:
        return [line.proposition]
    return [id for id in ends if id not in sources] or list(ends)[:1]


def shares_of(context: SiteContext, edges: Iterable[Edge]) -> defaultdict[tuple[str, str], float]:
    """How much the first of two statements adds to the second, in nats; negative if against."""
    shares: defaultdict[tuple[str, str], float] = defaultdict(float)
    for edge in edges:
        for ends, back in zip(edge.directions, ("", BACKWARD_MARK), strict=False):
            shares[ends] = max(shares[ends], context.strengths.share(edge.id + back), key=abs)
    return shares


class WeightInAnswer(NamedTuple):
    """The part of the roots that a statement makes up, the side it is on through `towards`,
    and what each of its own reasons adds to it, as a fraction of their sum.
    """

    weight: float
    side: int
    towards: str | None
    reasons: dict[str, float]


def parts_of_roots(
    context: SiteContext, edges: Sequence[Edge], roots: Sequence[str]
) -> dict[str, WeightInAnswer]:
    """The part of the roots that every statement linked to them makes up, the heaviest first."""
    return _widest_paths(shares_of(context, edges), roots)


def find_heaviest(
    context: SiteContext, edges: Sequence[Edge], roots: Sequence[str]
) -> dict[str, WeightInAnswer]:
    """The statements that make up most of the roots, the heaviest first, all linked to them.

    The heaviest reason and the heaviest evidence on either side are included, with the
    statements between that evidence and the roots.
    """
    parts_by_id = parts_of_roots(context, edges, roots)
    heavy_ids = [id for id in parts_by_id if parts_by_id[id].weight >= LEAST_PART_ON_MAP]
    candidates = (
        heavy_ids
        if len(heavy_ids) >= MIN_BOXES and len(parts_by_id) > MAX_BOXES
        else [*parts_by_id]
    )
    ids_with_weight = (id for id in parts_by_id if parts_by_id[id].weight > 0)
    evidence = [id for id in ids_with_weight if context.corpus.statements[id].kind is Kind.EVIDENCE]
    required_ids = list(roots)
    for side in (1, -1):
        direct_ids = (
            id
            for id in parts_by_id
            if parts_by_id[id].side == side and parts_by_id[id].towards in roots
        )
        required_ids += [id for id in direct_ids if parts_by_id[id].weight > 0][:1]
        current_id = next((id for id in evidence if parts_by_id[id].side == side), None)
        while current_id is not None:
            required_ids.append(current_id)
            current_id = parts_by_id[current_id].towards
    chosen_ids = [*dict.fromkeys((*required_ids, *candidates))][:MAX_BOXES]
    return {id: parts_by_id[id] for id in sorted(chosen_ids, key=[*parts_by_id].index)}


def _widest_paths(
    shares: Mapping[tuple[str, str], float], roots: Sequence[str]
) -> dict[str, WeightInAnswer]:
    """The path of each statement that is linked to a root: Dijkstra's search, the widest first."""
    shares_by_neighbour: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (source, target), share in shares.items():
        shares_by_neighbour[target][source] = share
        shares_by_neighbour[source].setdefault(target, 0.0)
    parts_by_id: dict[str, WeightInAnswer] = {}
    heap: list[tuple[float, int, str, int, str | None]] = [
        (-1.0, index, id, 1, None) for index, id in enumerate(roots)
    ]
    number = count(len(heap))
    while heap:
        weight, _, id, side, towards = heappop(heap)
        if id in parts_by_id:
            continue
        total = sum(map(abs, shares_by_neighbour[id].values())) or 1.0
        reasons = {
            other_id: abs(share) / total for other_id, share in shares_by_neighbour[id].items()
        }
        parts_by_id[id] = WeightInAnswer(-weight, side, towards, reasons)
        for other_id, part in reasons.items():
            other_side = -side if shares_by_neighbour[id][other_id] < 0 else side
            heappush(heap, (weight * part, next(number), other_id, other_side, id))
    return parts_by_id


def count_steps_from(roots: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The number of links from each statement to a root, in any direction if no path leads there.

    At most `MAX_STEPS`.
    """
    ends = [pair for edge in edges for pair in edge.directions]
    steps = dict.fromkeys(roots, 0)
    for pairs in (ends, ends + [pair[::-1] for pair in ends]):
        queue = list(steps)
        for target in queue:
            for source in (start for start, end in pairs if end == target):
                if source not in steps:
                    steps[source] = min(steps[target] + 1, MAX_STEPS)
                    queue.append(source)
    return steps


def assign_columns(
    steps: Mapping[str, int], weights: Mapping[str, float], place: Mapping[str, int]
) -> list[list[str]]:
    """A column for each step, or several if one would be too long, the heaviest first.

    What bears directly on what is weighed is one column, however long: two would look like steps.
    """
    all_columns = []
    for step in sorted(set(steps.values())):
        ids = sorted((id for id in steps if steps[id] == step), key=lambda id: -weights.get(id, 0))
        parts = 1 if step == 1 else -(-len(ids) // BOXES_PER_COLUMN)
        column_length = -(-len(ids) // parts)
        columns = [
            ids[first : first + column_length] for first in range(0, len(ids), column_length)
        ]
        all_columns += columns if step > 0 else columns[::-1]
    return [sorted(column, key=lambda id: place.get(id, 0)) for column in all_columns]
