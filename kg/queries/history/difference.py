"""Find what changed between two states of a corpus."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_SILENT = {"id", "span", "note", "parent", "aliases", "created", "updated", "reviewed", "extra"}
_CITING_FIELDS = {
    "citations",
    "quotations",
}  # the sources matter, not where they are cited in the text
STATEMENT_FIELDS = (
    *(n for n in Statement.__struct_fields__ if n not in _SILENT | _CITING_FIELDS),
    "sources",
)
# an edge is identified by what it links, and by which relation
_KNOWN_BY = {"id", "source", "relation", "target", "span", "nested"}
EDGE_FIELDS = tuple(name for name in Edge.__struct_fields__ if name not in _KNOWN_BY)


def diff(before: Corpus, after: Corpus) -> Changes:
    """What was added, removed and changed from `before` to `after`."""
    new_id_of = match_statements(before, after)
    old_id_of = {new: old for old, new in new_id_of.items()}
    changed = _find_changes(before, after, new_id_of)
    new_edge_id_of = match_edges(before, after, new_id_of)
    old_edge_of = {new: before.edges_by_id[old] for old, new in new_edge_id_of.items()}
    removed = tuple(id for id in before.statements if id not in new_id_of)
    altered = {*(change.id for change in changed), *removed}
    added = tuple(id for id in after.statements if id not in old_id_of)
    return Changes(
        labels=labels_of(before, removed) | labels_of(after, (*added, *altered)),
        added=added,
        removed=removed,
        changed=changed,
        edges_added=tuple(edge for edge in after.edges if edge.id not in old_edge_of),
        edges_removed=tuple(edge for edge in before.edges if edge.id not in new_edge_id_of),
        edges_changed=tuple(
            edge
            for edge in after.edges
            if edge.id in old_edge_of and differing_fields(old_edge_of[edge.id], edge, new_id_of)
        ),
        sources_added=tuple(key for key in after.sources if key not in before.sources),
        sources_removed=tuple(key for key in before.sources if key not in after.sources),
        sources_flagged=_integrity_changes(before, after),
        lines_added=tuple(id for id in after.lines if id not in before.lines),
        lines_removed=tuple(id for id in before.lines if id not in after.lines),
        lines_changed=tuple(_line_changes(before, after, new_id_of)),
        placings=_placement_changes(before, after, new_id_of),
        verdicts=moved_verdicts(before, after, new_id_of),
        stale=_stale(before, after, altered),
    )


def _find_changes(
    before: Corpus, after: Corpus, now: Mapping[StatementId, StatementId]
) -> tuple[StatementChange, ...]:
    changes = []
    for old, new in now.items():
        was, present = before.statements[old], after.statements[new]
        fields = tuple(
            name for name in STATEMENT_FIELDS if getattr(was, name) != getattr(present, name)
        )
        if fields or old != new:
            retired = present.status is Status.RETIRED and was.status is not Status.RETIRED
            changes.append(
                StatementChange(
                    id=new,
                    was=old,
                    fields=fields,
                    before=tuple(describe_field(was, name) for name in fields),
                    after=tuple(describe_field(present, name) for name in fields),
                    retired=retired,
                )
            )
    return tuple(sorted(changes, key=lambda change: after.statements[change.id].span))


# -- edges ---------------------------------------------------------------------------------------


def match_edges(
    before: Corpus, after: Corpus, now: Mapping[StatementId, StatementId]
) -> Mapping[EdgeId, EdgeId]:
    """Map the ids of older edges to those of present ones with the same ends and relation.

    Of several such, those with the same name are matched first, then those equal in all fields,
    in their reason, or in their premises, then any, in the order of the notes.
    """
    id_pairs: dict[EdgeId, EdgeId] = {}
    for olds, news in zip_longest(_edges_by_tier(before), _edges_by_tier(after), fillvalue=()):
        alike: defaultdict[tuple[str, ...], tuple[list[Edge], list[Edge]]]
        alike = defaultdict(lambda: ([], []))
        for edge in olds:
            source, target = (now.get(end, end) for end in (edge.source, edge.target))
            if _denies_edge(before, edge):
                # if the edge is gone, do not use its old id: another edge may have it now
                target = id_pairs.get(edge.target, "")
            alike[source, edge.relation, target][0].append(edge)
        for edge in news:
            alike[edge.source, edge.relation, edge.target][1].append(edge)
        for old, new in alike.values():
            id_pairs.update(_pair_edges(old, new, now))
    return id_pairs


def _edges_by_tier(corpus: Corpus) -> Iterator[Sequence[Edge]]:
    """Yield the edges that do not target edges, then those that target these, and so on.

    So when a tier is matched, the edges that its own edges deny already are.
    """
    leading = [edge for edge in corpus.edges if _denies_edge(corpus, edge)]
    tier = [edge for edge in corpus.edges if not _denies_edge(corpus, edge)]
    while tier:
        yield tier
        ids = {edge.id for edge in tier}
        tier = [edge for edge in leading if edge.target in ids]


def _denies_edge(corpus: Corpus, edge: Edge) -> bool:
    return edge.target in corpus.edges_by_id and edge.target not in corpus.statements


def _pair_edges(
    olds: Iterable[Edge], news: Iterable[Edge], now: Mapping[StatementId, StatementId]
) -> Mapping[EdgeId, EdgeId]:
    """Pair edges that link the same statements."""
    id_pairs: dict[EdgeId, EdgeId] = {}
    for place in range(5):  # each of the marks, the most reliable first
        paired = set(id_pairs.values())
        waiting: defaultdict[object, deque[EdgeId]] = defaultdict(deque)
        for edge in news:
            if edge.id not in paired:
                waiting[_identifying_fields(edge, {})[place]].append(edge.id)
        for edge in olds:
            mark = _identifying_fields(edge, now)[place]
            if edge.id not in id_pairs and mark and waiting[mark]:
                id_pairs[edge.id] = waiting[mark].popleft()
    return id_pairs


def _identifying_fields(edge: Edge, now: Mapping[StatementId, StatementId]) -> tuple[object, ...]:
    unnamed = edge.id.startswith(f"{edge.source}--")
    name = "" if unnamed else part_name_of(edge.id)
    reads = tuple(_edge_value(edge, field, now) for field in EDGE_FIELDS)
    return name, reads, edge.reason, _edge_value(edge, "together", now), True


def _edge_value(edge: Edge, field: str, now: Mapping[StatementId, StatementId]) -> Any:
    if field == "together":
        return tuple(now.get(premise, premise) for premise in edge.together)
    return getattr(edge, field)


def differing_fields(
    old: Edge,
    new: Edge,
    now: Mapping[StatementId, StatementId],
    fields: Iterable[str] = EDGE_FIELDS,
) -> tuple[str, ...]:
    """The fields in which an edge differs from before."""
    return tuple(
        name for name in fields if _edge_value(old, name, now) != _edge_value(new, name, {})
    )


# -- sources and lines ---------------------------------------------------------------------------


def _integrity_changes(before: Corpus, after: Corpus) -> tuple[IntegrityChange, ...]:
    return tuple(
        IntegrityChange(
            source=key,
            before=was.integrity,
            after=source.integrity,
            resting=tuple(statement.id for statement in after.statements_citing.get(key, ())),
        )
        for key, source in after.sources.items()
        if (was := before.sources.get(key)) is not None and was.integrity is not source.integrity
    )


def _line_changes(
    before: Corpus, after: Corpus, now: Mapping[StatementId, StatementId]
) -> Iterable[LineChange]:
    for id, line in after.lines.items():
        was = before.lines.get(id)
        old = now.get(was.proposition or "", was.proposition or "") if was else ""
        for field, past, present in (
            (
                ("question", was.title, line.title),
                ("proposition", old, line.proposition or ""),
                ("answer if it holds", was.answers.holds, line.answers.holds),
                ("answer if it fails", was.answers.fails, line.answers.fails),
                ("answer if undecided", was.answers.undecided, line.answers.undecided),
                ("chief doubt", was.doubt, line.doubt),
            )
            if was
            else ()
        ):
            if past != present:
                yield LineChange(line=id, field=field, before=past or None, after=present or None)


def _placement_changes(
    before: Corpus, after: Corpus, now: Mapping[StatementId, StatementId]
) -> tuple[PlacementChange, ...]:
    old = {(p.line, now.get(p.statement, p.statement)): p.camp for p in before.placements}
    new = {(p.line, p.statement): p.camp for p in after.placements}
    lines = before.lines.keys() & after.lines.keys()
    return tuple(
        PlacementChange(line=line, statement=statement, before=was, after=present)
        for line, statement in dict.fromkeys((*old, *new))
        if line in lines
        and (was := old.get((line, statement))) != (present := new.get((line, statement)))
    )


def _stale(before: Corpus, after: Corpus, altered: set[StatementId]) -> tuple[StaleReview, ...]:
    """Lines not reviewed since then that mention statements which changed or are gone."""
    stale_reviews = []
    for id, line in after.lines.items():
        was = before.lines.get(id)
        if was is None or was.reviewed != line.reviewed:
            continue
        mentioned = dict.fromkeys(
            (*_statements_mentioned_in(before, id), *_statements_mentioned_in(after, id))
        )
        because = tuple(each for each in mentioned if each in altered)
        if because:
            stale_reviews.append(StaleReview(line=id, reviewed=line.reviewed, because=because))
    return tuple(stale_reviews)


def _statements_mentioned_in(corpus: Corpus, line: LineId) -> Iterable[StatementId]:
    """The proposition of a line, and the statements that it places or links in its essay."""
    line_record = corpus.lines[line]
    if line_record.proposition:
        yield line_record.proposition
    for place in line_record.placements:
        yield place.statement
    for mention in corpus.mentions:
        if mention.origin == line:
            yield mention.target


def describe_field(statement: Statement, field: str) -> str:
    """The value of a statement's field, in words."""
    value: Any = getattr(statement, field)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value in (None, "") else str(value)


SAME_TITLE = 2.0  # similarity of an equal title: more than that of any texts, which is at most 1
LEAST_SIMILARITY = (
    0.6  # share of common words from which two texts count as one statement rewritten
)
_WORD = re.compile(r"\w+")


def match_statements(before: Corpus, after: Corpus) -> Mapping[StatementId, StatementId]:
    """Map the ids of older statements that still exist to their present ids.

    Statements are matched by id, then by alias (of the statement, or of its note), then by title,
    then by the most similar text; the last two only among statements of the same kind that are
    otherwise unmatched.
    """
    id_pairs: dict[StatementId, StatementId] = {}
    for id in before.statements:
        now = id if id in after.statements else _by_alias(id, after)
        if now is not None:
            id_pairs.setdefault(id, now)
    matched = set(id_pairs.values())
    lost = [s for id, s in before.statements.items() if id not in id_pairs]
    new = [s for id, s in after.statements.items() if id not in matched]
    if lost and new:
        id_pairs.update(_by_text(lost, new))
    return id_pairs


def _by_alias(id: StatementId, after: Corpus) -> StatementId | None:
    """The present id of a statement whose id, or whose note's id, is now an alias."""
    known = after.aliases.get(id)
    if known in after.statements:
        return known
    note, mark, part = split_id(id)
    moved = after.aliases.get(note) if mark else None
    inside = part_id(moved, part) if moved else ""
    return inside if inside in after.statements else None


def _by_text(lost: list[Statement], new: list[Statement]) -> dict[StatementId, StatementId]:
    """Pairs with the same title, then pairs with similar text, the most similar first."""
    id_pairs: dict[StatementId, StatementId] = {}
    pairs = sorted(_pairs(lost, new), key=lambda pair: (-pair[0], pair[1], pair[2]))
    matched: set[StatementId] = set()
    for _, old, now in pairs:
        if old not in id_pairs and now not in matched:
            id_pairs[old] = now
            matched.add(now)
    return id_pairs


def _pairs(
    lost: list[Statement], new: list[Statement]
) -> Iterable[tuple[float, StatementId, StatementId]]:
    """Pairs of similar statements, with their similarity."""
    words = {s.id: frozenset(_WORD.findall(f"{s.title} {s.body}".casefold())) for s in new}
    holding = group_by_each(new, lambda statement: words[statement.id])
    for old in lost:
        mine = frozenset(_WORD.findall(f"{old.title} {old.body}".casefold()))
        near = {s.id: s for word in mine for s in holding.get(word, ()) if s.kind is old.kind}
        for now in near.values():
            same_title = now.title == old.title
            likeness = SAME_TITLE if same_title else _similarity(mine, words[now.id])
            if likeness >= LEAST_SIMILARITY:
                yield likeness, old.id, now.id


def _similarity(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
