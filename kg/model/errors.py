"""Errors that this program raises on purpose; their messages are written for its users."""

from __future__ import annotations


class KgError(Exception):
    """The base of every error of this program; any other exception is a bug."""


class Misuse(KgError):
    """An invalid query or request; the message says why, and what would be valid."""


class WrongType(Misuse, TypeError):
    """An argument has the wrong type; the message says what was expected."""


def require_type(value: object, types: type | tuple[type, ...], expected: str) -> None:
    """Raise `WrongType` unless `value` is of one of `types`, described by `expected`."""
    if not isinstance(value, types):
        raise WrongType(f"{expected}, not {value!r}")


class NotACorpus(Misuse, ValueError):
    """RDF, in a file or on a server, does not hold a corpus; the message says what is missing."""
