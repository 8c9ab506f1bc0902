"""Indexes of a sealed corpus, each made when a question first needs it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import product
from operator import attrgetter
from typing import Any, TypeVar

from kg.corpus import Corpus, UnknownId
from kg.corpus.kept_rows import KeptRecords, column, recorded, searched_texts
from kg.corpus.sides import is_supported
from kg.model import Edge, Relation
from kg.model.value import pause_gc
from kg.queries.conditions.fields import FIELDS_OF_SORT, TEXTS, FieldValue, Record, Sort
from kg.queries.conditions.ranges import Number, is_surely_within
from kg.text.spelling import nearest_names

Found = TypeVar("Found")
IdsById = Mapping[str, tuple[str, ...]]
MOST_VALUES_LISTED = 24  # values of a field that an error can list
_SPAN = attrgetter("span")


class Index:
    """Sets of ids by what the records say, and who is linked to whom."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._kept: dict[object, Any] = {}

    def _once(self, key: object, make: Callable[[], Found]) -> Found:
        if key not in self._kept:
            with pause_gc():
                self._kept[key] = make()
        found: Found = self._kept[key]
        return found

    # -- records -------------------------------------------------------------------------

    def records(self, sort: Sort) -> Mapping[str, Record]:
        """Everything of one sort, by id."""
        return records_of(self.corpus, sort)

    def everything(self, sort: Sort) -> frozenset[str]:
        """All ids of one sort."""
        return self._once(("all", sort), lambda: frozenset(self.records(sort)))

    def reading_order(self, sort: Sort) -> Mapping[str, int]:
        """Each id's place in reading order: by path, line and column."""

        def make() -> Mapping[str, int]:
            records = self.records(sort)
            if isinstance(records, KeptRecords) and records.rows.in_reading_order:
                return records.rows.numbers
            places = sorted(zip(map(_SPAN, records.values()), records, strict=True))
            return {id: number for number, (_, id) in enumerate(places)}

        return self._once(("order", sort), make)

    # -- fields --------------------------------------------------------------------------

    def values(self, sort: Sort, field: str) -> Mapping[str, tuple[FieldValue, ...]]:
        """The values of a field, by id, where there are any."""

        def make() -> Mapping[str, tuple[FieldValue, ...]]:
            place = FIELDS_OF_SORT[sort][field]
            records, column = self.records(sort), place.column or place.attribute
            if column and not place.left_out:
                found = recorded(records, column).items()
                return {id: v if v.__class__ is tuple else (v,) for id, v in found}
            things = zip(records, records, strict=True) if place.by_id else records.items()
            read = {id: place.values_of(self.corpus, thing) for id, thing in things}
            return {id: values for id, values in read.items() if values}

        return self._once(("values", sort, field), make)

    def ranks(self, sort: Sort, field: str) -> Mapping[str, tuple[FieldValue, ...]]:
        """What a field is sorted by, by id."""
        rank = FIELDS_OF_SORT[sort][field].rank
        return rank_records(self.records(sort), rank) if rank else self.values(sort, field)

    def ids_by_value(self, sort: Sort, field: str) -> Mapping[FieldValue, frozenset[str]]:
        """Ids by the values of a field."""

        def make() -> Mapping[FieldValue, frozenset[str]]:
            grouped: defaultdict[FieldValue, list[str]] = defaultdict(list)
            for id, values in self.values(sort, field).items():
                for value in values:
                    grouped[value].append(id)
            return {value: frozenset(ids) for value, ids in grouped.items()}

        return self._once(("holding", sort, field), make)

    def ids_with_value(self, sort: Sort, field: str) -> frozenset[str]:
        """Ids for which a field holds any value."""
        return self._once(("recorded", sort, field), lambda: frozenset(self.values(sort, field)))

    def sorted_values(self, sort: Sort, field: str) -> tuple[Sequence[Any], Sequence[str]]:
        """The values of an ordered field from small to large, and the ids beside them."""

        def make() -> tuple[Sequence[Any], Sequence[str]]:
            found = self.values(sort, field).items()
            pairs = sorted((value, id) for id, values in found for value in values)
            return [value for value, _ in pairs], [id for _, id in pairs]

        return self._once(("sizes", sort, field), make)

    def ids_between(
        self, sort: Sort, field: str, low: Number | None, high: Number | None
    ) -> frozenset[str]:
        """Ids for which an ordered field lies between two ends, of which None is open."""
        if FIELDS_OF_SORT[sort][field].sign:
            known, signs = (
                self.values(sort, field),
                self.values(sort, FIELDS_OF_SORT[sort][field].sign),
            )
            return frozenset(
                id
                for id, [value] in known.items()
                if is_surely_within(value, signs.get(id, ("",))[0], low, high)
            )
        sizes, ids = self.sorted_values(sort, field)
        start = 0 if low is None else bisect_left(sizes, low)
        end = len(sizes) if high is None else bisect_right(sizes, high)
        return frozenset(ids[start:end])

    def ids_with_words(
        self, sort: Sort, words: tuple[str, ...], among: Set[str] | None
    ) -> Set[str]:
        """Ids out of `among` (None: all) whose text holds every word."""
        records, left = self.records(sort), among
        for word in words:
            if isinstance(records, KeptRecords) and (texts := records.rows.texts):
                found = map(records.rows.ids.__getitem__, texts.holding(word))
                left = frozenset(found) if left is None else left & frozenset(found)
            else:
                held = self._searched_text(sort)
                left = {id for id in (held if left is None else left) if word in held[id]}
        return records.keys() if left is None else left

    def _searched_text(self, sort: Sort) -> Mapping[str, str]:
        """What is searched for words, by id."""

        def make() -> Mapping[str, str]:
            records = self.records(sort)
            texts = searched_texts(records, (name for name, _ in TEXTS[sort]))
            return dict(zip(records, texts, strict=True))

        return self._once(("text", sort), make)

    # -- links ---------------------------------------------------------------------------

    def outgoing(self, relation: Relation) -> IdsById:
        """Statements by the statement whose edge leads to them."""
        return self._once(("onward", relation), lambda: _group(self._pairs(relation)))

    def incoming(self, relation: Relation) -> IdsById:
        """Statements by the statement that their edge leads to."""
        return self._once(
            ("back", relation), lambda: _group((b, a) for a, b in self._pairs(relation))
        )

    def _pairs(self, relation: Relation) -> Iterable[tuple[str, str]]:
        known = self.corpus.statements.keys()
        return (pair for pair in self.links(relation) if pair[0] in known and pair[1] in known)

    def links(self, relation: Relation) -> Sequence[tuple[str, str]]:
        """The pairs of statements that edges of one relation link, as `ends` says."""
        return self._links_by_relation.get(relation, ())

    @cached_property
    def _links_by_relation(self) -> Mapping[Relation, Sequence[tuple[str, str]]]:
        edges = self.corpus.edges_by_id
        names = ("source", "relation", "target", "together", "mutual")
        columns = zip(edges, *(column(edges, name) for name in names), strict=True)
        grouped: defaultdict[Relation, list[tuple[str, str]]] = defaultdict(list)
        for id, source, relation, target, together, mutual in columns:
            if together or mutual or relation is Relation.UNDERCUTS:
                grouped[relation] += self.ends(edges[id])
            else:  # as nearly all
                grouped[relation].append((source, target))
        return grouped

    def edges(self, relation: Relation) -> tuple[Edge, ...]:
        """Edges of one relation."""
        return self._by_relation.get(relation, ())

    @cached_property
    def _by_relation(self) -> Mapping[Relation, tuple[Edge, ...]]:
        grouped: defaultdict[Relation, list[Edge]] = defaultdict(list)
        for edge in self.corpus.edges:
            grouped[edge.relation].append(edge)
        return {relation: tuple(edges) for relation, edges in grouped.items()}

    def ends(self, edge: Edge) -> tuple[tuple[str, str], ...]:
        """The pairs of statements that an edge links, each from its start to its end.

        Each premise of a joint reason is one of its starts. A mutual contradiction leads both
        ways. An undercut leads to the statements whose bearing it denies, and to the one that
        thereby loses a reason.
        """
        if edge.relation is Relation.UNDERCUTS:
            denied = self.corpus.edges_by_id.get(edge.target)
            if denied is None:
                return ()
            losing = denied.relation is Relation.SUPPORTS
            ends = (*denied.premises, denied.target) if losing else denied.premises
            return tuple(product(edge.premises, ends))
        if edge.together:
            return tuple((premise, edge.target) for premise in edge.premises)
        return edge.directions

    def neighbours(
        self, relations: tuple[Relation, ...]
    ) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """For each statement, those that edges link it with, either way, and by which edge."""

        def make() -> Mapping[str, tuple[tuple[str, str], ...]]:
            near: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
            wanted = frozenset(relations)
            for edge in self.corpus.edges:
                for one, other in self.ends(edge) if edge.relation in wanted else ():
                    near[one][other, edge.id] = None
                    near[other][one, edge.id] = None
            return {id: tuple(links) for id, links in near.items()}

        return self._once(("near", relations), make)

    @cached_property
    def supported(self) -> frozenset[str]:
        """Statements that something supports, or one that is said to be the same."""
        corpus = self.corpus
        return frozenset(id for id in corpus.statements if is_supported(corpus, id))

    @cached_property
    def edges_by_start(self) -> IdsById:
        """Edges by where they start."""
        return _group((edge.source, edge.id) for edge in self.corpus.edges)

    @cached_property
    def edges_by_end(self) -> IdsById:
        """Edges by where they end."""
        return _group((edge.target, edge.id) for edge in self.corpus.edges)

    @cached_property
    def lines_by_source(self) -> IdsById:
        """Lines by the sources that their essays cite."""
        return _group(
            (citation.key, line.id)
            for line in self.corpus.lines.values()
            for citation in line.citations
        )

    @cached_property
    def statements_by_source(self) -> IdsById:
        """Statements by the sources that they cite."""
        return _group(
            (key, id) for id, record in self.corpus.statements.items() for key in record.sources
        )

    @cached_property
    def parts_by_parent(self) -> IdsById:
        """Nested statements by the statement around them."""
        return _group(
            (record.parent, id) for id, record in self.corpus.statements.items() if record.parent
        )

    # -- names ---------------------------------------------------------------------------

    def id_of(self, sort: Sort, name: str) -> str:
        """The id that a name stands for; raises `UnknownId`."""
        corpus = self.corpus
        if name in self.records(sort):
            return name
        if sort is Sort.EDGE:
            raise UnknownId(name, nearest_names(name, corpus.edges_by_id), "edge")
        if sort is Sort.SOURCE:
            return corpus.source(name).key
        return corpus.line(name).id if sort is Sort.LINE else self._statement(name)

    def _statement(self, name: str) -> str:
        plain = name.replace("#^", "#")
        if plain in self.corpus.config.camp_ids and self.corpus.look_up(plain) is None:
            raise UnknownId(name, (f"camp:{plain}",), "statement")
        return self.corpus.statement(plain).id

    def camp_of(self, name: str) -> str:
        """The camp's id; raises `UnknownId`."""
        if found := self.corpus.config.find_camp(name):
            return found
        raise unknown_value(name, self.corpus.config.camp_ids, "camp")

    def values_of(self, sort: Sort, field: str, name: str) -> Sequence[str]:
        """The values of a field that a name means; raises `UnknownId`."""
        held = [str(value) for value in self.ids_by_value(sort, field)]
        if field == "method" and name in self.corpus.config.quality.kinds:
            return (name,)  # no slip of the pen, though nothing was obtained so
        return query_values(sort, field, name, held)


def records_of(corpus: Corpus, sort: Sort) -> Mapping[str, Record]:
    """Everything of one sort, by id."""
    match sort:
        case Sort.STATEMENT:
            return corpus.statements
        case Sort.SOURCE:
            return corpus.sources
        case Sort.LINE:
            return corpus.lines
    return corpus.edges_by_id


def rank_records(
    records: Mapping[str, Any], rank: Callable[[Any], str]
) -> Mapping[str, tuple[FieldValue, ...]]:
    """What records are sorted by, by id, where there is anything."""
    return {id: (found,) for id, record in records.items() if (found := rank(record))}


def query_values(sort: Sort, field: str, name: str, known: Sequence[str]) -> Sequence[str]:
    """Those of the known values that a name means, in any case; raises `UnknownId`."""
    if name in known:
        return (name,)
    folded = name.casefold()
    if field == "author" and "," in folded:
        folded = " ".join(part.strip() for part in reversed(folded.split(",")))
    found = [value for value in known if value.casefold() == folded]
    if not found and field == "author":
        found = [value for value in known if folded in value.casefold().split()]
    what = field.replace("_", " ")
    if not known:
        raise UnknownId(name, (), what, f": no {sort} has one")
    if not found:
        raise unknown_value(name, known, what, MOST_VALUES_LISTED)
    return tuple(found)


def unknown_value(name: str, known: Sequence[str], what: str, most: int | None = None) -> UnknownId:
    """The error for a name that is no value: the nearest; all, or how many, where none is near.

    Of a short list all are told: the nearest in letters may be far in meaning.
    """
    close = nearest_names(name, known)
    if close and (most is None or len(known) > most // 2):
        return UnknownId(name, close, what)
    many = most is not None and len(known) > most
    listed = f"{len(known)} others" if many else ", ".join(sorted(known)) or "none"
    return UnknownId(name, close, what, f" in the corpus, which has {listed}")


def index_of(corpus: Corpus) -> Index:
    """The corpus's indexes, kept with it."""
    return corpus.derive(Index)


def _group(pairs: Iterable[tuple[str, str]]) -> IdsById:
    grouped: defaultdict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        grouped[key].append(value)
    return {
        key: tuple(dict.fromkeys(values) if len(values) > 1 else values)
        for key, values in grouped.items()
    }
