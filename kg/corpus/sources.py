"""Sources told of in several places joined, and citations put under their own keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from kg.model import Citation, InquiryLine, Quotation, Source, Statement


def titled(source: Source) -> Source:
    """The source, which has no title, called by its key."""
    return msgspec.structs.replace(source, title=source.key)


def merge_source(entry: Source, note: Source) -> Source:
    """A bibliography entry with what its note says laid over it."""
    said = {
        name: value
        for name in note.__struct_fields__
        if name not in {"key", "type", "entry", "title"}
        and (value := getattr(note, name)) not in ((), "", None, {})
    }
    return msgspec.structs.replace(entry, **said)


Citing = TypeVar("Citing", Statement, InquiryLine)
Cited = TypeVar("Cited", Citation, Quotation)


def with_own_keys(
    records: dict[str, Citing], sources: Mapping[str, Source], aliases: Mapping[str, str]
) -> dict[str, Citing]:
    """The records, each citation and quotation under the key of the source that it means."""
    meant = {name: key for name, key in aliases.items() if key in sources and name not in sources}
    if not meant:
        return records
    return {id: _settled(record, meant) for id, record in records.items()}


def _settled(record: Citing, meant: Mapping[str, str]) -> Citing:
    keys = {one.key for one in record.citations} | {one.key for one in record.quotations}
    if keys.isdisjoint(meant):
        return record
    return msgspec.structs.replace(
        record,
        citations=tuple(_own(one, meant) for one in record.citations),
        quotations=tuple(_own(one, meant) for one in record.quotations),
    )


def _own(cited: Cited, meant: Mapping[str, str]) -> Cited:
    key: str = cited.key
    return msgspec.structs.replace(cited, key=meant.get(key, key))
