"""Remove drafts from a corpus: `status: draft` keeps them from verdicts, exports and the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace as with_fields

from kg.corpus.corpus import Corpus
from kg.corpus.grouping import group_by
from kg.corpus.note_records import NoteRecords
from kg.model import Citation, Edge, InquiryLine, Span, Statement, Status
from kg.model.ids import is_part, split_id
from kg.notes.markdown.inline_syntax import find_target
from kg.text.folding import compose_accents

_WIKI_OR_MARKDOWN_LINK = re.compile(
    r"!?\[\[(?P<name>[^\[\]|\n]+)(?:\|(?P<said>[^\[\]\n]*))?\]\]"
    r"|!?\[(?P<words>[^\[\]\n]*)\]\(<?(?P<address>[^()<>\n]+?)>?\)"
)
_Record = TypeVar("_Record", bound=Struct)
_UNNAMED = "a draft"  # replaces a link that has no text but its target


def find_drafts(corpus: Corpus) -> dict[str, Statement | InquiryLine]:
    """Every draft by id: what is marked as one, and all statements in it."""
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
        if statement.status is Status.DRAFT or any(name in drafts_by_id for name in containers):
            drafts_by_id[statement.id] = statement
    return drafts_by_id


def without_drafts(corpus: Corpus) -> Corpus:
    """The corpus as if its drafts, and all that leads to or from them, had not been written.

    Its `drafts` are the names of those left out, so that links to them are recognised. Such links
    are replaced by their words.
    """
    drafts_by_id = find_drafts(corpus)
    if not drafts_by_id:
        return replace(corpus, drafts={})
    paths = {draft.span.path for id, draft in drafts_by_id.items() if not is_part(id)}
    lost_edge_ids = lost_edges(corpus.edges, drafts_by_id)
    draft_names = names_of_drafts(
        {id: draft.span.path for id, draft in drafts_by_id.items()}, corpus.aliases
    )
    statements = {id: s for id, s in corpus.statements.items() if id not in drafts_by_id}
    lines = {
        id: _line_without(line, drafts_by_id)
        for id, line in corpus.lines.items()
        if id not in drafts_by_id
    }
    lost_ids = drafts_by_id.keys() | lost_edge_ids
    return replace(
        corpus,
        statements={id: _without_links_to(s, draft_names) for id, s in statements.items()},
        edges=tuple(
            _without_links_to(e, draft_names) for e in corpus.edges if e.id not in lost_edge_ids
        ),
        lines={id: _without_links_to(line, draft_names) for id, line in lines.items()},
        sources={
            key: _without_links_to(source, draft_names) for key, source in corpus.sources.items()
        },
        terms=tuple(_without_links_to(term, draft_names) for term in corpus.terms),
        mentions=tuple(
            _without_links_to(m, draft_names)
            for m in corpus.mentions
            if m.origin not in drafts_by_id and m.target not in lost_ids
        ),
        aliases={name: id for name, id in corpus.aliases.items() if id not in drafts_by_id},
        diagnostics=tuple(d for d in corpus.diagnostics if d.span.path not in paths),
        unresolved=tuple(u for u in corpus.unresolved if u.edge.source not in drafts_by_id),
        duplicates=tuple(d for d in corpus.duplicates if d.span.path not in paths),
        dead_links=tuple(m for m in corpus.dead_links if m.origin not in drafts_by_id),
        loose_links=tuple(m for m in corpus.loose_links if m.origin not in drafts_by_id),
        files=tuple(link for link in corpus.files if link.origin not in drafts_by_id),
        best_guess=None,
        drafts=draft_names,
    )


def note_without_drafts(
    note: NoteRecords,
    draft_ids: Container[str],
    lost_edge_ids: Container[str],
    draft_names: Mapping[str, str],
) -> NoteRecords:
    """The records of a note as `without_drafts` leaves them: without these drafts and edges, and
    with links to `draft_names` replaced by their words.
    """
    lines = [_line_without(line, draft_ids) for line in note.lines if line.id not in draft_ids]
    mentions = [m for m in note.mentions if m.origin not in draft_ids and m.target not in draft_ids]
    return NoteRecords(
        path=note.path,
        statements=[
            _without_links_to(s, draft_names) for s in note.statements if s.id not in draft_ids
        ],
        lines=[_without_links_to(line, draft_names) for line in lines],
        sources=[_without_links_to(source, draft_names) for source in note.sources],
        edges=[
            _without_links_to(edge, draft_names)
            for edge in note.edges
            if edge.id not in lost_edge_ids
        ],
        mentions=[_without_links_to(mention, draft_names) for mention in mentions],
        names=[(name, id) for name, id in note.names if id not in draft_ids],
    )


def names_of_drafts(paths: Mapping[str, str], aliases: Mapping[str, str]) -> dict[str, str]:
    """The ids of drafts by all names that links may give them; `paths` are those of their notes."""
    names = {id: id for id in paths}
    names |= {name: id for name, id in aliases.items() if id in paths}
    return names | {f"/{path}": id for id, path in paths.items() if not is_part(id)}


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
        return link["said"] or link["words"] or _UNNAMED

    return _WIKI_OR_MARKDOWN_LINK.sub(words, text)


def _without_links_to(record: _Record, draft_names: Mapping[str, str]) -> _Record:
    """A record without links to drafts in its texts."""
    path: str = record.span.path  # type: ignore[attr-defined]
    new: _Record = _with_changed_texts(record, lambda text: without_links(text, path, draft_names))
    return new


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
    waiting = [e for e in edges if any(id in draft_ids for id in (e.source, e.target, *e.together))]
    lost_edge_ids: set[str] = set()
    while waiting:
        edge = waiting.pop()
        if edge.id not in lost_edge_ids:
            lost_edge_ids.add(edge.id)
            waiting += edges_by_target.get(edge.id, ())
    return lost_edge_ids


def _line_without(line: InquiryLine, draft_ids: Container[str]) -> InquiryLine:
    return with_fields(
        line,
        proposition=None if line.proposition in draft_ids else line.proposition,
        placements=tuple(p for p in line.placements if p.statement not in draft_ids),
        next=tuple(step for step in line.next if step.target not in draft_ids),
    )
