"""Find what changed between two states of a corpus."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from kg.corpus import Corpus
from kg.history.changes import (
    Changes,
    IntegrityChange,
    LineChange,
    PlacementChange,
    StaleReview,
    StatementChange,
)
from kg.history.match_records import differing_edge_fields, match_edges, match_statements
from kg.history.moved_answers import find_moved_answers
from kg.model import Edge, EdgeId, LineId, Statement, StatementId, Status
from kg.queries.results.reported_result import captions_of

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


def diff(before: Corpus, after: Corpus) -> Changes:
    """Find what was added, removed and changed from `before` to `after`."""
    new_id_of = match_statements(before, after)
    changed = _statement_changes(before, after, new_id_of)
    new_edge_id_of = match_edges(before, after, new_id_of)
    old_edge_of = {new: before.edges_by_id[old] for old, new in new_edge_id_of.items()}
    removed = _not_among(new_id_of, before.statements)
    altered_ids = {*(change.id for change in changed), *removed}
    added = _not_among({*new_id_of.values()}, after.statements)
    return Changes(
        labels=captions_of(before, removed) | captions_of(after, (*added, *altered_ids)),
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
        verdicts=find_moved_answers(before, after, new_id_of),
        stale=_stale_reviews(before, after, altered_ids),
    )


def _not_among(known_ids: Container[str], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in known_ids)


def _statement_changes(
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
                    before=tuple(_describe_field(was, name) for name in fields),
                    after=tuple(_describe_field(present, name) for name in fields),
                    retired=is_retired,
                )
            )
    return tuple(sorted(changes, key=lambda change: after.statements[change.id].span))


def _changed_edges(
    after: Corpus, old_edge_of: Mapping[EdgeId, Edge], new_id_of: Mapping[StatementId, StatementId]
) -> tuple[Edge, ...]:
    return tuple(
        edge
        for edge in after.edges
        if edge.id in old_edge_of and differing_edge_fields(old_edge_of[edge.id], edge, new_id_of)
    )


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


def _describe_field(statement: Statement, field: str) -> str:
    """The value of a statement's field, in words."""
    value: Any = getattr(statement, field)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value in (None, "") else str(value)
