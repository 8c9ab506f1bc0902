"""Errors that this program raises on purpose; their messages are written for whoever uses it."""

from __future__ import annotations


class KgError(Exception):
    """The base of every error of this program; anything else that is raised is a bug."""


class Misuse(KgError):
    """An invalid query or request; the message says why and what would do."""


class NotACorpus(Misuse, ValueError):
    """RDF, in a file or on a server, that holds no corpus; the message says what is missing."""
