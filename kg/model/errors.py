"""Errors that this program raises on purpose; their messages are written for whoever uses it."""

from __future__ import annotations


class KgError(Exception):
    """The base of every error of this program; anything else that is raised is a bug."""


class Misuse(KgError):
    """An invalid query or request; the message says why and what would do."""


class WrongType(Misuse, TypeError):
    """An argument of a type that means nothing there; the message says what was expected."""


def need_type(value: object, types: type | tuple[type, ...], expected: str) -> None:
    """Raise `WrongType` unless `value` is one of `types`, which `expected` says in words."""
    if not isinstance(value, types):
        raise WrongType(f"{expected}, not {value!r}")


class NotACorpus(Misuse, ValueError):
    """RDF, in a file or on a server, that holds no corpus; the message says what is missing."""
