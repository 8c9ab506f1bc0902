"""Records of a kept corpus, and fields of it, each of which is decoded when it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

import msgspec

from kg.corpus.keeping.searched_texts import JoinedTexts, searched_texts
from kg.corpus.lazy_fields import LazyMapping
from kg.gc_pauses import pause_gc
from kg.model.errors import KgError

Record = TypeVar("Record")
ROWS_PER_BLOCK = 256  # records in a block, which is read and verified as a whole
_ID_NAMES = ("id", "key")
ROW_NUMBER = "I"  # array type code of row numbers
_encode = msgspec.msgpack.Encoder().encode


class RowParts(msgspec.Struct, array_like=True):
    """Where in a cache file the records of one field of a corpus are, each part by its number.

    `blocks` hold the records, `columns` the fields that are read without their records, and
    `texts` what full-text search reads. `in_reading_order` describes the records.
    """

    ids: int
    blocks: list[int]
    columns: dict[str, int]
    texts: tuple[int, int] | None
    in_reading_order: bool


class DamagedPart(KgError):
    """A part of a cache file differs from what was written."""


ReadPart = Callable[[int, Any], Any]
"""Reads the part with a number as a type, or as bytes for None; raises `DamagedPart`."""


class ColumnsToCache(NamedTuple):
    """What is cached besides records: columns, and fields whose text is searched."""

    columns: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()


def cache_rows(
    records: Mapping[str, Any], extras: ColumnsToCache, keep: Callable[[bytes], int]
) -> RowParts:
    """Cache records and what belongs to them; `keep` stores a part and returns its number."""
    rows = [_encode(record) for record in records.values()]
    blocks = [
        keep(_encode(rows[start : start + ROWS_PER_BLOCK]))
        for start in range(0, len(rows), ROWS_PER_BLOCK)
    ]
    column_parts = {
        name: keep(_encode(numbers_and_values(records.values(), name))) for name in extras.columns
    }
    texts = None
    if extras.searched:
        joined_texts = JoinedTexts.of(searched_texts(records, extras.searched))
        texts = (keep(joined_texts.content), keep(joined_texts.ends))
    places = [(record.span, id) for id, record in records.items()]
    is_sorted = places == sorted(places)
    return RowParts(keep(_encode([*records])), blocks, column_parts, texts, is_sorted)


def numbers_and_values(records: Iterable[object], name: str) -> tuple[list[int], list[Any]]:
    """The numbers of the records with a value in the field `name`, and the values."""
    field_values = list(map(attrgetter(name), records))
    numbers = [number for number, value in enumerate(field_values) if value not in (None, "", ())]
    return numbers, [field_values[number] for number in numbers]


class CachedRows(Generic[Record]):
    """The records of one field, in the order of the corpus.

    `read_again` reads them from the notes, if a part is damaged. Records that were read together
    are kept, unless `keeps_all` is false: then all of them need not fit into memory.
    """

    def __init__(
        self,
        kind: type[Record],
        parts: RowParts,
        read_part: ReadPart,
        read_again: Callable[[], Mapping[str, Record]],
        keeps_all: bool = True,
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
        """All ids."""
        try:
            all_ids: list[str] = self._read(self._parts.ids, list[str])
        except DamagedPart:
            return [*self._read_from_notes()]
        return all_ids

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each record, by id."""
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> Record:
        if (decoded_record := self._records.get(row)) is not None:
            return decoded_record
        try:
            record = self._decode(self._rows_of_block(row // ROWS_PER_BLOCK)[row % ROWS_PER_BLOCK])
        except DamagedPart:
            self._read_all_again()
            return self._records[row]
        self._records[row] = record
        return record

    def __iter__(self) -> Iterator[Record]:
        if not self.keeps_all:
            return self.read_records(range(len(self.ids)))
        records = self._records
        try:
            with pause_gc():
                blocks = map(self._rows_of_block, range(len(self._parts.blocks)))
                for number, row in enumerate(chain.from_iterable(blocks)):
                    if number not in records:
                        records[number] = self._decode(row)
        except DamagedPart:
            self._read_all_again()
        self._blocks.clear()
        return map(self._records.__getitem__, range(len(self._records)))

    def read_records(self, numbers: Iterable[int]) -> Iterator[Record]:
        """The records with these numbers, which ascend; none of them is kept."""
        for block, numbers_in_block in groupby(numbers, lambda number: number // ROWS_PER_BLOCK):
            try:
                rows: list[bytes] = self._read(self._parts.blocks[block], list[bytes])
            except DamagedPart:
                records = [*self._read_from_notes().values()]
                yield from (records[number] for number in numbers_in_block)
                continue
            for number in numbers_in_block:
                yield self._decode(rows[number % ROWS_PER_BLOCK])

    def recorded_values(self, name: str) -> tuple[Sequence[int], Sequence[Any]]:
        """The numbers of the records with a value in the field `name`, and the values."""
        if name in _ID_NAMES:
            return range(len(self.ids)), self.ids
        if name in self._parts.columns:
            values_type: Any = list[field_type(self._kind, name)]  # type: ignore[misc]
            with suppress(DamagedPart):
                column: tuple[list[int], list[Any]] = self._read(
                    self._parts.columns[name], tuple[list[int], values_type]
                )
                return column
        return numbers_and_values(self, name)

    def column(self, name: str) -> Sequence[Any]:
        """Each record's value in the field `name`; None for no value."""
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
        if self._parts.texts is None:
            return None
        content, ends = self._parts.texts
        try:
            return JoinedTexts(self._read(content, None), self._read(ends, None))
        except DamagedPart:
            return None

    def _rows_of_block(self, number: int) -> list[bytes]:
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
    """Rows by id."""

    def __init__(self, rows: CachedRows[Record]) -> None:
        super().__init__(lambda: dict(zip(rows.ids, rows, strict=True)))
        self.rows = rows

    def __getitem__(self, id: str) -> Record:
        return self.rows[self.rows.numbers[id]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows.ids)

    def __len__(self) -> int:
        return len(self.rows.ids)

    def __contains__(self, id: object) -> bool:
        return id in self.rows.numbers

    def values(self) -> Any:
        return self._entries_read.values() if self.rows.keeps_all else iter(self.rows)

    def items(self) -> Any:
        if self.rows.keeps_all:
            return self._entries_read.items()
        return zip(self.rows.ids, self.rows, strict=True)


class CachedGroups(Mapping[str, tuple[Record, ...]]):
    """Groups of rows by a key, such as the edges that lead to a statement."""

    def __init__(
        self, rows: CachedRows[Record], read_numbers: Callable[[], Mapping[str, bytes]]
    ) -> None:
        self.rows = rows
        self._numbers = LazyMapping(read_numbers)
        self._groups: dict[str, tuple[Record, ...]] = {}

    def __getitem__(self, key: str) -> tuple[Record, ...]:
        if (records := self._groups.get(key)) is None:
            if key not in self._numbers:
                raise KeyError(key)
            records = self._groups[key] = tuple(map(self.rows.__getitem__, self.numbers(key)))
        return records

    def numbers(self, key: str) -> Sequence[int]:
        """The numbers of the rows of a group; empty if there is no such group."""
        row_numbers = array(ROW_NUMBER)
        row_numbers.frombytes(self._numbers.get(key, b""))
        return row_numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def numbered_groups(
    groups: Mapping[str, Iterable[object]], records: Iterable[object]
) -> Mapping[str, bytes]:
    """Groups of these records in cached form: the numbers of their rows."""
    numbers = {id(record): number for number, record in enumerate(records)}
    return {
        key: array(ROW_NUMBER, [numbers[id(record)] for record in group]).tobytes()
        for key, group in groups.items()
    }
