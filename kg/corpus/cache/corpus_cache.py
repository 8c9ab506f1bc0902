"""A cache of the joined corpus between runs, of which only the parts needed are read."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias, get_origin

import msgspec

from kg.corpus.cache.cached_records import (
    CachedRecords,
    CachedRecordsByKey,
    ColumnsToCache,
    DamagedPart,
    IndexToCache,
    NumberedRecords,
    RecordGatherer,
    RecordParts,
    numbers_by_key,
    record_numbers_and_values,
)
from kg.corpus.corpus import NOT_KEPT, Corpus, Provenance
from kg.corpus.lazy_collections import LazyMapping, LazySequence
from kg.corpus.names.linkable_names import Duplicate, Unresolved
from kg.files.cache_files import (
    FINGERPRINT_SIZE,
    CacheEntry,
    PartsWriter,
    SealedParts,
    open_sealed_parts,
    write_atomically,
)
from kg.files.file_signatures import signatures_if_settled
from kg.files.read_files import NotesFolder
from kg.model import Diagnostic, Edge, InquiryLine, Mention, Source, Statement
from kg.model.glossary_term import GlossaryTerm
from kg.model.settings.config import Config
from kg.model.statement import EVIDENCE_FIELDS
from kg.notes.note_listing import Listing
from kg.notes.notes_cache import code_version
from kg.notes.parsed_note import FileLink, PendingMention
from kg.runtime.gc_pauses import pause_gc

# Another number where the layout of the file changes: the fingerprint covers the code that reads
# notes, and not the layout.
CORPUS_CACHE_KIND = "corpus 7"

# The fields of a corpus that are each a part of the file; not its settings and folder.
FIELD_TYPES: dict[str, Any] = {
    "mentions": tuple[Mention, ...],
    "terms": tuple[GlossaryTerm, ...],
    "aliases": dict[str, str],
    "diagnostics": tuple[Diagnostic, ...],
    "unresolved_edges": tuple[Unresolved, ...],
    "duplicates": tuple[Duplicate, ...],
    "dead_links": tuple[PendingMention, ...],
    "loose_links": tuple[PendingMention, ...],
    "files": tuple[FileLink, ...],
    "figures_in_abstracts": dict[str, str],
    "left_out": tuple[str, ...],
    "guessed_types": frozenset[str],
}
# The fields whose records are cached, and the types of the records.
RECORD_TYPES: Mapping[str, type] = {
    "statements": Statement,
    "edges": Edge,
    "sources": Source,
    "lines": InquiryLine,
}
# Columns and texts cached besides the records: those that selections read for many records.
CACHED_COLUMNS: Mapping[str, ColumnsToCache] = {
    "statements": ColumnsToCache(
        (
            *("kind", "title", "parent", "camp", "topics", "about", "sources", "asserted_by"),
            *("reported", "open", "status", "created", "updated", "reviewed"),
            *(field.name for field in EVIDENCE_FIELDS if field.is_cached),
        ),
        ("title", "body"),
    ),
    "edges": ColumnsToCache(("origin", "relation", "target", "together", "mutual")),
}
# Indexes of a corpus that are cached.
INDEXES: Mapping[str, IndexToCache] = {
    "edges_from": IndexToCache("edges", "origin"),
    "edges_to": IndexToCache("edges", "target"),
    "edges_with": IndexToCache("edges", "together"),
    "edges_by_relation": IndexToCache("edges", "relation"),
    "statements_citing": IndexToCache("statements", "sources"),
    "topics": IndexToCache("statements", "topics", str),
    "about": IndexToCache("statements", "about", str.casefold),
}


class PartNumbers(msgspec.Struct, array_like=True):
    """The numbers of the parts of a corpus; those of a field are joined when it is read."""

    fields: dict[str, list[int]]
    records: list[RecordParts]
    indexes: list[int]


class _CachedCorpora(msgspec.Struct, array_like=True):
    """The first part: a corpus, and its best guess, which shares most parts with it."""

    corpus: PartNumbers
    guess: PartNumbers | None
    drafts: dict[str, str] | None


_encode = msgspec.msgpack.Encoder().encode
_decode_cached = msgspec.msgpack.Decoder(_CachedCorpora).decode


def fingerprint_of_listing(listing: Listing, config: Config, *, drafts: bool) -> bytes | None:
    """A hash of the state of all files; `None` if one is gone, or so new that it might change
    without a visible difference.
    """
    files = (*listing.notes, *listing.bibliographies)
    signatures = signatures_if_settled([file.real_path for file in files])
    if signatures is None:
        return None
    paths = [file.path for file in files]
    code = code_version("notes", "model", "corpus")
    encoded = _encode((code, repr(config), paths, signatures, listing.diagnostics, drafts))
    return blake2b(encoded, digest_size=FINGERPRINT_SIZE).digest()


def cache_corpus(entry: CacheEntry, corpus: Corpus) -> None:
    """Write `corpus` to the cache, atomically: other processes see the old file or the new one."""
    file = io.BytesIO()
    parts = PartsWriter(file)
    guess = corpus.best_guess
    drafts = None if corpus.drafts is None else dict(corpus.drafts)
    guess_parts = None if guess is None else _cache_records(guess, parts)
    first = _encode(_CachedCorpora(_cache_records(corpus, parts), guess_parts, drafts))
    head = parts.head(CORPUS_CACHE_KIND, first, entry.fingerprint)
    with suppress(OSError):
        write_atomically(entry.file, head, file.getbuffer())


def _cache_records(corpus: Corpus, parts: PartsWriter) -> PartNumbers:
    gatherers = gatherers_of_records(parts)
    for name, gatherer in gatherers.items():
        gatherer.add(_records_of_field(corpus, name).items())
    fields = {}
    for name in (*FIELD_TYPES, "default_camps"):
        value = getattr(corpus, name)
        plain_value = dict(value) if isinstance(value, Mapping) else value
        fields[name] = [parts.keep(_encode(plain_value))]
    return finish_parts(parts, gatherers, fields)


def gatherers_of_records(parts: PartsWriter) -> dict[str, RecordGatherer]:
    """The gatherer of each field of records, by the name of the field."""
    nothing = ColumnsToCache()
    return {name: RecordGatherer(CACHED_COLUMNS.get(name, nothing), parts) for name in RECORD_TYPES}


def finish_parts(
    parts: PartsWriter, gatherers: Mapping[str, RecordGatherer], fields: dict[str, list[int]]
) -> PartNumbers:
    """Write the records that are not yet written, and the indexes; return the numbers of all parts.

    `fields` has those of the other fields, which are written already.
    """
    records = [gatherer.finish() for gatherer in gatherers.values()]
    indexes = []
    for index in INDEXES.values():
        columns = gatherers[index.records].columns(index.column)
        indexes.append(parts.keep(_encode(numbers_by_key(columns, index.order))))
    return PartNumbers(fields, records, indexes)


def _records_of_field(corpus: Corpus, name: str) -> Mapping[str, Any]:
    """The records of a field, by id."""
    records: Mapping[str, Any] = corpus.edges_by_id if name == "edges" else getattr(corpus, name)
    return records


def load_cached(
    entry: CacheEntry, config: Config, folder: NotesFolder, read_again: Callable[[], Corpus]
) -> Corpus | None:
    """The cached corpus, if the file is valid and has this fingerprint; its fields are read lazily.

    `read_again` reads the same corpus from its notes, if a part turns out to be damaged.
    """
    sealed_parts = open_sealed_parts(entry.file, CORPUS_CACHE_KIND, entry.fingerprint)
    if sealed_parts is None or (first_part := sealed_parts.part(0)) is None:
        return None
    try:
        cached = _decode_cached(first_part)
    except msgspec.DecodeError:
        return None
    reader = PartReader(sealed_parts, entry.file, read_again)
    read_corpus = partial(reader.corpus, config=config, folder=folder)
    guess = cached.guess and read_corpus(cached.guess, choose=lambda read: read.best_guess or read)
    provenance = Provenance(entry.fingerprint)
    return read_corpus(cached.corpus, provenance, best_guess=guess, drafts=cached.drafts)


def _collection_of(kind: object, read: Callable[[], Any]) -> Any:
    """What `read` gives, read when it is first asked for something."""
    if get_origin(kind) is dict:
        return LazyMapping(read)
    return LazySequence(read) if get_origin(kind) is tuple else read()


ChooseCorpus: TypeAlias = Callable[[Corpus], Corpus]


class PartReader:
    """Reads the parts of a cached corpus, each on demand; from its notes, if one is damaged.

    With `keeps_all`, each record is decoded once and stays in memory, as of a folder that was read
    whole before. Without, as of a store of any size, records that are read one after the other are
    not kept, and are decoded again the next time.
    """

    def __init__(
        self,
        parts: SealedParts,
        file: Path,
        read_again: Callable[[], Corpus],
        keeps_all: bool = True,
    ) -> None:
        self._keeps_all = keeps_all
        self._parts = parts
        self._file = file
        self._read_again = read_again
        self._again: Corpus | None = None

    def corpus(
        self,
        contents: PartNumbers,
        provenance: Provenance = NOT_KEPT,
        choose: ChooseCorpus = lambda read: read,
        **known_fields: Any,
    ) -> Corpus:
        """The corpus with these contents, and other fields that are known. Once the notes had to be
        read again, `choose` picks the corpus that was read, or its best guess.
        """
        numbered = self._numbered_records(contents, choose)
        edges = numbered["edges"]
        values: dict[str, Any] = {
            name: _collection_of(
                kind, partial(self._field, choose, name, kind, contents.fields[name])
            )
            for name, kind in {**FIELD_TYPES, "default_camps": dict[str, str]}.items()
        }
        values |= {name: CachedRecords(records) for name, records in numbered.items()}
        values["edges"] = LazySequence(lambda: edges) if self._keeps_all else edges
        indexes: dict[str, Mapping[str, Any]] = {
            name: CachedRecordsByKey(
                numbered[index.records], partial(self._index, choose, index, number)
            )
            for (name, index), number in zip(INDEXES.items(), contents.indexes, strict=True)
        }
        indexes["edges_by_id"] = CachedRecords(edges)
        indexes["default_camps"] = values.pop("default_camps")
        return Corpus(**values, **known_fields, origin=provenance._replace(indexes=indexes))

    def _numbered_records(
        self, contents: PartNumbers, choose: ChooseCorpus
    ) -> dict[str, NumberedRecords[Any]]:
        def read_again(name: str) -> Mapping[str, Any]:
            return _records_of_field(choose(self._read_notes()), name)

        kinds_and_parts = zip(RECORD_TYPES.items(), contents.records, strict=True)
        return {
            name: NumberedRecords(
                kind, parts, self._read_part, partial(read_again, name), self._keeps_all
            )
            for (name, kind), parts in kinds_and_parts
        }

    def _field(self, choose: ChooseCorpus, name: str, kind: object, numbers: Sequence[int]) -> Any:
        """The value of a field."""
        try:
            parts = [self._read_part(number, kind) for number in numbers]
        except DamagedPart:
            return getattr(choose(self._read_notes()), name)
        value, *others = parts
        for other in others:
            if isinstance(value, dict):
                value |= other
            else:
                value += other
        return value

    def _index(self, choose: ChooseCorpus, index: IndexToCache, number: int) -> Mapping[str, bytes]:
        """An index, as the numbers of the records of each key."""
        try:
            record_numbers: Mapping[str, bytes] = self._read_part(number, dict[str, bytes])
        except DamagedPart:
            records = _records_of_field(choose(self._read_notes()), index.records).values()
            column = record_numbers_and_values(records, index.column)
            return numbers_by_key([column], index.order)
        return record_numbers

    def _read_part(self, number: int, kind: object) -> Any:
        """The value of a part, or its bytes; raises `DamagedPart`."""
        part = None if self._again else self._parts.part(number)
        if part is not None:
            # bytes of another release may do anything to a decoder, and no cache is needed
            with suppress(Exception), pause_gc():
                return part if kind is None else msgspec.msgpack.decode(part, type=kind)
        raise DamagedPart

    def _read_notes(self) -> Corpus:
        """The same corpus from its notes, read once; the damaged file is deleted."""
        if self._again is None:
            with suppress(OSError):
                self._file.unlink()
            self._again = self._read_again()
        return self._again
