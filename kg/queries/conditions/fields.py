"""The fields one can select, sort and group by: their values in a corpus, their place in RDF."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from kg.corpus import Corpus, UnknownId
from kg.corpus.corpus import mutual_edges
from kg.model import (
    SIDES,
    Edge,
    InquiryLine,
    Integrity,
    Kind,
    Method,
    Relation,
    SampleClass,
    SeenIn,
    Source,
    Statement,
    Status,
    Strength,
)
from kg.model.ladder import is_own_name
from kg.model.spelling import nearest
from kg.queries.conditions.sorts import Sort
from kg.queries.conditions.support_groups import studies_of

Record: TypeAlias = Statement | Source | InquiryLine | Edge
FieldValue: TypeAlias = str | bool | float | dt.date


class Type(enum.Enum):
    """What a field's values are, which decides how RDF writes them."""

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

    `path` is empty for what must be reckoned from the whole corpus. `words` are the values of
    a closed list, to which the settings of a corpus may add where it is `open`; `default` is the
    value that a note need not write. A `telling` field is one that no other sort has in RDF.
    """

    read: Callable[[Corpus, Any], Any]
    type: Type
    path: str = ""
    words: tuple[str, ...] = ()
    default: str | bool | None = None
    many: bool = False
    own: bool = True
    attribute: str = ""
    telling: bool = False
    open: bool = False

    def values(self, corpus: Corpus, record: Record) -> tuple[FieldValue, ...]:
        """The values that a record has, none where nothing is recorded."""
        value = self.read(corpus, record)
        if isinstance(value, tuple):
            return value
        return () if value is None or value == "" else (value,)

    @property
    def ordered(self) -> bool:
        """Whether the values have a size, so that a range makes sense."""
        return self.type in (Type.NUMBER, Type.DAY, Type.YEAR)


class UnknownWord(UnknownId):
    """A word that is not on a closed list: a method, a status, a field."""

    def __init__(self, wanted: str, known: Iterable[str], what: str) -> None:
        self.known = tuple(known)
        super().__init__(wanted, nearest(wanted, self.known), what)

    def __str__(self) -> str:
        hint = f"there are {', '.join(self.known)}"
        if self.nearest:
            hint = f"did you mean {' or '.join(self.nearest)}?"
        return f"no {self.what} is called {self.wanted!r}; {hint}"


def _own(name: str) -> Callable[[Corpus, Any], Any]:
    return lambda corpus, record: getattr(record, name)


def _text(name: str, path: str, many: bool = False) -> Field:
    return Field(_own(name), Type.TEXT, path, many=many, attribute=name)


def _word(name: str, path: str, words: type[enum.StrEnum], default: str | None = None) -> Field:
    values = tuple(word.value for word in words)
    return Field(_own(name), Type.WORD, path, values, default, attribute=name)


def _flag(name: str, path: str, default: bool | None = None) -> Field:
    return Field(_own(name), Type.FLAG, path, default=default, attribute=name)


def _number(name: str, path: str) -> Field:
    return Field(_own(name), Type.NUMBER, path, attribute=name)


def _day(name: str, path: str) -> Field:
    return Field(_own(name), Type.DAY, path, attribute=name)


def _telling(field: Field) -> Field:
    return replace(field, telling=True)


def _of_sources(name: str) -> Callable[[Corpus, Statement], tuple[Any, ...]]:
    def read(corpus: Corpus, statement: Statement) -> tuple[Any, ...]:
        cited = (corpus.sources[key] for key in statement.sources if key in corpus.sources)
        found = (getattr(source, name) for source in cited)
        return tuple(dict.fromkeys(value for value in found if value is not None))

    return read


def _lines(corpus: Corpus, statement: Statement) -> tuple[str, ...]:
    places = corpus.placements_of.get(statement.id, ())
    return tuple(dict.fromkeys(place.line for place in places))


def _bearing(sign: int) -> Callable[[Corpus, Statement], int]:
    def read(corpus: Corpus, statement: Statement) -> int:
        edges = corpus.edges_to.get(statement.id, ())
        found = {edge.source for edge in edges if SIDES.get(edge.relation) == sign}
        if sign < 0:
            found |= {edge.target for edge in mutual_edges(corpus, statement.id)}
        return len(found)

    return read


def _studies(corpus: Corpus, statement: Statement) -> int:
    return corpus.derive(studies_of).get(statement.id, 0)


def _strength(corpus: Corpus, statement: Statement) -> float | None:
    from kg.reasoning import strengths

    return corpus.derive(strengths).get(statement.id)


def _statuses() -> Mapping[str, Field]:
    return {
        "status": _word("status", "kg:status", Status, Status.STABLE),
        "created": _day("created", "dcterms:created"),
        "updated": _day("updated", "dcterms:modified"),
        "reviewed": _day("reviewed", "kg:reviewed"),
    }


_INTEGRITIES = tuple(word.value for word in Integrity)
_STATEMENT: Mapping[str, Field] = {
    "id": _text("id", "dcterms:identifier"),
    "kind": Field(
        _own("kind"),
        Type.KIND,
        "rdf:type",
        tuple(kind.value for kind in Kind),
        attribute="kind",
        telling=True,
    ),
    "title": _text("title", "dcterms:title"),
    "camp": Field(lambda c, s: c.default_camps.get(s.id), Type.THING, "kg:sidesWith", telling=True),
    "line": Field(_lines, Type.THING, "^kg:places", many=True, own=False),
    "topic": _text("topics", "kg:topic", many=True),
    "about": _text("about", "kg:about", many=True),
    "method": replace(_word("method", "kg:method", Method), telling=True, open=True),
    "sample": _telling(_number("sample", "kg:sample")),
    "unit": _text("sample_unit", "kg:sampleUnit"),
    "sample_class": _word("sample_class", "kg:sampleClass", SampleClass),
    "effect": _number("effect", "kg:effect"),
    "effect_low": _number("effect_low", "kg:effectLow"),
    "effect_high": _number("effect_high", "kg:effectHigh"),
    "effect_kind": _text("effect_kind", "kg:effectKind"),
    "p": _number("p", "kg:pValue"),
    "p_sign": _text("p_sign", "kg:pSign"),
    "replications": _number("replications", "kg:replications"),
    "preregistered": _flag("preregistered", "kg:preregistered"),
    "peer_reviewed": _flag("peer_reviewed", "kg:peerReviewed"),
    "reported": _flag("reported", "kg:reported", default=False),
    "asserted_by": _text("asserted_by", "kg:assertedBy", many=True),
    "concern": _text("concerns", "kg:concern", many=True),
    "independence": _text("independence", "kg:independenceKey", many=True),
    "seen_in": _word("seen_in", "kg:seenIn", SeenIn),
    "quality": _number("quality", "kg:quality"),
    "open": _text("open", "kg:openQuestion"),
    "parent": Field(_own("parent"), Type.THING, "kg:partOf", telling=True),
    **_statuses(),
    "source": Field(_own("sources"), Type.THING, "kg:cites", many=True),
    "year": Field(_of_sources("year"), Type.YEAR, "kg:cites/dcterms:issued", many=True, own=False),
    "integrity": Field(
        _of_sources("integrity"),
        Type.WORD,
        "kg:cites/kg:integrity",
        _INTEGRITIES,
        many=True,
        own=False,
    ),
    "supporters": Field(_bearing(+1), Type.NUMBER, own=False),
    "opponents": Field(_bearing(-1), Type.NUMBER, own=False),
    "strength": Field(_strength, Type.NUMBER, own=False),
    "studies": Field(_studies, Type.NUMBER, own=False),
}
_SOURCE: Mapping[str, Field] = {
    "id": _text("key", "dcterms:identifier"),
    "title": _text("title", "dcterms:title"),
    "type": Field(_own("type"), Type.TEXT, "kg:sourceType", default="misc"),
    "author": _telling(_text("authors", "dc:creator", many=True)),
    "year": Field(_own("year"), Type.YEAR, "dcterms:issued"),
    "venue": _text("venue", "kg:venue"),
    "topic": _text("topics", "kg:topic", many=True),
    "integrity": _word("integrity", "kg:integrity", Integrity),
    "peer_reviewed": _flag("peer_reviewed", "kg:peerReviewed"),
    "independence": _text("independence", "kg:independenceKey", many=True),
    "verification": _text("verification", "kg:verification"),
    "doi": _text("doi", "bibo:doi"),
    "arxiv": _text("arxiv", "kg:arxiv"),
    "citations": Field(lambda c, s: len(c.citing.get(s.key, ())), Type.NUMBER, own=False),
}
_LINE: Mapping[str, Field] = {
    "id": _text("id", "dcterms:identifier"),
    "title": _text("title", "dcterms:title"),
    "topic": _text("topics", "kg:topic", many=True),
    **_statuses(),
    "placements": Field(lambda c, line: len(line.placements), Type.NUMBER, own=False),
}
_EDGE: Mapping[str, Field] = {
    "id": _text("id", "dcterms:identifier"),
    "relation": Field(
        _own("relation"),
        Type.RELATION,
        "kg:relation",
        tuple(word.value for word in Relation),
        telling=True,
    ),
    "source": Field(_own("source"), Type.THING, "kg:from"),
    "target": Field(_own("target"), Type.THING, "kg:to"),
    "strength": _telling(_word("strength", "kg:strength", Strength)),
    "reason": _text("reason", "kg:reason"),
    "together": Field(_own("together"), Type.THING, "kg:together", many=True),
    "mutual": _flag("mutual", "kg:mutual", default=False),
    "nested": _flag("nested", "kg:nested", default=False),
    "scope": _text("scope", "kg:scope"),
    "by": _text("by", "kg:by"),
}
FIELDS: Mapping[Sort, Mapping[str, Field]] = {
    Sort.STATEMENT: _STATEMENT,
    Sort.SOURCE: _SOURCE,
    Sort.LINE: _LINE,
    Sort.EDGE: _EDGE,
}
TEXTS: Mapping[Sort, tuple[tuple[str, str], ...]] = {
    Sort.STATEMENT: (("title", "dcterms:title"), ("body", "kg:body")),
    Sort.SOURCE: (("title", "dcterms:title"), ("venue", "kg:venue"), ("body", "kg:body")),
    Sort.LINE: (("title", "dcterms:title"), ("standfirst", "kg:standfirst"), ("essay", "kg:essay")),
    Sort.EDGE: (("reason", "kg:reason"),),
}


def field_of(sort: Sort, name: str) -> Field:
    """The field called `name`; raises `UnknownWord`."""
    known = FIELDS[sort]
    plain = name.replace("-", "_")
    found = known.get(plain) or known.get(plain.removesuffix("s"))
    if found is None:
        raise UnknownWord(name, known, f"field of a {sort}")
    return found


def closed(
    what: str, known: tuple[str, ...], words: Iterable[str], *, open: bool = False
) -> tuple[str, ...]:
    """Words of a closed list, in any case and with `_` or `-`; raises `UnknownWord`.

    Where the list is `open`, only what is a misspelling of one of them is unknown here.
    """
    found = []
    for word in words:
        plain = str(word).strip().casefold().replace("_", "-").replace(" ", "-")
        if plain not in known and not (open and is_own_name(plain)):
            raise UnknownWord(str(word), known, what)
        found.append(plain)
    return tuple(found)
