"""The fields of each kind of record: their types, and how they are read from records and in RDF."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from kg.corpus import Corpus
from kg.model import Edge, InquiryLine, Source, Statement

Record: TypeAlias = Statement | Source | InquiryLine | Edge
FieldValue: TypeAlias = str | bool | float | dt.date


class RecordKind(enum.StrEnum):
    """The kinds of records that selections find."""

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
    """A field: how to read it from a record, and where it is in RDF."""

    read: Callable[[Corpus, Any], Any]
    type: FieldType
    path: str = ""  # the RDF property path; empty if it is computed from the whole corpus
    words: tuple[str, ...] = ()  # the values, if they are of a closed list
    default: str | bool | None = None  # the value that a note need not write
    many: bool = False
    in_record: bool = True  # held by the record itself, not by others or a computation
    attribute: str = ""  # its name in the record's JSON
    implies_kind: bool = False  # no other kind of record has it in RDF
    extensible: bool = False  # the settings of a corpus may extend `words`
    placeholder: str = ""  # may be written among the values but is not one
    rank: Callable[[Any], str] | None = None  # the sort key, if not the values themselves
    sign_field: str = ""  # holds `<` or `>` if the number is only a bound
    measure_field: str = ""  # holds the kind of measure
    column: str = ""  # the attribute read, if its name in JSON differs
    index: Callable[[Corpus], Mapping[str, Any]] | None = None  # reads it for all that have a value

    def values(self, corpus: Corpus, record: Record) -> tuple[FieldValue, ...]:
        """The values that a record has; empty if nothing is recorded."""
        value = self.read(corpus, record)
        if isinstance(value, tuple):
            return tuple(v for v in value if v != self.placeholder) if self.placeholder else value
        return () if value is None or value == "" else (value,)

    @property
    def companion(self) -> str:
        """The field without which a number of this one cannot be read; empty if it can."""
        return self.measure_field or self.sign_field

    @property
    def has_order(self) -> bool:
        """Whether the values are ordered, so that a range makes sense."""
        return self.type in (FieldType.NUMBER, FieldType.DAY, FieldType.YEAR)
