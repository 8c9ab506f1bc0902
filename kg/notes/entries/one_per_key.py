"""Entries that have the same key, made one source."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from kg.model import Diagnostic, Source
from kg.notes.entries.parsed_bibliography import broken_entry


def merge_by_key(
    sources: Iterable[Source], is_one_file: bool
) -> tuple[tuple[Source, ...], list[Diagnostic]]:
    """The sources, each key once; a second entry of one work adds what the first lacks.

    A key twice in one file is a slip, and in two files only where it names two works.
    """
    known: dict[str, Source] = {}
    problems = []
    for source in sources:
        first = known.setdefault(source.key, source)
        if first is source:
            continue
        is_same = _is_same_work(first, source)
        if is_same:
            known[source.key] = _fill_gaps(first, source)
        if is_one_file or not is_same:
            problems.append(_twice(source, first, is_same))
    return tuple(known.values()), problems


def _twice(source: Source, first: Source, is_same: bool) -> Diagnostic:
    if is_same or source.title in (source.key, first.title):
        message, help = f"the key `{source.key}` stands twice", "keep one of them"
    else:
        message = f"the key `{source.key}` stands for another work, too: {source.title[:80]}"
        help = "give this entry a key of its own; until then it is left out"
    return broken_entry(source.span, message, help, (first.span,))


def _is_same_work(one: Source, other: Source) -> bool:
    if one.doi and other.doi:
        return one.doi.casefold() == other.doi.casefold()
    if one.year and other.year and one.year != other.year:
        return False
    return _letters(one.title) == _letters(other.title)


def _letters(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))


def _fill_gaps(first: Source, second: Source) -> Source:
    lacking = {
        name: value
        for name in first.__struct_fields__
        if getattr(first, name) in ((), "", None) and (value := getattr(second, name))
    }
    return msgspec.structs.replace(first, **lacking, entry={**second.entry, **first.entry})
