"""The graph of a corpus as it is written, without a store: columns straight from its records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyoxigraph as ox

from kg.rdf.shacl.node_text import iri
from kg.rdf.shacl.query_reach import Reach, reach_of
from kg.rdf.shacl.triple_columns import TYPE, TripleColumns
from kg.rdf.triples import SubjectTriples


class WrittenTriples(TripleColumns):
    """Triples subject by subject, each value as N-Quads write it, and `more` as nodes.

    A query is answered by a store of those triples alone that it can touch.
    """

    def __init__(
        self, subjects: Iterable[SubjectTriples], more: Iterable[tuple[str, str, str]] = ()
    ) -> None:
        super().__init__()
        self._by_property: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for name, pairs in subjects:
            subject = iri(name)
            for property, value in pairs:
                subjects_of, values_of = self._by_property[property]
                subjects_of.append(subject)
                values_of.append(value)
        for subject, property, value in more:
            subjects_of, values_of = self._by_property[property]
            subjects_of.append(subject)
            values_of.append(value)
        self._by_value: dict[str, dict[str, None]] = {}
        self._stores: dict[Reach | None, ox.Store] = {}

    def query(self, text: str) -> Any:
        """Nothing that the query could find is left out of the store."""
        reach = self._known(reach_of(text))
        if reach not in self._stores:
            self._stores[reach] = ox.Store()
            lines = "".join(f"{s} {p} {o} .\n" for s, p, o in self._rows(reach))
            self._stores[reach].bulk_load(lines, format=ox.RdfFormat.N_TRIPLES)
        return self._stores[reach].query(text)

    def _known(self, reach: Reach | None) -> Reach | None:
        """The reach without names that are no property or class here, so that queries share it."""
        if reach is None:
            return None
        classes = reach.classes and reach.classes.intersection(self.pairs(TYPE)[1])
        return Reach(reach.properties.intersection(self._by_property), classes)

    def _rows(self, reach: Reach | None) -> Iterator[tuple[str, str, str]]:
        for property, (subjects, values) in self._by_property.items():
            if reach is not None and property not in reach.properties:
                continue
            classes = reach.classes if reach and property == TYPE else None
            for subject, value in zip(subjects, values, strict=True):
                if classes is None or value in classes:
                    yield subject, property, value

    def pairs(self, property: str) -> tuple[Sequence[str], Sequence[str]]:
        """As they were written."""
        return self._by_property.get(property, ((), ()))

    def _other_ends(
        self, subject: str | None, property: str | None, value: str | None
    ) -> tuple[str, ...]:
        if property is None:
            return tuple(self._subjects_by_value().get(value or "", ()))
        if subject is None:
            return self.column(property, turned=True).of(value or "")
        return self.column(property).of(subject)

    def _subjects_by_value(self) -> dict[str, dict[str, None]]:
        """What has each resource as a value of any property."""
        if not self._by_value:
            for subject, _, value in self._rows(None):
                if value[0] == "<":
                    self._by_value.setdefault(value, {})[subject] = None
        return self._by_value

    def _direct_instances(self, kind: str) -> Iterable[str]:
        return self.column(TYPE, turned=True).of(kind)

    def properties_of(self, subjects: set[str]) -> Iterable[tuple[str, str, str]]:
        """All that there is."""
        return self._rows(None)
