"""What reading one bibliography brings, and how its problems are told."""

from __future__ import annotations

from kg.model import Diagnostic, Severity, Source, SourceKey, Span, Value


class Bibliography(Value, frozen=True):
    """The sources that bibliographies list, and what is wrong in them.

    `abstracts` are the figures of abstracts, by key: what is private is not even kept.
    """

    sources: tuple[Source, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    abstracts: dict[SourceKey, str] = {}


def unread(span: Span, message: str, help: str) -> Bibliography:
    """A bibliography of which nothing could be read, and why."""
    return Bibliography(diagnostics=(broken(span, message, help),))


def broken(span: Span, message: str, help: str, related: tuple[Span, ...] = ()) -> Diagnostic:
    """A problem with one entry."""
    return Diagnostic(
        rule="broken-bibliography",
        severity=Severity.ERROR,
        message=message,
        span=span,
        help=help,
        related=related,
    )
