"""A part of a corpus as a corpus of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import replace

from kg.corpus import Corpus
from kg.model import Edge
from kg.queries.conditions.condition import All, AnyOf, Chosen, Condition, Query
from kg.queries.conditions.fields import Sort
from kg.queries.conditions.related import CitedBy, Linked, PlacesStatement
from kg.queries.engines.memory import Ends, Engine


def excerpt(corpus: Corpus, ids: Iterable[str], edges: Collection[Edge]) -> Corpus:
    """The statements with these ids, these edges, what the edges link, and the cited sources.

    Lines and sources among the ids are kept too.
    """
    held = _with_undercut(corpus, edges)
    named = dict.fromkeys((*ids, *(end for edge in held for end in (edge.source, edge.target))))
    statements = {id: s for id, s in corpus.statements.items() if id in named}
    keys = {key for s in statements.values() for key in s.sources}
    lines = {id: line for id, line in corpus.lines.items() if id in named}
    camps = corpus.default_camps
    return replace(
        corpus,
        statements=statements,
        edges=tuple(sorted(held, key=lambda edge: (edge.span, edge.id))),
        sources={k: s for k, s in corpus.sources.items() if k in keys or k in named},
        lines=lines,
        mentions=(),
        aliases={},
        diagnostics=(),
        unresolved=(),
        duplicates=(),
        dead_links=(),
        best_guess=None,
        known_camps={id: camp for id, camp in camps.items() if id in statements},
    )


def _with_undercut(corpus: Corpus, edges: Collection[Edge]) -> list[Edge]:
    """The edges, and those that they undercut."""
    found = {edge.id: edge for edge in edges}
    waiting = list(edges)
    while waiting:
        denied = corpus.edge.get(waiting.pop().target)
        if denied is not None and denied.id not in found:
            found[denied.id] = denied
            waiting.append(denied)
    return list(found.values())


Linking = list[tuple[Edge, Ends]]


def justify(engine: Engine, query: Query, found: Set[str]) -> tuple[Edge, ...]:
    """Edges by which what was found meets the conditions of a resolved query, in reading order."""
    edges = {edge.id: edge for edge in _edges(engine, query.sort, query.condition, found)}
    return tuple(sorted(edges.values(), key=lambda edge: (edge.span, edge.id)))


def _edges(engine: Engine, sort: Sort, condition: Condition, found: Set[str]) -> Iterator[Edge]:
    if not found:
        return
    match condition:
        case All(parts):
            for part in parts:
                yield from _edges(engine, sort, part, found)
        case AnyOf(parts):
            for part in parts:
                held = found & _ids(engine, Query(sort, part))
                yield from _edges(engine, sort, part, held)
        case Chosen(query):
            yield from _edges(engine, sort, query.condition, found)
        case Linked():
            yield from _linking(engine, condition, found)
        case CitedBy(to=query) | PlacesStatement(to=query):
            yield from _edges(engine, query.sort, query.condition, _ids(engine, query))


def _linking(engine: Engine, wanted: Linked, found: Set[str]) -> Iterator[Edge]:
    """Edges from what was found to what it was asked to be linked with, and why that was meant."""
    others = _ids(engine, wanted.to)
    linking = list(engine.edges(wanted.relations))
    starts, ends = (found, others) if wanted.onward else (others, found)
    if wanted.steps != 1:
        starts = ends = _closure(linking, starts, 1) & _closure(linking, ends, 0)
    met: set[str] = set()
    for edge, pairs in linking:
        used = [pair for pair in pairs if pair[0] in starts and pair[1] in ends]
        if used:
            met.update(end for pair in used for end in pair)
            yield edge
    yield from _edges(engine, wanted.to.sort, wanted.to.condition, others & met)


def _closure(linking: Linking, start: Set[str], side: int) -> Set[str]:
    """`start` and all that edges lead to from it (side 1), or that lead to it (side 0)."""
    steps: dict[str, list[str]] = {}
    for _, pairs in linking:
        for pair in pairs:
            steps.setdefault(pair[1 - side], []).append(pair[side])
    found, waiting = set(start), list(start)
    while waiting:
        for end in steps.get(waiting.pop(), ()):
            if end not in found:
                found.add(end)
                waiting.append(end)
    return found


def _ids(engine: Engine, query: Query) -> Set[str]:
    return frozenset(engine.find_ids(replace(query, order=query.order if query.first else ())))
