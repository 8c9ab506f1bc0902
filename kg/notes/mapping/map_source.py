"""What a source's note says of the work it is on, as a bibliography would."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kg.model.records import ET_AL
from kg.notes.entries.identifiers import parse_doi, web_address_of
from kg.notes.entries.people import join_name

_LINK = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]")
_BETWEEN = re.compile(r"\s*;\s*|\s*,?\s+(?:and|&)\s+", re.I)
_ET_AL = re.compile(r",?\s+et al\.?\Z", re.I)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_SPELLED: Mapping[str, Callable[[str], str]] = {"doi": parse_doi, "url": web_address_of}
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ -]?){1,4}")


def map_source(said: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a source, by what stands behind the keys that are mapped to them."""
    found: dict[str, Any] = {}
    for field, value in said.items():
        words = [_without_links(each) for each in (value if isinstance(value, tuple) else (value,))]
        written = next(filter(None, words), "")
        if field == "authors":
            found[field] = tuple(name for each in words for name in _author_names(each))
        elif field == "year":
            year = _YEAR.search(written)
            found[field] = int(year[0]) if year else None
        else:
            spell = _SPELLED.get(field)
            found[field] = spell(written) if spell else written
    return {field: value for field, value in found.items() if value}


def _without_links(value: Any) -> str:
    return "" if value is None else _LINK.sub(r"\1", str(value)).strip()


def _author_names(written: str) -> Iterator[str]:
    """The names in one value: `Anna Roe, Bo Day`, `Roe, Anna; Day, Bo`, `Roe, A., Day, B.`"""
    named = _ET_AL.sub("", written)
    for part in filter(None, _BETWEEN.split(named)):
        names = [each for name in part.split(",") if (each := name.strip())]
        pairs = list(zip(names[::2], names[1::2], strict=False))
        turned = len(names) == 2 and (" " not in names[0] or names[0][:1].islower())
        initials = len(names) % 2 == 0 and all(_INITIALS.fullmatch(first) for _, first in pairs)
        yield from (
            (join_name(first, last) for last, first in pairs) if turned or initials else names
        )
    if named != written:
        yield ET_AL
