"""Ranges as people write them: `100`, `>100`, `100+`, `<=5`, `2020..2024`, `2020-01-31..`."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, TypedDict

from kg.model.errors import Misuse
from kg.queries.conditions.field_types import FieldValue

Number: TypeAlias = float | dt.date
Range: TypeAlias = tuple[Number | None, Number | None]
Bound: TypeAlias = float | str | None
BOUND_SIGNS = ("<", ">")
_COMPARISON = re.compile(r"^(>=|<=|>|<|=)?\s*(\S+)$")


class BadRange(Misuse, ValueError):
    """A range cannot be read; the message shows how to write one."""

    def __init__(self, text: str, why: str = "") -> None:
        super().__init__(
            why
            or f"{text!r} is not a number, date or range; "
            "write 100, >100, <=5, 2020..2024 or 2020.."
        )


def as_range(*values: object) -> Range:
    """The bounds given by one value, a range as text, or two values; raises `BadRange`."""
    if len(values) == 1:
        value = values[0]
        return (
            parse_range(value)
            if isinstance(value, str)
            else (_end_of_range(value), _end_of_range(value))
        )
    if len(values) == 2:
        return _end_of_range(values[0]), _end_of_range(values[1])
    raise BadRange(", ".join(map(str, values)))


class RangeBounds(TypedDict, total=False):
    """The bounds of a range by name: `min` and `max` inclusive, `over` and `under` exclusive."""

    min: float
    max: float
    over: float
    under: float


def range_of(values: tuple[Bound, ...], ends: RangeBounds) -> Range:
    """The bounds of a range: from one value, a range as text, two values, or bounds by name.

    Without any, the range is unbounded. Raises `BadRange`.
    """
    if values and ends:
        raise BadRange(f"{', '.join(map(str, values))} and {', '.join(ends)}")
    if values:
        return as_range(*values)
    low: Number | None = ends.get("min")
    high: Number | None = ends.get("max")
    if "over" in ends:
        low = _next_number(ends["over"], math.inf)
    if "under" in ends:
        high = _next_number(ends["under"], -math.inf)
    return low, high


def parse_range(text: str) -> Range:
    """The bounds of a range as written; raises `BadRange`."""
    if text.strip() == "*":
        return None, None
    low, dots, high = text.partition("..")
    if dots:
        return (_parse_end(low, text) if low else None, _parse_end(high, text) if high else None)
    match = _COMPARISON.match(text.strip())
    if match is None:
        raise BadRange(text)
    if not match[1] and match[2].endswith("+"):
        return _parse_end(match[2].removesuffix("+"), text), None
    sign = match[1]
    number = _parse_end(match[2], text)
    return {
        ">=": (number, None),
        "<=": (None, number),
        ">": (_next_number(number, math.inf), None),
        "<": (None, _next_number(number, -math.inf)),
    }.get(sign or "=", (number, number))


def require_possible_range(
    field: str, low: Number | None, high: Number | None, unit_interval_fields: Iterable[str]
) -> None:
    """Raise `BadRange` for a range that nothing can lie in; some fields only go from 0 to 1."""
    range_text = "..".join("" if end is None else str(end) for end in (low, high))
    if low is not None and high is not None and low > high:  # type: ignore[operator]
        raise BadRange(
            range_text, f"{field} {range_text} ends before it begins: write {high}..{low}"
        )
    lower = 0 if low is None else low
    upper = 1 if high is None else high
    if field in unit_interval_fields and (lower > 1 or upper < 0):  # type: ignore[operator]
        raise BadRange(range_text, f"{field} goes from 0 to 1: nothing lies in {range_text}")


def _next_number(number: Number, toward: float) -> Number:
    # conditions have inclusive bounds alone: `>100` begins at the next number after 100
    if isinstance(number, dt.date):
        return number + dt.timedelta(days=1 if toward > 0 else -1)
    return math.nextafter(number, toward)


def ranges_by_sign(low: Any, high: Any) -> Mapping[str, tuple[Any, Any]]:
    """The range in which the number of a p must lie for p to be surely within two bounds, by sign.

    A p below a bound may go down to 0, one above it up to 1; the empty sign is for a known p.
    """
    ranges = {"": (low, high)}
    if low is None or low <= 0:
        ranges["<"] = (None, None if high is None else _next_number(high, math.inf))
    if high is None or high >= 1:
        ranges[">"] = (None if low is None else _next_number(low, -math.inf), None)
    return ranges


def is_surely_within(value: object, sign: FieldValue, low: object, high: object) -> bool:
    """Return whether a number, or every number that its sign allows, lies between two bounds."""
    span = ranges_by_sign(low, high).get(str(sign) if sign in BOUND_SIGNS else "")
    if span is None:
        return False
    lower, upper = span
    return (lower is None or value >= lower) and (upper is None or value <= upper)


def render_range(low: Number | None, high: Number | None) -> str:
    """A range in words: `from 2 to 5`, `at least 2`, `over 2 and at most 5`."""
    if low == high:
        return str(low)
    over = _exclusive_bound(low, -math.inf)
    under = _exclusive_bound(high, math.inf)
    if low is not None and high is not None and over is under is None:
        return f"from {low} to {high}"
    ends = (
        f"at least {low}" if over is None else f"over {over}",
        f"at most {high}" if under is None else f"under {under}",
    )
    return " and ".join(
        phrase for phrase, end in zip(ends, (low, high), strict=True) if end is not None
    )


def _exclusive_bound(end: Number | None, toward: float) -> str | None:
    """The number next to a bound, if `_next_number` made the bound from it."""
    if not isinstance(end, float):
        return None
    # what somebody wrote has fewer digits than the number beside it
    neighbour = math.nextafter(end, toward)
    return f"{neighbour:.15g}" if len(repr(neighbour)) < len(repr(end)) else None


def _end_of_range(value: object) -> Number | None:
    if value is None or (isinstance(value, int | float | dt.date) and not isinstance(value, bool)):
        return value
    if isinstance(value, str):
        return _parse_end(value, value)
    raise BadRange(str(value))


def _parse_end(text: str, range_text: str) -> Number:
    digits = text.strip().replace("_", "").replace(",", "")
    try:
        if digits.count("-") == 2 and not digits.startswith("-"):
            return dt.date.fromisoformat(digits)
        value = float(digits)
    except ValueError:
        raise BadRange(range_text) from None
    if math.isnan(value):
        raise BadRange(range_text)
    return int(value) if value.is_integer() and "." not in digits else value
