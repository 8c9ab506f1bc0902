"""What reading one bibliography brings, and how its problems are told."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.model import Diagnostic, Severity, Source, SourceKey, Span, Value


class Bibliography(Value, frozen=True):
    """The sources that bibliographies list, and what is wrong in them.

    `abstracts` are the figures of abstracts, by key: what is private is not even kept.
    """

    sources: tuple[Source, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    abstracts: dict[SourceKey, str] = {}


def unread_bibliography(span: Span, message: str, help: str) -> Bibliography:
    """A bibliography of which nothing could be read, and why."""
    return Bibliography(diagnostics=(broken_entry(span, message, help),))


def broken_entry(span: Span, message: str, help: str, related: tuple[Span, ...] = ()) -> Diagnostic:
    """A problem with one entry."""
    return Diagnostic(
        rule="broken-bibliography",
        severity=Severity.ERROR,
        message=message,
        span=span,
        help=help,
        related=related,
    )


def place_of_field(lines: Iterable[str], entry: Span, field: str, word: str = "") -> Span:
    """Where a field of a BibTeX entry is named, with `word` behind it; else the entry's place.

    `lines` are those of its file, from the entry on.
    """
    first = r"(?:^|[,{]|\sand\s)\s*"  # other words before a name are a value's
    named = re.compile(rf"{first}({field})\s*=[^=]*{re.escape(word)}", re.IGNORECASE)
    for number, line in enumerate(lines, entry.line):
        if number > entry.line and line.lstrip().startswith("@"):
            break
        if found := named.search(line):
            return Span(entry.path, number, found.start(1) + 1)
    return entry
