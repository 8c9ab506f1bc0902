"""Fields, groups and nearby edges of many records, read at once.

This works for any corpus. A cached or stored corpus is not in memory: columns and indexes in its
file are read, so that few records need to be decoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import compress
from operator import attrgetter
from typing import Any, TypeVar

from kg.corpus.cache.cached_records import (
    CachedRecords,
    CachedRecordsByKey,
    NumberedRecords,
    record_numbers_and_values,
)
from kg.corpus.corpus import Corpus
from kg.model import Edge, Relation

Record = TypeVar("Record")
_SPAN = attrgetter("span")


def is_read_record_by_record(corpus: Corpus) -> bool:
    """Return whether a record is decoded only when it is read, so that a few cost much less than
    all.
    """
    return _numbered_records(corpus.statements) is not None


def fit_into_memory(records: Mapping[str, object]) -> bool:
    """Return whether all records may be held in memory at once; those of a store may not."""
    numbered = _numbered_records(records)
    return numbered is None or numbered.keeps_all


def _numbered_records(records: Mapping[str, Record]) -> NumberedRecords[Record] | None:
    """The records by number, if they are in a file."""
    return records.numbered if isinstance(records, CachedRecords) else None


def values_of_field(records: Mapping[str, object], name: str) -> Mapping[str, Any]:
    """Return the values that records have in the field `name`, by id, without empty ones."""
    numbered = _numbered_records(records)
    if numbered is not None:
        numbers, values = numbered.recorded_values(name)
        return dict(zip(map(numbered.ids.__getitem__, numbers), values, strict=True))
    ids = list(records)
    numbers, values = record_numbers_and_values(records.values(), name)
    return dict(zip(map(ids.__getitem__, numbers), values, strict=True))


def ids_of_records(records: Mapping[str, object]) -> Sequence[str]:
    """Return all ids, in the order of the records. They may be shared: do not change them."""
    numbered = _numbered_records(records)
    return [*records] if numbered is None else numbered.ids


def count_of_key(records_by_key: Mapping[str, tuple[object, ...]], key: str) -> int:
    """Count the records of a key without decoding any."""
    return len(
        records_by_key.numbers(key)
        if isinstance(records_by_key, CachedRecordsByKey)
        else records_by_key.get(key, ())
    )


def records_of_key(records_by_key: Mapping[str, tuple[Record, ...]], key: str) -> Iterable[Record]:
    """The records of a key, one after the other where all need not fit into memory."""
    if isinstance(records_by_key, CachedRecordsByKey) and not records_by_key.numbered.keeps_all:
        return records_by_key.numbered.read_records(records_by_key.numbers(key))
    return records_by_key.get(key, ())


def reading_order(records: Mapping[str, object]) -> Mapping[str, int]:
    """Return each record's place in reading order: by path, line and column."""
    numbered = _numbered_records(records)
    if numbered is not None and numbered.is_in_reading_order:
        return numbered.numbers
    places = sorted(zip(map(_SPAN, records.values()), records, strict=True))
    return {id: number for number, (_, id) in enumerate(places)}


def ids_with_text(records: Mapping[str, object], word: str) -> frozenset[str] | None:
    """The ids of records whose searched text contains a word; None if there is no file of texts."""
    numbered = _numbered_records(records)
    if numbered is None or (texts := numbered.texts) is None:
        return None
    return frozenset(map(numbered.ids.__getitem__, texts.find_containing(word)))


def edges_near(corpus: Corpus, ids: Set[str]) -> Iterator[Edge] | None:
    """The edges that lead to, from or with one of `ids`, each once, in order; None if they cannot
    be found without reading all.
    """
    numbered = _numbered_records(corpus.edges_by_id)
    if numbered is None:
        return None
    indexes = (corpus.edges_from, corpus.edges_to, corpus.edges_with)
    record_numbers = {
        number
        for index in indexes
        if isinstance(index, CachedRecordsByKey)
        for id in ids
        for number in index.numbers(id)
    }
    return map(numbered.__getitem__, sorted(record_numbers))


def premises_and_targets(corpus: Corpus, relation: Relation) -> tuple[list[str], list[str]] | None:
    """The premises and the targets of the edges of a relation; None if they cannot be found without
    reading all, or if some edge links more than these.
    """
    numbered = _numbered_records(corpus.edges_by_id)
    edges_by_relation = corpus.edges_by_relation
    if numbered is None or not isinstance(edges_by_relation, CachedRecordsByKey):
        return None
    numbers = edges_by_relation.numbers(relation)
    # a joint edge has further premises, a mutual one leads both ways: two columns cannot say that
    joint_numbers, _ = numbered.recorded_values("together")
    flagged_numbers, is_mutual = numbered.recorded_values("mutual")
    mutual_numbers = compress(flagged_numbers, is_mutual)
    if not {*joint_numbers, *mutual_numbers}.isdisjoint(numbers):
        return None
    premises, targets = numbered.column("origin"), numbered.column("target")
    return [premises[number] for number in numbers], [targets[number] for number in numbers]
