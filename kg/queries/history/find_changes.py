"""Find what changed between two states of a corpus."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kg.corpus import Corpus
from kg.corpus.grouping import group_by_each
from kg.model import Edge, EdgeId, LineId, Statement, StatementId, Status
from kg.model.ids import part_id, part_name_of, split_id
from kg.queries.answers.notebook import labels_of
from kg.queries.history.changes import (
    Changes,
    IntegrityChange,
    LineChange,
    PlacementChange,
    StaleReview,
    StatementChange,
    moved_verdicts,
)

# Places, other names and dates are not part of what a statement says.
_FIELDS_NOT_COMPARED = {
    "id",
    "span",
    "note",
    "parent",
    "aliases",
    "created",
    "updated",
    "reviewed",
    "extra",
}
# the sources matter, not where they are cited in the text
_CITING_FIELDS = {"citations", "quotations"}
STATEMENT_FIELDS = (
    *(n for n in Statement.__struct_fields__ if n not in _FIELDS_NOT_COMPARED | _CITING_FIELDS),
    "sources",
)
# an edge is identified by what it links, and by which relation
_EDGE_IDENTITY = {"id", "source", "relation", "target", "span", "nested"}
EDGE_FIELDS = tuple(name for name in Edge.__struct_fields__ if name not in _EDGE_IDENTITY)


def diff(before: Corpus, after: Corpus) -> Changes:
    """What was added, removed and changed from `before` to `after`."""
    new_id_of = match_statements(before, after)
    changed = _find_changes(before, after, new_id_of)
    new_edge_id_of = match_edges(before, after, new_id_of)
    old_edge_of = {new: before.edges_by_id[old] for old, new in new_edge_id_of.items()}
    removed = _not_among(new_id_of, before.statements)
    altered_ids = {*(change.id for change in changed), *removed}
    added = _not_among({*new_id_of.values()}, after.statements)
    return Changes(
        labels=labels_of(before, removed) | labels_of(after, (*added, *altered_ids)),
        added=added,
        removed=removed,
        changed=changed,
        edges_added=tuple(edge for edge in after.edges if edge.id not in old_edge_of),
        edges_removed=tuple(edge for edge in before.edges if edge.id not in new_edge_id_of),
        edges_changed=_changed_edges(after, old_edge_of, new_id_of),
        sources_added=_not_among(before.sources, after.sources),
        sources_removed=_not_among(after.sources, before.sources),
        sources_flagged=tuple(_integrity_changes(before, after)),
        lines_added=_not_among(before.lines, after.lines),
        lines_removed=_not_among(after.lines, before.lines),
        lines_changed=tuple(_line_changes(before, after, new_id_of)),
        placings=_placement_changes(before, after, new_id_of),
        verdicts=moved_verdicts(before, after, new_id_of),
        stale=_stale_reviews(before, after, altered_ids),
    )


def _not_among(known_ids: Container[str], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in known_ids)


def _find_changes(
    before: Corpus, after: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[StatementChange, ...]:
    changes = []
    for old, new in new_id_of.items():
        was = before.statements[old]
        present = after.statements[new]
        fields = tuple(
            name for name in STATEMENT_FIELDS if getattr(was, name) != getattr(present, name)
        )
        if fields or old != new:
            is_retired = present.status is Status.RETIRED and was.status is not Status.RETIRED
            changes.append(
                StatementChange(
                    id=new,
                    was=old,
                    fields=fields,
                    before=tuple(describe_field(was, name) for name in fields),
                    after=tuple(describe_field(present, name) for name in fields),
                    retired=is_retired,
                )
            )
    return tuple(sorted(changes, key=lambda change: after.statements[change.id].span))


# -- edges ---------------------------------------------------------------------------------------


def match_edges(
    before: Corpus, after: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> Mapping[EdgeId, EdgeId]:
    """Map the ids of older edges to those of present ones with the same ends and relation.

    Of several such, those with the same name are matched first, then those equal in all fields,
    in their reason, or in their premises, then any, in the order of the notes.
    """
    id_pairs: dict[EdgeId, EdgeId] = {}
    for old_edges, new_edges in zip_longest(
        _edges_by_tier(before), _edges_by_tier(after), fillvalue=()
    ):
        edges_by_ends: defaultdict[tuple[str, ...], tuple[list[Edge], list[Edge]]]
        edges_by_ends = defaultdict(lambda: ([], []))
        for edge in old_edges:
            source, target = (new_id_of.get(end, end) for end in (edge.source, edge.target))
            if _undercuts_edge(before, edge):
                # if the edge is gone, do not use its old id: another edge may have it now
                target = id_pairs.get(edge.target, "")
            edges_by_ends[source, edge.relation, target][0].append(edge)
        for edge in new_edges:
            edges_by_ends[edge.source, edge.relation, edge.target][1].append(edge)
        for old_group, new_group in edges_by_ends.values():
            id_pairs.update(_pair_edges(old_group, new_group, new_id_of))
    return id_pairs


def _edges_by_tier(corpus: Corpus) -> Iterator[Sequence[Edge]]:
    """Yield the edges that do not target edges, then those that target these, and so on.

    So the edges that a tier undercuts are matched before the tier itself.
    """
    undercutting_edges = [edge for edge in corpus.edges if _undercuts_edge(corpus, edge)]
    tier = [edge for edge in corpus.edges if not _undercuts_edge(corpus, edge)]
    while tier:
        yield tier
        ids = {edge.id for edge in tier}
        tier = [edge for edge in undercutting_edges if edge.target in ids]


def _undercuts_edge(corpus: Corpus, edge: Edge) -> bool:
    return edge.target in corpus.edges_by_id and edge.target not in corpus.statements


def _pair_edges(
    old_edges: Iterable[Edge],
    new_edges: Iterable[Edge],
    new_id_of: Mapping[StatementId, StatementId],
) -> Mapping[EdgeId, EdgeId]:
    """Pair edges that link the same statements."""
    id_pairs: dict[EdgeId, EdgeId] = {}
    for rank in range(MARKS_OF_EDGE):
        paired_ids = set(id_pairs.values())
        new_ids_by_mark: defaultdict[object, deque[EdgeId]] = defaultdict(deque)
        for edge in new_edges:
            if edge.id not in paired_ids:
                new_ids_by_mark[_marks_of_edge(edge, {})[rank]].append(edge.id)
        for edge in old_edges:
            mark = _marks_of_edge(edge, new_id_of)[rank]
            if edge.id not in id_pairs and mark and new_ids_by_mark[mark]:
                id_pairs[edge.id] = new_ids_by_mark[mark].popleft()
    return id_pairs


MARKS_OF_EDGE = 5  # how many `_marks_of_edge` there are


def _marks_of_edge(edge: Edge, new_id_of: Mapping[StatementId, StatementId]) -> tuple[object, ...]:
    """What tells an edge from others between the same statements, the most reliable first: its
    name, all of its fields, its reason, its premises; the last is the same for all.
    """
    has_default_id = edge.id.startswith(f"{edge.source}--")
    name = "" if has_default_id else part_name_of(edge.id)
    values = tuple(_edge_value(edge, field, new_id_of) for field in EDGE_FIELDS)
    return name, values, edge.reason, _edge_value(edge, "together", new_id_of), True


def _edge_value(edge: Edge, field: str, new_id_of: Mapping[StatementId, StatementId]) -> Any:
    if field == "together":
        return tuple(new_id_of.get(premise, premise) for premise in edge.together)
    return getattr(edge, field)


def differing_fields(
    old: Edge,
    new: Edge,
    new_id_of: Mapping[StatementId, StatementId],
    fields: Iterable[str] = EDGE_FIELDS,
) -> tuple[str, ...]:
    """The fields in which an edge differs from before."""
    return tuple(
        name for name in fields if _edge_value(old, name, new_id_of) != _edge_value(new, name, {})
    )


def _changed_edges(
    after: Corpus, old_edge_of: Mapping[EdgeId, Edge], new_id_of: Mapping[StatementId, StatementId]
) -> tuple[Edge, ...]:
    return tuple(
        edge
        for edge in after.edges
        if edge.id in old_edge_of and differing_fields(old_edge_of[edge.id], edge, new_id_of)
    )


# -- sources and lines ---------------------------------------------------------------------------


def _integrity_changes(before: Corpus, after: Corpus) -> Iterator[IntegrityChange]:
    for key, source in after.sources.items():
        was = before.sources.get(key)
        if was is not None and was.integrity is not source.integrity:
            yield IntegrityChange(
                source=key,
                before=was.integrity,
                after=source.integrity,
                resting=tuple(statement.id for statement in after.statements_citing.get(key, ())),
            )


def _line_changes(
    before: Corpus, after: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> Iterable[LineChange]:
    for id, line in after.lines.items():
        was = before.lines.get(id)
        if was is None:
            continue
        old_proposition = was.proposition or ""
        for field, past, present in (
            ("question", was.title, line.title),
            (
                "proposition",
                new_id_of.get(old_proposition, old_proposition),
                line.proposition or "",
            ),
            ("answer if it holds", was.answers.holds, line.answers.holds),
            ("answer if it fails", was.answers.fails, line.answers.fails),
            ("answer if undecided", was.answers.undecided, line.answers.undecided),
            ("chief doubt", was.doubt, line.doubt),
        ):
            if past != present:
                yield LineChange(line=id, field=field, before=past or None, after=present or None)


def _placement_changes(
    before: Corpus, after: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[PlacementChange, ...]:
    old_camps = {
        (p.line, new_id_of.get(p.statement, p.statement)): p.camp for p in before.placements
    }
    new_camps = {(p.line, p.statement): p.camp for p in after.placements}
    line_ids = before.lines.keys() & after.lines.keys()
    return tuple(
        PlacementChange(line=line_id, statement=statement, before=was, after=present)
        for line_id, statement in dict.fromkeys((*old_camps, *new_camps))
        if line_id in line_ids
        and (was := old_camps.get((line_id, statement)))
        != (present := new_camps.get((line_id, statement)))
    )


def _stale_reviews(
    before: Corpus, after: Corpus, altered_ids: set[StatementId]
) -> tuple[StaleReview, ...]:
    """Lines not reviewed since then that mention statements which changed or are gone."""
    stale_reviews = []
    for id, line in after.lines.items():
        was = before.lines.get(id)
        if was is None or was.reviewed != line.reviewed:
            continue
        mentioned_ids = dict.fromkeys(
            (*_statements_of_line(before, id), *_statements_of_line(after, id))
        )
        because = tuple(each for each in mentioned_ids if each in altered_ids)
        if because:
            stale_reviews.append(StaleReview(line=id, reviewed=line.reviewed, because=because))
    return tuple(stale_reviews)


def _statements_of_line(corpus: Corpus, line_id: LineId) -> Iterable[StatementId]:
    """The proposition of a line, and the statements that it places or links in its essay."""
    line = corpus.lines[line_id]
    if line.proposition:
        yield line.proposition
    for placement in line.placements:
        yield placement.statement
    for mention in corpus.mentions:
        if mention.origin == line.id:
            yield mention.target


def describe_field(statement: Statement, field: str) -> str:
    """The value of a statement's field, in words."""
    value: Any = getattr(statement, field)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value in (None, "") else str(value)


SAME_TITLE = 2.0  # similarity of an equal title: more than that of any texts, which is at most 1
LEAST_SIMILARITY = 0.6  # share of common words from which a text counts as another rewritten
_WORD = re.compile(r"\w+")


def match_statements(before: Corpus, after: Corpus) -> Mapping[StatementId, StatementId]:
    """Map the ids of older statements that still exist to their present ids.

    Statements are matched by id, then by alias (of the statement, or of its note), then by title,
    then by the most similar text; the last two only among statements of the same kind that are
    otherwise unmatched.
    """
    id_pairs: dict[StatementId, StatementId] = {}
    for id in before.statements:
        new_id = id if id in after.statements else _new_id_by_alias(id, after)
        if new_id is not None:
            id_pairs.setdefault(id, new_id)
    matched_ids = set(id_pairs.values())
    unmatched_old = [s for id, s in before.statements.items() if id not in id_pairs]
    unmatched_new = [s for id, s in after.statements.items() if id not in matched_ids]
    if unmatched_old and unmatched_new:
        id_pairs.update(_match_by_text(unmatched_old, unmatched_new))
    return id_pairs


def _new_id_by_alias(id: StatementId, after: Corpus) -> StatementId | None:
    """The present id of a statement whose id, or whose note's id, is now an alias."""
    aliased_id = after.aliases.get(id)
    if aliased_id in after.statements:
        return aliased_id
    note, mark, part = split_id(id)
    new_note = after.aliases.get(note) if mark else None
    id_in_note = part_id(new_note, part) if new_note else ""
    return id_in_note if id_in_note in after.statements else None


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
            if similarity >= LEAST_SIMILARITY:
                yield similarity, old.id, candidate.id


def _similarity_of_words(first_words: frozenset[str], second_words: frozenset[str]) -> float:
    all_words = first_words | second_words
    return len(first_words & second_words) / len(all_words) if all_words else 0.0
