"""Citations under their sources' own keys, whatever alias the notes call them by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from kg.model import Citation, InquiryLine, Quotation, Source, Statement

Citing = TypeVar("Citing", Statement, InquiryLine)
Cited = TypeVar("Cited", Citation, Quotation)


def under_own_keys(
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
