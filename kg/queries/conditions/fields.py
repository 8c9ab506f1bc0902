"""The fields to select, sort and group by: their values in a corpus, and their RDF properties."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec

from kg.corpus import Corpus, UnknownId
from kg.corpus.cached_rows import values_of_field
from kg.corpus.reasons_for_and_against import ReasonsBySide, reasons_by_side
from kg.model import Bearing, Edge, InquiryLine, Kind, Relation, Source, Statement
from kg.model.errors import require_type
from kg.model.grade import grade_statement
from kg.model.quality_settings import is_new_method_name
from kg.model.records import ET_AL
from kg.model.statement import EVIDENCE_FIELDS
from kg.queries.conditions.support_groups import group_counts
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
from kg.text.spelling import nearest_names

Record: TypeAlias = Statement | Source | InquiryLine | Edge
FieldValue: TypeAlias = str | bool | float | dt.date


class Sort(enum.StrEnum):
    """The sorts of records that selections find."""

    STATEMENT = "statement"
    SOURCE = "source"
    LINE = "line"
    EDGE = "edge"


class FieldType(enum.Enum):
    """The type of a field's values, which determines how RDF writes them."""

    TEXT = enum.auto()
    WORD = enum.auto()
    FLAG = enum.auto()
    NUMBER = enum.auto()
    DAY = enum.auto()
    YEAR = enum.auto()
    THING = enum.auto()
    KIND = enum.auto()
    RELATION = enum.auto()


@dataclass(frozen=True, slots=True)
class Field:
    """A field: how to read it from a record, and where it is in RDF.

    `path` is the RDF property path, empty for a field computed from the whole corpus. `words` are
    the values of a closed list, which the settings of a corpus may extend if it is `open`;
    `default` is the value that a note need not write. A `telling` field is one that no other sort
    has in RDF. `left_out` may be written among the values but is not one; `rank` gives the sort
    key, if values are not sorted by themselves. `column` is the attribute read if its name in JSON
    differs; `index` reads the field for all records that have a value. `sign` names the field that
    holds `<` or `>` if the number is only a bound, `measure` the field with the kind of measure.
    """

    read: Callable[[Corpus, Any], Any]
    type: FieldType
    path: str = ""
    words: tuple[str, ...] = ()
    default: str | bool | None = None
    many: bool = False
    own: bool = True
    attribute: str = ""
    telling: bool = False
    open: bool = False
    left_out: str = ""
    rank: Callable[[Any], str] | None = None
    sign: str = ""
    measure: str = ""
    column: str = ""
    index: Callable[[Corpus], Mapping[str, Any]] | None = None

    def values(self, corpus: Corpus, record: Record) -> tuple[FieldValue, ...]:
        """The values that a record has; empty if nothing is recorded."""
        value = self.read(corpus, record)
        if isinstance(value, tuple):
            return tuple(v for v in value if v != self.left_out) if self.left_out else value
        return () if value is None or value == "" else (value,)

    @property
    def has_order(self) -> bool:
        """Whether the values are ordered, so that a range makes sense."""
        return self.type in (FieldType.NUMBER, FieldType.DAY, FieldType.YEAR)


class UnknownWord(UnknownId):
    """A word is not on a closed list: a method, a status, a field."""

    def __init__(self, word: str, known: Iterable[str], kind: str) -> None:
        self.known = tuple(known)
        super().__init__(word, nearest_names(word, self.known), kind)

    def __str__(self) -> str:
        hint = f"there are {', '.join(self.known)}"
        if self.nearest:
            hint = f"did you mean {' or '.join(self.nearest)}?"
        return f"no {self.kind} is called {self.wanted!r}; {hint}"


def _attribute_reader(name: str) -> Callable[[Corpus, Any], Any]:
    return lambda corpus, record: getattr(record, name)


_TYPES = {
    TEXT: FieldType.TEXT,
    FLAG: FieldType.FLAG,
    INT: FieldType.NUMBER,
    NUMBER: FieldType.NUMBER,
    DAY: FieldType.DAY,
    GYEAR: FieldType.YEAR,
}


_NOTHING = ("", (), msgspec.NODEFAULT)


def _rdf_reader(
    table: FieldTable, name: str, *, telling: bool = False, open: bool = False
) -> Field:
    """A field for the attribute `name` of a record, as written in RDF."""
    property = table.properties[name]
    codec = property.codec
    return Field(
        _attribute_reader(name),
        FieldType.WORD if codec.words else _TYPES[codec],
        property.prefixed,
        codec.words,
        None if property.default in _NOTHING else property.default,
        many=property.is_multiple,
        attribute=name,
        telling=telling,
        open=open,
    )


_statement, _source, _line, _edge = (
    partial(_rdf_reader, table) for table in (STATEMENT, SOURCE, LINE, EDGE)
)
_ID = "dcterms:identifier"


def _id_field(name: str) -> Field:
    return Field(_attribute_reader(name), FieldType.TEXT, _ID, attribute=name)


def _values_in_sources(
    sources: Mapping[str, Source], keys: Iterable[str], name: str
) -> tuple[Any, ...]:
    """The values of the attribute `name` in sources, each once."""
    values = (getattr(sources[key], name) for key in keys if key in sources)
    return tuple(dict.fromkeys(value for value in values if value is not None))


def _source_field(name: str) -> Field:
    """A field of the sources that a statement cites."""
    field = _source(name)

    def index(corpus: Corpus) -> Mapping[str, Any]:
        sources, cited = dict(corpus.sources.items()), values_of_field(corpus.statements, "sources")
        return {id: _values_in_sources(sources, keys, name) for id, keys in cited.items()}

    return replace(
        field,
        read=lambda corpus, statement: _values_in_sources(corpus.sources, statement.sources, name),
        path=f"kg:cites/{field.path}",
        many=True,
        own=False,
        attribute="",
        index=index,
    )


def _lines_by_statement(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    places = corpus.placements_of.items()
    return {
        id: tuple(dict.fromkeys(place.line for place in placements)) for id, placements in places
    }


def _support_counter(
    side: Callable[[ReasonsBySide], Iterable[Bearing]],
) -> Callable[[Corpus, Statement], int]:
    """A reader of how many statements speak on a side."""
    return lambda corpus, s: len(
        {who for each in side(reasons_by_side(corpus, s.id)) for who in each.premises}
    )


def _studies(corpus: Corpus, statement: Statement) -> int:
    return corpus.derive(group_counts).get(statement.id, 0)


def _strength(corpus: Corpus, statement: Statement) -> float | None:
    from kg.reasoning import strengths

    return corpus.derive(strengths).get(statement.id)


_DIGITS = 9  # decimals of a quality: later ones depend on the order of summation


def _quality(corpus: Corpus, statement: Statement) -> float | None:
    if statement.kind is not Kind.EVIDENCE:
        return None
    return round(grade_statement(corpus.sources, statement, corpus.config.quality).base, _DIGITS)


_DATED = ("status", "created", "updated", "reviewed")
_SINGULAR = {"topics": "topic"} | {field.name: field.query_word for field in EVIDENCE_FIELDS}
_TELLING = {"method", "sample"}
# titles, bodies and aliases are searched by text and name; quality is graded below
_UNASKED = {"title", "body", "aliases", "quality"}
_STATEMENT: Mapping[str, Field] = {
    "id": _id_field("id"),
    "kind": Field(
        _attribute_reader("kind"),
        FieldType.KIND,
        "rdf:type",
        tuple(kind.value for kind in Kind),
        attribute="kind",
        telling=True,
    ),
    "title": _statement("title"),
    "camp": Field(
        lambda c, s: c.default_camps.get(s.id),
        FieldType.THING,
        "kg:sidesWith",
        telling=True,
        index=lambda c: c.default_camps,
    ),
    "line": Field(
        lambda c, s: c.derive(_lines_by_statement).get(s.id, ()),
        FieldType.THING,
        "^kg:places",
        many=True,
        own=False,
        index=lambda c: c.derive(_lines_by_statement),
    ),
    **{
        _SINGULAR.get(name, name): _statement(name, telling=name in _TELLING, open=name == "method")
        for name in STATEMENT.properties
        if name not in _UNASKED
    },
    "effect": replace(_statement("effect"), measure="effect_kind"),
    "p": replace(_statement("p"), sign="p_sign"),
    "parent": Field(_attribute_reader("parent"), FieldType.THING, "kg:partOf", telling=True),
    "source": Field(
        _attribute_reader("sources"), FieldType.THING, "kg:cites", many=True, column="sources"
    ),
    "year": _source_field("year"),
    "integrity": _source_field("integrity"),
    "supporters": Field(_support_counter(attrgetter("pro")), FieldType.NUMBER, own=False),
    "opponents": Field(_support_counter(attrgetter("con")), FieldType.NUMBER, own=False),
    "strength": Field(_strength, FieldType.NUMBER, own=False),
    "quality": Field(_quality, FieldType.NUMBER, own=False),
    "studies": Field(_studies, FieldType.NUMBER, own=False),
}
_SOURCE: Mapping[str, Field] = {
    "id": _id_field("key"),
    "title": _source("title"),
    "type": _source("type"),
    "author": replace(
        _source("authors", telling=True), left_out=ET_AL, rank=attrgetter("first_author")
    ),
    "year": _source("year"),
    "venue": _source("venue"),
    "topic": _source("topics"),
    "integrity": _source("integrity"),
    "peer_reviewed": _source("peer_reviewed"),
    "independence": _source("independence"),
    "verification": _source("verification"),
    "doi": _source("doi"),
    "arxiv": _source("arxiv"),
    "url": _source("url"),
    "citations": Field(
        lambda c, s: len(c.statements_citing.get(s.key, ())), FieldType.NUMBER, own=False
    ),
}
_LINE: Mapping[str, Field] = {
    "id": _id_field("id"),
    "title": _line("title"),
    "topic": _line("topics"),
    **{name: _line(name) for name in _DATED},
    "placements": Field(lambda c, line: len(line.placements), FieldType.NUMBER, own=False),
}
_EDGE: Mapping[str, Field] = {
    "id": _id_field("id"),
    "relation": Field(
        _attribute_reader("relation"),
        FieldType.RELATION,
        "kg:relation",
        tuple(word.value for word in Relation),
        telling=True,
    ),
    "source": Field(_attribute_reader("source"), FieldType.THING, "kg:from"),
    "target": Field(_attribute_reader("target"), FieldType.THING, "kg:to"),
    "strength": _edge("strength", telling=True),
    "reason": _edge("reason"),
    "together": Field(_attribute_reader("together"), FieldType.THING, "kg:together", many=True),
    "mutual": _edge("mutual"),
    "nested": _edge("nested"),
    "scope": _edge("scope"),
    "by": _edge("by"),
    "locator": _edge("locator"),
}
FIELDS_OF_SORT: Mapping[Sort, Mapping[str, Field]] = {
    Sort.STATEMENT: _STATEMENT,
    Sort.SOURCE: _SOURCE,
    Sort.LINE: _LINE,
    Sort.EDGE: _EDGE,
}
TEXTS: Mapping[Sort, tuple[tuple[str, str], ...]] = {
    sort: tuple((name, table.properties[name].prefixed) for name in names)
    for sort, table, names in (
        (Sort.STATEMENT, STATEMENT, ("title", "body")),
        (Sort.SOURCE, SOURCE, ("title", "venue", "body")),
        (Sort.LINE, LINE, ("title", "standfirst", "doubt", "essay")),
        (Sort.EDGE, EDGE, ("reason",)),
    )
}
"""What a search for words reads in each sort: attributes, and their RDF properties."""


_FIELD_ALIASES = {
    (Sort.SOURCE, "key"): "id",
    (Sort.EDGE, "from"): "source",
    (Sort.EDGE, "to"): "target",
}


def field_name(sort: Sort, name: str) -> str:
    """The field called `name`, which may be plural (`topics`); raises `UnknownWord`.

    The id of a source may also be called `key`, the ends of an edge `from` and `to`.
    """
    require_type(name, str, "a field is named by a text")
    plain = _FIELD_ALIASES.get((sort, name), name.replace("-", "_"))
    for candidate in (plain, plain.removesuffix("s")):
        if candidate in FIELDS_OF_SORT[sort]:
            return candidate
    raise UnknownWord(
        name, FIELDS_OF_SORT[sort], f"field of {'an' if sort is Sort.EDGE else 'a'} {sort}"
    )


def field_of(sort: Sort, name: str) -> Field:
    """The field called `name`, as for `field_name`; raises `UnknownWord`."""
    return FIELDS_OF_SORT[sort][field_name(sort, name)]


def parse_closed_words(
    noun: str, known: tuple[str, ...], words: Iterable[str], *, open: bool = False
) -> tuple[str, ...]:
    """Words of a closed list, in any letter case and with `_` or `-`; raises `UnknownWord`.

    If the list is `open`, only misspellings of its words are unknown.
    """
    canonical = []
    for word in words:
        plain = str(word).strip().casefold().replace("_", "-").replace(" ", "-")
        if plain not in known and not (open and is_new_method_name(plain)):
            raise UnknownWord(str(word), known, noun)
        canonical.append(plain)
    return tuple(canonical)
