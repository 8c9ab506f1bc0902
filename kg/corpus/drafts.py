"""Remove drafts from a corpus: what has `status: draft`, and the placeholder of a new note, is kept
from verdicts, exports and the site.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace as with_fields

from kg.corpus.corpus import Corpus, CorpusRecords
from kg.corpus.note_records import NoteRecords
from kg.grouping import group_by
from kg.model import Citation, Edge, InquiryLine, Span, Statement, Status
from kg.model.ids import is_part, split_id
from kg.notes.markdown import WIKI_OR_MARKDOWN_LINK, find_target
from kg.notes.new_note import PLACEHOLDER_TITLE, PLACEHOLDERS
from kg.reachability import walk_from
from kg.text.folding import compose_accents

_LINK_OR_EMBED = re.compile(rf"!?(?:{WIKI_OR_MARKDOWN_LINK.pattern})")
_UNNAMED = "a draft"  # replaces a link that has no text but its target


def find_drafts(corpus: Corpus) -> dict[str, Statement | InquiryLine]:
    """Find all drafts by id: what is marked as one or not filled in, and all statements in it."""
    return drafts_among(corpus.lines.values(), corpus.statements.values())


def drafts_among(
    lines: Iterable[InquiryLine], statements: Iterable[Statement]
) -> dict[str, Statement | InquiryLine]:
    """The drafts among the records of some notes."""
    drafts_by_id: dict[str, Statement | InquiryLine] = {
        line.id: line for line in lines if line.status is Status.DRAFT
    }
    for statement in statements:  # a parent comes before its parts
        containers = (statement.parent, statement.note)
        if (
            statement.status is Status.DRAFT
            or _is_placeholder(statement)
            or any(name in drafts_by_id for name in containers)
        ):
            drafts_by_id[statement.id] = statement
    return drafts_by_id


def _is_placeholder(statement: Statement) -> bool:
    """Return whether nothing of a new note's evidence is filled in. It still cites the key that
    `kg check` asks to replace, so it is never left out without a word.
    """
    return statement.title == PLACEHOLDER_TITLE and not PLACEHOLDERS.keys().isdisjoint(
        statement.sources
    )


class DraftsLost(NamedTuple):
    """The drafts of a corpus, and what is lost with them."""

    ids: Container[str]
    edge_ids: Container[str]  # of the edges from or to them
    names: Mapping[str, str]  # their ids, by the names that links have for them
    paths: Container[str]  # of the notes that are drafts as a whole


def without_drafts(corpus: Corpus) -> Corpus:
    """The corpus as if its drafts, and all that leads to or from them, had not been written.

    Its `drafts` are the names of those left out, so that links to them are recognised. Such links
    are replaced by their words.
    """
    drafts_by_id = find_drafts(corpus)
    # a note whose id a draft has taken stays among the problems: it is left out of the corpus
    unread_paths = {
        each.span.path for each in corpus.duplicates if each.is_draft and not is_part(each.id)
    }
    if not drafts_by_id and not unread_paths:
        return replace(corpus, drafts={})
    paths = {id: draft.span.path for id, draft in drafts_by_id.items()}
    lost = DraftsLost(
        drafts_by_id,
        lost_edges(corpus.edges, drafts_by_id),
        names_of_drafts(paths, corpus.aliases),
        paths_of_draft_notes(paths) | unread_paths,
    )
    changed_fields: dict[str, Any] = {
        each.name: _FILTERS[each.name].rest_of(getattr(corpus, each.name), lost)
        for each in fields(CorpusRecords)
    }
    return replace(
        corpus,
        **changed_fields,
        aliases={name: id for name, id in corpus.aliases.items() if id not in lost.ids},
        best_guess=None,
        drafts=lost.names,
    )


def note_without_drafts(note: NoteRecords, lost: DraftsLost) -> NoteRecords:
    """The records of a note as `without_drafts` leaves them."""
    changed_fields: dict[str, Any] = {
        field: _FILTERS[field].rest_of(getattr(note, field), lost)
        for field in note._fields
        if field in _FILTERS
    }
    names = [(name, id) for name, id in note.names if id not in lost.ids]
    return note._replace(**changed_fields, names=names)


def names_of_drafts(paths: Mapping[str, str], aliases: Mapping[str, str]) -> dict[str, str]:
    """The ids of drafts by all names that links may give them; `paths` are those of their notes.

    A Markdown link names a note by `/` and its path (`find_target`).
    """
    names = {id: id for id in paths}
    names |= {name: id for name, id in aliases.items() if id in paths}
    return names | {f"/{path}": id for id, path in paths.items() if not is_part(id)}


def paths_of_draft_notes(paths: Mapping[str, str]) -> frozenset[str]:
    """The paths of the notes that are drafts as a whole.

    `paths` are the notes of all drafts, by id: of `{"a": "a.md", "b#part": "b.md"}`, only `a.md`.
    """
    return frozenset(path for id, path in paths.items() if not is_part(id))


def without_links(text: str, path: str, draft_names: Mapping[str, str]) -> str:
    """A text of the file at `path`, with links to drafts replaced by the words that they show."""

    def words(link: re.Match[str]) -> str:
        is_wiki_link = link["name"] is not None
        target = (
            find_target(link["name"] if is_wiki_link else link["address"], is_wiki_link, path) or ""
        )
        name, _, block = split_id(compose_accents(target))
        if name not in draft_names and f"{name}#{block.removeprefix('^')}" not in draft_names:
            return link[0]
        return link["words"] or link["text"] or _UNNAMED

    return _LINK_OR_EMBED.sub(words, text)


def _without_links(record: Any, lost: DraftsLost) -> Any:
    """A record without links to drafts in its texts."""
    path: str = record.span.path
    return _with_changed_texts(record, lambda text: without_links(text, path, lost.names))


def _with_changed_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A value with `change` applied to each text in it; a record itself if none changes."""
    if isinstance(value, str):
        return change(value) if "](" in value or "[[" in value else value
    if type(value) is tuple:
        return tuple([_with_changed_texts(each, change) for each in value])
    if type(value) is dict:
        return {key: _with_changed_texts(each, change) for key, each in value.items()}
    if not isinstance(value, Struct) or isinstance(value, (Citation, Span)):  # no links
        return value
    changed_fields = {}
    for name in value.__struct_fields__:
        if (field := getattr(value, name)) and (
            changed_field := _with_changed_texts(field, change)
        ) != field:
            changed_fields[name] = changed_field
    return with_fields(value, **changed_fields) if changed_fields else value


def lost_edges(edges: Iterable[Edge], draft_ids: Container[str]) -> set[str]:
    """The ids of edges of which an end is gone; an undercut is lost with its target edge."""
    edges = tuple(edges)
    edges_by_target = group_by(edges, attrgetter("target"))
    lost = (e.id for e in edges if any(id in draft_ids for id in (*e.premises, e.target)))
    return {*walk_from(lost, lambda id: [each.id for each in edges_by_target.get(id, ())])}


def _line_without(line: InquiryLine, draft_ids: Container[str]) -> InquiryLine:
    return with_fields(
        line,
        proposition=None if line.proposition in draft_ids else line.proposition,
        placements=tuple(p for p in line.placements if p.statement not in draft_ids),
        next=tuple(next_step for next_step in line.next if next_step.target not in draft_ids),
    )


class _RecordFilter(NamedTuple):
    """A filter of the records of a field: which are lost with the drafts, and what is left of the
    others.
    """

    is_lost: Callable[[Any, DraftsLost], bool]
    rest_of_record: Callable[[Any, DraftsLost], Any] = lambda record, lost: record

    def rest_of(self, records: Any, lost: DraftsLost) -> Any:
        """Return the mapping, tuple or list without the records that are lost with the drafts."""
        if isinstance(records, Mapping):
            return {
                key: self.rest_of_record(record, lost)
                for key, record in records.items()
                if not self.is_lost(record, lost)
            }
        rest = [
            self.rest_of_record(record, lost)
            for record in records
            if not self.is_lost(record, lost)
        ]
        return rest if isinstance(records, list) else tuple(rest)


# of each field of `CorpusRecords`: for one that is not here, `without_drafts` raises `KeyError`
_FILTERS: Mapping[str, _RecordFilter] = {
    "statements": _RecordFilter(lambda statement, lost: statement.id in lost.ids, _without_links),
    "lines": _RecordFilter(
        lambda line, lost: line.id in lost.ids,
        lambda line, lost: _without_links(_line_without(line, lost.ids), lost),
    ),
    "edges": _RecordFilter(lambda edge, lost: edge.id in lost.edge_ids, _without_links),
    "sources": _RecordFilter(lambda source, lost: False, _without_links),
    "terms": _RecordFilter(lambda term, lost: False, _without_links),
    "mentions": _RecordFilter(
        lambda mention, lost: (
            mention.origin in lost.ids
            or mention.target in lost.ids
            or mention.target in lost.edge_ids
        ),
        _without_links,
    ),
    "diagnostics": _RecordFilter(lambda problem, lost: problem.span.path in lost.paths),
    "duplicates": _RecordFilter(lambda duplicate, lost: duplicate.is_draft),
    "unresolved_edges": _RecordFilter(lambda link, lost: link.edge.origin in lost.ids),
    "dead_links": _RecordFilter(lambda link, lost: link.origin in lost.ids),
    "loose_links": _RecordFilter(lambda link, lost: link.origin in lost.ids),
    "files": _RecordFilter(lambda link, lost: link.origin in lost.ids),
}
