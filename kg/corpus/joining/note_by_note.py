"""Join notes one after the other: what each contributes, while all of them are on disk.

Held in memory are names, sources, lines, and the ids of edges, not what notes say. The first pass
gathers the names to which links may lead; the second, only if there are undercuts or drafts, the
edges that undercuts lead to and that drafts take away; the third gives the records of each note.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import chain, takewhile
from operator import attrgetter
from typing import BinaryIO, NamedTuple

import msgspec

from kg.corpus.corpus import Corpus
from kg.corpus.drafts import (
    DraftsLost,
    drafts_among,
    lost_edges,
    names_of_drafts,
    note_without_drafts,
    paths_of_draft_notes,
)
from kg.corpus.joining.join_records import (
    Records,
    source_keys_by_alias,
    with_known_methods,
    with_source_keys,
)
from kg.corpus.joining.resolve_links import LinkResolver
from kg.corpus.names.linkable_names import LinkableNames, NoteName
from kg.corpus.note_records import KnownRecord, NoteRecords
from kg.grouping import group_by
from kg.model import CampId, Edge, InquiryLine, Mention, Relation, Source, Span, StatementId
from kg.model.settings.config import Config
from kg.notes.parsed_note import ParsedNote

_LENGTH_BYTES = 4  # before each note in the file: a parsed note has less than 4 GiB
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(ParsedNote).decode


class StatementPlace(msgspec.Struct, frozen=True, gc=False):
    """The place and the other names of a statement, for other notes."""

    span: Span
    aliases: tuple[str, ...]


class NamesOfCorpus(NamedTuple):
    """The parts of the corpus that the graph of a note needs; `default_camps` are those of the
    note.

    `aliases` and `drafts` are those of the corpus.
    """

    config: Config
    statements: Mapping[StatementId, KnownRecord]
    lines: Mapping[str, InquiryLine]
    sources: Mapping[str, Source]
    default_camps: Mapping[StatementId, CampId]
    aliases: Mapping[str, str]
    drafts: Mapping[str, str] | None


class JoinedNote(NamedTuple):
    """The records of a note, and what its graph takes from others."""

    names: NamesOfCorpus
    records: NoteRecords


def join_note_by_note(
    parsed_notes: Iterable[ParsedNote],
    bibliography: Iterable[Source],
    config: Config,
    file: BinaryIO,
    *,
    drafts: bool = False,
) -> Iterator[JoinedNote]:
    """The records that `assemble` and `records_by_note` give of each note, in the same order.

    `parsed_notes` come by path, and are kept in `file`, which is empty and can be read and written.
    Drafts are left out without `drafts`.
    """
    return iter(_NoteByNote(parsed_notes, bibliography, config, file, drafts))


class _LateEdges:
    """The edges and mentions known only after all notes are read. `edges` are those of undercuts by
    path, each with its position, `mentions` what other undercuts have become, and `lost` the ids of
    edges that drafts take away.
    """

    def __init__(self) -> None:
        self.edges: defaultdict[str, list[tuple[int, Edge]]] = defaultdict(list)
        self.mentions: defaultdict[str, list[Mention]] = defaultdict(list)
        self.lost: set[str] = set()


class _NoteByNote:
    """Gathers the names of all records while notes are written to a file, then joins each note."""

    def __init__(
        self,
        parsed_notes: Iterable[ParsedNote],
        bibliography: Iterable[Source],
        config: Config,
        file: BinaryIO,
        drafts: bool,
    ) -> None:
        self.config = config
        self.file = file
        self.records = Records(bibliography, lambda each: StatementPlace(each.span, each.aliases))
        self.draft_paths: dict[str, str] = {}
        self.names_of_drafts: Mapping[str, str] | None = None
        self.has_undercuts = False
        self.paths: set[str] = set()
        note_names = []
        for note in parsed_notes:
            note = with_known_methods(note, config.quality)
            self.paths.add(note.path)
            if self.records.add(note):
                note_names.append(NoteName(note.path, note.id, note.left_out))
            else:
                note = self._accepted_part(note)
            if not drafts:
                lines = [note.line] if note.line else []
                drafts_of_note = drafts_among(lines, note.statements)
                self.draft_paths |= dict.fromkeys(drafts_of_note, note.path)
            self.has_undercuts |= any(edge.relation == Relation.UNDERCUTS for edge in note.edges)
            self._keep_note(note)
        tables = (self.records.statements, self.records.lines, self.records.sources)
        self.names = LinkableNames(note_names, *tables)
        self.aliases = self.names.aliases()
        self.keys_by_alias = source_keys_by_alias(self.records.sources, self.aliases)
        if not drafts:
            self.names_of_drafts = names_of_drafts(self.draft_paths, self.aliases)
            self.aliases = {
                name: id for name, id in self.aliases.items() if id not in self.draft_paths
            }

    def _accepted_part(self, note: ParsedNote) -> ParsedNote:
        """Return the part of a note that is kept if one of its ids is taken: the statements before
        that one, without links.
        """
        statement_names = self.records.statements
        accepted_statements = takewhile(
            lambda each: each.id in statement_names and statement_names[each.id].span == each.span,
            note.statements,
        )
        is_known = note.line and self.records.lines.get(note.line.id) is note.line
        line = note.line if is_known else None
        return ParsedNote(note.path, note.id, tuple(accepted_statements), line)

    # -- the notes in the file ---------------------------------------------------------

    def _keep_note(self, note: ParsedNote) -> None:
        """Write what is needed of a note to the end of the file."""
        note = msgspec.structs.replace(
            note, terms=(), files=(), diagnostics=(), methods=(), best_guess=None
        )
        data = _encode(note)
        self.file.write(len(data).to_bytes(_LENGTH_BYTES, "big"))
        self.file.write(data)

    def _kept_notes(self) -> Iterator[ParsedNote]:
        self.file.seek(0)
        while length := self.file.read(_LENGTH_BYTES):
            yield _decode(self.file.read(int.from_bytes(length, "big")))

    # -- what leads to edges -----------------------------------------------------------

    def _find_late_edges(self) -> _LateEdges:
        """Find the edges that undercuts have become, and the edges that drafts take away."""
        late = _LateEdges()
        if not self.has_undercuts and not self.draft_paths:
            return late
        resolver = LinkResolver(self.records, self.names, self.config)
        to_drafts: list[Edge] = []
        for note in self._kept_notes():
            resolver.resolve_note(note)
            if self.has_undercuts:
                resolver.register_edges()
            edges = resolver.take().edges
            if self.draft_paths:
                to_drafts += (edge for edge in edges if edge and self._leads_to_draft(edge))
        for undercut in resolver.resolve_undercuts():
            late.edges[undercut.path].append((undercut.position, undercut.edge))
        for mention in resolver.take().mentions:
            late.mentions[mention.span.path].append(mention)
        undercuts = (edge for edges in late.edges.values() for _, edge in edges)
        late.lost = lost_edges(chain(to_drafts, undercuts), self.draft_paths)
        return late

    def _leads_to_draft(self, edge: Edge) -> bool:
        ends = (edge.origin, edge.target, *edge.together)
        return any(id in self.draft_paths for id in ends)

    # -- the records of each note ------------------------------------------------------

    def __iter__(self) -> Iterator[JoinedNote]:
        late = self._find_late_edges()
        sources = group_by(self.records.sources.values(), lambda source: source.span.path)
        other_names = group_by(
            self._other_names(), lambda name_and_id: self._path_of_record(name_and_id[1])
        )
        lost = DraftsLost(
            self.draft_paths,
            late.lost,
            self.names_of_drafts or {},
            paths_of_draft_notes(self.draft_paths),
        )
        resolver = LinkResolver(self.records, self.names, self.config)
        bibliographies = (ParsedNote(path, "") for path in sorted(sources.keys() - self.paths))
        for note in merge(self._kept_notes(), bibliographies, key=attrgetter("path")):
            records = self._records_of(note, resolver, late)
            records.sources.extend(sources.get(note.path, ()))
            records.names.extend(other_names.get(note.path, ()))
            if self.draft_paths:
                records = note_without_drafts(records, lost)
            records.sort()
            if any(records[1:]):  # all but the path
                yield self._joined_note(records)

    def _other_names(self) -> Iterator[tuple[str, str]]:
        for name, id in self.aliases.items():
            if (record := self.records.find_record(id)) is not None and name not in record.aliases:
                yield name, id

    def _path_of_record(self, id: str) -> str:
        record = self.records.find_record(id)
        assert record is not None
        return record.span.path

    def _records_of(
        self, note: ParsedNote, resolver: LinkResolver, late: _LateEdges
    ) -> NoteRecords:
        resolver.resolve_note(note)
        lines = [resolver.finished_line(note.line)] if note.line else []
        links = resolver.take()
        resolver.undercuts.clear()  # resolved in the second pass, when all edges were known
        for position, edge in late.edges.get(note.path, ()):
            links.edges[position] = edge
        return NoteRecords(
            path=note.path,
            statements=[with_source_keys(each, self.keys_by_alias) for each in note.statements],
            lines=[with_source_keys(each, self.keys_by_alias) for each in lines],
            sources=[],
            edges=[edge for edge in links.edges if edge is not None],
            mentions=[*links.mentions, *late.mentions.get(note.path, ())],
            names=[],
        )

    def _joined_note(self, records: NoteRecords) -> JoinedNote:
        # a callout takes its camp from the statement around it, so its note is all that is needed
        statements_by_id = {each.id: each for each in records.statements}
        corpus_of_note = Corpus(statements_by_id, tuple(records.edges), config=self.config)
        all_records = self.records
        names = NamesOfCorpus(
            self.config,
            all_records.statements,
            all_records.lines,
            all_records.sources,
            corpus_of_note.default_camps,
            self.aliases,
            self.names_of_drafts,
        )
        return JoinedNote(names, records)
