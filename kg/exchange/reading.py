"""RDF back into a corpus: what `as_quads` wrote, whoever stored it in between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.model import (
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
from kg.model.config import Camp, Config
from kg.ontology import CLASS_OF, KG, PREFIXES, RELATION_OF
from kg.views import terms as t
from kg.views.iris import ENTRY, FIELDS, Iris
from kg.views.terms import Table

RDF_TYPE = PREFIXES["rdf"] + "type"
RDF_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nq": ox.RdfFormat.N_QUADS,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".trig": ox.RdfFormat.TRIG,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".rdf": ox.RdfFormat.RDF_XML,
}


class NotACorpus(ValueError):
    """RDF that holds no corpus of ours; the message says what is missing."""


def load_rdf(file: Path) -> Corpus:
    """The corpus in an RDF file that `kg export` wrote. Raises `NotACorpus`."""
    format = RDF_FORMATS.get(file.suffix)
    if format is None:
        raise NotACorpus(f"{file}: no RDF format ends in {file.suffix or 'nothing'!r}")
    try:
        return parse_corpus(ox.parse(path=str(file), format=format))
    except SyntaxError as error:
        raise NotACorpus(f"{file}: {error}") from None


def parse_corpus(quads: Iterable[ox.Quad]) -> Corpus:
    """The corpus that these quads describe; which graph each stands in does not matter."""
    try:
        return _Reader(quads).corpus()
    except (LookupError, TypeError) as error:
        raise NotACorpus(f"this graph lacks a part that it should have: {error}") from None


Values = dict[str, list[str]]


class _Reader:
    """Everything said about each subject, read record by record."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self.said: dict[str, Values] = {}
        self.kinds: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.inside: defaultdict[str, list[str]] = defaultdict(list)
        for quad in quads:
            subject, predicate, value = quad.subject, quad.predicate.value, quad.object
            if not isinstance(subject, ox.NamedNode) or not isinstance(
                value, ox.NamedNode | ox.Literal
            ):
                continue
            if predicate == RDF_TYPE:
                self.kinds[value.value][subject.value] = None
            else:
                if predicate == KG + "inLine":
                    self.inside[value.value].append(subject.value)
                of = self.said.setdefault(subject.value, {}).setdefault(predicate, [])
                if value.value not in of:
                    of.append(value.value)
        self.iris = Iris(self._base())

    def _base(self) -> str:
        for corpus in self._every("Corpus"):
            if base := self._one(corpus, "baseIri"):
                return base
        raise NotACorpus(
            "this is not a graph of inquiry lines: it has no kg:Corpus with a kg:baseIri"
        )

    def corpus(self) -> Corpus:
        lines = {line.id: line for line in map(self.line, self._every("InquiryLine"))}
        statements = {s.id: s for s in map(self.statement, self._every("Statement"))}
        sources = {source.key: source for source in map(self.source, self._every("Source"))}
        return Corpus(
            statements=dict(sorted(statements.items(), key=lambda item: (item[1].span, item[0]))),
            edges=tuple(sorted(map(self.edge, self._every("Edge")), key=lambda e: (e.span, e.id))),
            sources=dict(sorted(sources.items(), key=lambda item: (item[1].span, item[0]))),
            lines=dict(sorted(lines.items(), key=lambda item: (item[1].span, item[0]))),
            mentions=self.mentions(),
            aliases=self.aliases(),
            config=self.config(),
        )

    # -- what is said ----------------------------------------------------------------------

    def _every(self, name: str) -> Iterable[str]:
        return self.kinds.get(KG + name, ())

    def _all(self, iri: str, name: str) -> list[str]:
        return self.said.get(iri, {}).get(KG + name, [])

    def _one(self, iri: str, name: str, default: str = "") -> str:
        return next(iter(self._all(iri, name)), default)

    def _id(self, iri: str, name: str) -> str:
        return self.iris.id_of(self._one(iri, name))

    def _id_or_none(self, iri: str, name: str) -> str | None:
        return self._id(iri, name) if self._all(iri, name) else None

    def _fields(self, iri: str, table: Table) -> dict[str, Any]:
        said = self.said.get(iri, {})
        found: dict[str, Any] = {}
        for name, predicate, _, codec, _, _ in table.one:
            if values := said.get(predicate.value):
                found[name] = codec.read(values[0])
        orders = dict(order.split(" ", 1) for order in self._all(iri, "writtenOrder"))
        for name, predicate, _, _, _, _ in table.many:
            if values := said.get(predicate.value):
                known = sorted(values)
                places = orders[name].split() if name in orders else range(len(known))
                found[name] = tuple(known[int(place)] for place in places)
        return found

    def _words(self, iri: str, folder: str) -> dict[str, str]:
        start = self.iris.base + folder
        return {
            self.iris.key_of(predicate): values[0]
            for predicate, values in self.said.get(iri, {}).items()
            if predicate.startswith(start)
        }

    def _span(self, iri: str, path: str = "") -> Span:
        if note := self._one(iri, "writtenIn"):
            path = self.iris.path_of(note)
        return Span(path, int(self._one(iri, "atLine", "1")), int(self._one(iri, "atColumn", "1")))

    def _parts(self, iri: str, name: str) -> list[str]:
        """The parts of something, in the order of their numbers."""
        return sorted(self._all(iri, name), key=_number)

    # -- records ---------------------------------------------------------------------------

    def statement(self, iri: str) -> Statement:
        kinds = [kind for name, kind in CLASS_OF.items() if iri in self.kinds.get(KG + name, ())]
        if len(kinds) != 1:
            raise NotACorpus(
                f"{iri} is of {len(kinds)} kinds of statement, where it must be of one"
            )
        span = self._span(iri)
        return Statement(
            id=self.iris.id_of(iri),
            kind=kinds[0],
            span=span,
            camp=self._id_or_none(iri, "camp"),
            parent=self._id_or_none(iri, "partOf"),
            extra=self._words(iri, FIELDS),
            **self._cited(iri, span.path),
            **{"title": "", **self._fields(iri, t.STATEMENT)},
        )

    def line(self, iri: str) -> InquiryLine:
        span = self._span(iri)
        id = self.iris.id_of(iri)
        inside = sorted(self.inside[iri], key=_number)
        return InquiryLine(
            id=id,
            span=span,
            proposition=self._id_or_none(iri, "proposition"),
            placements=tuple(
                self.placement(node, id, span.path)
                for node in inside
                if node in self.kinds[KG + "CampPlacement"]
            ),
            next=tuple(
                self.next_step(node, span.path)
                for node in inside
                if node in self.kinds[KG + "NextStep"]
            ),
            extra=self._words(iri, FIELDS),
            **self._cited(iri, span.path),
            **{"title": "", **self._fields(iri, t.LINE)},
        )

    def placement(self, node: str, line: str, path: str) -> CampPlacement:
        return CampPlacement(
            line=line,
            statement=self._id(node, "placed"),
            camp=self._id(node, "camp"),
            span=self._span(node, path),
            **self._fields(node, t.PLACEMENT),
        )

    def next_step(self, node: str, path: str) -> NextStep:
        return NextStep(
            span=self._span(node, path),
            target=self._id_or_none(node, "target"),
            **self._fields(node, t.NEXT_STEP),
        )

    def source(self, iri: str) -> Source:
        return Source(
            key=self.iris.id_of(iri),
            span=self._span(iri),
            entry=self._words(iri, ENTRY),
            extra=self._words(iri, FIELDS),
            **{"title": "", **self._fields(iri, t.SOURCE)},
        )

    def edge(self, iri: str) -> Edge:
        relation = self._one(iri, "relation").removeprefix(KG)
        if relation not in RELATION_OF:
            raise NotACorpus(f"{iri} has no relation that this version knows: {relation!r}")
        return Edge(
            id=self.iris.id_of(iri),
            source=self._id(iri, "from"),
            relation=RELATION_OF[relation],
            target=self._id(iri, "to"),
            span=self._span(iri),
            **self._fields(iri, t.EDGE),
        )

    def _cited(self, iri: str, path: str) -> dict[str, Any]:
        return {
            "citations": tuple(
                Citation(
                    key=self._one(node, "citedAs") or self._id(node, "citedSource"),
                    span=self._span(node, path),
                    **self._fields(node, t.CITATION),
                )
                for node in self._parts(iri, "hasCitation")
            ),
            "quotations": tuple(
                self.quotation(node, path) for node in self._parts(iri, "hasQuotation")
            ),
        }

    def quotation(self, node: str, path: str) -> Quotation:
        oa = PREFIXES["oa"]
        target = self.said[self.said[node][oa + "hasTarget"][0]]
        selector = self.said[target[oa + "hasSelector"][0]]
        return Quotation(
            text=selector[oa + "exact"][0],
            key=self._one(node, "citedAs") or self.iris.id_of(target[oa + "hasSource"][0]),
            span=self._span(node, path),
            **self._fields(node, t.QUOTATION),
        )

    def mentions(self) -> tuple[Mention, ...]:
        found = [
            (node, origin)
            for origin, said in self.said.items()
            for node in said.get(KG + "hasMention", ())
        ]
        made = [(self.mention(node, origin), _number(node)) for node, origin in found]
        return tuple(mention for mention, _ in sorted(made, key=_in_text))

    def mention(self, node: str, origin: str) -> Mention:
        return Mention(
            origin=self.iris.id_of(origin),
            target=self._id(node, "target"),
            span=self._span(node, self._span(origin).path),
            **self._fields(node, t.MENTION),
        )

    def aliases(self) -> dict[str, str]:
        """Names that lead to one thing alone, and are nothing's own id."""
        leads: defaultdict[str, set[str]] = defaultdict(set)
        for iri, said in self.said.items():
            for name in [*said.get(KG + "alias", ()), *said.get(KG + "otherName", ())]:
                leads[name].add(self.iris.id_of(iri))
        return {name: ids.pop() for name, ids in leads.items() if len(ids) == 1}

    def config(self) -> Config:
        (corpus,) = self._every("Corpus")
        camps = sorted(
            self._all(corpus, "hasCamp"), key=lambda camp: int(self._one(camp, "position"))
        )
        title = self.said[corpus].get(PREFIXES["dcterms"] + "title", [Config().name])
        return Config(name=title[0], base_iri=self.iris.base, camps=tuple(map(self.camp, camps)))

    def camp(self, iri: str) -> Camp:
        label = self.said[iri].get(PREFIXES["rdfs"] + "label", [""])[0]
        return Camp(id=self.iris.id_of(iri), label=label, colour=self._one(iri, "colour"))


def _in_text(found: tuple[Mention, int]) -> tuple[Span, str, int]:
    mention, number = found
    return mention.span, mention.origin, number


def _number(part: str) -> int:
    return int(part.rpartition("/")[2])
