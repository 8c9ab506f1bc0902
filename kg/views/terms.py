"""How each field of a record reads in RDF, as one table that writer and reader share."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from pyoxigraph import Literal, NamedNode

from kg.model import (
    CampPlacement,
    Citation,
    Edge,
    InquiryLine,
    Mention,
    NextStep,
    Quotation,
    Source,
    Statement,
)
from kg.ontology import KG, PREFIXES, value_name, value_names

Term = NamedNode | Literal

XSD = PREFIXES["xsd"]
INTEGER = NamedNode(XSD + "integer")
DATE = NamedNode(XSD + "date")
YEAR = NamedNode(XSD + "gYear")


def kg(name: str) -> NamedNode:
    """A term of the ontology."""
    return NamedNode(KG + name)


def term(name: str) -> NamedNode:
    """A term by its prefixed name, such as `dcterms:title`."""
    prefix, _, local = name.partition(":")
    return NamedNode(PREFIXES[prefix] + local)


def text(value: str) -> Literal:
    """A literal; half of a surrogate pair, which no encoding can hold, becomes U+FFFD."""
    try:
        return Literal(value)
    except UnicodeEncodeError:
        return Literal(value.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def integer(value: int) -> Literal:
    """A literal of any size."""
    return Literal(str(value), datatype=INTEGER)


class Codec(NamedTuple):
    """A value as a term, and a term's text as a value."""

    write: Callable[[Any], Term]
    read: Callable[[str], Any]


_NAMED = {KG + name: value for name, value in value_names().items()}

TEXT = Codec(text, str)
INT = Codec(integer, int)
NUMBER = Codec(lambda value: Literal(float(value)), float)
FLAG = Codec(Literal, lambda value: value in {"true", "1"})
DAY = Codec(
    lambda day: Literal(day.isoformat(), datatype=DATE),
    lambda value: dt.date.fromisoformat(value[:10]),
)
GYEAR = Codec(
    lambda year: Literal(f"{'-' if year < 0 else ''}{abs(year):04}", datatype=YEAR),
    lambda value: int(value[:5] if value.startswith("-") else value[:4]),
)
NAMED = Codec(lambda value: kg(value_name(value)), _NAMED.__getitem__)


class Field(NamedTuple):
    """One attribute, its property, and how its values are written."""

    name: str
    predicate: NamedNode
    codec: Codec
    many: bool
    default: Any


class Table(NamedTuple):
    """The fields of one kind of record."""

    one: tuple[Field, ...]
    many: tuple[Field, ...]


def _table(record: type[msgspec.Struct], **columns: tuple[str, Codec]) -> Table:
    defaults = {field.name: field.default for field in msgspec.structs.fields(record)}
    fields = [
        Field(name, term(predicate), codec, defaults[name] == (), defaults[name])
        for name, (predicate, codec) in columns.items()
    ]
    return Table(
        tuple(field for field in fields if not field.many), tuple(f for f in fields if f.many)
    )


_DATED = {
    "status": ("kg:status", NAMED),
    "created": ("dcterms:created", DAY),
    "updated": ("dcterms:modified", DAY),
    "reviewed": ("kg:reviewed", DAY),
}

STATEMENT = _table(
    Statement,
    title=("dcterms:title", TEXT),
    body=("kg:body", TEXT),
    note=("kg:noteName", TEXT),
    aliases=("kg:alias", TEXT),
    topics=("kg:topic", TEXT),
    about=("kg:about", TEXT),
    asserted_by=("kg:assertedBy", TEXT),
    reported=("kg:reported", FLAG),
    open=("kg:openQuestion", TEXT),
    method=("kg:method", NAMED),
    sample=("kg:sample", INT),
    sample_unit=("kg:sampleUnit", TEXT),
    replications=("kg:replications", INT),
    failed_replications=("kg:failedReplications", INT),
    preregistered=("kg:preregistered", FLAG),
    peer_reviewed=("kg:peerReviewed", FLAG),
    concerns=("kg:concern", TEXT),
    independence=("kg:independenceKey", TEXT),
    seen_in=("kg:seenIn", NAMED),
    quality=("kg:quality", NUMBER),
    **_DATED,
)
LINE = _table(
    InquiryLine,
    title=("dcterms:title", TEXT),
    standfirst=("kg:standfirst", TEXT),
    essay=("kg:essay", TEXT),
    aliases=("kg:alias", TEXT),
    topics=("kg:topic", TEXT),
    **_DATED,
)
SOURCE = _table(
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
    integrity=("kg:integrity", NAMED),
    independence=("kg:independenceKey", TEXT),
    verification=("kg:verification", TEXT),
    snapshot=("kg:snapshot", TEXT),
    peer_reviewed=("kg:peerReviewed", FLAG),
)
EDGE = _table(
    Edge,
    reason=("kg:reason", TEXT),
    strength=("kg:strength", NAMED),
    mutual=("kg:mutual", FLAG),
    nested=("kg:nested", FLAG),
    scope=("kg:scope", TEXT),
    by=("kg:by", TEXT),
    locator=("kg:locator", TEXT),
)
PLACEMENT = _table(CampPlacement, reason=("kg:reason", TEXT))
NEXT_STEP = _table(NextStep, question=("kg:question", TEXT), reason=("kg:reason", TEXT))
CITATION = _table(Citation, locator=("kg:locator", TEXT), prefix=("kg:prefix", TEXT))
QUOTATION = _table(Quotation, locator=("kg:locator", TEXT))
MENTION = _table(Mention, text=("kg:linkText", TEXT), context=("kg:context", TEXT))
