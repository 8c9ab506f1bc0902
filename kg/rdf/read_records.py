"""Read records and a corpus back from RDF that `quads` wrote."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from pydantic import ValidationError
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.corpus import Corpus
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
    Source,
    Span,
    Statement,
)
from kg.model.errors import KgError, NotACorpus
from kg.model.settings.config import Camp, Config
from kg.model.settings.quality_settings import QualityLadder, is_new_method_name
from kg.rdf import vocabulary
from kg.rdf.iris import ENTRY, FIELDS, Iris, note_of_statement
from kg.rdf.ontology import CLASS_OF, KG, PREFIXES, RELATION_OF
from kg.rdf.vocabulary import METHOD, FieldTable

Properties = Mapping[str, Collection[str]]
_TYPE = PREFIXES["rdf"] + "type"
_OA = PREFIXES["oa"]
RDF_FORMATS = {
    ".ttl": RdfFormat.TURTLE,
    ".nq": RdfFormat.N_QUADS,
    ".nt": RdfFormat.N_TRIPLES,
    ".trig": RdfFormat.TRIG,
    ".jsonld": RdfFormat.JSON_LD,
    ".rdf": RdfFormat.RDF_XML,
}


class BrokenGraph(KgError, LookupError):
    """A graph lacks a part of a record; the message says which."""


def values_by_subject(triples: Iterable[tuple[Any, Any, Any]]) -> dict[str, Properties]:
    """The values in triples, by subject and property, each value once, in their order."""
    by_subject: dict[str, dict[str, dict[str, None]]] = {}
    for subject, predicate, value in triples:
        # `quads` writes no blank nodes, so any come from elsewhere
        if isinstance(subject, NamedNode) and isinstance(value, NamedNode | Literal):
            values = by_subject.setdefault(subject.value, {}).setdefault(predicate.value, {})
            values[value.value] = None
    return by_subject  # type: ignore[return-value]


class RdfRecords:
    """The records of a graph, each made from all properties of its IRI.

    Raises `BrokenGraph` if a part is missing, and `ValueError` for invalid values.
    """

    def __init__(self, by_subject: Mapping[str, Properties], iris: Iris) -> None:
        self.by_subject = by_subject
        self.iris = iris

    # -- properties --------------------------------------------------------------------------

    def instances_of(self, name: str) -> list[str]:
        """Return all instances of a class of the ontology."""
        return [
            iri
            for iri, properties in self.by_subject.items()
            if KG + name in properties.get(_TYPE, ())
        ]

    def all(self, iri: str, property_name: str) -> Collection[str]:
        """The values of a property of the ontology."""
        return self.by_subject.get(iri, {}).get(KG + property_name, ())

    def one(self, iri: str, property_name: str, default: str = "") -> str:
        """The value of a property of the ontology."""
        return next(iter(self.all(iri, property_name)), default)

    def get_value(self, subject: str, property: str) -> str:
        """The value of a required property, named by its whole IRI; raises `BrokenGraph`."""
        for value in self.by_subject.get(subject, {}).get(property, ()):
            return value
        raise BrokenGraph(f"{subject} has no <{property}>")

    def id(self, iri: str, property_name: str) -> str:
        """The id of a required property's value."""
        return self.iris.id_of(self.get_value(iri, KG + property_name))

    def optional_id(self, iri: str, property_name: str) -> str | None:
        """The id of a property's value, or None if the property is missing."""
        return self.id(iri, property_name) if self.all(iri, property_name) else None

    @cached_property
    def parts_of_lines(self) -> Mapping[str, list[str]]:
        """Placements and next steps by line, in the order of their numbers."""
        parts_of_line: dict[str, list[str]] = {}
        for iri, properties in self.by_subject.items():
            for line_iri in properties.get(KG + "inLine", ()):
                parts_of_line.setdefault(line_iri, []).append(iri)
        return {iri: sorted(parts, key=_part_number) for iri, parts in parts_of_line.items()}

    def _fields_in_table(self, iri: str, table: FieldTable) -> dict[str, Any]:
        """The attributes of a record that are in a table of fields and have values."""
        properties = self.by_subject.get(iri, {})
        attributes: dict[str, Any] = {}
        for field in table.single_valued:
            for value in properties.get(field.iri, ()):
                attributes[field.name] = field.codec.read(value)
        for field in table.multi_valued:
            if values := properties.get(field.iri):
                attributes[field.name] = self._in_written_order(iri, field.name, values)
        return attributes

    def _in_written_order(
        self, iri: str, field_name: str, values: Collection[str]
    ) -> tuple[str, ...]:
        # triples have no order, so an order that is not alphabetical is written separately:
        # "topics 2 0 1" are places among the sorted values
        orders = dict(order.split(" ", 1) for order in self.all(iri, "writtenOrder"))
        sorted_values = sorted(values)
        if field_name not in orders:
            return tuple(sorted_values)
        return tuple(sorted_values[int(position)] for position in orders[field_name].split())

    def _own_fields(self, iri: str, folder: str) -> dict[str, str]:
        """Fields not in the ontology, written as properties of the corpus itself."""
        start = self.iris.base + folder
        return {
            self.iris.key_of(predicate): next(iter(values))
            for predicate, values in self.by_subject.get(iri, {}).items()
            if predicate.startswith(start)
        }

    def _span_of(self, iri: str, path: str = "") -> Span:
        if note := self.one(iri, "writtenIn"):
            path = self.iris.path_of(note)
        return Span(path, int(self.one(iri, "atLine", "1")), int(self.one(iri, "atColumn", "1")))

    # -- records ---------------------------------------------------------------------------

    def statement(self, iri: str) -> Statement:
        """The statement at an IRI."""
        classes = self.by_subject[iri].get(_TYPE, ())
        kinds = [kind for name, kind in CLASS_OF.items() if KG + name in classes]
        if Kind.COUNTER_CLAIM in kinds and Kind.CLAIM in kinds:
            kinds.remove(Kind.CLAIM)  # the class of claims includes counter-claims
        if len(kinds) != 1:
            raise BrokenGraph(f"{iri} has {len(kinds)} kinds of statement instead of one")
        id = self.iris.id_of(iri)
        parent = self.optional_id(iri, "partOf")
        return Statement(
            id=id,
            kind=kinds[0],
            span=self._span_of(iri),
            note=self.one(iri, "noteName", note_of_statement(id, parent)),
            camp=self.optional_id(iri, "camp"),
            parent=parent,
            extra=self._own_fields(iri, FIELDS),
            **self._citation_fields(iri),
            **{"title": "", **self._fields_in_table(iri, vocabulary.STATEMENT)},
        )

    def line(self, iri: str) -> InquiryLine:
        """The inquiry line at an IRI, with its placements and next steps."""
        part_nodes = self.parts_of_lines.get(iri, [])
        placement_nodes = [node for node in part_nodes if self.all(node, "placed")]
        path = self._span_of(iri).path
        fields: dict[str, Any] = {"title": "", **self._fields_in_table(iri, vocabulary.LINE)}
        if answers := self._fields_in_table(iri, vocabulary.ANSWERS):
            # without any, the default itself stays, which a digest leaves out
            fields["answers"] = AnswerWords(**answers)
        return InquiryLine(
            id=self.iris.id_of(iri),
            span=self._span_of(iri),
            proposition=self.optional_id(iri, "proposition"),
            placements=tuple(self._placement_at(node, iri, path) for node in placement_nodes),
            next=tuple(
                self._next_step(node, path) for node in part_nodes if node not in placement_nodes
            ),
            extra=self._own_fields(iri, FIELDS),
            **self._citation_fields(iri),
            **fields,
        )

    def _placement_at(self, node: str, line_iri: str, path: str) -> CampPlacement:
        return CampPlacement(
            line=self.iris.id_of(line_iri),
            statement=self.id(node, "placed"),
            camp=self.id(node, "camp"),
            span=self._span_of(node, path),
            **self._fields_in_table(node, vocabulary.PLACEMENT),
        )

    def _next_step(self, node: str, path: str) -> NextStep:
        return NextStep(
            span=self._span_of(node, path),
            target=self.optional_id(node, "target"),
            **self._fields_in_table(node, vocabulary.NEXT_STEP),
        )

    def source(self, iri: str) -> Source:
        """The source at an IRI."""
        return Source(
            key=self.iris.id_of(iri),
            span=self._span_of(iri),
            entry=self._own_fields(iri, ENTRY),
            extra=self._own_fields(iri, FIELDS),
            **{"title": "", **self._fields_in_table(iri, vocabulary.SOURCE)},
        )

    def edge(self, iri: str) -> Edge:
        """The edge at an IRI; its note is that of its premise, unless given."""
        relation = self.one(iri, "relation").removeprefix(KG)
        if relation not in RELATION_OF:
            raise BrokenGraph(f"{iri} has no relation that this version knows: {relation!r}")
        premises = self._in_written_order(iri, "together", self.all(iri, "together"))
        return Edge(
            id=self.iris.id_of(iri),
            origin=self.id(iri, "origin"),
            relation=RELATION_OF[relation],
            target=self.id(iri, "target"),
            span=self._span_of(iri, self._span_of(self.one(iri, "origin")).path),
            together=tuple(map(self.iris.id_of, premises)),
            **self._fields_in_table(iri, vocabulary.EDGE),
        )

    def _citation_fields(self, iri: str) -> dict[str, Any]:
        path = self._span_of(iri).path
        return {
            "citations": tuple(
                Citation(
                    key=self.id(node, "citedSource"),
                    span=self._span_of(node, path),
                    **self._fields_in_table(node, vocabulary.CITATION),
                )
                for node in sorted(self.all(iri, "hasCitation"), key=_part_number)
            ),
            "quotations": tuple(
                self._quotation_at(node, path)
                for node in sorted(self.all(iri, "hasQuotation"), key=_part_number)
            ),
        }

    def _quotation_at(self, node: str, path: str) -> Quotation:
        target = self.get_value(node, _OA + "hasTarget")
        return Quotation(
            text=self.get_value(self.get_value(target, _OA + "hasSelector"), _OA + "exact"),
            key=self.iris.id_of(self.get_value(target, _OA + "hasSource")),
            span=self._span_of(node, path),
            **self._fields_in_table(node, vocabulary.QUOTATION),
        )

    def mentions(self, note: str) -> list[Mention]:
        """The links in a note's prose."""
        texts = self.all(note, "linksInText")
        parts = [msgspec.json.decode(text, type=list[Mention]) for text in texts]
        parts = sorted(filter(None, parts), key=lambda part: part[0].span)
        return [each for part in parts for each in part]


def _part_number(part: str) -> int:
    """The number at the end of a part's IRI, `…/citation/3`, by which parts are ordered."""
    return int(part.rpartition("/")[2])


Record = TypeVar("Record", Statement, InquiryLine, Source)


def load_rdf(file: Path) -> Corpus:
    """The corpus in an RDF file that `kg export` wrote. Raises `NotACorpus`."""
    format = RDF_FORMATS.get(file.suffix)
    if format is None:
        raise NotACorpus(f"{file}: no RDF format has the file ending {file.suffix or 'nothing'!r}")
    try:
        return parse_corpus(parse(path=str(file), format=format))
    except SyntaxError as error:
        raise NotACorpus(f"{file}: {error}") from None


def parse_corpus(quads: Iterable[Quad]) -> Corpus:
    """The corpus in these quads, whichever graphs they are in. Raises `NotACorpus`."""
    by_subject = values_by_subject((quad.subject, quad.predicate, quad.object) for quad in quads)
    # ids are IRIs without the base, so a base is required
    bases = [base for values in by_subject.values() for base in values.get(KG + "baseIri", ())]
    if not bases:
        raise NotACorpus(
            "this is not a graph of inquiry lines: it has no kg:Corpus with a kg:baseIri"
        )
    try:
        return _corpus_of_records(RdfRecords(by_subject, Iris(bases[0])))
    except ValidationError as error:
        wrong = error.errors()[0]
        name = ".".join(map(str, wrong["loc"]))
        value = repr(wrong["input"])[:80]
        message = f"this graph has a {error.title} with {name} {value}: {wrong['msg']}"
        raise NotACorpus(message) from None
    # a graph may contain anything, so these errors are not bugs of the program
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise NotACorpus(f"this graph lacks a part that it should have: {error}") from None


def _corpus_of_records(records: RdfRecords) -> Corpus:
    return Corpus(
        statements=_records_by_id(records, "Statement", records.statement),
        edges=tuple(
            sorted(
                map(records.edge, records.instances_of("Edge")),
                key=lambda edge: (edge.span, edge.id),
            )
        ),
        sources=_records_by_id(records, "Source", records.source),
        lines=_records_by_id(records, "InquiryLine", records.line),
        mentions=_mentions_in_notes(records),
        aliases=_ids_by_alias(records),
        config=_config_of_records(records),
    )


def _records_by_id(
    records: RdfRecords, class_name: str, read_record: Callable[[str], Record]
) -> dict[str, Record]:
    """Return all records of a class by id, in reading order."""
    by_id = {records.iris.id_of(iri): read_record(iri) for iri in records.instances_of(class_name)}
    return dict(sorted(by_id.items(), key=lambda item: (item[1].span, item[0])))


def _mentions_in_notes(records: RdfRecords) -> tuple[Mention, ...]:
    notes = sorted(records.instances_of("Note"), key=records.iris.path_of)
    return tuple(mention for note in notes for mention in records.mentions(note))


def _ids_by_alias(records: RdfRecords) -> dict[str, str]:
    """Names that lead to exactly one record."""
    ids_of: defaultdict[str, set[str]] = defaultdict(set)
    for iri in records.by_subject:
        for name in [*records.all(iri, "alias"), *records.all(iri, "otherName")]:
            ids_of[name].add(records.iris.id_of(iri))
    return {name: ids.pop() for name, ids in ids_of.items() if len(ids) == 1}


def _config_of_records(records: RdfRecords) -> Config:
    (corpus,) = records.instances_of("Corpus")
    camps = sorted(
        records.all(corpus, "hasCamp"), key=lambda camp: int(records.one(camp, "position"))
    )
    return Config(
        name=records.get_value(corpus, PREFIXES["dcterms"] + "title"),
        base_iri=records.iris.base,
        camps=tuple(
            Camp(
                id=records.iris.id_of(camp),
                label=records.get_value(camp, PREFIXES["rdfs"] + "label"),
                colour=records.one(camp, "colour"),
            )
            for camp in camps
        ),
        quality=QualityLadder(
            kinds={word: QualityLadder().unrecorded for word in _own_methods(records)}
        ),
    )


def _own_methods(records: RdfRecords) -> list[str]:
    """Methods that the corpus declares; their points are not in the graph."""
    words = (METHOD.read(iri) for iri in records.instances_of("Method"))
    return [word for word in words if is_new_method_name(word)]
