"""Rendered Markdown: where its text comes from and is shown, its elements and its footnotes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from kg.model import Value
from kg.publish.markup.html import EMPTY, Child, Html, element, join_children
from kg.publish.markup.link_maker import missing_link
from kg.publish.markup.percent_bars import BarChart
from kg.publish.page import Heading


class Prose(Value, frozen=True):
    """Rendered Markdown, its headings for the table of contents, the notes it links to, and what
    its tables show as bars.
    """

    html: str
    headings: tuple[Heading, ...] = ()
    linked_ids: tuple[str, ...] = ()
    charts: tuple[BarChart, ...] = ()


class AddedToTable(NamedTuple):
    """What a table gets beside what its author wrote: a first cell in its head and in each row, and
    what stands beneath it.
    """

    head: Html
    rows: Sequence[Html]
    beneath: Html

    def put_before(self, rows: Sequence[Child]) -> list[Child]:
        """Give the head and the rows of a table their first cells."""
        parts = (str(row).partition("<tr>") for row in rows)
        cells = (self.head, *self.rows)
        return [
            Html(f"{start}{tag}{cell}{rest}")
            for (start, tag, rest), cell in zip(parts, cells, strict=True)
        ]


@dataclass(frozen=True)
class TextPlace:
    """The place of a text and of its display: its note, the path to the site's root, its line.

    `mark` keeps ids unique if a page shows several texts; `deeper` is added to heading levels;
    `flat` gives running text only, for places inside a paragraph; `beside` makes the
    margin of a paragraph from the ids it links to and its length, `signs` what follows a link's
    words, and `for_table` what a table gets, from the ids that each of its rows links to.
    """

    path: str
    root: str = ""
    line_id: str | None = None
    mark: str = ""
    deeper: int = 0
    flat: bool = False
    beside: Callable[[list[str], int], Html] | None = None
    signs: Callable[[str], Html] | None = None
    for_table: Callable[[Sequence[Sequence[str]]], AddedToTable | None] | None = None


# Makes an element of what stood between its beginning and its end.
MakeElement: TypeAlias = Callable[[list[Child]], Html]


@dataclass(slots=True)
class OpenElement:
    """An open element, whose children are still being read."""

    tag: str
    close: MakeElement
    children: list[Child] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)


def as_run_in(inner: list[Child]) -> Html:
    """A block as part of a sentence."""
    return join_children([*inner, " "])


def element_maker(name: str) -> MakeElement:
    """A function that makes elements of one name, without attributes."""
    return lambda inner: Html(f"<{name}>{join_children(inner)}</{name}>")


def _raw_block(inner: list[Child]) -> Html:
    """A block of HTML shown as text; nothing if it was only a comment."""
    return element("p", *inner, class_="kg-raw") if join_children(inner).strip() else EMPTY


def show_diagram(inner: list[Child]) -> Html:
    """The source of a diagram, shown instead of the diagram, since no script draws it."""
    caption = element("figcaption", "A diagram, in the words of Mermaid.")
    return element("figure", SIMPLE["CodeBlock"](inner), caption, class_="kg-diagram")


SIMPLE: dict[str, MakeElement] = {
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


class Footnotes:
    """The footnotes of one text, numbered as it refers to them; `mark` keeps their ids unique."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._words: dict[str, Html] = {}
        self._referenced_names: list[str] = []

    def refer_to(self, name: str) -> Html:
        """The number of a footnote, which leads to it, and to which only the first leads back."""
        is_repeated = name in self._referenced_names
        if not is_repeated:
            self._referenced_names.append(name)
        number = self._referenced_names.index(name) + 1
        href = "#" + self._id("note", number)
        link = element("a", number, href=href, aria_label=f"Footnote {number}")
        id = None if is_repeated else self._id("ref", number)
        return element("sup", link, id=id, class_="kg-noteref")

    def define(self, name: str, words: list[Child]) -> Html:
        """Keep the words of a footnote for the foot of the text; nothing is shown in its place."""
        self._words.setdefault(name, join_children(words))
        return EMPTY

    def render(self) -> Html:
        """Return every defined footnote, the referenced ones first, in the order of the text."""
        order = dict.fromkeys([*self._referenced_names, *self._words])
        if not order:
            return EMPTY
        items = [
            element("li", self._render_footnote(name, number), id=self._id("note", number))
            for number, name in enumerate(order, 1)
        ]
        return element("ol", *items, class_="kg-footnotes")

    def _render_footnote(self, name: str, number: int) -> Html:
        """A footnote's words, followed by a link back to the text."""
        words = self._words.get(name) or missing_link(name)
        if name not in self._referenced_names:
            return words
        href = "#" + self._id("ref", number)
        back = element("a", "↩", href=href, aria_label="Back to the text")
        if words.endswith("</p>"):
            return Html(f"{words[: -len('</p>')]} {back!s}</p>")
        return join_children((words, " ", back))

    def _id(self, kind: Literal["ref", "note"], number: int) -> str:
        return f"{self._mark}fn-{kind}-{number}"
