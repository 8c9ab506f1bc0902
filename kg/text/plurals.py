"""A count with the thing counted, in the singular or plural; words without their plural."""

from __future__ import annotations

_UP_TO_NINE = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def number_in_words(number: int) -> str:
    """`none`, `one` to `nine`, and from there on figures."""
    return _UP_TO_NINE[number] if number < len(_UP_TO_NINE) else f"{number}"


def pluralize(count: int, thing: str) -> str:
    """`1 claim`, `2 claims`, `2 queries`, `2 essays`: a count with the thing counted."""
    if count == 1:
        return f"1 {thing}"
    if thing.endswith("y") and thing[-2] not in "aeiou":
        return f"{count} {thing[:-1]}ies"
    return f"{count} {thing}s"


def drop_plural_s(word: str) -> str:
    """An English word without the `s` of a plural: “studies” is “studie”, as long as all are."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word
