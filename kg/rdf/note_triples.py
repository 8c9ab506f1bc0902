"""Notes as triples: the content of each note's named graph, subject by subject."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from kg.corpus.note_records import NoteContext, NoteRecords
from kg.model import (
    AnswerWords,
    CampPlacement,
    Citation,
    Edge,
    InquiryLine,
    Kind,
    Mention,
    NextStep,
    Quotation,
    Relation,
    Source,
    Span,
    Statement,
    Value,
)
from kg.rdf import vocabulary
from kg.rdf.iris import (
    CAMPS,
    EDGES,
    ENTRY,
    FIELDS,
    LINES,
    SOURCES,
    STATEMENTS,
    Iris,
    note_of_statement,
)
from kg.rdf.ontology import CLASSES, relation_name
from kg.rdf.vocabulary import FieldTable, integer_term, named_term, ontology_term, quoted_term

LINKS_IN_ONE_TEXT = 5_000  # parsers refuse a text of more than 16 MiB


PredicateObject = tuple[str, str]  # a property and a value, in N-Quads syntax
# A subject's IRI, and its properties with their values.
SubjectTriples = tuple[str, Sequence[PredicateObject]]

RDF_TYPE = named_term("rdf:type")
DCTERMS_IDENTIFIER = named_term("dcterms:identifier")
_RELATION_PROPERTY = {relation: ontology_term(relation_name(relation)) for relation in Relation}
_CLAIM = ontology_term("Claim")
_CLASS_OF_KIND = {kind: ontology_term(name) for kind, name in CLASSES.items()}


FIELD_TABLES: Mapping[type[Value], FieldTable] = {
    Statement: vocabulary.STATEMENT,
    InquiryLine: vocabulary.LINE,
    AnswerWords: vocabulary.ANSWERS,
    Source: vocabulary.SOURCE,
    Edge: vocabulary.EDGE,
    CampPlacement: vocabulary.PLACEMENT,
    NextStep: vocabulary.NEXT_STEP,
    Citation: vocabulary.CITATION,
    Quotation: vocabulary.QUOTATION,
}
_WRITTEN_IN, _LINE, _COLUMN = map(ontology_term, ("writtenIn", "atLine", "atColumn"))
_STATEMENT, _EDGE, _CITATION = map(ontology_term, ("Statement", "Edge", "Citation"))
_CAMP, _SIDES_WITH, _PART_OF = map(ontology_term, ("camp", "sidesWith", "partOf"))
_ORIGIN, _TARGET = map(ontology_term, ("origin", "target"))
_RELATION, _ORDER = map(ontology_term, ("relation", "writtenOrder"))
_HAS_CITATION, _CITED_SOURCE, _CITES = map(ontology_term, ("hasCitation", "citedSource", "cites"))
_MENTIONS, _LINKS_IN_TEXT, _TOGETHER = map(ontology_term, ("mentions", "linksInText", "together"))


class NoteTriplesBuilder:
    """Collects the triples of one note, subject by subject."""

    def __init__(self, corpus: NoteContext, note: NoteRecords, iris: Iris) -> None:
        self.corpus = corpus
        self.records = note
        self.iris = iris
        self.note_iri = iris.note(note.path)
        self.subjects: list[SubjectTriples] = []
        self.added_links: set[tuple[str, str, str]] = set()

    def triples(self) -> list[SubjectTriples]:
        """The triples of the note, each once."""
        self.add(
            self.note_iri,
            [
                (RDF_TYPE, ontology_term("Note")),
                (ontology_term("path"), quoted_term(self.records.path)),
            ],
        )
        for statement in self.records.statements:
            self.add_statement(statement)
        for line in self.records.lines:
            self.add_line(line)
        for source in self.records.sources:
            self.add_source(source)
        for edge in self.records.edges:
            self.add_edge(edge)
        self.add_mentions(self.records.mentions)
        for name, id in self.records.names:
            self.add(
                self.iris.thing(self.corpus, id), [(ontology_term("otherName"), quoted_term(name))]
            )
        return self.subjects

    def add(self, subject: str, pairs: Sequence[PredicateObject]) -> None:
        """Add properties of a subject."""
        self.subjects.append((subject, pairs))

    def add_link(self, subject: str, predicate: str, target: str) -> None:
        """Add a plain triple, unless it was added before."""
        triple = subject, predicate, target
        if triple not in self.added_links:
            self.added_links.add(triple)
            self.subjects.append((subject, [(predicate, f"<{target}>")]))

    # -- common to all records -----------------------------------------------------------

    def note_and_span_triples(self, span: Span) -> list[PredicateObject]:
        """The note and the place of a record that is not part of another."""
        return [(_WRITTEN_IN, f"<{self.note_iri}>"), *self.span_triples(span)]

    def span_triples(self, span: Span) -> list[PredicateObject]:
        """The place of a part of a record, with its note only if that is not the record's."""
        pairs = [(_LINE, integer_term(span.line))]
        if span.column != 1:
            pairs.append((_COLUMN, integer_term(span.column)))
        if span.path != self.records.path:
            pairs.append((_WRITTEN_IN, f"<{self.iris.note(span.path)}>"))
        return pairs

    def own_fields(self, folder: str, values: Mapping[str, str]) -> list[PredicateObject]:
        """Fields not in the ontology, each under a property of this corpus."""
        return [
            (f"<{self.iris.field(folder, key)}>", quoted_term(value))
            for key, value in values.items()
        ]

    def field_properties(self, record: Value) -> list[PredicateObject]:
        """The plain attributes of a record as properties, without defaults."""
        table = FIELD_TABLES[type(record)]
        rows = zip(table.read_values(record), table.writers, strict=True)
        pairs = [(term, write(value)) for value, (term, write, default) in rows if value != default]
        for property in table.multi_valued:
            if values := getattr(record, property.name):
                pairs += _triples_of_values(property.name, property.term, values)
        return pairs

    # -- records -------------------------------------------------------------------------

    def add_statement(self, statement: Statement) -> None:
        iri = self.iris.iri_of(STATEMENTS, statement.id)
        pairs = [
            (RDF_TYPE, _STATEMENT),
            (RDF_TYPE, _CLASS_OF_KIND[statement.kind]),
            (DCTERMS_IDENTIFIER, quoted_term(statement.id)),
            *self.note_and_span_triples(statement.span),
            *self.field_properties(statement),
            *self.own_fields(FIELDS, statement.extra),
        ]
        if statement.kind is Kind.COUNTER_CLAIM:
            pairs.append((RDF_TYPE, _CLAIM))  # so that stores need no inference
        if statement.note != note_of_statement(statement.id, statement.parent):
            pairs.append((ontology_term("noteName"), quoted_term(statement.note)))
        if statement.camp:
            pairs.append((_CAMP, f"<{self.iris.iri_of(CAMPS, statement.camp)}>"))
        if camp := self.corpus.default_camps.get(statement.id):
            pairs.append((_SIDES_WITH, f"<{self.iris.iri_of(CAMPS, camp)}>"))
        if statement.parent:
            pairs.append((_PART_OF, f"<{self.iris.iri_of(STATEMENTS, statement.parent)}>"))
        self.add(iri, pairs)
        self.add_citations(iri, statement.citations, statement.quotations)

    def add_line(self, line: InquiryLine) -> None:
        iri = self.iris.iri_of(LINES, line.id)
        pairs = [
            (RDF_TYPE, ontology_term("InquiryLine")),
            (DCTERMS_IDENTIFIER, quoted_term(line.id)),
            *self.note_and_span_triples(line.span),
            *self.field_properties(line),
            *self.field_properties(line.answers),
            *self.own_fields(FIELDS, line.extra),
        ]
        if line.proposition:
            pairs.append(
                (
                    ontology_term("proposition"),
                    f"<{self.iris.iri_of(STATEMENTS, line.proposition)}>",
                )
            )
        self.add(iri, pairs)
        self.add_placements(iri, line)
        self.add_next_steps(iri, line)
        self.add_citations(iri, line.citations, line.quotations)

    def add_placements(self, iri: str, line: InquiryLine) -> None:
        """Add where a line places statements: a subject each."""
        for number, placement in enumerate(line.placements, 1):
            statement = self.iris.iri_of(STATEMENTS, placement.statement)
            pairs = [
                (RDF_TYPE, ontology_term("CampPlacement")),
                (ontology_term("inLine"), f"<{iri}>"),
                (ontology_term("placed"), f"<{statement}>"),
                (_CAMP, f"<{self.iris.iri_of(CAMPS, placement.camp)}>"),
                *self.span_triples(placement.span),
                *self.field_properties(placement),
            ]
            self.add(self.iris.part(iri, "placement", number), pairs)
            self.add_link(iri, ontology_term("places"), statement)

    def add_next_steps(self, iri: str, line: InquiryLine) -> None:
        """Add what a line says to do next: a subject each."""
        for number, step in enumerate(line.next, 1):
            pairs = [
                (RDF_TYPE, ontology_term("NextStep")),
                (ontology_term("inLine"), f"<{iri}>"),
                *self.span_triples(step.span),
                *self.field_properties(step),
            ]
            if step.target:
                target = self.iris.thing(self.corpus, step.target)
                pairs.append((_TARGET, f"<{target}>"))
                self.add_link(iri, ontology_term("next"), target)
            self.add(self.iris.part(iri, "next", number), pairs)

    def add_source(self, source: Source) -> None:
        pairs = [
            (RDF_TYPE, ontology_term("Source")),
            (DCTERMS_IDENTIFIER, quoted_term(source.key)),
            *self.note_and_span_triples(source.span),
            *self.field_properties(source),
            *self.own_fields(ENTRY, source.entry),
            *self.own_fields(FIELDS, source.extra),
        ]
        self.add(self.iris.iri_of(SOURCES, source.key), pairs)

    def add_edge(self, edge: Edge) -> None:
        """The edge as a node, and as a plain triple."""
        start = self.iris.thing(self.corpus, edge.origin)
        target = self.target_iri(edge)
        relation = _RELATION_PROPERTY[edge.relation]
        pairs = [
            (RDF_TYPE, _EDGE),
            (_ORIGIN, f"<{start}>"),
            (_TARGET, f"<{target}>"),
            (_RELATION, relation),
            *self.span_triples(edge.span),
            *self.field_properties(edge),
            *self.joint_premise_triples(edge),
        ]
        # otherwise its note is that of its premise, and is left out (decision 0031)
        holder = self.corpus.statements.get(edge.origin)
        if holder is None or holder.span.path != self.records.path:
            pairs.append((_WRITTEN_IN, f"<{self.note_iri}>"))
        self.add(self.iris.iri_of(EDGES, edge.id), pairs)
        # plain triples, so that property paths can follow reasons without edge nodes
        self.add_link(start, relation, target)
        for premise in edge.together:
            self.add_link(self.iris.iri_of(STATEMENTS, premise), relation, target)
        if edge.goes_both_ways:
            self.add_link(target, relation, start)

    def joint_premise_triples(self, edge: Edge) -> list[PredicateObject]:
        """The other premises, and their written order if it differs from that of their IRIs."""
        if not edge.together:
            return []
        premises = [self.iris.iri_of(STATEMENTS, id) for id in edge.together]
        sorted_iris = sorted(set(premises))
        pairs = [(_TOGETHER, f"<{iri}>") for iri in sorted_iris]
        if sorted_iris != premises:
            positions = " ".join(str(sorted_iris.index(iri)) for iri in premises)
            pairs.append((_ORDER, quoted_term(f"together {positions}")))
        return pairs

    def target_iri(self, edge: Edge) -> str:
        if edge.relation is Relation.UNDERCUTS:
            return self.iris.iri_of(EDGES, edge.target)
        if edge.relation.joins_notes:
            return self.iris.thing(self.corpus, edge.target)
        return self.iris.iri_of(STATEMENTS, edge.target)

    def add_citations(
        self, iri: str, citations: Iterable[Citation], quotations: Iterable[Quotation]
    ) -> None:
        for number, citation in enumerate(citations, 1):
            node = self.iris.part(iri, "citation", number)
            source = self.iris.iri_of(SOURCES, citation.key)
            pairs = [
                (RDF_TYPE, _CITATION),
                (_CITED_SOURCE, f"<{source}>"),
                *self.span_triples(citation.span),
                *self.field_properties(citation),
            ]
            self.add(node, pairs)
            self.add_link(iri, _HAS_CITATION, node)
            self.add_link(iri, _CITES, source)
        for number, quotation in enumerate(quotations, 1):
            self.add_quotation(iri, self.iris.part(iri, "quotation", number), quotation)

    def add_quotation(self, iri: str, node: str, quotation: Quotation) -> None:
        """The quotation as a Web Annotation, which selects the passage by its exact words."""
        target = node + "/target"
        selector = node + "/selector"
        source = self.iris.iri_of(SOURCES, quotation.key)
        pairs = [
            (RDF_TYPE, ontology_term("Quotation")),
            (RDF_TYPE, named_term("oa:Annotation")),
            (named_term("oa:hasBody"), f"<{iri}>"),
            (named_term("oa:hasTarget"), f"<{target}>"),
            *self.span_triples(quotation.span),
            *self.field_properties(quotation),
        ]
        self.add_link(iri, ontology_term("hasQuotation"), node)
        self.add(node, pairs)
        self.add(
            target,
            [
                (RDF_TYPE, named_term("oa:SpecificResource")),
                (named_term("oa:hasSource"), f"<{source}>"),
                (named_term("oa:hasSelector"), f"<{selector}>"),
            ],
        )
        self.add(
            selector,
            [
                (RDF_TYPE, named_term("oa:TextQuoteSelector")),
                (named_term("oa:exact"), quoted_term(quotation.text)),
            ],
        )

    def add_mentions(self, mentions: Sequence[Mention]) -> None:
        """A plain triple for each link; their details, which no query joins, as one text."""
        for mention in mentions:
            origin = self.iris.thing(self.corpus, mention.origin)
            self.add_link(origin, _MENTIONS, self.iris.thing(self.corpus, mention.target))
        for start in range(0, len(mentions), LINKS_IN_ONE_TEXT):
            text = _as_json(mentions[start : start + LINKS_IN_ONE_TEXT])
            self.add(self.note_iri, [(_LINKS_IN_TEXT, quoted_term(text))])


def _triples_of_values(name: str, predicate: str, values: Sequence[str]) -> list[PredicateObject]:
    """Make one triple per value, and record the written order if it is not alphabetical."""
    if len(values) == 1:
        return [(predicate, quoted_term(values[0]))]
    sorted_values = sorted(set(values))
    pairs = [(predicate, quoted_term(value)) for value in sorted_values]
    if tuple(sorted_values) != values:
        positions = " ".join(str(sorted_values.index(value)) for value in values)
        pairs.append((_ORDER, quoted_term(f"{name} {positions}")))
    return pairs


def _as_json(records: Sequence[Value]) -> str:
    try:
        return msgspec.json.encode(records).decode()
    except UnicodeEncodeError:  # half of a surrogate pair, which `quoted_term` replaces
        return json.dumps(msgspec.to_builtins(records), ensure_ascii=False)
