"""Problems are values: one type for every finding."""

from __future__ import annotations

import enum

from kg.model.span import Span
from kg.model.value import Value


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
