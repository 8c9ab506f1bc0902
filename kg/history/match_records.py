"""Match the statements and edges of an older state of a corpus with those of the present one."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kg.corpus import Corpus
from kg.grouping import group_by_each
from kg.model import Edge, EdgeId, Statement, StatementId
from kg.model.ids import part_id, part_name_of, split_id

SAME_TITLE = 2.0  # similarity of an equal title: more than that of any texts, which is at most 1
LEAST_WORDS_IN_COMMON = (
    0.6  # fraction of common words from which a text counts as another rewritten
)
_WORD = re.compile(r"\w+")
# an edge is identified by what it links, and by which relation
_EDGE_IDENTITY = {"id", "origin", "relation", "target", "span", "nested"}
COMPARED_EDGE_FIELDS = tuple(name for name in Edge.__struct_fields__ if name not in _EDGE_IDENTITY)


def match_statements(old_corpus: Corpus, new_corpus: Corpus) -> Mapping[StatementId, StatementId]:
    """Map the ids of older statements that still exist to their present ids.

    Statements are matched by id, then by alias (of the statement, or of its note), then by title,
    then by the most similar text; the last two only among statements of the same kind that are
    otherwise unmatched.
    """
    id_pairs: dict[StatementId, StatementId] = {}
    for id in old_corpus.statements:
        new_id = id if id in new_corpus.statements else _new_id_by_alias(id, new_corpus)
        if new_id is not None:
            id_pairs.setdefault(id, new_id)
    matched_ids = set(id_pairs.values())
    unmatched_old = [s for id, s in old_corpus.statements.items() if id not in id_pairs]
    unmatched_new = [s for id, s in new_corpus.statements.items() if id not in matched_ids]
    if unmatched_old and unmatched_new:
        id_pairs.update(_match_by_text(unmatched_old, unmatched_new))
    return id_pairs


def _new_id_by_alias(id: StatementId, new_corpus: Corpus) -> StatementId | None:
    """The present id of a statement whose id, or whose note's id, is now an alias."""
    aliased_id = new_corpus.aliases.get(id)
    if aliased_id in new_corpus.statements:
        return aliased_id
    note, mark, part = split_id(id)
    new_note = new_corpus.aliases.get(note) if mark else None
    id_in_note = part_id(new_note, part) if new_note else ""
    return id_in_note if id_in_note in new_corpus.statements else None


def _match_by_text(
    old_statements: list[Statement], new_statements: list[Statement]
) -> dict[StatementId, StatementId]:
    """Pairs with the same title, then pairs with similar text, the most similar first."""
    id_pairs: dict[StatementId, StatementId] = {}
    pairs = sorted(
        _similar_pairs(old_statements, new_statements),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    matched_ids: set[StatementId] = set()
    for _, old_id, new_id in pairs:
        if old_id not in id_pairs and new_id not in matched_ids:
            id_pairs[old_id] = new_id
            matched_ids.add(new_id)
    return id_pairs


def _similar_pairs(
    old_statements: list[Statement], new_statements: list[Statement]
) -> Iterable[tuple[float, StatementId, StatementId]]:
    """Pairs of similar statements, with their similarity."""
    words_by_id = {
        s.id: frozenset(_WORD.findall(f"{s.title} {s.body}".casefold())) for s in new_statements
    }
    statements_by_word = group_by_each(new_statements, lambda statement: words_by_id[statement.id])
    for old in old_statements:
        old_words = frozenset(_WORD.findall(f"{old.title} {old.body}".casefold()))
        candidates = {
            s.id: s
            for word in old_words
            for s in statements_by_word.get(word, ())
            if s.kind is old.kind
        }
        for candidate in candidates.values():
            similarity = SAME_TITLE
            if candidate.title != old.title:
                similarity = _similarity_of_words(old_words, words_by_id[candidate.id])
            if similarity >= LEAST_WORDS_IN_COMMON:
                yield similarity, old.id, candidate.id


def _similarity_of_words(first_words: frozenset[str], second_words: frozenset[str]) -> float:
    all_words = first_words | second_words
    return len(first_words & second_words) / len(all_words) if all_words else 0.0


def match_edges(
    old_corpus: Corpus, new_corpus: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> Mapping[EdgeId, EdgeId]:
    """Map the ids of older edges to those of present ones with the same ends and relation.

    Of several such, those with the same name are matched first, then those equal in all fields,
    in their reason, or in their premises, then any, in the order of the notes.
    """
    id_pairs: dict[EdgeId, EdgeId] = {}
    ids_in_circles = _ids_of_undercuts_in_circles(old_corpus)
    for old_edges, new_edges in zip_longest(
        _edges_by_tier(old_corpus), _edges_by_tier(new_corpus), fillvalue=()
    ):
        edges_by_ends: defaultdict[tuple[str, ...], tuple[list[Edge], list[Edge]]]
        edges_by_ends = defaultdict(lambda: ([], []))
        for edge in old_edges:
            premise, target = (new_id_of.get(end, end) for end in (edge.origin, edge.target))
            if edge.id in ids_in_circles:  # none of a circle is matched before the others
                note, mark, part = split_id(edge.target)
                target = f"{new_id_of.get(note, note)}{mark}{part}"
            elif _undercuts_edge(old_corpus, edge):
                # if the edge is gone, do not use its old id: another edge may have it now
                target = id_pairs.get(edge.target, "")
            edges_by_ends[premise, edge.relation, target][0].append(edge)
        for edge in new_edges:
            edges_by_ends[edge.origin, edge.relation, edge.target][1].append(edge)
        for old_group, new_group in edges_by_ends.values():
            id_pairs.update(_pair_edges(old_group, new_group, new_id_of))
    return id_pairs


def _edges_by_tier(corpus: Corpus) -> Iterator[Sequence[Edge]]:
    """Yield the edges that do not target edges, with those that undercut each other in a circle;
    then those that target these, and so on.

    So edges are matched before the edges that undercut them.
    """
    ids_in_circles = _ids_of_undercuts_in_circles(corpus)
    tier: list[Edge] = []
    rest: list[Edge] = []
    for edge in corpus.edges:
        is_later = _undercuts_edge(corpus, edge) and edge.id not in ids_in_circles
        (rest if is_later else tier).append(edge)
    while tier:
        yield tier
        ids = {edge.id for edge in tier}
        tier = [edge for edge in rest if edge.target in ids]


def _ids_of_undercuts_in_circles(corpus: Corpus) -> Container[EdgeId]:
    """The ids of edges that undercut an edge that undercuts them, directly or through others."""
    target_of = {edge.id: edge.target for edge in corpus.edges if _undercuts_edge(corpus, edge)}
    while len(undercut := target_of.keys() & {*target_of.values()}) < len(target_of):
        target_of = {id: target_of[id] for id in undercut}
    return undercut


def _undercuts_edge(corpus: Corpus, edge: Edge) -> bool:
    return edge.target in corpus.edges_by_id and edge.target not in corpus.statements


def _pair_edges(
    old_edges: Sequence[Edge],
    new_edges: Sequence[Edge],
    new_id_of: Mapping[StatementId, StatementId],
) -> Mapping[EdgeId, EdgeId]:
    """Pair edges that link the same statements, by the most reliable key first."""
    id_pairs: dict[EdgeId, EdgeId] = {}
    old_keys_by_rank = zip(
        *(_match_keys_of_edge(edge, new_id_of) for edge in old_edges), strict=True
    )
    new_keys_by_rank = zip(*(_match_keys_of_edge(edge, {}) for edge in new_edges), strict=True)
    # of edges in one state alone nothing is paired, so there may be no keys on one side
    for old_keys, new_keys in zip(old_keys_by_rank, new_keys_by_rank, strict=False):
        paired_ids = set(id_pairs.values())
        new_ids_by_key: defaultdict[object, deque[EdgeId]] = defaultdict(deque)
        for edge, match_key in zip(new_edges, new_keys, strict=True):
            if edge.id not in paired_ids:
                new_ids_by_key[match_key].append(edge.id)
        for edge, match_key in zip(old_edges, old_keys, strict=True):
            if edge.id not in id_pairs and match_key and new_ids_by_key[match_key]:
                id_pairs[edge.id] = new_ids_by_key[match_key].popleft()
    return id_pairs


def _match_keys_of_edge(
    edge: Edge, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[object, ...]:
    """Return what distinguishes an edge from others between the same statements.

    The most reliable is first: its name, all of its fields, its reason, its premises; the last is
    the same for all.
    """
    has_default_id = edge.id.startswith(f"{edge.origin}--")
    name = "" if has_default_id else part_name_of(edge.id)
    values = tuple(_edge_value(edge, field, new_id_of) for field in COMPARED_EDGE_FIELDS)
    return name, values, edge.reason, _edge_value(edge, "together", new_id_of), True


def _edge_value(edge: Edge, field: str, new_id_of: Mapping[StatementId, StatementId]) -> Any:
    if field == "together":
        return tuple(new_id_of.get(premise, premise) for premise in edge.together)
    return getattr(edge, field)


def differing_edge_fields(
    old: Edge,
    new: Edge,
    new_id_of: Mapping[StatementId, StatementId],
    fields: Iterable[str] = COMPARED_EDGE_FIELDS,
) -> tuple[str, ...]:
    """The fields in which an edge differs from before."""
    return tuple(
        name for name in fields if _edge_value(old, name, new_id_of) != _edge_value(new, name, {})
    )
