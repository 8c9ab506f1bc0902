"""What joining changes in records: undeclared methods, sources with two entries, cited keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from kg.model import Citation, Diagnostic, InquiryLine, Quotation, Severity, Source, Statement
from kg.model.ladder import Quality
from kg.model.spelling import closest
from kg.notes.parsed import ParsedNote, PendingMethod
from kg.notes.synonyms import METHODS

_NEAR = 0.8  # a misspelling, and not a part of another name: `analysis` is no `meta-analysis`


def with_known_methods(note: ParsedNote, table: Quality) -> ParsedNote:
    """`note` without the methods that `table` does not declare, each of them a problem."""
    unknown = [method for method in note.methods if method.word not in table.kinds]
    if not unknown:
        return note
    lost = {method.statement for method in unknown}
    found = (*note.diagnostics, *(_problem(method, table) for method in unknown))
    meant = note.meant and with_known_methods(note.meant, table)
    return msgspec.structs.replace(
        note,
        statements=tuple(
            msgspec.structs.replace(each, method=None) if each.id in lost else each
            for each in note.statements
        ),
        diagnostics=tuple(sorted(found, key=lambda problem: problem.span)),
        meant=meant and msgspec.structs.replace(meant, diagnostics=()),
    )


def _problem(method: PendingMethod, table: Quality) -> Diagnostic:
    return Diagnostic(
        rule="bad-value",
        severity=Severity.ERROR,
        message=f"`method` cannot be {method.word!r}",
        span=method.span,
        help=_help(method.word, table),
    )


def _help(word: str, table: Quality) -> str:
    """The method that is spelled almost so, or that the word stands for if that lifts nothing.

    A guess by meaning must not put evidence higher than saying nothing would.
    """
    if close := closest(word, table.kinds, _NEAR):
        return f"did you mean `{close}`?"
    other = METHODS.get(word, "")
    if table.kinds.get(other, table.top) <= table.unrecorded:
        return f"did you mean `{other}`?"
    *most, last = table.kinds
    return f"write {', '.join(most)} or {last}, or declare it in kg.toml, `[quality.kinds]`"


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
