"""The fields to select, sort and group by: their values in a corpus, and their RDF properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from kg.corpus import Corpus, UnknownId
from kg.corpus.columns import count_of_key, values_of_field
from kg.corpus.quality.evidence_quality import grade_statement
from kg.corpus.reasons_for_and_against import count_premises, reasons_by_side
from kg.model import Bearing, Kind, Relation, Source, Statement
from kg.model.errors import require_type
from kg.model.settings.quality_settings import is_new_method_name
from kg.model.source import ET_AL
from kg.model.statement import EVIDENCE_FIELDS
from kg.queries.conditions.field_types import Field, FieldType, RecordKind
from kg.queries.support_groups import evidence_group_counts
from kg.rdf.vocabulary import (
    DAY,
    EDGE,
    FLAG,
    GYEAR,
    INT,
    LINE,
    NUMBER,
    SOURCE,
    STATEMENT,
    TEXT,
    FieldTable,
)
from kg.runtime.memoize import memoize
from kg.text.spelling import similar_names

_DECIMALS = 9  # of a quality: later ones depend on the order of summation
_TYPES = {
    TEXT: FieldType.TEXT,
    FLAG: FieldType.FLAG,
    INT: FieldType.NUMBER,
    NUMBER: FieldType.NUMBER,
    DAY: FieldType.DAY,
    GYEAR: FieldType.YEAR,
}
_EMPTY_DEFAULTS = ("", (), msgspec.NODEFAULT)
_ID = "dcterms:identifier"
_FIELDS_OF_LINES = ("status", "created", "updated", "reviewed")
_SINGULAR = {"topics": "topic"} | {field.name: field.query_word for field in EVIDENCE_FIELDS}
_FIELDS_OF_STATEMENTS_ALONE = {"method", "sample"}
# titles, bodies and aliases are searched by text and name; quality is graded below
_FIELDS_READ_OTHERWISE = {"title", "body", "aliases", "quality"}
# What a search for words reads in each kind of record: attributes, and their RDF properties.
TEXTS: Mapping[RecordKind, tuple[tuple[str, str], ...]] = {
    record_kind: tuple((name, table.properties[name].prefixed_name) for name in names)
    for record_kind, table, names in (
        (RecordKind.STATEMENT, STATEMENT, ("title", "body")),
        (RecordKind.SOURCE, SOURCE, ("title", "venue", "body")),
        (RecordKind.LINE, LINE, ("title", "standfirst", "doubt", "essay")),
        (RecordKind.EDGE, EDGE, ("reason",)),
    )
}


class UnknownWord(UnknownId):
    """A word is not on a closed list: a method, a status, a field."""

    def __init__(self, word: str, known_words: Iterable[str], kind: str) -> None:
        self.known = tuple(known_words)
        super().__init__(word, similar_names(word, self.known), kind)

    def __str__(self) -> str:
        hint = f"there are {', '.join(self.known)}"
        if self.nearest:
            hint = f"did you mean {' or '.join(self.nearest)}?"
        return f"no {self.kind} is called {self.wanted!r}; {hint}"


def _attribute_reader(name: str) -> Callable[[Corpus, Any], Any]:
    return lambda corpus, record: getattr(record, name)


def _field_in_rdf(
    table: FieldTable, name: str, *, implies_kind: bool = False, extensible: bool = False
) -> Field:
    """A field for the attribute `name` of a record, as written in RDF."""
    property = table.properties[name]
    codec = property.codec
    return Field(
        _attribute_reader(name),
        FieldType.WORD if codec.words else _TYPES[codec],
        property.prefixed_name,
        codec.words,
        None if property.default in _EMPTY_DEFAULTS else property.default,
        many=property.is_multiple,
        attribute=name,
        implies_kind=implies_kind,
        extensible=extensible,
    )


_statement_field, _source_field, _line_field, _edge_field = (
    partial(_field_in_rdf, table) for table in (STATEMENT, SOURCE, LINE, EDGE)
)


def _id_field(name: str) -> Field:
    return Field(_attribute_reader(name), FieldType.TEXT, _ID, attribute=name)


def _values_in_sources(
    sources: Mapping[str, Source], keys: Iterable[str], name: str
) -> tuple[Any, ...]:
    """The values of the attribute `name` in sources, each once."""
    values = (getattr(sources[key], name) for key in keys if key in sources)
    return tuple(dict.fromkeys(value for value in values if value is not None))


def _cited_source_field(name: str) -> Field:
    """A field of the sources that a statement cites."""
    field = _source_field(name)

    def index(corpus: Corpus) -> Mapping[str, Any]:
        sources = dict(corpus.sources.items())
        keys_by_id = values_of_field(corpus.statements, "sources")
        return {id: _values_in_sources(sources, keys, name) for id, keys in keys_by_id.items()}

    return replace(
        field,
        read=lambda corpus, statement: _values_in_sources(corpus.sources, statement.sources, name),
        path=f"kg:cites/{field.path}",
        many=True,
        in_record=False,
        attribute="",
        index=index,
    )


@memoize
def _lines_by_statement(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    placements_of = corpus.placements_of.items()
    return {
        id: tuple(dict.fromkeys(placement.line for placement in placements))
        for id, placements in placements_of
    }


def _premise_count_field(side: str, sign: int) -> Field:
    """A field of how many statements are premises of a statement's reasons on one side."""

    def count(corpus: Corpus, statement: Statement) -> int:
        bearings: Iterable[Bearing] = getattr(reasons_by_side(corpus, statement.id), side)
        return len({premise for bearing in bearings for premise in bearing.premises})

    index = partial(count_premises, side=sign)
    return Field(count, FieldType.NUMBER, in_record=False, index=index)


def _count_of_studies(corpus: Corpus, statement: Statement) -> int:
    return evidence_group_counts(corpus).get(statement.id, 0)


@memoize
def _strengths_in(corpus: Corpus) -> Mapping[str, float | None]:
    from kg.reasoning import strengths

    return strengths(corpus)


def _quality_of_evidence(corpus: Corpus, statement: Statement) -> float | None:
    if statement.kind is not Kind.EVIDENCE:
        return None
    return round(grade_statement(corpus.sources, statement, corpus.config.quality).base, _DECIMALS)


_STATEMENT: Mapping[str, Field] = {
    "id": _id_field("id"),
    "kind": Field(
        _attribute_reader("kind"),
        FieldType.KIND,
        "rdf:type",
        tuple(kind.value for kind in Kind),
        attribute="kind",
        implies_kind=True,
    ),
    "title": _statement_field("title"),
    "camp": Field(
        lambda c, s: c.default_camps.get(s.id),
        FieldType.THING,
        "kg:sidesWith",
        implies_kind=True,
        index=lambda c: c.default_camps,
    ),
    "line": Field(
        lambda c, s: _lines_by_statement(c).get(s.id, ()),
        FieldType.THING,
        "^kg:places",
        many=True,
        in_record=False,
        index=_lines_by_statement,
    ),
    **{
        _SINGULAR.get(name, name): _statement_field(
            name,
            implies_kind=name in _FIELDS_OF_STATEMENTS_ALONE,
            extensible=name == "method",
        )
        for name in STATEMENT.properties
        if name not in _FIELDS_READ_OTHERWISE
    },
    "effect": replace(_statement_field("effect"), measure_field="effect_kind"),
    "p": replace(_statement_field("p"), sign_field="p_sign"),
    "parent": Field(_attribute_reader("parent"), FieldType.THING, "kg:partOf", implies_kind=True),
    "source": Field(
        _attribute_reader("sources"), FieldType.THING, "kg:cites", many=True, column="sources"
    ),
    "year": _cited_source_field("year"),
    "integrity": _cited_source_field("integrity"),
    "supporters": _premise_count_field("pro", 1),
    "opponents": _premise_count_field("con", -1),
    "strength": Field(lambda c, s: _strengths_in(c).get(s.id), FieldType.NUMBER, in_record=False),
    "quality": Field(_quality_of_evidence, FieldType.NUMBER, in_record=False),
    "studies": Field(_count_of_studies, FieldType.NUMBER, in_record=False),
}
_SOURCE: Mapping[str, Field] = {
    "id": _id_field("key"),
    "title": _source_field("title"),
    "type": _source_field("type"),
    "author": replace(
        _source_field("authors", implies_kind=True),
        placeholder=ET_AL,
        rank=attrgetter("first_author"),
    ),
    "year": _source_field("year"),
    "venue": _source_field("venue"),
    "topic": _source_field("topics"),
    "integrity": _source_field("integrity"),
    "peer_reviewed": _source_field("peer_reviewed"),
    "independence": _source_field("independence"),
    "verification": _source_field("verification"),
    "doi": _source_field("doi"),
    "arxiv": _source_field("arxiv"),
    "url": _source_field("url"),
    "citations": Field(
        lambda c, s: count_of_key(c.statements_citing, s.key),
        FieldType.NUMBER,
        in_record=False,
        index=lambda c: {key: count_of_key(c.statements_citing, key) for key in c.sources},
    ),
}
_LINE: Mapping[str, Field] = {
    "id": _id_field("id"),
    "title": _line_field("title"),
    "topic": _line_field("topics"),
    **{name: _line_field(name) for name in _FIELDS_OF_LINES},
    "placements": Field(lambda c, line: len(line.placements), FieldType.NUMBER, in_record=False),
}
_EDGE: Mapping[str, Field] = {
    "id": _id_field("id"),
    "relation": Field(
        _attribute_reader("relation"),
        FieldType.RELATION,
        "kg:relation",
        tuple(word.value for word in Relation),
        implies_kind=True,
    ),
    "origin": Field(_attribute_reader("origin"), FieldType.THING, "kg:origin"),
    "target": Field(_attribute_reader("target"), FieldType.THING, "kg:target"),
    "strength": _edge_field("strength", implies_kind=True),
    "reason": _edge_field("reason"),
    "together": Field(_attribute_reader("together"), FieldType.THING, "kg:together", many=True),
    "mutual": _edge_field("mutual"),
    "nested": _edge_field("nested"),
    "scope": _edge_field("scope"),
    "by": _edge_field("by"),
    "locator": _edge_field("locator"),
}
FIELDS_BY_KIND: Mapping[RecordKind, Mapping[str, Field]] = {
    RecordKind.STATEMENT: _STATEMENT,
    RecordKind.SOURCE: _SOURCE,
    RecordKind.LINE: _LINE,
    RecordKind.EDGE: _EDGE,
}


def field_name(record_kind: RecordKind, name: str) -> str:
    """The field called `name`, which may be plural (`topics`); raises `UnknownWord`.

    The id of a source may also be called `key`.
    """
    require_type(name, str, "a field is named by a text")
    is_key = record_kind is RecordKind.SOURCE and name == "key"
    plain_name = "id" if is_key else name.replace("-", "_")
    for candidate in (plain_name, plain_name.removesuffix("s")):
        if candidate in FIELDS_BY_KIND[record_kind]:
            return candidate
    raise UnknownWord(
        name,
        FIELDS_BY_KIND[record_kind],
        f"field of {'an' if record_kind is RecordKind.EDGE else 'a'} {record_kind}",
    )


def field_of(record_kind: RecordKind, name: str) -> Field:
    """The field called `name`, as for `field_name`; raises `UnknownWord`."""
    return FIELDS_BY_KIND[record_kind][field_name(record_kind, name)]


def parse_closed_words(
    noun: str, known_words: tuple[str, ...], words: Iterable[str], *, extensible: bool = False
) -> tuple[str, ...]:
    """Words of a closed list, in any letter case and with `_` or `-`; raises `UnknownWord`.

    If the list is `extensible`, only misspellings of its words are unknown.
    """
    canonical_words = []
    for word in words:
        folded_word = str(word).strip().casefold().replace("_", "-").replace(" ", "-")
        if folded_word not in known_words and not (extensible and is_new_method_name(folded_word)):
            raise UnknownWord(str(word), known_words, noun)
        canonical_words.append(folded_word)
    return tuple(canonical_words)
