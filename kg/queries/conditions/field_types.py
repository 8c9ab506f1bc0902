"""What a field is: its sort, its type, and how it is read from records and asked in RDF."""

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
    `default` is the value that a note need not write. A field is `in_record` if the record itself
    holds it, not others or a computation; with `implies_sort` it is one that no other sort has in
    RDF. `left_out` may be written among the values but is not one; `rank` gives the sort
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
    in_record: bool = True
    attribute: str = ""
    implies_sort: bool = False
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
