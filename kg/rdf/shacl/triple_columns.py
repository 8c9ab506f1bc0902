"""The graph to validate, a column of triples for each property."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import pyoxigraph as ox

from kg.rdf.shacl.node_text import RDFS, iri
from kg.rdf.shacl.query_scope import TYPE, QueryScope, query_scope
from kg.reachability import walk_from
from kg.runtime.memoize import ResultsKeeper, memoize

SUBCLASS = iri(RDFS + "subClassOf")


class Column:
    """The triples of one property: the values of each subject, each once."""

    def __init__(self, subjects: Sequence[str], values: Sequence[str]) -> None:
        self.single = dict(zip(subjects, values, strict=True))
        self.several: dict[str, tuple[str, ...]] = {}
        if len(self.single) == len(subjects):
            return
        other_values: dict[str, dict[str, None]] = {}
        for subject, value in zip(subjects, values, strict=True):
            if self.single[subject] != value:
                other_values.setdefault(subject, {})[value] = None
        for subject, first_values in other_values.items():
            self.several[subject] = (*first_values, self.single.pop(subject))

    def of(self, subject: str) -> tuple[str, ...]:
        """The values of one subject."""
        value = self.single.get(subject)
        return self.several.get(subject, ()) if value is None else (value,)

    def image(self, subjects: set[str]) -> set[str]:
        """Return all values that any of these subjects has."""
        values: set[str | None] = set(map(self.single.get, subjects))
        values.discard(None)
        for subject in self.several.keys() & subjects:
            values.update(self.several[subject])
        return values  # type: ignore[return-value]

    def subjects_with(self, values: set[str]) -> set[str]:
        """The subjects with at least one of these values."""
        subjects = {subject for subject, value in self.single.items() if value in values}
        subjects.update(s for s, several in self.several.items() if not values.isdisjoint(several))
        return subjects

    def subjects(self) -> set[str]:
        """The subjects with at least one value."""
        return self.single.keys() | self.several.keys()

    def values(self) -> set[str]:
        return set(self.single.values()).union(*self.several.values())

    def pairs_also_in(self, other: Column) -> set[tuple[str, str]]:
        """Pairs of a subject and a value that are in both columns."""
        shared_pairs = self.single.items() & other.single.items()
        for subject in self.several.keys() | other.several.keys():
            shared_values = set(self.of(subject)).intersection(other.of(subject))
            shared_pairs.update((subject, value) for value in shared_values)
        return shared_pairs

    def inverse(self) -> Column:
        """The inverse column, from values to subjects."""
        rows = list(self.rows())
        return Column([value for _, value in rows], [subject for subject, _ in rows])

    def rows(self) -> Iterator[tuple[str, str]]:
        """Pairs of a subject and one of its values."""
        yield from self.single.items()
        for subject, values in self.several.items():
            for value in values:
                yield subject, value


class TripleColumns(ResultsKeeper):
    """A graph of triples that does not change; each column is made once.

    A query runs on a store of only those triples that it can touch.
    """

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        self._by_property: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        self._columns: dict[tuple[str, bool], Column] = {}
        self._stores: dict[QueryScope | None, ox.Store] = {}
        for subject, property, value in triples:
            subjects, values = self._by_property[property]
            subjects.append(subject)
            values.append(value)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        """The triples; one may occur more than once."""
        return self._triples_in_scope(None)

    def column(self, property: str, by_value: bool = False) -> Column:
        """The triples of a property by subject, or by value if `by_value`."""
        key = property, by_value
        if key not in self._columns:
            pairs = self._by_property.get(property, ((), ()))
            self._columns[key] = self.column(property).inverse() if by_value else Column(*pairs)
        return self._columns[key]

    def of(self, subject: str, property: str) -> tuple[str, ...]:
        """The values of one subject."""
        return self.column(property).of(subject)

    @cached_property
    def subjects_by_value(self) -> Mapping[str, set[str]]:
        """The subjects that have each node as a value of any property."""
        subjects: dict[str, set[str]] = {}
        for subject, _, value in self:
            subjects.setdefault(value, set()).add(subject)
        return subjects

    @cached_property
    def properties_by_subject(self) -> Mapping[str, set[str]]:
        properties: dict[str, set[str]] = {}
        for subject, property, _ in self:
            properties.setdefault(subject, set()).add(property)
        return properties

    @memoize
    def instances(self, class_iri: str) -> set[str]:
        """The instances of a class and of its subclasses."""
        subclasses = walk_from([class_iri], self.column(SUBCLASS, by_value=True).of)
        return set().union(*(self._members_by_class.get(each, ()) for each in subclasses))

    @cached_property
    def _members_by_class(self) -> dict[str, set[str]]:
        """The nodes of each class, which has more of them than suit a column."""
        members: dict[str, set[str]] = defaultdict(set)
        for node, kind in zip(*self._by_property.get(TYPE, ((), ())), strict=True):
            members[kind].add(node)
        return members

    def query(self, text: str) -> Any:
        """Pyoxigraph's answer to a query of the whole graph."""
        scope = query_scope(text)
        if scope:  # without what does not occur, to share stores
            classes = scope.classes and scope.classes.intersection(self._members_by_class)
            scope = QueryScope(scope.properties.intersection(self._by_property), classes)
        if scope not in self._stores:
            self._stores[scope] = ox.Store()
            lines = "".join(f"{s} {p} {o} .\n" for s, p, o in self._triples_in_scope(scope))
            # parsed here, as a store would give blank nodes other names
            self._stores[scope].bulk_extend(ox.parse(lines, format=ox.RdfFormat.N_TRIPLES))
        return self._stores[scope].query(text)

    def _triples_in_scope(self, scope: QueryScope | None) -> Iterator[tuple[str, str, str]]:
        for property, (subjects, values) in self._by_property.items():
            if scope is not None and property not in scope.properties:
                continue
            classes = scope.classes if scope and property == TYPE else None
            for subject, value in zip(subjects, values, strict=True):
                if classes is None or value in classes:
                    yield subject, property, value


def triples_of(quads: Iterable[ox.Quad]) -> Iterator[tuple[str, str, str]]:
    """The triples of pyoxigraph quads, as texts of their nodes."""
    for quad in quads:
        yield str(quad.subject), str(quad.predicate), str(quad.object)
