"""What stands on many pages alike: whole on one of them, on the others its beginning.

Where each of a thousand pages lists the same thousand names, a site has a million of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from kg.publish.markup.html import EMPTY, Html, element, join
from kg.publish.page_builder import PageBuilder

T = TypeVar("T")

MOST_REPEATED = 20  # of a list, on pages that are not the one that has all of it


def begin_of(things: Sequence[T], whole: bool) -> Sequence[T]:
    """The things that a page lists: all where it has the `whole` list, or where they are few."""
    return things if whole else things[:MOST_REPEATED]


def more_of(builder: PageBuilder, things: Sequence[object], keeper: str, whole: bool) -> Html:
    """`388 more on the page of …`, which lists all; nothing where this page does."""
    left = len(things) - len(begin_of(things, whole))
    if not left:
        return EMPTY
    return element("span", f"{left} more on the page of ", builder.any(keeper))


def names_of(
    builder: PageBuilder, ids: Sequence[str], keeper: str, whole: bool, separator: str = "; "
) -> Html:
    """Statements or sources in one row: all, or the first ones and where all are."""
    names = [builder.any(id) for id in begin_of(ids, whole)]
    more = more_of(builder, ids, keeper, whole)
    return join(separator, [*names, *([more] if more else [])])
