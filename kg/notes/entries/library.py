"""What reading one bibliography brings, and how its problems are told."""

from __future__ import annotations

from kg.model import Diagnostic, Severity, Source, Span, Value


class Library(Value, frozen=True):
    """The sources that bibliographies list, and what is wrong in them."""

    sources: tuple[Source, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def unread(span: Span, message: str, help: str) -> Library:
    """A library of which nothing could be read, and why."""
    return Library(diagnostics=(broken(span, message, help),))


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
