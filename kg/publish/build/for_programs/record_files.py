"""All complete records as data files, with many records each, in JSON and packed Turtle."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from kg.corpus.note_records import NoteRecords, empty_note
from kg.model import CampPlacement, Edge, InquiryLine, Source, Statement, Value
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.linked_data import iri_of
from kg.rdf.quads import note_triples
from kg.rdf.turtle import render_turtle
from kg.reasoning.answers.verdict import Verdict


class EdgeRecord(Value, frozen=True, omit_defaults=False):
    """An edge in the record of a statement."""

    id: str
    origin: str
    relation: str
    together: tuple[str, ...]
    target: str
    reason: str


class StatementRecord(Value, frozen=True, omit_defaults=False):
    """A statement, with what bears on it."""

    iri: str
    statement: Statement
    strength: float | None
    verdict: str
    edges: tuple[EdgeRecord, ...]
    edges_to_it: tuple[EdgeRecord, ...]
    placements: tuple[CampPlacement, ...]


class LineRecord(Value, frozen=True):
    """An inquiry line; without a verdict if it weighs nothing."""

    iri: str
    line: InquiryLine
    verdict: Verdict | None = None


class SourceRecord(Value, frozen=True, omit_defaults=False):
    """A source, and the statements that cite it."""

    iri: str
    source: Source
    cited_by: tuple[str, ...]


RECORD_TYPES_OF_FILES = {
    "statements": StatementRecord,
    "lines": LineRecord,
    "sources": SourceRecord,
}


class DataFile(Value, frozen=True):
    """A data file, made on demand; `about` is as in a `LazyPage`."""

    url: str
    make: Callable[[], str | bytes]
    about: tuple[str, str]


def all_record_files(context: SiteContext) -> Iterator[DataFile]:
    """Yield every file of records: as JSON, by id, and as Turtle, packed since programs alone read
    it.
    """
    for name, ids in context.record_files.items():
        about = ("record_files", name)
        yield DataFile(f"{name}.json", partial(_json_of_records, context, ids), about)
        yield DataFile(f"{name}.ttl.gz", partial(_turtle_of_records, context, ids), about)


def _json_of_records(context: SiteContext, ids: Sequence[str]) -> str:
    return msgspec.json.encode({id: _published_record(context, id) for id in ids}).decode() + "\n"


def _published_record(context: SiteContext, id: str) -> StatementRecord | LineRecord | SourceRecord:
    corpus = context.corpus
    if id in corpus.statements:
        standing = context.standings.of(id)
        return StatementRecord(
            iri=iri_of(corpus, id),
            statement=context.statements_with_bodies[id],
            strength=standing.strength,
            verdict=standing.answer_phrase if standing.quality is None else standing.word,
            edges=tuple(map(_edge_record, corpus.edges_from.get(id, ()))),
            edges_to_it=tuple(map(_edge_record, corpus.edges_to.get(id, ()))),
            placements=corpus.placements_of.get(id, ()),
        )
    if id in corpus.lines:
        verdict = context.answers.verdict(id)
        return LineRecord(iri=iri_of(corpus, id), line=corpus.lines[id], verdict=verdict)
    citing = tuple(each.id for each in corpus.statements_citing.get(id, ()))
    return SourceRecord(iri=iri_of(corpus, id), source=corpus.sources[id], cited_by=citing)


def _edge_record(edge: Edge) -> EdgeRecord:
    return EdgeRecord(
        id=edge.id,
        origin=edge.origin,
        relation=edge.relation,
        together=edge.together,
        target=edge.target,
        reason=edge.reason,
    )


def _turtle_of_records(context: SiteContext, ids: Sequence[str]) -> bytes:
    corpus = context.corpus
    triples = (triple for id in ids for triple in note_triples(corpus, _note_records(context, id)))
    text = render_turtle(triples, corpus.config.base_iri)
    return gzip.compress(text.encode("utf-8"), mtime=0)


def _note_records(context: SiteContext, id: str) -> NoteRecords:
    """A record for linked data: a statement with its own edges, a line, or a source."""
    corpus = context.corpus
    if id in corpus.statements:
        statement = context.statements_with_bodies[id]
        edges = list(corpus.edges_from.get(id, ()))
        return empty_note(statement.path)._replace(statements=[statement], edges=edges)
    if id in corpus.lines:
        line = corpus.lines[id]
        return empty_note(line.span.path)._replace(lines=[line])
    source = corpus.sources[id]
    return empty_note(source.span.path)._replace(sources=[source])
