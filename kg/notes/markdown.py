"""Markdown as blocks with their places; the only module that names the Markdown parser.

Every offset counts UTF-8 bytes from the start of the scanned text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pyromark

OPTIONS = (
    pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
)
_PLAIN = {"Paragraph": "paragraph", "Item": "item", "TableCell": "cell"}
_CONTAINERS = frozenset({"List", "BlockQuote", "CodeBlock", "FootnoteDefinition", "Table"})
_OPAQUE = frozenset({"Code", "InlineHtml", "Html"})


class Link(NamedTuple):
    """A wikilink (`wiki`) or a Markdown link, as a range."""

    start: int
    end: int
    destination: str
    wiki: bool


class Block:
    """A run of text: a paragraph, a heading (`level` from 1), a list item or a table cell.

    `opaque` are ranges that hold code or HTML, in which nothing is to be found; `quote` is
    the index of the innermost quote around the block, or -1.
    """

    __slots__ = ("end", "kind", "level", "links", "opaque", "quote", "start")

    def __init__(self, kind: str, start: int, end: int, quote: int, level: int = 0) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.quote = quote
        self.level = level
        self.links: tuple[Link, ...] = ()
        self.opaque: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Quote:
    """A block quote (or callout), as a range; `around` is the index of the one around it, or -1."""

    start: int
    end: int
    around: int


@dataclass(slots=True)
class Scan:
    """All blocks and quotes of a text, in reading order."""

    blocks: list[Block]
    quotes: list[Quote]


def scan(text: str) -> Scan:
    """The blocks of `text`. Code blocks, HTML blocks and comments yield none.

    One flat loop, because calls and containers made per event are what parsing costs.
    """
    blocks: list[Block] = []
    quotes: list[Quote] = []
    items: list[Block] = []
    quote = -1
    leaf: Block | None = None
    for event, place in pyromark.events_with_range(text, options=OPTIONS):
        if type(event) is str or "Text" in event:
            continue
        if "Start" in event:
            what: Any = event["Start"]
            if type(what) is str:
                if what not in _PLAIN:
                    continue
                start, end = place.values()
                item = items[-1] if items else None
                if what == "Paragraph" and item and item.level == 0 and item.quote == quote:
                    item.level, item.end = 1, end
                    leaf = item
                else:
                    leaf = Block(_PLAIN[what], start, end, quote)
                    blocks.append(leaf)
                    if what == "Item":
                        items.append(leaf)
            elif "Link" in what:
                if leaf is not None:
                    leaf.links = (*leaf.links, _link(what["Link"], place))
            elif "Heading" in what:
                leaf = Block("heading", *place.values(), quote, int(what["Heading"]["level"][1]))
                blocks.append(leaf)
            elif not _CONTAINERS.isdisjoint(what):
                if items and items[-1].level == 0:
                    items[-1].level, items[-1].end = 1, place["start"]
                leaf = None
                if "BlockQuote" in what:
                    quotes.append(Quote(*place.values(), quote))
                    quote = len(quotes) - 1
        elif "End" in event:
            what = event["End"]
            if type(what) is str:
                if what in _PLAIN:
                    leaf = None
                    if what == "Item":
                        items.pop()
            elif "BlockQuote" in what:
                quote = quotes[quote].around
        elif leaf is not None and not _OPAQUE.isdisjoint(event):
            leaf.opaque = (*leaf.opaque, tuple(place.values()))
    return Scan(blocks, quotes)


def read_events(text: str) -> list[Any]:
    """Parser events of `text`, with strike-through and task lists, for whoever turns it into something else."""
    more = pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
    return list(pyromark.events(text, options=OPTIONS | more))


def _link(link: Any, place: Any) -> Link:
    kind = link["link_type"]
    return Link(
        place["start"], place["end"], link["dest_url"], type(kind) is dict and "WikiLink" in kind
    )
