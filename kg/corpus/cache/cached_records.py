"""Records of a kept corpus, and fields of it, each of which is decoded when it is asked for."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec

from kg.corpus.lazy_collections import LazyMapping
from kg.corpus.searched_texts import JoinedTexts, join_texts, searched_texts
from kg.files.cache_files import PartsWriter
from kg.model.errors import KgError
from kg.runtime.gc_pauses import pause_gc

Record = TypeVar("Record")
# A block is read and verified as a whole: larger ones would make a single record slow to read,
# smaller ones all records together.
RECORDS_PER_BLOCK = 256
RECORDS_PER_COLUMN = 64 * RECORDS_PER_BLOCK  # records whose fields are one part of a column
_ID_NAMES = ("id", "key")
RECORD_NUMBER = "I"  # array type code of the numbers of records
_encode = msgspec.msgpack.Encoder().encode


class RecordParts(msgspec.Struct, array_like=True):
    """The places in a cache file of the records of one field of a corpus, each part by its number.

    `blocks` hold the records, `columns` the fields that are read without their records, and
    `texts` what full-text search reads. `in_reading_order` describes the records.
    """

    ids: list[int]
    blocks: list[int]
    columns: dict[str, list[int]]
    texts: list[tuple[int, int]]
    in_reading_order: bool


# The numbers of the records with a value in a field, and the values.
NumberedValues = tuple[list[int], list[Any]]


class DamagedPart(KgError):
    """A part of a cache file differs from what was written."""


# Reads the part with a number as a type, or as bytes for None; raises `DamagedPart`.
ReadPart = Callable[[int, Any], Any]


class ColumnsToCache(NamedTuple):
    """The values that are cached besides records: columns, and fields whose text is searched."""

    columns: tuple[str, ...] = ()
    searched_fields: tuple[str, ...] = ()


class IndexToCache(NamedTuple):
    """An index of a corpus: the field whose records it groups, the column of its keys, and their
    order, if that is not the order of the records.
    """

    records: str
    column: str
    order: Callable[[str], str] | None = None


class RecordGatherer:
    """Keeps the records of one field of a corpus block by block, and fields of them by column."""

    def __init__(self, extras: ColumnsToCache, parts: PartsWriter) -> None:
        self._parts = parts
        self._searched_fields = extras.searched_fields
        self._kept = RecordParts([], [], {name: [] for name in extras.columns}, [], True)
        self._waiting: dict[str, Any] = {}
        self._last_place: Any = ()
        self._count = 0
        self._ids: list[str] = []
        self._columns: dict[str, NumberedValues] = {name: ([], []) for name in extras.columns}
        self._texts: list[str] = []

    def add(self, records: Iterable[tuple[str, Any]]) -> None:
        """Add records with their ids."""
        for id, record in records:
            self._waiting[id] = record
            if len(self._waiting) == RECORDS_PER_BLOCK:
                self._keep_block()

    def _keep_block(self) -> None:
        records = self._waiting.values()
        self._kept.blocks.append(self._parts.keep(_encode(list(map(_encode, records)))))
        places = [(record.span, id) for id, record in self._waiting.items()]
        self._kept.in_reading_order &= self._last_place < places[0] and places == sorted(places)
        self._last_place = places[-1]
        for name, (numbers, values) in self._columns.items():
            numbers_in_block, values_in_block = record_numbers_and_values(records, name)
            numbers += [self._count + number for number in numbers_in_block]
            values += values_in_block
        if self._searched_fields:
            self._texts += searched_texts(self._waiting, self._searched_fields)
        self._ids += self._waiting
        self._count += len(self._waiting)
        self._waiting = {}
        if len(self._ids) >= RECORDS_PER_COLUMN:
            self._keep_columns()

    def _keep_columns(self) -> None:
        keep = self._parts.keep
        self._kept.ids.append(keep(_encode(self._ids)))
        for name, column in self._columns.items():
            self._kept.columns[name].append(keep(_encode(column)))
            self._columns[name] = [], []
        if self._searched_fields:
            content, ends = join_texts(self._texts)
            self._kept.texts.append((keep(content), keep(ends)))
        self._ids = []
        self._texts = []

    def finish(self) -> RecordParts:
        """Write what is left, and return where everything is."""
        if self._waiting:
            self._keep_block()
        if self._ids:
            self._keep_columns()
        return self._kept

    def columns(self, name: str) -> Iterator[NumberedValues]:
        """A column of all records, part by part, after the last of them was kept."""
        for number in self._kept.columns[name]:
            yield msgspec.msgpack.decode(self._parts.part(number), type=NumberedValues)


def numbers_by_key(
    columns: Iterable[NumberedValues], order: Callable[[str], str] | None
) -> Mapping[str, bytes]:
    """Group the numbers of records by each value of a column, or by each member of its tuples."""
    numbers_by_key: defaultdict[str, array[int]] = defaultdict(partial(array, RECORD_NUMBER))
    for numbers, values in columns:
        for number, value in zip(numbers, values, strict=True):
            for key in (value,) if isinstance(value, str) else value:
                numbers_by_key[key].append(number)
    keys = sorted(numbers_by_key, key=order) if order else numbers_by_key
    return {key: numbers_by_key[key].tobytes() for key in keys}


def record_numbers_and_values(records: Iterable[object], name: str) -> NumberedValues:
    """The numbers of the records with a value in the field `name`, and the values."""
    field_values = list(map(attrgetter(name), records))
    numbers = [number for number, value in enumerate(field_values) if value not in (None, "", ())]
    return numbers, [field_values[number] for number in numbers]


class NumberedRecords(Sequence[Record]):
    """The records of one field, in the order of the corpus.

    `read_again` reads them from the notes, if a part is damaged. Records that were read together
    are kept, unless `keeps_all` is false: then all of them need not fit into memory.
    """

    def __init__(
        self,
        kind: type[Record],
        parts: RecordParts,
        read_part: ReadPart,
        read_again: Callable[[], Mapping[str, Record]],
        keeps_all: bool,
    ) -> None:
        self.keeps_all = keeps_all
        self._kind = kind
        self._parts = parts
        self._read = read_part
        self._read_from_notes = read_again
        self._decode = msgspec.msgpack.Decoder(kind).decode
        self._blocks: dict[int, list[bytes]] = {}
        self._records: dict[int, Record] = {}

    @property
    def is_in_reading_order(self) -> bool:
        """Whether the records are sorted by path, line, column and id."""
        return self._parts.in_reading_order

    @cached_property
    def ids(self) -> Sequence[str]:
        """In the order of the records; all parts with ids are read at once."""
        try:
            return [id for part in self._parts.ids for id in self._read(part, list[str])]
        except DamagedPart:
            return [*self._read_from_notes()]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each record, by id."""
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: int) -> Record:  # type: ignore[override]
        if (decoded_record := self._records.get(number)) is not None:
            return decoded_record
        try:
            record = self._decode(
                self._encoded_records_of_block(number // RECORDS_PER_BLOCK)[
                    number % RECORDS_PER_BLOCK
                ]
            )
        except DamagedPart:
            self._read_all_again()
            return self._records[number]
        self._records[number] = record
        return record

    def __iter__(self) -> Iterator[Record]:
        if not self.keeps_all:
            return self.read_records(range(len(self.ids)))
        records = self._records
        try:
            with pause_gc():
                blocks = map(self._encoded_records_of_block, range(len(self._parts.blocks)))
                for number, encoded_record in enumerate(chain.from_iterable(blocks)):
                    if number not in records:
                        records[number] = self._decode(encoded_record)
        except DamagedPart:
            self._read_all_again()
        self._blocks.clear()
        return map(self._records.__getitem__, range(len(self._records)))

    def read_records(self, numbers: Iterable[int]) -> Iterator[Record]:
        """The records with these numbers, which ascend; none of them is kept."""
        for block, numbers_in_block in groupby(numbers, lambda number: number // RECORDS_PER_BLOCK):
            try:
                encoded_records: list[bytes] = self._read(self._parts.blocks[block], list[bytes])
            except DamagedPart:
                records = [*self._read_from_notes().values()]
                yield from (records[number] for number in numbers_in_block)
                continue
            for number in numbers_in_block:
                yield self._decode(encoded_records[number % RECORDS_PER_BLOCK])

    def recorded_values(self, name: str) -> tuple[Sequence[int], Sequence[Any]]:
        """The numbers of the records with a value in the field `name`, and the values."""
        if name in _ID_NAMES:
            return range(len(self.ids)), self.ids
        if name in self._parts.columns:
            values_type: Any = list[field_type(self._kind, name)]  # type: ignore[misc]
            column: NumberedValues = ([], [])
            with suppress(DamagedPart):
                for part in self._parts.columns[name]:
                    numbers, values = self._read(part, tuple[list[int], values_type])
                    column[0].extend(numbers)
                    column[1].extend(values)
                return column
        return record_numbers_and_values(self, name)

    def column(self, name: str) -> Sequence[Any]:
        """Return each record's value in the field `name`; None for no value."""
        numbers, values = self.recorded_values(name)
        if len(numbers) == len(self.ids):
            return values
        all_values: list[Any] = [None] * len(self.ids)
        for number, value in zip(numbers, values, strict=True):
            all_values[number] = value
        return all_values

    @cached_property
    def texts(self) -> JoinedTexts | None:
        """The searched texts of the records; None if they are not cached."""
        try:
            parts = [tuple(self._read(part, None) for part in pair) for pair in self._parts.texts]
        except DamagedPart:
            return None
        return JoinedTexts(parts) if parts else None

    def _encoded_records_of_block(self, number: int) -> list[bytes]:
        block = self._blocks.get(number)
        if block is None:
            block = self._blocks[number] = self._read(self._parts.blocks[number], list[bytes])
        return block

    def _read_all_again(self) -> None:
        self._records = dict(enumerate(self._read_from_notes().values()))


def field_type(record: type, name: str) -> Any:
    """The type of a record's field or property."""
    attribute = getattr(record, name)
    if isinstance(attribute, property):
        return get_type_hints(attribute.fget)["return"]
    return get_type_hints(record)[name]


class CachedRecords(LazyMapping[Record]):
    """Records by id, in the order of their numbers."""

    def __init__(self, numbered: NumberedRecords[Record]) -> None:
        super().__init__(lambda: dict(zip(numbered.ids, numbered, strict=True)))
        self.numbered = numbered

    def __getitem__(self, id: str) -> Record:
        return self.numbered[self.numbered.numbers[id]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbered.ids)

    def __len__(self) -> int:
        return len(self.numbered.ids)

    def __contains__(self, id: object) -> bool:
        return id in self.numbered.numbers

    def values(self) -> Any:
        return self._entries_read.values() if self.numbered.keeps_all else iter(self.numbered)

    def items(self) -> Any:
        if self.numbered.keeps_all:
            return self._entries_read.items()
        return zip(self.numbered.ids, self.numbered, strict=True)


class CachedRecordsByKey(Mapping[str, tuple[Record, ...]]):
    """Records by a key, such as the edges that lead to a statement."""

    def __init__(
        self, numbered: NumberedRecords[Record], read_numbers: Callable[[], Mapping[str, bytes]]
    ) -> None:
        self.numbered = numbered
        self._numbers = LazyMapping(read_numbers)
        self._records_by_key: dict[str, tuple[Record, ...]] = {}

    def __getitem__(self, key: str) -> tuple[Record, ...]:
        if (records := self._records_by_key.get(key)) is None:
            if key not in self._numbers:
                raise KeyError(key)
            records = self._records_by_key[key] = tuple(
                map(self.numbered.__getitem__, self.numbers(key))
            )
        return records

    def numbers(self, key: str) -> Sequence[int]:
        """The numbers of the records of a key; empty if there is no such key."""
        record_numbers = array(RECORD_NUMBER)
        record_numbers.frombytes(self._numbers.get(key, b""))
        return record_numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
