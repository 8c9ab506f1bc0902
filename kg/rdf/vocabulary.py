"""The RDF properties of fields, and how their values are written: a table for writer and reader."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import msgspec
from pyoxigraph import Literal, NamedNode

from kg.model import (
    AnswerWords,
    CampPlacement,
    Citation,
    Edge,
    EdgeStrength,
    InquiryLine,
    Integrity,
    Method,
    NextStep,
    Quotation,
    SampleClass,
    SeenIn,
    Source,
    Statement,
    Status,
)
from kg.rdf.ontology import KG, PREFIXES, ClosedList, individual_names

XSD = PREFIXES["xsd"]
XSD_STRING = XSD + "string"
_INTEGER = XSD + "integer"
INTEGER = NamedNode(_INTEGER)
DATE = NamedNode(XSD + "date")
LONG_TEXT = 2_000_000  # characters: six per escaped control character must not overload parsers
_MUST_BE_ESCAPED = re.compile(r'["\\\n\r]')
_VALUE_OF_IRI = {KG + name: value for name, value in individual_names().items()}
_TERM_OF_VALUE = {(type(value), value): f"<{name}>" for name, value in _VALUE_OF_IRI.items()}
METHOD_IRI_PREFIX = KG + "method-"


def prefixed_term(name: str) -> NamedNode:
    """A term by its prefixed name, such as `dcterms:title`."""
    prefix, _, local = name.partition(":")
    return NamedNode(PREFIXES[prefix] + local)


def named_term(name: str) -> str:
    """A term by its prefixed name, in N-Quads syntax."""
    return str(prefixed_term(name))


def ontology_term(name: str) -> str:
    """A term of the ontology, in N-Quads syntax."""
    return named_term(f"kg:{name}")


def without_surrogates(value: str) -> str:
    """Text that can be encoded: half of a surrogate pair becomes U+FFFD."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def text_term(value: str) -> Literal:
    """An RDF literal of a text, without code points that RDF cannot hold."""
    return Literal(without_surrogates(value))


_encode_json = msgspec.json.Encoder().encode


def quoted_term(value: str) -> str:
    """A string in N-Quads syntax, which has all of JSON's escapes."""
    if len(value) > LONG_TEXT:
        return f'"{_MUST_BE_ESCAPED.sub(_escape_sign, without_surrogates(value))}"'
    try:
        return _encode_json(value).decode()
    except UnicodeEncodeError:
        return _encode_json(without_surrogates(value)).decode()


def _escape_sign(match: re.Match[str]) -> str:
    return {"\n": "\\n", "\r": "\\r"}.get(match[0], f"\\{match[0]}")


def integer_term(value: int) -> str:
    """An integer of any size in N-Quads syntax."""
    return f'"{value}"^^<{_INTEGER}>'


class Codec(NamedTuple):
    """The functions that write a value in N-Quads syntax and read one; and the words of closed
    lists.
    """

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    words: tuple[str, ...] = ()


def method_iri(word: str) -> str:
    """The IRI of a method, either built in or declared in settings."""
    return METHOD_IRI_PREFIX + quote(word, safe="-")


TEXT = Codec(quoted_term, str)
INT = Codec(integer_term, int)
NUMBER = Codec(lambda value: str(Literal(float(value))), float)
FLAG = Codec(lambda value: str(Literal(value)), lambda value: value in {"true", "1"})
DAY = Codec(
    lambda day: f'"{day.isoformat()}"^^<{XSD}date>', lambda value: dt.date.fromisoformat(value[:10])
)
GYEAR = Codec(
    lambda year: f'"{"-" if year < 0 else ""}{abs(year):04}"^^<{XSD}gYear>',
    lambda value: int(value[:5] if value.startswith("-") else value[:4]),
)
METHOD = Codec(
    lambda word: f"<{method_iri(word)}>",
    lambda value: unquote(value.removeprefix(METHOD_IRI_PREFIX)),
    tuple(word.value for word in Method),
)


def _closed_list_codec(words: type[ClosedList]) -> Codec:
    """A codec for words of a closed list, each an individual of the ontology."""
    return Codec(
        lambda value: _TERM_OF_VALUE[type(value), value],
        _VALUE_OF_IRI.__getitem__,
        tuple(word.value for word in words),
    )


class Property(NamedTuple):
    """An attribute of a record, its RDF property, and how its values are written.

    `prefixed_name` is the property's IRI as in `dcterms:title`, `term` in N-Quads syntax.
    """

    name: str
    prefixed_name: str
    iri: str
    term: str
    codec: Codec
    is_multiple: bool
    default: Any


class FieldTable(NamedTuple):
    """The attributes of one kind of record.

    `read_values` reads all `single_valued` ones of a record at once; `writers` has for each of them
    its term, the function that writes a value, and its default.
    """

    properties: Mapping[str, Property]
    single_valued: tuple[Property, ...]
    multi_valued: tuple[Property, ...]
    read_values: Callable[[Any], tuple[Any, ...]]
    writers: tuple[tuple[str, Callable[[Any], str], Any], ...]


def _field_table(record: type[msgspec.Struct], **columns: tuple[str, Codec]) -> FieldTable:
    defaults = {field.name: field.default for field in msgspec.structs.fields(record)}
    properties = {
        name: Property(
            name,
            prefixed,
            prefixed_term(prefixed).value,
            named_term(prefixed),
            codec,
            defaults[name] == (),
            defaults[name],
        )
        for name, (prefixed, codec) in columns.items()
    }
    single_valued = tuple(property for property in properties.values() if not property.is_multiple)
    read = attrgetter(*(property.name for property in single_valued))
    return FieldTable(
        properties,
        single_valued,
        tuple(property for property in properties.values() if property.is_multiple),
        # `attrgetter` of one name gives the value itself, of several a tuple
        read if len(single_valued) > 1 else lambda record: (read(record),),
        tuple(
            (property.term, property.codec.write, property.default) for property in single_valued
        ),
    )


_DATE_FIELDS = {
    "status": ("kg:status", _closed_list_codec(Status)),
    "created": ("dcterms:created", DAY),
    "updated": ("dcterms:modified", DAY),
    "reviewed": ("kg:reviewed", DAY),
}

STATEMENT = _field_table(
    Statement,
    title=("dcterms:title", TEXT),
    body=("kg:body", TEXT),
    aliases=("kg:alias", TEXT),
    topics=("kg:topic", TEXT),
    about=("kg:about", TEXT),
    asserted_by=("kg:assertedBy", TEXT),
    reported=("kg:reported", FLAG),
    open=("kg:openQuestion", TEXT),
    method=("kg:method", METHOD),
    sample=("kg:sample", INT),
    sample_unit=("kg:sampleUnit", TEXT),
    sample_class=("kg:sampleClass", _closed_list_codec(SampleClass)),
    effect=("kg:effect", NUMBER),
    effect_kind=("kg:effectKind", TEXT),
    effect_low=("kg:effectLow", NUMBER),
    effect_high=("kg:effectHigh", NUMBER),
    p=("kg:pValue", NUMBER),
    p_sign=("kg:pSign", TEXT),
    replications=("kg:replications", INT),
    failed_replications=("kg:failedReplications", INT),
    preregistered=("kg:preregistered", FLAG),
    peer_reviewed=("kg:peerReviewed", FLAG),
    concerns=("kg:concern", TEXT),
    independence=("kg:independenceKey", TEXT),
    seen_in=("kg:seenIn", _closed_list_codec(SeenIn)),
    quality=("kg:quality", NUMBER),
    **_DATE_FIELDS,
)
LINE = _field_table(
    InquiryLine,
    title=("dcterms:title", TEXT),
    standfirst=("kg:standfirst", TEXT),
    essay=("kg:essay", TEXT),
    doubt=("kg:doubt", TEXT),
    open=("kg:openQuestion", TEXT),
    aliases=("kg:alias", TEXT),
    topics=("kg:topic", TEXT),
    **_DATE_FIELDS,
)
ANSWERS = _field_table(
    AnswerWords,
    holds=("kg:answerIfHolds", TEXT),
    fails=("kg:answerIfFails", TEXT),
    undecided=("kg:answerIfUndecided", TEXT),
)
SOURCE = _field_table(
    Source,
    title=("dcterms:title", TEXT),
    type=("kg:sourceType", TEXT),
    authors=("dc:creator", TEXT),
    year=("dcterms:issued", GYEAR),
    venue=("kg:venue", TEXT),
    doi=("bibo:doi", TEXT),
    arxiv=("kg:arxiv", TEXT),
    url=("bibo:uri", TEXT),
    body=("kg:body", TEXT),
    note=("kg:noteName", TEXT),
    aliases=("kg:alias", TEXT),
    topics=("kg:topic", TEXT),
    integrity=("kg:integrity", _closed_list_codec(Integrity)),
    independence=("kg:independenceKey", TEXT),
    verification=("kg:verification", TEXT),
    snapshot=("kg:snapshot", TEXT),
    peer_reviewed=("kg:peerReviewed", FLAG),
)
EDGE = _field_table(
    Edge,
    reason=("kg:reason", TEXT),
    strength=("kg:strength", _closed_list_codec(EdgeStrength)),
    mutual=("kg:mutual", FLAG),
    nested=("kg:nested", FLAG),
    scope=("kg:scope", TEXT),
    by=("kg:by", TEXT),
    locator=("kg:locator", TEXT),
)
PLACEMENT = _field_table(CampPlacement, reason=("kg:reason", TEXT))
NEXT_STEP = _field_table(NextStep, question=("kg:question", TEXT), reason=("kg:reason", TEXT))
CITATION = _field_table(Citation, locator=("kg:locator", TEXT), prefix=("kg:prefix", TEXT))
QUOTATION = _field_table(Quotation, locator=("kg:locator", TEXT))
