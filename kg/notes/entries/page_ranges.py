"""Pages as a citation names them, and as an entry of a bibliography gives them."""

from __future__ import annotations

import re

_PRINTED = re.compile(r"([A-Za-z]{0,9})(\d{1,20})\s*[-–—]+\s*\1(\d{1,20})")
_CITED = re.compile(r"\b(?:pp?|pages?|S)\.?\s*(\d+)(?:\s*[-–—]+\s*(\d+))?(?!\d)")


def cited_pages(locator: str) -> list[tuple[int, int]]:
    """The first and last pages that a locator names: `p. 3`, `pp. 823–8`."""
    return [_range(first, last or first) for first, last in _CITED.findall(locator)]


def printed_pages(pages: str) -> list[tuple[int, int]]:
    """The ranges of an entry's `pages`; none where it is left open (`823+`), or where pages have
    letters before their numbers.
    """
    if "+" in pages:
        return []
    return [_range(*found.group(2, 3)) for found in _PRINTED.finditer(pages) if not found[1]]


def _range(first: str, last: str) -> tuple[int, int]:
    """Where pages begin and end; `823–8` ends on page 828."""
    if len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return int(first), int(last)
