"""Problems are values: one type for every finding, and where in a file it stands."""

from __future__ import annotations

import enum

import msgspec

from kg.model.value import Value


class Span(msgspec.Struct, frozen=True, order=True, array_like=True):
    """A place in a file: path relative to the notes folder, line and column from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class Severity(enum.StrEnum):
    """How bad a problem is; only errors make `kg check` fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Diagnostic(Value, frozen=True):
    """One problem, at one place, under a stable rule name."""

    rule: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    related: tuple[Span, ...] = ()
