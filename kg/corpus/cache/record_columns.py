"""What is asked of many records at once: of a kept corpus, it is read from columns, so that few
records need to be decoded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import compress
from operator import attrgetter
from typing import Any, TypeVar

from kg.corpus.cache.cached_records import CachedGroups, CachedRecords, record_numbers_and_values
from kg.corpus.corpus import Corpus
from kg.model import Edge, Relation

Record = TypeVar("Record")
_SPAN = attrgetter("span")


def is_from_cache(corpus: Corpus) -> bool:
    """Whether a corpus comes from the cache of an earlier run, and is decoded record by record."""
    return isinstance(corpus.statements, CachedRecords)


def values_of_field(records: Mapping[str, object], name: str) -> Mapping[str, Any]:
    """By id, the values of records in the field `name`, without empty ones."""
    if isinstance(records, CachedRecords):
        numbers, values = records.numbered.recorded_values(name)
        return dict(zip(map(records.numbered.ids.__getitem__, numbers), values, strict=True))
    ids = list(records)
    numbers, values = record_numbers_and_values(records.values(), name)
    return dict(zip(map(ids.__getitem__, numbers), values, strict=True))


def ids_of_records(records: Mapping[str, object]) -> Sequence[str]:
    """All ids, by the number of their record; of a kept corpus, they are not copied."""
    return records.numbered.ids if isinstance(records, CachedRecords) else [*records]


def count_of_group(groups: Mapping[str, tuple[object, ...]], key: str) -> int:
    """How many records a group has; those of a kept corpus are not decoded."""
    return len(groups.numbers(key) if isinstance(groups, CachedGroups) else groups.get(key, ()))


def records_of_group(groups: Mapping[str, tuple[Record, ...]], key: str) -> Iterable[Record]:
    """The records of a group, one after the other where all need not fit into memory."""
    if isinstance(groups, CachedGroups) and not groups.numbered.keeps_all:
        return groups.numbered.read_records(groups.numbers(key))
    return groups.get(key, ())


def reading_order(records: Mapping[str, object]) -> Mapping[str, int]:
    """Each record's place in reading order: by path, line and column."""
    if isinstance(records, CachedRecords) and records.numbered.is_in_reading_order:
        return records.numbered.numbers
    places = sorted(zip(map(_SPAN, records.values()), records, strict=True))
    return {id: number for number, (_, id) in enumerate(places)}


def ids_with_text(records: Mapping[str, object], word: str) -> frozenset[str] | None:
    """The ids of records whose searched text contains a word; None if no text is kept."""
    if isinstance(records, CachedRecords) and (texts := records.numbered.texts):
        return frozenset(map(records.numbered.ids.__getitem__, texts.find_containing(word)))
    return None


def edges_near(corpus: Corpus, ids: Set[str]) -> Iterator[Edge] | None:
    """The edges that lead to, from or with one of `ids`, each once, in order; None if they cannot
    be found without reading all.
    """
    edges = corpus.edges_by_id
    if not isinstance(edges, CachedRecords):
        return None
    groups = (corpus.edges_from, corpus.edges_to, corpus.edges_with)
    record_numbers = {
        number
        for group in groups
        if isinstance(group, CachedGroups)
        for id in ids
        for number in group.numbers(id)
    }
    return map(edges.numbered.__getitem__, sorted(record_numbers))


def ends_of_edges(corpus: Corpus, relation: Relation) -> tuple[list[str], list[str]] | None:
    """The sources and the targets of the edges of a relation; None if they cannot be found without
    reading all, or if some edge links more than these.
    """
    edges = corpus.edges_by_id
    groups = corpus.edges_by_relation
    if not isinstance(edges, CachedRecords) or not isinstance(groups, CachedGroups):
        return None
    numbered = edges.numbered
    numbers = groups.numbers(relation)
    edges_with_more_links = set(numbered.recorded_values("together")[0])
    edge_numbers, mutual = numbered.recorded_values("mutual")
    if True in mutual:
        edges_with_more_links.update(compress(edge_numbers, mutual))
    if not edges_with_more_links.isdisjoint(numbers):
        return None
    sources = numbered.column("source")
    targets = numbered.column("target")
    return [sources[number] for number in numbers], [targets[number] for number in numbers]
