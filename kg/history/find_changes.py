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


def diff(old_corpus: Corpus, new_corpus: Corpus) -> Changes:
    """Find what was added, removed and changed from `old_corpus` to `new_corpus`."""
    new_id_of = match_statements(old_corpus, new_corpus)
    changed = _statement_changes(old_corpus, new_corpus, new_id_of)
    new_edge_id_of = match_edges(old_corpus, new_corpus, new_id_of)
    old_edge_of = {new: old_corpus.edges_by_id[old] for old, new in new_edge_id_of.items()}
    removed = _not_among(new_id_of, old_corpus.statements)
    altered_ids = {*(change.id for change in changed), *removed}
    added = _not_among({*new_id_of.values()}, new_corpus.statements)
    return Changes(
        captions=captions_of(old_corpus, removed) | captions_of(new_corpus, (*added, *altered_ids)),
        added=added,
        removed=removed,
        changed=changed,
        edges_added=tuple(edge for edge in new_corpus.edges if edge.id not in old_edge_of),
        edges_removed=tuple(edge for edge in old_corpus.edges if edge.id not in new_edge_id_of),
        edges_changed=_changed_edges(new_corpus, old_edge_of, new_id_of),
        sources_added=_not_among(old_corpus.sources, new_corpus.sources),
        sources_removed=_not_among(new_corpus.sources, old_corpus.sources),
        sources_flagged=tuple(_integrity_changes(old_corpus, new_corpus)),
        lines_added=_not_among(old_corpus.lines, new_corpus.lines),
        lines_removed=_not_among(new_corpus.lines, old_corpus.lines),
        lines_changed=tuple(_line_changes(old_corpus, new_corpus, new_id_of)),
        placings=_placement_changes(old_corpus, new_corpus, new_id_of),
        verdicts=find_moved_answers(old_corpus, new_corpus, new_id_of),
        stale=_stale_reviews(old_corpus, new_corpus, altered_ids),
    )


def _not_among(known_ids: Container[str], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in known_ids)


def _statement_changes(
    old_corpus: Corpus, new_corpus: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[StatementChange, ...]:
    changes = []
    for old, new in new_id_of.items():
        was = old_corpus.statements[old]
        present = new_corpus.statements[new]
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
                    values_before=tuple(_describe_field(was, name) for name in fields),
                    values_after=tuple(_describe_field(present, name) for name in fields),
                    retired=is_retired,
                )
            )
    return tuple(sorted(changes, key=lambda change: new_corpus.statements[change.id].span))


def _changed_edges(
    new_corpus: Corpus,
    old_edge_of: Mapping[EdgeId, Edge],
    new_id_of: Mapping[StatementId, StatementId],
) -> tuple[Edge, ...]:
    return tuple(
        edge
        for edge in new_corpus.edges
        if edge.id in old_edge_of and differing_edge_fields(old_edge_of[edge.id], edge, new_id_of)
    )


def _integrity_changes(old_corpus: Corpus, new_corpus: Corpus) -> Iterator[IntegrityChange]:
    for key, source in new_corpus.sources.items():
        was = old_corpus.sources.get(key)
        if was is not None and was.integrity is not source.integrity:
            yield IntegrityChange(
                source=key,
                integrity_before=was.integrity,
                integrity_after=source.integrity,
                resting=tuple(
                    statement.id for statement in new_corpus.statements_citing.get(key, ())
                ),
            )


def _line_changes(
    old_corpus: Corpus, new_corpus: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> Iterable[LineChange]:
    for id, line in new_corpus.lines.items():
        was = old_corpus.lines.get(id)
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
                yield LineChange(
                    line=id, field=field, text_before=past or None, text_after=present or None
                )


def _placement_changes(
    old_corpus: Corpus, new_corpus: Corpus, new_id_of: Mapping[StatementId, StatementId]
) -> tuple[PlacementChange, ...]:
    old_camps = {
        (p.line, new_id_of.get(p.statement, p.statement)): p.camp for p in old_corpus.placements
    }
    new_camps = {(p.line, p.statement): p.camp for p in new_corpus.placements}
    line_ids = old_corpus.lines.keys() & new_corpus.lines.keys()
    return tuple(
        PlacementChange(line=line_id, statement=statement, camp_before=was, camp_after=present)
        for line_id, statement in dict.fromkeys((*old_camps, *new_camps))
        if line_id in line_ids
        and (was := old_camps.get((line_id, statement)))
        != (present := new_camps.get((line_id, statement)))
    )


def _stale_reviews(
    old_corpus: Corpus, new_corpus: Corpus, altered_ids: set[StatementId]
) -> tuple[StaleReview, ...]:
    """Lines not reviewed since then that mention statements which changed or are gone."""
    stale_reviews = []
    for id, line in new_corpus.lines.items():
        was = old_corpus.lines.get(id)
        if was is None or was.reviewed != line.reviewed:
            continue
        mentioned_ids = dict.fromkeys(
            (*_statements_of_line(old_corpus, id), *_statements_of_line(new_corpus, id))
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
