"""Indexes of a corpus, each made on first use."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from kg.corpus import Corpus, UnknownId
from kg.corpus.columns import ids_with_text, reading_order, values_of_field
from kg.corpus.reasons_for_and_against import is_supported
from kg.corpus.searched_texts import searched_texts
from kg.queries.conditions.field_types import FieldValue, Record, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND, TEXTS
from kg.queries.conditions.link_index import IdsById, LinkIndex, group_pairs
from kg.queries.conditions.value_ranges import Number, is_surely_within
from kg.runtime.memoize import memoize
from kg.text.spelling import similar_names

MAX_VALUES_LISTED = 24  # values of a field that an error can list


class CorpusIndex(LinkIndex):
    """Sets of ids by field values, by words, and by links."""

    # -- records -------------------------------------------------------------------------

    def records(self, record_kind: RecordKind) -> Mapping[str, Record]:
        """Everything of one kind, by id."""
        return records_of(self.corpus, record_kind)

    @memoize
    def all_ids(self, record_kind: RecordKind) -> frozenset[str]:
        """Return all ids of one kind."""
        return frozenset(self.records(record_kind))

    @memoize
    def reading_order(self, record_kind: RecordKind) -> Mapping[str, int]:
        """Map each id to its place in reading order: by path, line and column."""
        return reading_order(self.records(record_kind))

    # -- fields --------------------------------------------------------------------------

    @memoize
    def values(self, record_kind: RecordKind, field: str) -> Mapping[str, tuple[FieldValue, ...]]:
        """The values of a field, by id, without records that have none."""
        return {
            id: value if value.__class__ is tuple else (value,)
            for id, value in self._values_of_records(record_kind, field).items()
            if value != ()
        }

    def _values_of_records(self, record_kind: RecordKind, field: str) -> Mapping[str, Any]:
        """Return what is recorded in a field, by id: a value, or a tuple of several."""
        definition = FIELDS_BY_KIND[record_kind][field]
        if definition.index:
            return definition.index(self.corpus)
        if definition.placeholder or not (definition.column or definition.attribute):
            records = self.records(record_kind).items()
            return {id: definition.values(self.corpus, record) for id, record in records}
        return values_of_field(self.records(record_kind), definition.column or definition.attribute)

    def values_of_few(
        self, record_kind: RecordKind, field: str, ids: Iterable[str]
    ) -> Mapping[str, tuple[FieldValue, ...]]:
        """The values of a field for these ids only, without records that have none."""
        definition = FIELDS_BY_KIND[record_kind][field]
        records = self.records(record_kind)
        values_by_id = {id: definition.values(self.corpus, records[id]) for id in ids}
        return {id: values for id, values in values_by_id.items() if values}

    def sort_keys(
        self, record_kind: RecordKind, field: str
    ) -> Mapping[str, tuple[FieldValue, ...]]:
        """What records are sorted by in the order of a field, by id: its `rank`, if it has one (of
        `author` the first author), else its values.
        """
        rank = FIELDS_BY_KIND[record_kind][field].rank
        return (
            sort_values(self.records(record_kind), rank)
            if rank
            else self.values(record_kind, field)
        )

    @memoize
    def ids_by_value(
        self, record_kind: RecordKind, field: str
    ) -> Mapping[FieldValue, frozenset[str]]:
        """A record with several values is under each; one without is missing."""
        ids_of_value: defaultdict[FieldValue, list[str]] = defaultdict(list)
        for id, value in self._values_of_records(record_kind, field).items():
            if value.__class__ is not tuple:
                ids_of_value[value].append(id)
                continue
            for each in value:
                ids_of_value[each].append(id)
        return {value: frozenset(ids) for value, ids in ids_of_value.items()}

    @memoize
    def ids_with_value(self, record_kind: RecordKind, field: str) -> frozenset[str]:
        """Ids for which a field holds any value."""
        return frozenset(self.values(record_kind, field))

    @memoize
    def sorted_values(
        self, record_kind: RecordKind, field: str
    ) -> tuple[Sequence[Any], Sequence[str]]:
        """The values of an ordered field, ascending, and the corresponding ids."""
        pairs_by_id = self.values(record_kind, field).items()
        pairs = sorted((value, id) for id, values in pairs_by_id for value in values)
        return [value for value, _ in pairs], [id for _, id in pairs]

    def ids_between(
        self, record_kind: RecordKind, field: str, low: Number | None, high: Number | None
    ) -> frozenset[str]:
        """Ids for which an ordered field lies between two bounds; None is no bound."""
        if sign_field := FIELDS_BY_KIND[record_kind][field].sign_field:
            values = self.values(record_kind, field)
            signs = self.values(record_kind, sign_field)
            return frozenset(
                id
                for id, [value] in values.items()
                if is_surely_within(value, signs.get(id, ("",))[0], low, high)
            )
        sizes, ids = self.sorted_values(record_kind, field)
        start = 0 if low is None else bisect_left(sizes, low)
        end = len(sizes) if high is None else bisect_right(sizes, high)
        return frozenset(ids[start:end])

    def ids_with_words(
        self, record_kind: RecordKind, words: tuple[str, ...], candidates: Set[str] | None
    ) -> Set[str]:
        """Ids out of `candidates` (None: all) whose text holds every word."""
        records = self.records(record_kind)
        remaining_ids = candidates
        for word in words:
            if (matching_ids := ids_with_text(records, word)) is not None:
                remaining_ids = (
                    matching_ids if remaining_ids is None else remaining_ids & matching_ids
                )
            else:
                text_by_id = self._searched_text(record_kind)
                remaining_ids = {
                    id
                    for id in (text_by_id if remaining_ids is None else remaining_ids)
                    if word in text_by_id[id]
                }
        return records.keys() if remaining_ids is None else remaining_ids

    @memoize
    def _searched_text(self, record_kind: RecordKind) -> Mapping[str, str]:
        """The text searched for words, by id."""
        records = self.records(record_kind)
        texts = searched_texts(records, (name for name, _ in TEXTS[record_kind]))
        return dict(zip(records, texts, strict=True))

    # -- other links ---------------------------------------------------------------------

    @cached_property
    def supported_statements(self) -> frozenset[str]:
        """Statements that have support, or are declared the same as one that has."""
        corpus = self.corpus
        return frozenset(id for id in corpus.statements if is_supported(corpus, id))

    @cached_property
    def edges_by_start(self) -> IdsById:
        """Edges by where they start."""
        starts = values_of_field(self.corpus.edges_by_id, "origin").items()
        return group_pairs((start, id) for id, start in starts)

    @cached_property
    def edges_by_end(self) -> IdsById:
        """Edges by where they end."""
        ends = values_of_field(self.corpus.edges_by_id, "target").items()
        return group_pairs((end, id) for id, end in ends)

    @cached_property
    def lines_by_source(self) -> IdsById:
        """Lines by the sources that their essays cite."""
        return group_pairs(
            (citation.key, line.id)
            for line in self.corpus.lines.values()
            for citation in line.citations
        )

    @cached_property
    def statements_by_source(self) -> IdsById:
        """Statements by the sources that they cite."""
        keys_by_id = values_of_field(self.corpus.statements, "sources").items()
        return group_pairs((key, id) for id, keys in keys_by_id for key in keys)

    @cached_property
    def parts_by_parent(self) -> IdsById:
        """Nested statements by the statement around them."""
        parents = values_of_field(self.corpus.statements, "parent").items()
        return group_pairs((parent, id) for id, parent in parents)

    # -- names ---------------------------------------------------------------------------

    def resolve_name(self, record_kind: RecordKind, name: str) -> str:
        """The id that a name stands for; raises `UnknownId`."""
        corpus = self.corpus
        if name in self.records(record_kind):
            return name
        if record_kind is RecordKind.EDGE:
            raise UnknownId(name, similar_names(name, corpus.edges_by_id), "edge")
        if record_kind is RecordKind.SOURCE:
            return corpus.source(name).key
        return (
            corpus.line(name).id
            if record_kind is RecordKind.LINE
            else self._resolve_statement(name)
        )

    def _resolve_statement(self, name: str) -> str:
        plain_name = name.replace("#^", "#")
        if plain_name in self.corpus.config.camp_ids and self.corpus.look_up(plain_name) is None:
            raise UnknownId(name, (f"camp:{plain_name}",), "statement")
        return self.corpus.statement(plain_name).id

    def camp_of(self, name: str) -> str:
        """The id of the camp called `name`; raises `UnknownId`."""
        if camp := self.corpus.config.find_camp(name):
            return camp
        raise unknown_value(name, self.corpus.config.camp_ids, "camp")

    def values_of(self, record_kind: RecordKind, field: str, name: str) -> Sequence[str]:
        """The values of a field that `name` stands for; raises `UnknownId`."""
        known_values = [str(value) for value in self.ids_by_value(record_kind, field)]
        if field == "method" and name in self.corpus.config.quality.methods:
            return (name,)  # a known method, even if no evidence uses it
        return query_values(record_kind, field, name, known_values)


def records_of(corpus: Corpus, record_kind: RecordKind) -> Mapping[str, Record]:
    """Everything of one kind, by id."""
    match record_kind:
        case RecordKind.STATEMENT:
            return corpus.statements
        case RecordKind.SOURCE:
            return corpus.sources
        case RecordKind.LINE:
            return corpus.lines
    return corpus.edges_by_id


def sort_values(
    records: Mapping[str, object], rank: Callable[[object], str]
) -> Mapping[str, tuple[FieldValue, ...]]:
    """The sort keys of records, by id, without records that have none."""
    return {id: (sort_key,) for id, record in records.items() if (sort_key := rank(record))}


def query_values(
    record_kind: RecordKind, field: str, name: str, known_values: Sequence[str]
) -> Sequence[str]:
    """The known values that a name stands for, ignoring case; raises `UnknownId`."""
    if name in known_values:
        return (name,)
    folded_name = name.casefold()
    if field == "author" and "," in folded_name:
        folded_name = " ".join(part.strip() for part in reversed(folded_name.split(",")))
    matching_values = [value for value in known_values if value.casefold() == folded_name]
    if not matching_values and field == "author":
        matching_values = [
            value for value in known_values if folded_name in value.casefold().split()
        ]
    noun = field.replace("_", " ")
    if not known_values:
        raise UnknownId(name, (), noun, f": no {record_kind} has one")
    if not matching_values:
        raise unknown_value(name, known_values, noun, MAX_VALUES_LISTED)
    return tuple(matching_values)


def unknown_value(
    name: str, known_values: Sequence[str], kind: str, max_listed: int | None = None
) -> UnknownId:
    """The error for a name that is not a value: the nearest ones, or else all, or how many.

    A short list is always given in full: the nearest in spelling may be far in meaning.
    """
    nearest = similar_names(name, known_values)
    if nearest and (max_listed is None or len(known_values) > max_listed // 2):
        return UnknownId(name, nearest, kind)
    exceeds_list = max_listed is not None and len(known_values) > max_listed
    values_text = (
        f"{len(known_values)} others" if exceeds_list else ", ".join(sorted(known_values)) or "none"
    )
    return UnknownId(name, nearest, kind, f" in the corpus, which has {values_text}")


@memoize
def index_of(corpus: Corpus) -> CorpusIndex:
    """Made once for a corpus, and each of its indexes when first asked for."""
    return CorpusIndex(corpus)
