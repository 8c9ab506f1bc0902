"""Records read back from RDF: what `quads` wrote, whoever stored it in between."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec
from pyoxigraph import Literal, NamedNode

from kg.model import (
    Answers,
    CampPlacement,
    Citation,
    Edge,
    InquiryLine,
    Mention,
    NextStep,
    Quotation,
    Source,
    Span,
    Statement,
)
from kg.model.errors import KgError
from kg.ontology import CLASS_OF, KG, PREFIXES, RELATION_OF
from kg.rdf import vocabulary as t
from kg.rdf.vocabulary import ENTRY, FIELDS, FieldTable, Iris, note_around

Said = Mapping[str, Collection[str]]
TYPE = PREFIXES["rdf"] + "type"
_OA = PREFIXES["oa"]


class BrokenGraph(KgError, LookupError):
    """A graph that lacks a part of a record; the message says which."""


def group_triples(triples: Iterable[tuple[Any, Any, Any]]) -> dict[str, Said]:
    """What triples say, by subject and property: each value once, as it came."""
    said: dict[str, dict[str, dict[str, None]]] = {}
    for subject, predicate, value in triples:
        if isinstance(subject, NamedNode) and isinstance(value, NamedNode | Literal):
            of = said.setdefault(subject.value, {}).setdefault(predicate.value, {})
            of[value.value] = None
    return said  # type: ignore[return-value]


class Records:
    """The records of a graph, each made from all that is said of its IRI.

    Raises `BrokenGraph` where a part is missing, and `ValueError` for values that are none.
    """

    def __init__(self, said: Mapping[str, Said], iris: Iris) -> None:
        self.said = said
        self.iris = iris

    # -- what is said ----------------------------------------------------------------------

    def every(self, name: str) -> list[str]:
        """All that is of a class of the ontology."""
        return [iri for iri, said in self.said.items() if KG + name in said.get(TYPE, ())]

    def all(self, iri: str, name: str) -> Collection[str]:
        """The values of a property of the ontology."""
        return self.said.get(iri, {}).get(KG + name, ())

    def one(self, iri: str, name: str, default: str = "") -> str:
        """The value of a property of the ontology."""
        return next(iter(self.all(iri, name)), default)

    def needed(self, iri: str, property: str) -> str:
        """The value of a property that has to be there."""
        for value in self.said.get(iri, {}).get(property, ()):
            return value
        raise BrokenGraph(f"{iri} has no <{property}>")

    def id(self, iri: str, name: str) -> str:
        """The id of what a property leads to."""
        return self.iris.id_of(self.needed(iri, KG + name))

    def id_or_none(self, iri: str, name: str) -> str | None:
        """The same, where the property may be missing."""
        return self.id(iri, name) if self.all(iri, name) else None

    @cached_property
    def inside(self) -> Mapping[str, list[str]]:
        """Placements and next steps by line, in the order of their numbers."""
        found: dict[str, list[str]] = {}
        for iri, said in self.said.items():
            for line in said.get(KG + "inLine", ()):
                found.setdefault(line, []).append(iri)
        return {line: sorted(parts, key=_number) for line, parts in found.items()}

    def _fields(self, iri: str, table: FieldTable) -> dict[str, Any]:
        said = self.said.get(iri, {})
        found: dict[str, Any] = {}
        for field in table.one:
            for value in said.get(field.predicate.value, ()):
                found[field.name] = field.codec.read(value)
        orders = dict(order.split(" ", 1) for order in self.all(iri, "writtenOrder"))
        for field in table.many:
            if values := said.get(field.predicate.value):
                known = sorted(values)
                order = orders.get(field.name)
                places = range(len(known)) if order is None else map(int, order.split())
                found[field.name] = tuple(known[place] for place in places)
        return found

    def _words(self, iri: str, folder: str) -> dict[str, str]:
        start = self.iris.base + folder
        return {
            self.iris.key_of(predicate): next(iter(values))
            for predicate, values in self.said.get(iri, {}).items()
            if predicate.startswith(start)
        }

    def _span(self, iri: str, path: str = "") -> Span:
        if note := self.one(iri, "writtenIn"):
            path = self.iris.path_of(note)
        return Span(path, int(self.one(iri, "atLine", "1")), int(self.one(iri, "atColumn", "1")))

    # -- records ---------------------------------------------------------------------------

    def statement(self, iri: str) -> Statement:
        """The statement at an IRI."""
        kinds = [CLASS_OF[name] for name in CLASS_OF if KG + name in self.said[iri].get(TYPE, ())]
        if len(kinds) != 1:
            raise BrokenGraph(
                f"{iri} is of {len(kinds)} kinds of statement, where it must be of one"
            )
        id, parent = self.iris.id_of(iri), self.id_or_none(iri, "partOf")
        return Statement(
            id=id,
            kind=kinds[0],
            span=self._span(iri),
            note=self.one(iri, "noteName", note_around(id, parent)),
            camp=self.id_or_none(iri, "camp"),
            parent=parent,
            extra=self._words(iri, FIELDS),
            **self._cited(iri),
            **{"title": "", **self._fields(iri, t.STATEMENT)},
        )

    def line(self, iri: str) -> InquiryLine:
        """The inquiry line at an IRI, with its placements and next steps."""
        inside = self.inside.get(iri, [])
        placed = [node for node in inside if self.all(node, "placed")]
        path = self._span(iri).path
        return InquiryLine(
            id=self.iris.id_of(iri),
            span=self._span(iri),
            proposition=self.id_or_none(iri, "proposition"),
            answers=Answers(**self._fields(iri, t.ANSWERS)),
            placements=tuple(self._placement(node, iri, path) for node in placed),
            next=tuple(self._next_step(node, path) for node in inside if node not in placed),
            extra=self._words(iri, FIELDS),
            **self._cited(iri),
            **{"title": "", **self._fields(iri, t.LINE)},
        )

    def _placement(self, node: str, line: str, path: str) -> CampPlacement:
        return CampPlacement(
            line=self.iris.id_of(line),
            statement=self.id(node, "placed"),
            camp=self.id(node, "camp"),
            span=self._span(node, path),
            **self._fields(node, t.PLACEMENT),
        )

    def _next_step(self, node: str, path: str) -> NextStep:
        return NextStep(
            span=self._span(node, path),
            target=self.id_or_none(node, "target"),
            **self._fields(node, t.NEXT_STEP),
        )

    def source(self, iri: str) -> Source:
        """The source at an IRI."""
        return Source(
            key=self.iris.id_of(iri),
            span=self._span(iri),
            entry=self._words(iri, ENTRY),
            extra=self._words(iri, FIELDS),
            **{"title": "", **self._fields(iri, t.SOURCE)},
        )

    def edge(self, iri: str) -> Edge:
        """The edge at an IRI; it is written where its statement is, unless it says otherwise."""
        relation = self.one(iri, "relation").removeprefix(KG)
        if relation not in RELATION_OF:
            raise BrokenGraph(f"{iri} has no relation that this version knows: {relation!r}")
        return Edge(
            id=self.iris.id_of(iri),
            source=self.id(iri, "from"),
            relation=RELATION_OF[relation],
            target=self.id(iri, "to"),
            span=self._span(iri, self._span(self.one(iri, "from")).path),
            together=tuple(map(self.iris.id_of, self._ordered(iri, "together"))),
            **self._fields(iri, t.EDGE),
        )

    def _ordered(self, iri: str, name: str) -> list[str]:
        """The values of a property of the ontology, in the order as written."""
        known = sorted(self.all(iri, name))
        orders = dict(order.split(" ", 1) for order in self.all(iri, "writtenOrder"))
        return [known[int(place)] for place in orders[name].split()] if name in orders else known

    def _cited(self, iri: str) -> dict[str, Any]:
        path = self._span(iri).path
        return {
            "citations": tuple(
                Citation(
                    key=self.id(node, "citedSource"),
                    span=self._span(node, path),
                    **self._fields(node, t.CITATION),
                )
                for node in sorted(self.all(iri, "hasCitation"), key=_number)
            ),
            "quotations": tuple(
                self._quotation(node, path)
                for node in sorted(self.all(iri, "hasQuotation"), key=_number)
            ),
        }

    def _quotation(self, node: str, path: str) -> Quotation:
        target = self.needed(node, _OA + "hasTarget")
        return Quotation(
            text=self.needed(self.needed(target, _OA + "hasSelector"), _OA + "exact"),
            key=self.iris.id_of(self.needed(target, _OA + "hasSource")),
            span=self._span(node, path),
            **self._fields(node, t.QUOTATION),
        )

    def mentions(self, note: str) -> list[Mention]:
        """The links in a note's prose."""
        written = self.one(note, "linksInText", "[]")
        return msgspec.json.decode(written, type=list[Mention])


def _number(part: str) -> int:
    return int(part.rpartition("/")[2])
