"""The corpus as RDF quads: one named graph for each note."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.corpus import Corpus
from kg.model import (
    Citation,
    Edge,
    InquiryLine,
    Mention,
    Quotation,
    Relation,
    Source,
    Span,
    Statement,
    Value,
)
from kg.ontology import CLASSES, relation_name
from kg.views import terms as t
from kg.views.iris import CAMPS, EDGES, ENTRY, FIELDS, LINES, SOURCES, STATEMENTS, Iris, note_around
from kg.views.parts import Part, parts
from kg.views.terms import Table, integer, kg, quoted, term

MAPPING = "2"
"""Raise this when the same notes begin to give other quads, so that stores notice."""

TYPE = term("rdf:type")
IDENTIFIER = term("dcterms:identifier")
DIGEST = t.node("kg:digest")
_ORDER = kg("writtenOrder")
_PLAIN = {relation: kg(relation_name(relation)) for relation in Relation}
_CLASS = {kind: kg(name) for kind, name in CLASSES.items()}


def as_quads(corpus: Corpus) -> Iterator[Quad]:
    """Every quad of the corpus, graph by graph; the same corpus gives the same quads."""
    for text in as_nquads(corpus):
        yield from _parsed(text)


def as_nquads(corpus: Corpus) -> Iterator[str]:
    """The corpus as N-Quads, one text for each graph."""
    yield _corpus_text(corpus)
    for part in parts(corpus):
        yield _Graph(corpus, part).text()


def _parsed(text: str) -> Iterator[Quad]:
    return parse(text, format=RdfFormat.N_QUADS)


def digest(corpus: Corpus, part: Part) -> str:
    """A fingerprint of a note's graph: equal where, and only where, its quads are equal."""
    iris = Iris(corpus.config.base_iri)
    ends = [
        iris.thing(corpus, edge.target)
        for edge in part.edges
        if edge.relation is Relation.SUPERSEDES
    ]
    ends += [
        iris.thing(corpus, end)
        for mention in part.mentions
        for end in (mention.origin, mention.target)
    ]
    camps = [corpus.default_camps.get(statement.id) for statement in part.statements]
    return _fingerprint((MAPPING, iris.base, part, ends, camps))


def _fingerprint(content: Any) -> str:
    try:
        encoded = msgspec.msgpack.encode(content, order="deterministic")
    except (
        OverflowError,
        UnicodeEncodeError,
    ):  # an integer or a surrogate that msgpack cannot hold
        encoded = json.dumps(msgspec.to_builtins(content), sort_keys=True).encode()
    return blake2b(encoded, digest_size=16).hexdigest()


def _json(records: Sequence[Value]) -> str:
    try:
        return msgspec.json.encode(records).decode()
    except UnicodeEncodeError:  # half of a surrogate pair, which `quoted` replaces
        return json.dumps(msgspec.to_builtins(records), ensure_ascii=False)


def graph_name(corpus: Corpus, path: str) -> NamedNode:
    """The name of a note's graph."""
    return NamedNode(Iris(corpus.config.base_iri).note(path))


def part_quads(corpus: Corpus, part: Part) -> list[Quad]:
    """The quads of one note's graph."""
    return list(_parsed(_Graph(corpus, part).text()))


def corpus_name(corpus: Corpus) -> NamedNode:
    """The name of the corpus, and of the graph of what belongs to no note."""
    return NamedNode(Iris(corpus.config.base_iri).corpus)


def corpus_quads(corpus: Corpus) -> list[Quad]:
    """The quads of what belongs to no note: the corpus's name and its camps."""
    return list(_parsed(_corpus_text(corpus)))


def _corpus_text(corpus: Corpus) -> str:
    iris = Iris(corpus.config.base_iri)
    own = iris.corpus
    found = [
        (own, TYPE, kg("Corpus")),
        (own, term("dcterms:title"), quoted(corpus.config.name)),
        (own, kg("baseIri"), quoted(iris.base)),
    ]
    for number, camp in enumerate(corpus.config.camps):
        iri = iris.of(CAMPS, camp.id)
        found += [
            (own, kg("hasCamp"), f"<{iri}>"),
            (iri, TYPE, kg("Camp")),
            (iri, IDENTIFIER, quoted(camp.id)),
            (iri, term("rdfs:label"), quoted(camp.label)),
            (iri, kg("colour"), quoted(camp.colour)),
            (iri, kg("position"), integer(number)),
        ]
    found.append((own, str(DIGEST), quoted(_fingerprint((MAPPING, found)))))
    return "".join(f"<{s}> {p} {o} <{own}> .\n" for s, p, o in found)


class _Graph:
    """The quads of one note, as they are gathered."""

    def __init__(self, corpus: Corpus, part: Part) -> None:
        self.corpus = corpus
        self.part = part
        self.iris = Iris(corpus.config.base_iri)
        self.note = self.iris.note(part.path)
        self.end = f"<{self.note}> .\n"
        self.found: list[str] = []

    def text(self) -> str:
        note = self.note
        self.add(note, TYPE, kg("Note"))
        self.add(note, kg("path"), quoted(self.part.path))
        for statement in self.part.statements:
            self.statement(statement)
        for line in self.part.lines:
            self.line(line)
        for source in self.part.sources:
            self.source(source)
        for edge in self.part.edges:
            self.edge(edge)
        self.mentions(self.part.mentions)
        for name, id in self.part.names:
            self.add(self.iris.thing(self.corpus, id), kg("otherName"), quoted(name))
        self.add(note, str(DIGEST), quoted(digest(self.corpus, self.part)))
        return "".join(dict.fromkeys(self.found))

    def add(self, subject: str, predicate: str, value: str) -> None:
        self.found.append(f"<{subject}> {predicate} {value} {self.end}")

    def link(self, subject: str, predicate: str, target: str) -> None:
        self.found.append(f"<{subject}> {predicate} <{target}> {self.end}")

    # -- what every record shares --------------------------------------------------------

    def whole(self, iri: str, span: Span) -> None:
        """Where something that is not inside another thing stands."""
        self.link(iri, _WRITTEN_IN, self.note)
        self.place(iri, span)

    def place(self, iri: str, span: Span) -> None:
        self.add(iri, _LINE, integer(span.line))
        if span.column != 1:
            self.add(iri, _COLUMN, integer(span.column))
        if span.path != self.part.path:
            self.link(iri, _WRITTEN_IN, self.iris.note(span.path))

    def fields(self, iri: str, record: Value, table: Table) -> None:
        for name, _, predicate, codec, _, default in table.one:
            value = getattr(record, name)
            if value != default:
                self.add(iri, predicate, codec.write(value))
        for name, _, predicate, _, _, _ in table.many:
            values = getattr(record, name)
            if values:
                self.many(iri, name, predicate, values)

    def many(self, iri: str, name: str, predicate: str, values: Sequence[str]) -> None:
        """One triple a value, and the order as written where it is not that of the alphabet."""
        known = sorted(set(values))
        for value in known:
            self.add(iri, predicate, quoted(value))
        if tuple(known) != values:
            places = " ".join(str(known.index(value)) for value in values)
            self.add(iri, _ORDER, quoted(f"{name} {places}"))

    def words(self, iri: str, folder: str, values: Mapping[str, str]) -> None:
        """Fields that the ontology does not know, each under a property of this corpus."""
        for key, value in values.items():
            self.add(iri, f"<{self.iris.field(folder, key)}>", quoted(value))

    # -- records -------------------------------------------------------------------------

    def statement(self, statement: Statement) -> None:
        iri = self.iris.of(STATEMENTS, statement.id)
        self.add(iri, TYPE, _STATEMENT)
        self.add(iri, TYPE, _CLASS[statement.kind])
        self.add(iri, IDENTIFIER, quoted(statement.id))
        self.whole(iri, statement.span)
        self.fields(iri, statement, t.STATEMENT)
        if statement.note != note_around(statement.id, statement.parent):
            self.add(iri, kg("noteName"), quoted(statement.note))
        if statement.camp:
            self.link(iri, _CAMP, self.iris.of(CAMPS, statement.camp))
        if camp := self.corpus.default_camps.get(statement.id):
            self.link(iri, _SIDES_WITH, self.iris.of(CAMPS, camp))
        if statement.parent:
            self.link(iri, _PART_OF, self.iris.of(STATEMENTS, statement.parent))
        self.cited(iri, statement.citations, statement.quotations)
        self.words(iri, FIELDS, statement.extra)

    def line(self, line: InquiryLine) -> None:
        iri = self.iris.of(LINES, line.id)
        self.add(iri, TYPE, kg("InquiryLine"))
        self.add(iri, IDENTIFIER, quoted(line.id))
        self.whole(iri, line.span)
        self.fields(iri, line, t.LINE)
        if line.proposition:
            self.link(iri, kg("proposition"), self.iris.of(STATEMENTS, line.proposition))
        self.placements(iri, line)
        self.next_steps(iri, line)
        self.cited(iri, line.citations, line.quotations)
        self.words(iri, FIELDS, line.extra)

    def placements(self, iri: str, line: InquiryLine) -> None:
        for number, place in enumerate(line.placements, 1):
            node = self.iris.part(iri, "placement", number)
            statement = self.iris.of(STATEMENTS, place.statement)
            self.add(node, TYPE, kg("CampPlacement"))
            self.link(node, kg("inLine"), iri)
            self.link(node, kg("placed"), statement)
            self.link(node, _CAMP, self.iris.of(CAMPS, place.camp))
            self.place(node, place.span)
            self.fields(node, place, t.PLACEMENT)
            self.link(iri, kg("places"), statement)

    def next_steps(self, iri: str, line: InquiryLine) -> None:
        for number, step in enumerate(line.next, 1):
            node = self.iris.part(iri, "next", number)
            self.add(node, TYPE, kg("NextStep"))
            self.link(node, kg("inLine"), iri)
            self.place(node, step.span)
            self.fields(node, step, t.NEXT_STEP)
            if step.target:
                target = self.iris.thing(self.corpus, step.target)
                self.link(node, _TARGET, target)
                self.link(iri, kg("next"), target)

    def source(self, source: Source) -> None:
        iri = self.iris.of(SOURCES, source.key)
        self.add(iri, TYPE, kg("Source"))
        self.add(iri, IDENTIFIER, quoted(source.key))
        self.whole(iri, source.span)
        self.fields(iri, source, t.SOURCE)
        self.words(iri, ENTRY, source.entry)
        self.words(iri, FIELDS, source.extra)

    def edge(self, edge: Edge) -> None:
        iri = self.iris.of(EDGES, edge.id)
        origin = self.iris.thing(self.corpus, edge.source)
        target = self.target(edge)
        self.add(iri, TYPE, _EDGE)
        self.link(iri, _FROM, origin)
        self.link(iri, _TO, target)
        self.add(iri, _RELATION, _PLAIN[edge.relation])
        self.place(iri, edge.span)
        holder = self.corpus.statements.get(edge.source)
        if holder is None or holder.span.path != self.part.path:
            self.link(iri, _WRITTEN_IN, self.note)
        self.fields(iri, edge, t.EDGE)
        self.link(origin, _PLAIN[edge.relation], target)
        if edge.mutual and edge.relation is Relation.CONTRADICTS:
            self.link(target, _PLAIN[edge.relation], origin)

    def target(self, edge: Edge) -> str:
        if edge.relation is Relation.UNDERCUTS:
            return self.iris.of(EDGES, edge.target)
        if edge.relation is Relation.SUPERSEDES:
            return self.iris.thing(self.corpus, edge.target)
        return self.iris.of(STATEMENTS, edge.target)

    def cited(
        self, iri: str, citations: Iterable[Citation], quotations: Iterable[Quotation]
    ) -> None:
        for number, citation in enumerate(citations, 1):
            node = self.iris.part(iri, "citation", number)
            source = self.iris.of(SOURCES, citation.key)
            self.add(node, TYPE, _CITATION)
            self.link(iri, _HAS_CITATION, node)
            self.link(node, _CITED_SOURCE, source)
            self.place(node, citation.span)
            self.fields(node, citation, t.CITATION)
            self.link(iri, _CITES, source)
        for number, quotation in enumerate(quotations, 1):
            self.quotation(iri, self.iris.part(iri, "quotation", number), quotation)

    def quotation(self, iri: str, node: str, quotation: Quotation) -> None:
        """A Web Annotation: the passage of the source, found by its exact words."""
        target, selector = node + "/target", node + "/selector"
        self.add(node, TYPE, kg("Quotation"))
        self.add(node, TYPE, term("oa:Annotation"))
        self.link(iri, kg("hasQuotation"), node)
        self.link(node, term("oa:hasBody"), iri)
        self.link(node, term("oa:hasTarget"), target)
        self.add(target, TYPE, term("oa:SpecificResource"))
        source = self.iris.of(SOURCES, quotation.key)
        self.link(target, term("oa:hasSource"), source)
        self.link(target, term("oa:hasSelector"), selector)
        self.add(selector, TYPE, term("oa:TextQuoteSelector"))
        self.add(selector, term("oa:exact"), quoted(quotation.text))
        self.place(node, quotation.span)
        self.fields(node, quotation, t.QUOTATION)

    def mentions(self, mentions: Sequence[Mention]) -> None:
        """A plain triple for each link; the links themselves, which no query joins, as one text."""
        for mention in mentions:
            origin = self.iris.thing(self.corpus, mention.origin)
            self.link(origin, _MENTIONS, self.iris.thing(self.corpus, mention.target))
        if mentions:
            self.add(self.note, kg("linksInText"), quoted(_json(mentions)))


_WRITTEN_IN, _LINE, _COLUMN = kg("writtenIn"), kg("atLine"), kg("atColumn")
_STATEMENT, _EDGE, _CITATION = kg("Statement"), kg("Edge"), kg("Citation")
_CAMP, _SIDES_WITH, _PART_OF = kg("camp"), kg("sidesWith"), kg("partOf")
_FROM, _TO, _RELATION, _TARGET = kg("from"), kg("to"), kg("relation"), kg("target")
_HAS_CITATION, _CITED_SOURCE, _CITES = kg("hasCitation"), kg("citedSource"), kg("cites")
_MENTIONS = kg("mentions")
