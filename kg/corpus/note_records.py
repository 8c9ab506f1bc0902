"""The records of a corpus note by note, and what one note's graph says of others' records."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple, Protocol

from kg.corpus.corpus import Corpus
from kg.model import CampId, Edge, InquiryLine, Mention, Source, Span, Statement, StatementId
from kg.model.settings.config import Config


class KnownRecord(Protocol):
    """A record as other notes need it: its place, and its other names."""

    @property
    def span(self) -> Span: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...


class NoteContext(Protocol):
    """The parts of the corpus that the graph of a note needs besides the note's own records."""

    @property
    def config(self) -> Config: ...
    @property
    def statements(self) -> Mapping[StatementId, KnownRecord]: ...
    @property
    def lines(self) -> Container[str]: ...
    @property
    def sources(self) -> Container[str]: ...
    @property
    def default_camps(self) -> Mapping[StatementId, CampId]: ...


class NoteRecords(NamedTuple):
    """The records that one note contributes: the content of its graph."""

    path: str
    statements: list[Statement]
    lines: list[InquiryLine]
    sources: list[Source]
    edges: list[Edge]
    mentions: list[Mention]
    names: list[tuple[str, str]]
    """Names besides aliases by which links find records of the note: (name, id)."""

    def sort(self) -> None:
        """Put the records in order, since a corpus read from RDF may have another order than one
        from notes, but must give equal quads.
        """
        self.statements.sort(key=lambda statement: (statement.span, statement.id))
        self.edges.sort(key=lambda edge: (edge.span, edge.id))
        self.mentions.sort(key=lambda mention: (mention.span, mention.origin))
        self.names.sort()


def empty_note(path: str) -> NoteRecords:
    """The records of a note that contributes nothing yet."""
    return NoteRecords(path, statements=[], lines=[], sources=[], edges=[], mentions=[], names=[])


def records_by_note(corpus: Corpus) -> list[NoteRecords]:
    """The corpus split by note, in the order of paths."""
    by_path: dict[str, NoteRecords] = {}

    def records_at(span: Span) -> NoteRecords:
        if span.path not in by_path:
            by_path[span.path] = empty_note(span.path)
        return by_path[span.path]

    for statement in corpus.statements.values():
        records_at(statement.span).statements.append(statement)
    for line in corpus.lines.values():
        records_at(line.span).lines.append(line)
    for source in corpus.sources.values():
        records_at(source.span).sources.append(source)
    for edge in corpus.edges:
        records_at(edge.span).edges.append(edge)
    for mention in corpus.mentions:
        records_at(mention.span).mentions.append(mention)
    for name, id in corpus.aliases.items():
        if (record := corpus.record(id)) is not None and name not in record.aliases:
            records_at(record.span).names.append((name, id))
    for records in by_path.values():
        records.sort()
    return [by_path[path] for path in sorted(by_path)]
