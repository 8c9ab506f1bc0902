"""The edges by which records meet a question, and the part of the corpus that these link."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import replace

from kg.corpus import Corpus
from kg.model import Edge
from kg.queries.conditions.condition import All, AnyOf, Condition, InLimitedQuery, Query
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.ordering import edges_in_order
from kg.queries.conditions.related_records import CitedBy, Linked, PlacesStatement
from kg.queries.engines.engine import Ends, Engine
from kg.reachability import walk_from


def corpus_excerpt(corpus: Corpus, ids: Iterable[str], edges: Collection[Edge]) -> Corpus:
    """A corpus of the statements with these ids, these edges and what they link, and the sources
    cited. Joint reasons have all their premises, since one of them alone would prove less. Lines
    and sources among the ids are kept too.
    """
    kept_edges = _add_undercut_edges(corpus, edges)
    end_ids = dict.fromkeys(
        (*ids, *(end for edge in kept_edges for end in (edge.origin, *edge.together, edge.target)))
    )
    statements = {id: s for id, s in corpus.statements.items() if id in end_ids}
    lines = {id: line for id, line in corpus.lines.items() if id in end_ids}
    source_keys = {key for s in statements.values() for key in s.sources}
    source_keys |= {citation.key for line in lines.values() for citation in line.citations}
    camps = corpus.default_camps
    return replace(
        corpus,
        statements=statements,
        edges=edges_in_order(kept_edges),
        sources={k: s for k, s in corpus.sources.items() if k in source_keys or k in end_ids},
        lines=lines,
        mentions=(),
        aliases={},
        diagnostics=(),
        unresolved_edges=(),
        duplicates=(),
        dead_links=(),
        best_guess=None,
        known_camps={id: camp for id, camp in camps.items() if id in statements},
    )


def edges_among(corpus: Corpus, ids: Collection[str]) -> list[Edge]:
    """The edges among these statements, including undercuts of such edges."""
    edges = {e.id: e for e in corpus.edges if e.origin in ids and e.target in ids}
    undercuts = [e for e in corpus.edges if e.origin in ids and e.target in corpus.edges_by_id]
    while new_undercuts := {e.id: e for e in undercuts if e.target in edges and e.id not in edges}:
        edges |= new_undercuts
    return list(edges.values())


def _add_undercut_edges(corpus: Corpus, edges: Collection[Edge]) -> list[Edge]:
    """The edges, with every edge that one of them undercuts, or that such an edge undercuts."""

    def undercut_by(id: str) -> list[str]:
        target = corpus.edges_by_id[id].target
        return [target] if target in corpus.edges_by_id else []

    return [corpus.edges_by_id[id] for id in walk_from((edge.id for edge in edges), undercut_by)]


EdgesWithEnds = list[tuple[Edge, Ends]]


def justifying_edges(engine: Engine, query: Query, ids: Set[str]) -> tuple[Edge, ...]:
    """Edges by which `ids` meet the conditions of a resolved query, in reading order."""
    edges = {
        edge.id: edge for edge in _edges_behind(engine, query.record_kind, query.condition, ids)
    }
    return edges_in_order(edges.values())


def _edges_behind(
    engine: Engine, record_kind: RecordKind, condition: Condition, ids: Set[str]
) -> Iterator[Edge]:
    if not ids:
        return
    match condition:
        case All(parts):
            for part in parts:
                yield from _edges_behind(engine, record_kind, part, ids)
        case AnyOf(parts):
            # of each alternative alone what meets it: its edges say nothing of the others
            for part in parts:
                matching_ids = ids & _result_ids(engine, Query(record_kind, part))
                yield from _edges_behind(engine, record_kind, part, matching_ids)
        case InLimitedQuery(query):
            yield from _edges_behind(engine, record_kind, query.condition, ids)
        case Linked():
            yield from _linking_edges(engine, condition, ids)
        case CitedBy(query) | PlacesStatement(query):  # found through statements, which have edges
            yield from _edges_behind(
                engine, query.record_kind, query.condition, _result_ids(engine, query)
            )


def _linking_edges(engine: Engine, condition: Linked, ids: Set[str]) -> Iterator[Edge]:
    """Edges by which `ids` are linked as asked, and those that justify the other ends."""
    other_ids = _result_ids(engine, condition.query)
    edges_with_ends = list(engine.edges(condition.relations))
    starts, ends = (ids, other_ids) if condition.onward else (other_ids, ids)
    if condition.steps != 1:
        # on the way from a start to an end lies what both lead to
        onward = _ids_reached(edges_with_ends, starts, 1)
        starts = ends = onward & _ids_reached(edges_with_ends, ends, 0)
    linked_ids: set[str] = set()
    for edge, pairs in edges_with_ends:
        matching_pairs = [pair for pair in pairs if pair[0] in starts and pair[1] in ends]
        if matching_pairs:
            linked_ids.update(end for pair in matching_pairs for end in pair)
            yield edge
    yield from _edges_behind(
        engine, condition.query.record_kind, condition.query.condition, other_ids & linked_ids
    )


def _ids_reached(edges_with_ends: EdgesWithEnds, start_ids: Set[str], side: int) -> Set[str]:
    """`start_ids` and all that edges lead to from it (side 1), or that lead to it (side 0)."""
    next_ids: dict[str, list[str]] = {}
    for _, pairs in edges_with_ends:
        for pair in pairs:
            next_ids.setdefault(pair[1 - side], []).append(pair[side])
    return {*walk_from(start_ids, lambda id: next_ids.get(id, ()))}


def _result_ids(engine: Engine, query: Query) -> Set[str]:
    return frozenset(engine.find_ids(replace(query, order=query.order if query.limit else ())))
