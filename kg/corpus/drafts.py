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
    found: dict[str, Statement | InquiryLine] = {
        id: line for id, line in corpus.lines.items() if line.status is Status.DRAFT
    }
    for id, statement in corpus.statements.items():  # a parent comes before its parts
        around = (statement.parent, statement.note)
        if statement.status is Status.DRAFT or any(name in found for name in around):
            found[id] = statement
    return found


def without_drafts(corpus: Corpus) -> Corpus:
    """The corpus as if its drafts, and all that leads to or from them, had not been written.

    Its `drafts` are the names of those left out, so that links to them are recognised. Such links
    are replaced by their words.
    """
    gone = find_drafts(corpus)
    if not gone:
        return replace(corpus, drafts={})
    paths = {draft.span.path for id, draft in gone.items() if not is_part(id)}
    edges = _remaining_edges(corpus.edges, gone)
    drafts = {id: id for id in gone}
    drafts |= {name: id for name, id in corpus.aliases.items() if id in gone}
    drafts |= {f"/{draft.span.path}": id for id, draft in gone.items() if not is_part(id)}
    left = {id: s for id, s in corpus.statements.items() if id not in gone}
    lines = {id: _line_without(line, gone) for id, line in corpus.lines.items() if id not in gone}
    unmade = gone.keys() | ({edge.id for edge in corpus.edges} - {edge.id for edge in edges})
    return replace(
        corpus,
        statements={id: _without_links_to(s, drafts) for id, s in left.items()},
        edges=tuple(_without_links_to(edge, drafts) for edge in edges),
        lines={id: _without_links_to(line, drafts) for id, line in lines.items()},
        sources={key: _without_links_to(source, drafts) for key, source in corpus.sources.items()},
        terms=tuple(_without_links_to(term, drafts) for term in corpus.terms),
        mentions=tuple(
            _without_links_to(m, drafts)
            for m in corpus.mentions
            if m.origin not in gone and m.target not in unmade
        ),
        aliases={name: id for name, id in corpus.aliases.items() if id not in gone},
        diagnostics=tuple(d for d in corpus.diagnostics if d.span.path not in paths),
        unresolved=tuple(u for u in corpus.unresolved if u.edge.source not in gone),
        duplicates=tuple(d for d in corpus.duplicates if d.span.path not in paths),
        dead_links=tuple(m for m in corpus.dead_links if m.origin not in gone),
        loose_links=tuple(m for m in corpus.loose_links if m.origin not in gone),
        files=tuple(link for link in corpus.files if link.origin not in gone),
        best_guess=None,
        drafts=drafts,
    )


def without_links(text: str, path: str, drafts: Mapping[str, str]) -> str:
    """A text of the file at `path`, with links to drafts replaced by the words that they show."""

    def words(link: re.Match[str]) -> str:
        wiki = link["name"] is not None
        target = find_target(link["name"] if wiki else link["address"], wiki, path) or ""
        name, _, block = split_id(compose_accents(target))
        if name not in drafts and f"{name}#{block.removeprefix('^')}" not in drafts:
            return link[0]
        return link["said"] or link["words"] or _UNNAMED

    return _WIKI_OR_MARKDOWN_LINK.sub(words, text)


def _without_links_to(record: _Record, drafts: Mapping[str, str]) -> _Record:
    """A record without links to drafts in its texts."""
    path: str = record.span.path  # type: ignore[attr-defined]
    new: _Record = _with_changed_texts(record, lambda text: without_links(text, path, drafts))
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
    new = {}
    for name in value.__struct_fields__:
        if (field := getattr(value, name)) and (
            made := _with_changed_texts(field, change)
        ) != field:
            new[name] = made
    return with_fields(value, **new) if new else value


def _remaining_edges(edges: Iterable[Edge], gone: Container[str]) -> tuple[Edge, ...]:
    """The edges whose ends remain; an undercut is removed with its target edge."""
    leading = group_by(edges, attrgetter("target"))
    waiting = [e for e in edges if any(id in gone for id in (e.source, e.target, *e.together))]
    lost: set[str] = set()
    while waiting:
        edge = waiting.pop()
        if edge.id not in lost:
            lost.add(edge.id)
            waiting += leading.get(edge.id, ())
    return tuple(edge for edge in edges if edge.id not in lost)


def _line_without(line: InquiryLine, gone: Container[str]) -> InquiryLine:
    return with_fields(
        line,
        proposition=None if line.proposition in gone else line.proposition,
        placements=tuple(p for p in line.placements if p.statement not in gone),
        next=tuple(step for step in line.next if step.target not in gone),
    )
