"""Where a note's text is shown, and what it becomes there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from kg.model import Value
from kg.publish.html import Child, Html
from kg.publish.page import Heading


class Prose(Value, frozen=True):
    """Rendered Markdown, and its headings for the table of contents."""

    html: str
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where text stands and is shown: its note, the way to the site's root, the line it is read in.

    `mark` keeps ids apart where one page shows several texts; `deeper` is added to heading levels;
    `flat` leaves nothing but running text, for places inside a paragraph; `beside` makes the
    margin of a paragraph from the ids it links to and its length, `signs` what stands behind a
    link's words.
    """

    path: str
    root: str = ""
    line: str | None = None
    mark: str = ""
    deeper: int = 0
    flat: bool = False
    beside: Callable[[list[str], int], Html] | None = None
    signs: Callable[[str], Html] | None = None


Close: TypeAlias = Callable[[list[Child]], Html]
"""Makes an element of what stood between its beginning and its end."""


@dataclass(slots=True)
class Open:
    """An element whose children are still being read."""

    what: str
    close: Close
    children: list[Child] = field(default_factory=list)
    raw: str = ""
