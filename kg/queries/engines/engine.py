"""The interface of engines, the engine in memory, and the resolution of names for all of them.

Names become ids before an engine runs a selection, so all engines get the same valid ids, and a
misspelt topic is an error with a suggestion, never an empty answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import replace
from typing import Protocol, TypeAlias

from kg.corpus import Corpus, UnknownId
from kg.corpus.columns import is_read_record_by_record
from kg.model import Edge, Relation
from kg.queries.conditions.condition import Condition, FieldIn, IdIn, Query
from kg.queries.conditions.corpus_index import index_of
from kg.queries.conditions.field_types import FieldType, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.conditions.inherited_conditions import with_inherited_fields
from kg.queries.conditions.link_index import MAX_SINGLE_LOOKUPS
from kg.queries.conditions.ordering import Values
from kg.queries.conditions.related_records import PlacementInCamp

# Pairs of a start and an end. An edge of several premises links each of them with its target.
Ends: TypeAlias = tuple[tuple[str, str], ...]

_KIND_OF_FIELD = {
    "line": RecordKind.LINE,
    "source": RecordKind.SOURCE,
    "parent": RecordKind.STATEMENT,
}


class Engine(Protocol):
    """Anything that can run a selection.

    The corpora that it returns may contain more than was asked for: an engine that holds
    everything returns everything, one that must fetch returns as little as it can.
    """

    def resolve(self, query: Query) -> Query:
        """The query with every name in it resolved; raises `UnknownId`."""

    def find_ids(self, query: Query) -> tuple[str, ...]:
        """Ids of what a resolved query holds, in its order."""

    def values(self, record_kind: RecordKind, field: str, ids: Collection[str]) -> Values:
        """The values of a field, for at least these ids, where there are any."""

    def whole_corpus(self) -> Corpus:
        """Return all records, for what must be computed over the whole corpus."""

    def corpus_with(self, record_kind: RecordKind, ids: Collection[str]) -> Corpus:
        """A corpus that holds at least the records of these ids."""

    def corpus_around(self, edges: Collection[Edge], ids: Collection[str]) -> Corpus:
        """A corpus that holds these statements, these edges and what they link."""

    def edges(self, relations: Collection[Relation]) -> Sequence[tuple[Edge, Ends]]:
        """Edges of some relations, each with the pairs of statements that it links."""

    def links(
        self, relations: Collection[Relation], ids: Set[str]
    ) -> Iterable[tuple[Relation, str, str]]:
        """Return at least the pairs of statements that edges of some relations link and of which
        one is among `ids`, each with the relation.
        """


class MemoryEngine(Engine):
    """The corpus in memory as an engine."""

    def __init__(self, corpus: Corpus) -> None:
        self.index = index_of(corpus)

    def resolve(self, query: Query) -> Query:
        return resolve_names(query, self.index)

    def find_ids(self, query: Query) -> tuple[str, ...]:
        return query.ordered_ids(self.index)

    def values(self, record_kind: RecordKind, field: str, ids: Collection[str]) -> Values:
        # of a corpus that is read record by record, an index would read all for these few
        if is_read_record_by_record(self.index.corpus) and len(ids) <= MAX_SINGLE_LOOKUPS:
            return self.index.values_of_few(record_kind, field, ids)
        return self.index.values(record_kind, field)

    def whole_corpus(self) -> Corpus:
        """The corpus that was indexed; nothing is computed."""
        return self.index.corpus

    def corpus_with(self, record_kind: RecordKind, ids: Collection[str]) -> Corpus:
        return self.index.corpus

    def corpus_around(self, edges: Collection[Edge], ids: Collection[str]) -> Corpus:
        return self.index.corpus

    def edges(self, relations: Collection[Relation]) -> Sequence[tuple[Edge, Ends]]:
        index = self.index
        return [(edge, index.ends(edge)) for each in relations for edge in index.edges(each)]

    def links(
        self, relations: Collection[Relation], ids: Set[str]
    ) -> Iterable[tuple[Relation, str, str]]:
        return self.index.links(relations, ids)


class NameDirectory(Protocol):
    """Anything that knows which names there are: the index of a corpus, or a SPARQL engine."""

    def resolve_name(self, record_kind: RecordKind, name: str) -> str:
        """The id that a name stands for; raises `UnknownId`."""

    def camp_of(self, name: str) -> str:
        """The camp's id; raises `UnknownId`."""

    def values_of(self, record_kind: RecordKind, field: str, name: str) -> Sequence[str]:
        """The values of a field that a name means; raises `UnknownId`."""


def resolve_names(query: Query, directory: NameDirectory) -> Query:
    """The query with every name in it resolved, asking claims through their evidence and evidence
    through its claims; raises `UnknownId`.
    """
    return _with_ids(with_inherited_fields(query), directory)


def _with_ids(query: Query, directory: NameDirectory) -> Query:
    resolved_condition = _with_own_ids(query.record_kind, query.condition, directory)
    condition = resolved_condition.change_queries(
        query.record_kind, lambda subquery: _with_ids(subquery, directory)
    )
    return query if condition is query.condition else replace(query, condition=condition)


def _with_own_ids(
    record_kind: RecordKind, condition: Condition, directory: NameDirectory
) -> Condition:
    """The condition with its own names resolved, not those of queries within it."""
    match condition:
        case IdIn(ids, kinds):
            # a word such as “claims”, unless a note is called so
            if kinds and not _has_name(directory, record_kind, ids[0]):
                return FieldIn("kind", kinds)
            resolved_ids = tuple(
                dict.fromkeys([directory.resolve_name(record_kind, name) for name in ids])
            )
            return condition if resolved_ids == ids else IdIn(resolved_ids)
        case FieldIn():
            return _with_resolved_values(record_kind, condition, directory)
        case PlacementInCamp(camp=str(camp)):
            return replace(condition, camp=directory.camp_of(camp))
    return condition


def _with_resolved_values(
    record_kind: RecordKind, condition: FieldIn, directory: NameDirectory
) -> FieldIn:
    """Free values are looked up, so that a misspelt topic is an error and not an empty answer."""
    field = FIELDS_BY_KIND[record_kind][condition.field]
    # these were checked against their list when the selection was put
    if (field.words and not field.extensible) or field.type is FieldType.FLAG:
        return condition
    if field.words and set(condition.values) <= set(field.words):
        return condition
    names = map(str, condition.values)
    if condition.field == "camp":
        return FieldIn("camp", tuple(map(directory.camp_of, names)))
    if condition.field == "id":
        return FieldIn("id", tuple(directory.resolve_name(record_kind, name) for name in names))
    if field.type is FieldType.THING:
        named_kind = (
            RecordKind.STATEMENT
            if record_kind is RecordKind.EDGE
            else _KIND_OF_FIELD[condition.field]
        )
        ids = tuple(directory.resolve_name(named_kind, name) for name in names)
        return FieldIn(condition.field, ids)
    closed_words = field.words
    # one name may mean several values: a topic in two spellings, a family name of two people
    resolved_values = [
        value
        for name in names
        for value in (
            [name]
            if name in closed_words
            else directory.values_of(record_kind, condition.field, name)
        )
    ]
    return FieldIn(condition.field, tuple(dict.fromkeys(resolved_values)))


def _has_name(directory: NameDirectory, record_kind: RecordKind, name: str) -> bool:
    """Return whether something has the name."""
    try:
        return bool(directory.resolve_name(record_kind, name))
    except UnknownId:
        return False
