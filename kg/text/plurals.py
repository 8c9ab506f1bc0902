"""A count with the thing counted, in the singular or plural."""

from __future__ import annotations


def pluralize(count: int, thing: str) -> str:
    """`1 claim`, `2 claims`, `2 queries`, `2 essays`: a count with the thing counted."""
    if count == 1:
        return f"1 {thing}"
    if thing.endswith("y") and thing[-2] not in "aeiou":
        return f"{count} {thing[:-1]}ies"
    return f"{count} {thing}s"
