"""The graph to validate, a column of triples for each property, and which a query can touch."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyoxigraph as ox

from kg.rdf.bindings import TOKEN
from kg.rdf.shacl.node_text import RDF, RDFS, as_term, iri
from kg.rdf.triples import SubjectTriples
from kg.runtime.memoize import memoized_method

TYPE = iri(RDF + "type")
SUBCLASS = iri(RDFS + "subClassOf")
_PREFIX = re.compile(r"PREFIX\s+([\w.-]*:)\s*<([^<>\s]*)>", re.IGNORECASE)
# DESCRIBE gives back all triples of a node, whatever its text names; the template of CONSTRUCT
# reads like what is asked for and is not: so neither is looked into.
_ANY_GRAPH = re.compile(r"\b(?:GRAPH|SERVICE|FROM|CONSTRUCT|DESCRIBE|BASE)\b", re.IGNORECASE)
# Placeholder characters for a query's variables, names, `rdf:type` and strings.
_V, _N, _T, _L = "\ue000\ue001\ue002\ue003"
_IS_TYPE = rf"(?:\ba\b|{_T})"
_NAME = rf"(?:[{_N}{_T}]|\ba\b)"
_VARIABLE_PROPERTY = re.compile(
    rf"[{_V}{_N}{_T}{_L}\]);\[]\s*{_V}\s*(?:[{_V}{_N}{_T}{_L}\[(+-]|\d|(?:true|false)\b)"
)
_OTHER_PROPERTIES = re.compile(rf"!\s*(?:[(^]|{_NAME})")
_NO_STEPS = re.compile(rf"(?:\)|{_NAME})\s*[*?]")  # paths that lead from any node to itself
_ANY_CLASS = re.compile(rf"{_IS_TYPE}\s*[{_V}/|)\[+]|[/|^(]\s*{_IS_TYPE}")


class QueryScope(NamedTuple):
    """The properties of all triples that a query can touch; of types, only those with `classes`,
    unless that is None.
    """

    properties: frozenset[str]
    classes: frozenset[str] | None


def query_scope(query: str) -> QueryScope | None:
    """What a query can touch; None if that may be any triple."""
    prefixes = dict(_PREFIX.findall(query))
    names: set[str] = set()

    def sign(token: re.Match[str]) -> str:
        text = token["skip"]
        if text is None:
            return _V if token["variable"] else token[0]
        if text[0] in "\"'":
            return _L
        if text[0] == "#":
            return " "
        end = ""
        if text[0] != "<":
            prefix, _, local = text.partition(":")
            end = local[len(local.rstrip(".")) :]  # a full stop that ends the triple
            local = local.removesuffix(end).replace("\\", "")
            text = f"<{prefixes[f'{prefix}:']}{local}>" if f"{prefix}:" in prefixes else ""
        names.add(text)
        return (_T if text == TYPE else _N) + end

    signs = TOKEN.sub(sign, _PREFIX.sub("", query))
    doubts = (_ANY_GRAPH, _VARIABLE_PROPERTY, _OTHER_PROPERTIES, _NO_STEPS)
    if "" in names or any(doubt.search(signs) for doubt in doubts):
        return None
    properties = frozenset(names | {TYPE} if re.search(_IS_TYPE, signs) else names)
    return QueryScope(properties, None if _ANY_CLASS.search(signs) else frozenset(names))


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
        """All values that any of these subjects has."""
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
        """All values."""
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


PairsByProperty = defaultdict[str, tuple[list[str], list[str]]]
"""Subjects and values of each property."""


class TripleColumns(ABC):
    """A graph that does not change during validation; each column is made once."""

    def __init__(self) -> None:
        self._by_property: PairsByProperty = defaultdict(lambda: ([], []))
        self._columns: dict[tuple[str, bool], Column] = {}

    @abstractmethod
    def query(self, text: str) -> Any:
        """Pyoxigraph's answer to a query of the whole graph."""

    def pairs(self, property: str) -> tuple[Sequence[str], Sequence[str]]:
        """Subjects and values of a property; a triple may occur more than once."""
        return self._by_property.get(property, ((), ()))

    @abstractmethod
    def properties_of(self, subjects: set[str]) -> Iterable[tuple[str, str, str]]:
        """The triples of these subjects, and possibly of others."""

    def column(self, property: str, by_value: bool = False) -> Column:
        """The triples of a property by subject, or by value if `by_value`."""
        key = property, by_value
        if key not in self._columns:
            column = self.column(property).inverse() if by_value else Column(*self.pairs(property))
            self._columns[key] = column
        return self._columns[key]

    def of(self, subject: str, property: str) -> tuple[str, ...]:
        """The values of one subject, without making a column for it."""
        if (property, False) in self._columns:
            return self._columns[property, False].of(subject)
        return self._other_ends(subject, property, None)

    def subjects_of(self, property: str | None, value: str) -> tuple[str, ...]:
        """The subjects with a value, for one property or for any."""
        return self._other_ends(None, property, value)

    @abstractmethod
    def _other_ends(
        self, subject: str | None, property: str | None, value: str | None
    ) -> tuple[str, ...]:
        """The values of a subject, or the subjects of a value."""

    @memoized_method
    def instances(self, kind: str) -> set[str]:
        """The instances of a class and of its subclasses."""
        subclasses = {kind}
        column = self.column(SUBCLASS, by_value=True)
        new = subclasses
        while new:
            new = column.image(new) - subclasses
            subclasses |= new
        return set().union(*(self._members_by_class().get(each, ()) for each in subclasses))

    @memoized_method
    def _members_by_class(self) -> dict[str, set[str]]:
        """The nodes of each class, which has more of them than suit a column."""
        members: dict[str, set[str]] = defaultdict(set)
        for node, kind in zip(*self.pairs(TYPE), strict=True):
            members[kind].add(node)
        return members


class TripleList(TripleColumns):
    """A graph of given triples."""

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        super().__init__()
        self._by_subject: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for subject, property, value in dict.fromkeys(triples):
            subjects, values = self._by_property[property]
            subjects.append(subject)
            values.append(value)
            self._by_subject[subject].append((property, value))
        self._store: ox.Store | None = None

    def query(self, text: str) -> Any:
        """Run the query on a store of the triples, made on first use."""
        if self._store is None:
            self._store = ox.Store()
            rows = self.properties_of(set(self._by_subject))
            self._store.bulk_extend(ox.Quad(*map(as_term, row)) for row in rows)
        return self._store.query(text)

    def _other_ends(
        self, subject: str | None, property: str | None, value: str | None
    ) -> tuple[str, ...]:
        rows = self.properties_of({subject} if subject else self.subjects())
        matching = (row for row in rows if property in (None, row[1]) and value in (None, row[2]))
        return tuple(dict.fromkeys(row[0] if subject is None else row[2] for row in matching))

    def properties_of(self, subjects: set[str]) -> Iterable[tuple[str, str, str]]:
        """The triples of these subjects, looked up one by one."""
        for subject in subjects & self._by_subject.keys():
            for property, value in self._by_subject[subject]:
                yield subject, property, value

    def subjects(self) -> set[str]:
        """All subjects."""
        return set(self._by_subject)


class TriplesBySubject(TripleColumns):
    """A graph of triples by subject, with values in N-Quads syntax, and of `extra_triples`, nodes.

    `make_subjects` is called with the properties that will be asked for, and with None for all if
    another one is asked for. A query runs on a store of only those triples that it can touch.
    """

    def __init__(
        self,
        make_subjects: Callable[[Collection[str] | None], Iterable[SubjectTriples]],
        extra_triples: Iterable[tuple[str, str, str]] = (),
        properties: Collection[str] | None = None,
    ) -> None:
        super().__init__()
        self._make_subjects = make_subjects
        self._extra_triples = list(extra_triples)
        self._by_value: dict[str, dict[str, None]] = {}
        self._stores: dict[QueryScope | None, ox.Store] = {}
        self._make_triples(properties)

    def _make_triples(self, properties: Collection[str] | None) -> None:
        self._properties = properties
        self._by_property.clear()
        for name, pairs in self._make_subjects(properties):
            subject = iri(name)
            for property, value in pairs:
                subjects_of, values_of = self._by_property[property]
                subjects_of.append(subject)
                values_of.append(value)
        for subject, property, value in self._extra_triples:
            subjects_of, values_of = self._by_property[property]
            subjects_of.append(subject)
            values_of.append(value)

    def _require_triples(self, properties: Collection[str] | None) -> None:
        """Make all triples if those of one of these properties may not have been made."""
        if self._properties is None:
            return
        if properties is None or not set(properties).issubset(self._properties):
            self._make_triples(None)

    def pairs(self, property: str) -> tuple[Sequence[str], Sequence[str]]:
        """Subjects and values of a property; a triple may occur more than once."""
        self._require_triples((property,))
        return super().pairs(property)

    def query(self, text: str) -> Any:
        """Run the query on a store of all triples that it can touch."""
        scope = self._known_part(query_scope(text))
        if scope not in self._stores:
            self._stores[scope] = ox.Store()
            lines = "".join(f"{s} {p} {o} .\n" for s, p, o in self._triples_in_scope(scope))
            self._stores[scope].bulk_load(lines, format=ox.RdfFormat.N_TRIPLES)
        return self._stores[scope].query(text)

    def _known_part(self, scope: QueryScope | None) -> QueryScope | None:
        """The scope without properties and classes that do not occur, to share stores."""
        self._require_triples(scope and scope.properties)
        if scope is None:
            return None
        classes = scope.classes and scope.classes.intersection(self.pairs(TYPE)[1])
        return QueryScope(scope.properties.intersection(self._by_property), classes)

    def _triples_in_scope(self, scope: QueryScope | None) -> Iterator[tuple[str, str, str]]:
        self._require_triples(scope and scope.properties)
        for property, (subjects, values) in self._by_property.items():
            if scope is not None and property not in scope.properties:
                continue
            classes = scope.classes if scope and property == TYPE else None
            for subject, value in zip(subjects, values, strict=True):
                if classes is None or value in classes:
                    yield subject, property, value

    def _other_ends(
        self, subject: str | None, property: str | None, value: str | None
    ) -> tuple[str, ...]:
        if property is None:
            return tuple(self._subjects_by_value().get(value or "", ()))
        if subject is None:
            return self.column(property, by_value=True).of(value or "")
        return self.column(property).of(subject)

    def _subjects_by_value(self) -> dict[str, dict[str, None]]:
        """For each resource, the subjects that have it as a value of any property."""
        if not self._by_value:
            for subject, _, value in self._triples_in_scope(None):
                if value[0] == "<":
                    self._by_value.setdefault(value, {})[subject] = None
        return self._by_value

    def properties_of(self, subjects: set[str]) -> Iterable[tuple[str, str, str]]:
        """All triples."""
        return self._triples_in_scope(None)


def triples_of(quads: Iterable[ox.Quad]) -> Iterator[tuple[str, str, str]]:
    """The triples of pyoxigraph quads, as texts of their nodes."""
    for quad in quads:
        yield str(quad.subject), str(quad.predicate), str(quad.object)
