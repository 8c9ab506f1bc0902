"""A file of the records of a corpus, written note by note, from which they are read as needed."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from kg.corpus.corpus import Corpus
from kg.corpus.joining.note_by_note import JoinedNote
from kg.corpus.keeping.cached_records import (
    RECORD_NUMBER,
    RECORDS_PER_BLOCK,
    RecordParts,
    record_numbers_and_values,
)
from kg.corpus.keeping.corpus_cache import (
    CACHED_COLUMNS,
    FIELD_TYPES,
    GROUPS,
    RECORD_TYPES,
    CacheEntry,
    PartNumbers,
    PartReader,
)
from kg.corpus.keeping.searched_texts import searched_texts
from kg.files.cache_files import SUM_SIZE, head_of_parts, open_sealed_parts, part_checksum
from kg.model.errors import KgError
from kg.model.settings.config import Config
from kg.runtime.gc_pauses import pause_gc

RECORD_FILE_KIND = "rows 1"
"""Another number where the layout of the file changes."""
_COLUMN_OF_GROUP = {"edges_from": "source", "edges_to": "target", "edges_with": "together"} | {
    "edges_by_relation": "relation",
    "statements_citing": "sources",
    "topics": "topics",
    "about": "about",
}
"""The columns whose values are the keys of the groups of a corpus."""
_ORDER_OF_GROUP: Mapping[str, Callable[[str], str]] = {"topics": str, "about": str.casefold}
# Heads of MessagePack arrays and maps: a byte for the kind, then a count of four bytes. Items are
# written before it is known how many there will be, so the head of all is put before them last.
_ARRAY, _MAP = b"\xdd", b"\xdf"
_ARRAY_OF_TWO = b"\x92"
_COUNT_BYTES = 4
_BUFFERED = 1 << 16
_PLACE_KEY = "_place"  # not a field of a corpus, so that a changed copy does not have it
_encode = msgspec.msgpack.Encoder().encode


class DamagedRecords(KgError):
    """The file of a store's records is not what was written: store the notes again."""


class _StoredCorpus(msgspec.Struct, array_like=True):
    """The first part of the file."""

    contents: PartNumbers
    config: str
    drafts: dict[str, str] | None


class _Run:
    """Bytes of one kind, appended to a file that others append to as well."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = bytearray()
        self._places: list[tuple[int, int]] = []
        self.count = 0

    def add(self, values: Sequence[Any] | Mapping[str, Any]) -> None:
        """Append up to `RECORDS_PER_BLOCK` items, or any number of entries of a map, encoded."""
        size = len(values)
        # without the head that msgspec writes: its count takes no byte of its own, two or four
        head_bytes = 1 if size < 16 else 3 if size < 1 << 16 else 5
        self.add_bytes(_encode(values)[head_bytes:], size)

    def add_bytes(self, data: bytes, count: int) -> None:
        """Append bytes that encode `count` items."""
        self.count += count
        self._buffer += data
        if len(self._buffer) >= _BUFFERED:
            self._flush()

    def _flush(self) -> None:
        self._file.seek(0, 2)
        self._places.append((self._file.tell(), len(self._buffer)))
        self._file.write(self._buffer)
        self._buffer.clear()

    def chunks(self) -> Iterator[bytes]:
        """All bytes, in order."""
        for place, size in self._places:
            self._file.seek(place)
            yield self._file.read(size)
        yield bytes(self._buffer)

    def encoded_chunks(self, kind: bytes = _ARRAY) -> Iterator[bytes]:
        """The items as one array, or as one map."""
        yield kind + self.count.to_bytes(_COUNT_BYTES, "big")
        yield from self.chunks()

    def values(self) -> list[Any]:
        """The items, decoded."""
        items: list[Any] = msgspec.msgpack.decode(b"".join(self.encoded_chunks()))
        return items


class _Parts:
    """The parts of the file but the first, whose content is known last."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.sizes_and_sums: list[tuple[int, bytes]] = []

    def keep(self, chunks: Iterable[bytes]) -> int:
        """Write a part, and return its number."""
        sum = blake2b(digest_size=SUM_SIZE)
        size = 0
        for chunk in chunks:
            sum.update(chunk)
            size += self.file.write(chunk)
        self.sizes_and_sums.append((size, sum.digest()))
        return len(self.sizes_and_sums)


class _RecordGatherer:
    """The records of one field of a corpus, block by block."""

    def __init__(self, name: str, parts: _Parts, scratch: BinaryIO) -> None:
        extras = CACHED_COLUMNS.get(name)
        self._parts = parts
        self._searched = extras.searched_fields if extras else ()
        self.columns = {
            column: (_Run(scratch), _Run(scratch)) for column in (extras.columns if extras else ())
        }
        self._ids = _Run(scratch)
        self._content = _Run(scratch)
        self._ends = array("Q")
        self._waiting: dict[str, Any] = {}
        self._blocks: list[int] = []
        self._last_place: Any = None
        self._is_sorted = True

    def add(self, records: Iterable[tuple[str, Any]]) -> None:
        """Add records with their ids."""
        for id, record in records:
            place = (record.span, id)
            self._is_sorted &= self._last_place is None or self._last_place < place
            self._last_place = place
            self._waiting[id] = record
            if len(self._waiting) == RECORDS_PER_BLOCK:
                self._write_block()

    def _write_block(self) -> None:
        records = self._waiting
        start = self._ids.count
        self._blocks.append(self._parts.keep([_encode(list(map(_encode, records.values())))]))
        for column, (numbers, values) in self.columns.items():
            numbers_in_block, recorded = record_numbers_and_values(records.values(), column)
            numbers.add([start + number for number in numbers_in_block])
            values.add(recorded)
        if self._searched:
            for text in searched_texts(records, self._searched):
                encoded = text.encode("utf-8", "surrogatepass")
                self._content.add_bytes(encoded, len(encoded))
                self._ends.append(self._content.count)
        self._ids.add(list(records))
        records.clear()

    def finish(self) -> RecordParts:
        """Write what is left, and return where everything is."""
        if self._waiting:
            self._write_block()
        keep = self._parts.keep
        columns = {
            name: keep([_ARRAY_OF_TWO, *numbers.encoded_chunks(), *values.encoded_chunks()])
            for name, (numbers, values) in self.columns.items()
        }
        texts = None
        if self._searched:
            texts = (keep(self._content.chunks()), keep([self._ends.tobytes()]))
        ids = keep(self._ids.encoded_chunks())
        return RecordParts(ids, self._blocks, columns, texts, self._is_sorted)

    def numbers_by_value(self, column: str) -> Mapping[str, bytes]:
        """The numbers of the records by each value of a column."""
        numbers_of_value: defaultdict[str, array[int]] = defaultdict(partial(array, RECORD_NUMBER))
        numbers, values = (run.values() for run in self.columns[column])
        for number, value in zip(numbers, values, strict=True):
            for key in value if isinstance(value, list) else (value,):
                numbers_of_value[key].append(number)
        return {key: numbers.tobytes() for key, numbers in numbers_of_value.items()}


class RecordFileWriter:
    """Gathers the records of notes in temporary files, then writes them as one file."""

    def __init__(self, spooled: BinaryIO, scratch: BinaryIO) -> None:
        self._spooled = spooled
        self._parts = _Parts(spooled)
        self._gatherers = {
            name: _RecordGatherer(name, self._parts, scratch) for name in RECORD_TYPES
        }
        self._mentions = _Run(scratch)
        self._camps = _Run(scratch)
        self._aliases: Mapping[str, str] = {}
        self._drafts: Mapping[str, str] | None = None

    def gather(self, notes: Iterable[JoinedNote]) -> Iterator[JoinedNote]:
        """The same notes, whose records are gathered on the way."""
        for note in notes:
            records = note.records
            self._gatherers["statements"].add((each.id, each) for each in records.statements)
            self._gatherers["edges"].add((each.id, each) for each in records.edges)
            self._gatherers["sources"].add((each.key, each) for each in records.sources)
            self._gatherers["lines"].add((each.id, each) for each in records.lines)
            self._mentions.add(records.mentions)
            self._camps.add(note.names.default_camps)
            self._aliases = note.names.aliases
            self._drafts = note.names.drafts
            yield note

    def write(self, path: Path, config: Config, fingerprint: bytes) -> None:
        """Write the file, after all notes have passed."""
        keep = self._parts.keep
        record_parts = [self._gatherers[name].finish() for name in RECORD_TYPES]
        groups = [keep([_encode(self._numbers_by_key(name))]) for name in GROUPS]
        nothing = {name: _encode({} if name == "abstracts" else ()) for name in FIELD_TYPES}
        fields = {
            "mentions": self._mentions.encoded_chunks(),
            "aliases": [_encode(dict(self._aliases))],
        }
        contents = PartNumbers(
            fields=[keep(fields.get(name, [nothing[name]])) for name in FIELD_TYPES],
            records=record_parts,
            groups=groups,
            camps=keep(self._camps.encoded_chunks(_MAP)),
        )
        drafts = None if self._drafts is None else dict(self._drafts)
        first = _encode(_StoredCorpus(contents, config.model_dump_json(by_alias=True), drafts))
        sums = [(len(first), part_checksum(first)), *self._parts.sizes_and_sums]
        with path.open("wb") as file:
            file.write(head_of_parts(RECORD_FILE_KIND, sums, fingerprint) + first)
            self._spooled.seek(0)
            while chunk := self._spooled.read(1 << 20):
                file.write(chunk)

    def _numbers_by_key(self, name: str) -> Mapping[str, bytes]:
        groups = self._gatherers[GROUPS[name]].numbers_by_value(_COLUMN_OF_GROUP[name])
        order = _ORDER_OF_GROUP.get(name)
        return dict(sorted(groups.items(), key=lambda item: order(item[0]))) if order else groups


def place_of_record_file(corpus: Corpus) -> CacheEntry | None:
    """The file whose records a corpus holds, and its fingerprint; None for any other corpus."""
    place: CacheEntry | None = vars(corpus).get(_PLACE_KEY)
    return place


def open_record_file(path: Path, fingerprint: bytes) -> Corpus | None:
    """The corpus whose records are in a file with this fingerprint; None if there is none.

    What only a check of the notes tells is not in it. Raises `DamagedRecords`, also later.
    """
    sealed_parts = open_sealed_parts(path, RECORD_FILE_KIND, fingerprint)
    if sealed_parts is None or (first_part := sealed_parts.part(0)) is None:
        return None
    try:
        stored = msgspec.msgpack.decode(first_part, type=_StoredCorpus)
        config = Config.model_validate_json(stored.config)
    except ValueError:
        return None

    def fail() -> Corpus:
        raise DamagedRecords(f"{path} is damaged: store the notes again")

    values = {
        "config": config,
        "folder": None,
        "drafts": stored.drafts,
        "best_guess": None,
        _PLACE_KEY: CacheEntry(path, fingerprint),
    }
    with pause_gc():
        return PartReader(sealed_parts, path, fail, keeps_all=False).corpus(values, stored.contents)
