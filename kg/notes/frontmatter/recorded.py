"""What a statement records, taken apart into the attributes that keep it."""

from __future__ import annotations

from typing import Any

from kg.model import Diagnostic, SampleClass, Severity, Span
from kg.model.figures import class_of
from kg.model.ladder import KINDS

_TOGETHER = {
    "sample": ("sample", "sample_unit"),
    "effect": ("effect", "effect_kind", "effect_low", "effect_high"),
    "p": ("p", "p_sign"),
}
_LONGEST = 40


def take_apart(values: dict[str, Any]) -> None:
    """A sample as number, unit and class; an effect and a p as their numbers."""
    for key, names in _TOGETHER.items():
        if key in values:
            values.update(zip(names, values[key], strict=True))
    if "sample" in values and "sample_class" not in values:
        values["sample_class"] = class_of(values["sample_unit"])


def is_own_method(values: dict[str, Any]) -> bool:
    """Whether the method is none of the format's own, so that settings must declare it."""
    return values.get("method", "experiment") not in KINDS


def is_unknown_unit(values: dict[str, Any]) -> bool:
    """Whether a sample counts something, and nothing says of what class that is."""
    if "sample" not in values or "sample_class" in values:
        return False
    unit = values["sample"][1]
    return bool(unit) and class_of(unit) is SampleClass.UNKNOWN


def unknown_unit(values: dict[str, Any], span: Span) -> Diagnostic:
    """The problem with a sample of an unknown unit."""
    unit = values["sample"][1]
    shown = unit if len(unit) <= _LONGEST else f"{unit[:_LONGEST]}…"
    *most, last = (each.value for each in SampleClass)
    return Diagnostic(
        rule="unknown-unit",
        severity=Severity.WARNING,
        message=f"nothing says what kind of sample `{shown}` are",
        span=span,
        help=f"add `sample_class`: {', '.join(most)} or {last}",
    )


def drop(values: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Take out of `values` what belongs elsewhere."""
    for key in keys:
        values.pop(key, None)
