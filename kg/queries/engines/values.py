"""The values by which what was found is shown, sorted and grouped: those that conditions read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from kg.model import Kind, Relation
from kg.queries.conditions.condition import All, AnyOf, Condition, IdIn, Query
from kg.queries.conditions.fields import FieldValue, Sort, field_name
from kg.queries.conditions.inherited import BEARS_ON, OF_CLAIMS, OF_EVIDENCE, Directly, along
from kg.queries.conditions.ranges import Values, sorted_by
from kg.queries.conditions.related import PlacedBy
from kg.queries.engines.memory import Engine

Links = Mapping[str, Collection[str]]
EVIDENCE = (Kind.EVIDENCE,)


def values_of(engine: Engine, query: Query, field: str, ids: Collection[str]) -> Values:
    """The values of a field for what a resolved query holds, as its conditions understand them.

    Claims are read through their evidence and evidence through its claims, unless the query asks
    directly; within a line, a camp is the placement there. Raises `UnknownWord`.
    """
    name = field_name(query.sort, field)
    if query.sort is not Sort.STATEMENT or name not in OF_CLAIMS | OF_EVIDENCE:
        return engine.values(query.sort, name, ids)
    parts = set(_parts(query.condition))
    lines = {id for part in parts for id in _lines(part)} if name == "camp" else set()
    links = {} if Directly() in parts else _lenders(engine, name, ids)
    wanted = {*ids, *(each for lenders in links.values() for each in lenders)}
    own = _camps(engine, lines) if lines else engine.values(Sort.STATEMENT, name, wanted)
    if not links:
        return own
    return {
        id: tuple(found)
        for id in ids
        if (found := dict.fromkeys(_told(id, own, links.get(id, ()))))
    }


def _told(id: str, own: Values, lenders: Iterable[str]) -> Iterator[FieldValue]:
    yield from own.get(id, ())
    for each in lenders:
        yield from own.get(each, ())


def _lenders(engine: Engine, field: str, ids: Collection[str]) -> Links:
    """Per statement those whose values of a field are its, too."""
    downward, among = field in OF_CLAIMS, frozenset(ids)
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    pairs = list(_pairs(engine, along(field) if downward else BEARS_ON))
    kinds = engine.values(Sort.STATEMENT, "kind", {each for pair in pairs for each in pair})
    for source, target in pairs:
        bearing = kinds.get(source) == EVIDENCE and kinds.get(target, EVIDENCE) != EVIDENCE
        taker, lender = (source, target) if downward else (target, source)
        if bearing and taker in among:
            found[taker][lender] = None
    return found


def _pairs(engine: Engine, relations: Collection[Relation]) -> Iterator[tuple[str, str]]:
    for _, pairs in engine.edges(relations):
        yield from pairs


def _camps(engine: Engine, lines: Collection[str]) -> Values:
    """The camps in which some lines place statements."""
    found: defaultdict[str, dict[FieldValue, None]] = defaultdict(dict)
    corpus = engine.corpus_with(Sort.LINE, lines)
    for line in lines:
        for place in corpus.lines[line].placements:
            if place.camp:
                found[place.statement][place.camp] = None
    return {id: tuple(camps) for id, camps in found.items()}


def _parts(condition: Condition) -> Iterator[Condition]:
    """The conditions that all must hold, and the ways in which each may."""
    match condition:
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _parts(part)
        case _:
            yield condition


def _lines(condition: Condition) -> tuple[str, ...]:
    if isinstance(condition, PlacedBy) and isinstance(condition.to.condition, IdIn):
        return condition.to.condition.ids
    return ()


def find_in_order(engine: Engine, query: Query) -> tuple[str, ...]:
    """Ids of what a resolved query holds, sorted by the values that are shown."""
    if query.sort is not Sort.STATEMENT or not query.order:
        return engine.find_ids(query)
    ids = engine.find_ids(replace(query, order=(), first=None))
    values = {key.field: values_of(engine, query, key.field, ids) for key in query.order}
    return tuple(sorted_by(list(ids), query.order, values)[: query.first])
