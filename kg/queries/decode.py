"""Records read back from what SPARQL answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from kg.model import CampPlacement, Citation, Edge, InquiryLine, Source, Span, Statement
from kg.ontology import CLASS_OF, KG, PREFIXES, RELATION_OF
from kg.queries.fields import Record
from kg.queries.sort import Sort
from kg.views import terms
from kg.views.iris import Iris
from kg.views.terms import Table

Told = Mapping[str, Sequence[str]]
Made = TypeVar("Made")
_TABLES = {
    Sort.STATEMENT: terms.STATEMENT,
    Sort.SOURCE: terms.SOURCE,
    Sort.LINE: terms.LINE,
    Sort.EDGE: terms.EDGE,
}
_TYPE = PREFIXES["rdf"] + "type"


def told(rows: Iterable[Sequence[Any]]) -> Mapping[str, Told]:
    """What rows of subject, predicate and value say, by subject and predicate."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in rows:
        found[subject.value][predicate.value].append(value.value)
    return found


def record(sort: Sort, iri: str, said: Told, iris: Iris, citations: Sequence[Citation]) -> Record:
    """The record of an IRI, from all that is said of it."""
    values: dict[str, Any] = _fields(_TABLES[sort], said)
    values["span"] = _span(said, iris)
    id = iris.id_of(iri)
    match sort:
        case Sort.SOURCE:
            return _made(Source, values, key=id)
        case Sort.LINE:
            return _made(
                InquiryLine, values, id=id, citations=tuple(citations), **_line(said, iris)
            )
        case Sort.EDGE:
            return _made(Edge, values, id=id, **_edge(said, iris))
    return _made(Statement, values, id=id, citations=tuple(citations), **_statement(said, iris))


def _made(struct: type[Made], values: dict[str, Any], /, **more: Any) -> Made:
    return struct(**values, **more)


def _fields(table: Table, said: Told) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in table.one:
        if values := said.get(field.predicate.value):
            found[field.name] = field.codec.read(values[0])
    order = dict(text.split(" ", 1) for text in said.get(KG + "writtenOrder", ()))
    for field in table.many:
        if values := said.get(field.predicate.value):
            known = sorted(set(values))
            places = order.get(field.name)
            found[field.name] = tuple(
                known if places is None else (known[int(place)] for place in places.split())
            )
    return found


def _span(said: Told, iris: Iris) -> Span:
    note = said.get(KG + "writtenIn", ("",))[0]
    line, column = said.get(KG + "atLine", ("1",))[0], said.get(KG + "atColumn", ("1",))[0]
    return Span(iris.path_of(note) if note else "", int(line), int(column))


def _one(said: Told, name: str, iris: Iris) -> str | None:
    values = said.get(KG + name)
    return iris.id_of(values[0]) if values else None


def _statement(said: Told, iris: Iris) -> dict[str, Any]:
    classes = (value.removeprefix(KG) for value in said.get(_TYPE, ()))
    kind = next(CLASS_OF[name] for name in classes if name in CLASS_OF)
    return {"kind": kind, "camp": _one(said, "camp", iris), "parent": _one(said, "partOf", iris)}


def _line(said: Told, iris: Iris) -> dict[str, Any]:
    return {"proposition": _one(said, "proposition", iris)}


def _edge(said: Told, iris: Iris) -> dict[str, Any]:
    relation = said[KG + "relation"][0].removeprefix(KG)
    return {
        "source": _one(said, "from", iris),
        "target": _one(said, "to", iris),
        "relation": RELATION_OF[relation],
    }


def citations_of(rows: Iterable[Sequence[Any]], iris: Iris) -> Mapping[str, list[Citation]]:
    """Citations by the IRI of what cites, from rows of citer, citation, source and locator."""
    found: defaultdict[str, list[tuple[int, Citation]]] = defaultdict(list)
    for citer, node, source, locator in rows:
        number = int(node.value.rpartition("/")[2])
        citation = Citation(
            key=iris.id_of(source.value),
            span=Span(""),
            locator=locator.value if locator is not None else "",
        )
        found[citer.value].append((number, citation))
    return {
        iri: [citation for _, citation in sorted(listed, key=lambda pair: pair[0])]
        for iri, listed in found.items()
    }


def replaced(value: Made, **changes: Any) -> Made:
    """A record with some fields changed."""
    changed: Made = msgspec.structs.replace(value, **changes)  # type: ignore[type-var]
    return changed


def placements_of(rows: Iterable[Sequence[Any]], iris: Iris) -> Mapping[str, list[CampPlacement]]:
    """Placements by line, from rows of placement, line, statement, camp and reason."""
    found: defaultdict[str, list[tuple[int, CampPlacement]]] = defaultdict(list)
    for node, line, statement, camp, reason in rows:
        place = CampPlacement(
            line=iris.id_of(line.value),
            statement=iris.id_of(statement.value),
            camp=iris.id_of(camp.value),
            span=Span(""),
            reason=reason.value if reason is not None else "",
        )
        found[place.line].append((int(node.value.rpartition("/")[2]), place))
    return {
        id: [place for _, place in sorted(listed, key=lambda pair: pair[0])]
        for id, listed in found.items()
    }
