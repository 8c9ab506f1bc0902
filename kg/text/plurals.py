"""Counts with the thing counted, names joined by “and”, words without their plural."""

from __future__ import annotations

from collections.abc import Sequence

_UP_TO_TWELVE = [
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
]


def number_in_words(number: int) -> str:
    """`none`, `one` to `twelve`, and from there on figures."""
    return _UP_TO_TWELVE[number] if number < len(_UP_TO_TWELVE) else f"{number}"


def pluralize(count: int, thing: str, plural: str = "", *, zero: str = "0") -> str:
    """`1 claim`, `1,200 claims`, `2 queries`, `2 essays`: a count with the thing counted."""
    number = f"{count:,}" if count else zero
    return f"{number} {thing if count == 1 else plural or _plural_of(thing)}"


def count_of(number: int, singular: str, plural: str = "") -> str:
    """The count that `pluralize` gives, but in running text, `no sources` in place of `0`."""
    return pluralize(number, singular, plural, zero="no")


def _plural_of(thing: str) -> str:
    return f"{thing[:-1]}ies" if thing.endswith("y") and thing[-2] not in "aeiou" else f"{thing}s"


def join_with_and(names: Sequence[str]) -> str:
    """`Ann Doe, Bo Li and Cy Roe`."""
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def describe_rest(values: Sequence[object], limit: int | None, prefix: str = "… and") -> str:
    """Say how many values are not shown, such as `… and 3 more`; empty if all are shown."""
    return f"{prefix} {len(values) - limit} more" if limit and len(values) > limit else ""


def join_first(names: Sequence[str], limit: int) -> str:
    """`a, b and 3 more`: the first names, and how many more there are."""
    rest = describe_rest(names, limit, "").lstrip()
    return join_with_and([*names[:limit], *filter(None, [rest])])


def drop_plural_s(word: str) -> str:
    """An English word without the `s` of a plural: “studies” is “studie”, as long as all are."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word
