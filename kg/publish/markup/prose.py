"""Rendered Markdown: where its text stands and is shown, and the elements that it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from kg.model import Value
from kg.publish.markup.html import EMPTY, Child, Html, element, join_children
from kg.publish.page import Heading


class Prose(Value, frozen=True):
    """Rendered Markdown, and its headings for the table of contents."""

    html: str
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True)
class TextPlace:
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
    raw: list[str] = field(default_factory=list)


def run_on(inner: list[Child]) -> Html:
    """A block as part of a sentence."""
    return join_children([*inner, " "])


def element_maker(name: str) -> Close:
    """Makes elements of one name, without attributes."""
    return lambda inner: Html(f"<{name}>{join_children(inner)}</{name}>")


def _raw_block(inner: list[Child]) -> Html:
    """A block of HTML that stands as text; nothing where it was a comment alone."""
    return element("p", *inner, class_="kg-raw") if join_children(inner).strip() else EMPTY


def show_diagram(inner: list[Child]) -> Html:
    """What describes a diagram: no script draws it, so its author's words stand for it."""
    caption = element("figcaption", "A diagram, in the words of Mermaid.")
    return element("figure", SIMPLE["CodeBlock"](inner), caption, class_="kg-diagram")


SIMPLE: dict[str, Close] = {
    "Paragraph": element_maker("p"),
    "Emphasis": element_maker("em"),
    "Strong": element_maker("strong"),
    "Strikethrough": element_maker("s"),
    "Item": element_maker("li"),
    "TableRow": element_maker("tr"),
    "TableHead": lambda inner: element("thead", element("tr", *inner)),
    "HtmlBlock": _raw_block,
    "CodeBlock": lambda inner: element(
        "pre", element("code", *inner), tabindex="0", class_="kg-code"
    ),
}
