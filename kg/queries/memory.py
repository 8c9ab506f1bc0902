"""Selections run on the corpus in memory: sets of ids, the narrowest first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence, Set

from kg.corpus import Corpus
from kg.model import Edge, Relation
from kg.queries.condition import (
    All,
    Anything,
    Chosen,
    CitedBy,
    Citing,
    Condition,
    Either,
    Ending,
    Has,
    Linked,
    Named,
    Not,
    PartOf,
    Pick,
    Placed,
    Placing,
    Recorded,
    Sort,
    Starting,
    Weighing,
    Within,
    Words,
)
from kg.queries.engine import Ends
from kg.queries.fields import FIELDS
from kg.queries.index import Index, Links, index_of
from kg.queries.order import Values, arranged
from kg.queries.resolve import resolve

Ids = Set[str]
_NONE: frozenset[str] = frozenset()


def find_ids(index: Index, pick: Pick) -> tuple[str, ...]:
    """Ids of what a resolved pick holds, in its order."""
    found = _picked(index, pick)
    values = {key.field: index.values(pick.sort, key.field) for key in pick.order}
    return arranged(found, pick, index.order(pick.sort), values)


def _picked(index: Index, pick: Pick) -> Ids:
    return ids(index, pick.sort, pick.condition, None)


def _set(index: Index, pick: Pick) -> Ids:
    return _picked(index, pick) if pick.first is None else frozenset(find_ids(index, pick))


def ids(index: Index, sort: Sort, condition: Condition, among: Ids | None) -> Ids:
    """Ids of what meets a condition, out of `among` (None: everything)."""
    match condition:
        case Anything():
            return index.everything(sort) if among is None else among
        case All(parts):
            return _all(index, sort, parts, among)
        case Not(inner):
            base = index.everything(sort) if among is None else among
            return base - ids(index, sort, inner, base)
        case Words(words):
            return _worded(index, sort, words, among)
        case Either(parts):
            return _NONE.union(*(ids(index, sort, part, among) for part in parts))
    found = _indexed(index, sort, condition)
    return found if among is None else found & among


def _all(index: Index, sort: Sort, parts: Iterable[Condition], among: Ids | None) -> Ids:
    for part in sorted(parts, key=lambda part: _cost(sort, part)):
        among = ids(index, sort, part, among)
        if not among:
            break
    return index.everything(sort) if among is None else among


def _cost(sort: Sort, condition: Condition) -> int:
    """Cheap and narrow first; scans and what must be reckoned last, on what is left by then."""
    match condition:
        case Named() | Has() | Recorded() | Placed() | PartOf():
            return 0
        case Within(field=field):
            return 1 if FIELDS[sort][field].path else 5
        case Not():
            return 3
        case Words():
            return 4
    return 2


def _indexed(index: Index, sort: Sort, condition: Condition) -> Ids:
    match condition:
        case Named(names):
            return frozenset(names)
        case Has(field, values):
            return _having(index, sort, field, values)
        case Recorded(field):
            return index.recorded(sort, field)
        case Within():
            return _within(index, sort, condition)
        case Linked():
            return _linked(index, condition)
        case Citing(sources):
            links = index.citing_lines if sort is Sort.LINE else index.citing
            return _over(links, _set(index, sources))
        case CitedBy(by):
            return _cited(index, _set(index, by), by.sort)
        case PartOf(whole):
            return _over(index.inside, _set(index, whole))
        case Starting(at):
            return _over(index.edges_of[0], _set(index, at))
        case Ending(at):
            return _over(index.edges_of[1], _set(index, at))
        case Chosen(pick):
            return frozenset(find_ids(index, pick))
    return _by_line(index, condition)


def _having(index: Index, sort: Sort, field: str, values: tuple[str | bool, ...]) -> Ids:
    holding = index.holding(sort, field)
    if len(values) == 1:
        return holding.get(values[0], _NONE)
    return _NONE.union(*(holding.get(value, _NONE) for value in values))


def _within(index: Index, sort: Sort, wanted: Within) -> Ids:
    sizes, ids = index.sizes(sort, wanted.field)
    start = 0 if wanted.low is None else bisect_left(sizes, wanted.low)
    end = len(sizes) if wanted.high is None else bisect_right(sizes, wanted.high)
    return frozenset(ids[start:end])


def _worded(index: Index, sort: Sort, words: tuple[str, ...], among: Ids | None) -> Ids:
    texts = index.text(sort)
    first, *rest = words
    if among is None:
        found = {id for id, text in texts.items() if first in text}
    else:
        found = {id for id in among if first in texts[id]}
    for word in rest:
        found = {id for id in found if word in texts[id]}
    return found


def _linked(index: Index, wanted: Linked) -> Ids:
    start = _set(index, wanted.to)
    step = index.back if wanted.onward else index.onward
    links = [step(relation) for relation in wanted.relations]
    if wanted.steps == 1:
        return _NONE.union(*(_over(each, start) for each in links))
    return _reached(links, start, wanted.steps)


def _over(links: Links, start: Ids) -> Ids:
    """Everything that links lead to from `start`, in one step."""
    if len(start) == 1:
        return frozenset(links.get(next(iter(start)), ()))
    if len(start) > len(links):
        return _NONE.union(*(ends for id, ends in links.items() if id in start))
    return _NONE.union(*(links[id] for id in start if id in links))


def _reached(links: list[Links], start: Ids, steps: int | None) -> Ids:
    """Everything that links lead to from `start`, in up to `steps` steps."""
    found: set[str] = set()
    edge: Ids = start
    while edge and steps != 0:
        edge = _NONE.union(*(_over(each, edge) for each in links)) - found
        found |= edge
        steps = None if steps is None else steps - 1
    return found


def _cited(index: Index, by: Ids, sort: Sort) -> Ids:
    corpus = index.corpus
    if sort is Sort.LINE:
        keys = {c.key for id in by for c in corpus.lines[id].citations}
    else:
        keys = {key for id in by for key in corpus.statements[id].sources}
    return keys & index.everything(Sort.SOURCE)


def _by_line(index: Index, condition: Condition) -> Ids:
    lines = index.corpus.lines
    match condition:
        case Placed(wanted, camp):
            within = (lines[id] for id in _set(index, wanted))
            places = (place for line in within for place in line.placements)
            return frozenset(p.statement for p in places if camp is None or p.camp == camp)
        case Placing(wanted, camp):
            placed = _set(index, wanted)
            return frozenset(
                p.line
                for p in index.corpus.placements
                if p.statement in placed and (camp is None or p.camp == camp)
            )
        case Weighing(wanted):
            weighed = _set(index, wanted)
            return frozenset(id for id, line in lines.items() if line.proposition in weighed)
    raise AssertionError(f"no way to run {condition!r}")


class Memory:
    """The corpus in memory, as something that answers selections."""

    def __init__(self, corpus: Corpus) -> None:
        self.index = index_of(corpus)

    def resolve(self, pick: Pick) -> Pick:
        """The pick with every name in it made certain; raises `UnknownId`."""
        return resolve(pick, self.index)

    def find_ids(self, pick: Pick) -> tuple[str, ...]:
        """Ids of what a resolved pick holds, in its order."""
        return find_ids(self.index, pick)

    def values(self, sort: Sort, field: str, ids: Collection[str]) -> Values:
        """The values of a field for some ids, where there are any."""
        return self.index.values(sort, field)

    def whole(self) -> Corpus:
        """The corpus."""
        return self.index.corpus

    def corpus_with(self, sort: Sort, ids: Collection[str]) -> Corpus:
        """A corpus that holds at least the records of these ids."""
        return self.index.corpus

    def corpus_around(self, edges: Collection[Edge], ids: Collection[str]) -> Corpus:
        """A corpus that holds these statements, these edges and what they link."""
        return self.index.corpus

    def edges(self, relations: Collection[Relation]) -> Sequence[tuple[Edge, Ends]]:
        """Edges of some relations, each with the pairs of statements that it links."""
        index = self.index
        return [(edge, index.ends(edge)) for each in relations for edge in index.edges(each)]
