"""The part of a line's answer that each statement makes up, and the edges that carry it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import has_superseded_premise
from kg.model import Bearing, Edge, InquiryLine, Relation, RelationEnds
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import BACKWARD_MARK

_DRAWN = tuple(
    each for each in Relation if each.entry.joins in (RelationEnds.STATEMENTS, RelationEnds.ANY)
)


def edges_between(corpus: Corpus, ids: Sequence[str]) -> list[Edge]:
    """The edges between these statements."""
    id_set = set(ids)
    return [
        edge
        for id in ids
        for edge in corpus.edges_from.get(id, ())
        if edge.target in id_set and edge.target != id and edge.relation in _DRAWN
        if not is_left_out_of_graphs(corpus, edge)
    ]


def is_left_out_of_graphs(corpus: Corpus, edge: Edge) -> bool:
    """Whether an edge bears on nothing only because its source is superseded."""
    return all(has_superseded_premise(corpus, Bearing(edge, *ends)) for ends in edge.directions)


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
