"""Markdown as blocks with offsets; only this module and `parser_events` use the Markdown parser.

Every offset counts characters from the start of the scanned text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
import pyromark

from kg.notes.markdown.inline_syntax import replace_with_spaces
from kg.notes.markdown.markdown_bounds import bound_nesting, has_oversized_table
from kg.notes.markdown.maths import blank_display_formulas, find_formulas

OPTIONS = (
    pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
)
BlockKind = Literal["paragraph", "heading", "item", "cell"]
_TEXT_BLOCKS: dict[str, BlockKind] = {"Paragraph": "paragraph", "Item": "item", "TableCell": "cell"}
_CONTAINERS = frozenset({"List", "BlockQuote", "CodeBlock", "FootnoteDefinition", "Table"})
_LAYOUT = _CONTAINERS | {"Paragraph", "Item", "Heading", "TableHead", "TableRow", "TableCell"}
_READ_EVENTS = frozenset({"HardBreak", "Html", "InlineHtml", "Code"})
_OPAQUE = frozenset({"Code", "InlineHtml", "Html"})
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# The common form of a relation, on one line: its word, target, reason and id. It holds no
# brackets, code, tags or escapes, so its words need no parsing. Relation and target may be
# enclosed in brackets, as other programs read them.
_NO_MARKUP = r"\[\]`^<\\:\x0b\x0c\x1c-\x1f"
EDGE_PATTERN = (
    r"-[ ](?P<bracket>\[)?([A-Za-z][\w-]*)::[ ]\[\[([\w-]+(?:\#\^[\w-]+)?)\]\](?(bracket)\])"
    rf"(?:[ ](?:—|–|--)[ ]([^{_NO_MARKUP}\s](?:[^{_NO_MARKUP}\n]*[^{_NO_MARKUP}\s])?))?"
    r"(?:[ ]\^([A-Za-z0-9][A-Za-z0-9-]*))?"
)
_EDGE = re.compile(EDGE_PATTERN)
_EMPTY_QUOTED = re.compile(r"\n[ \t>]*\Z")


# An event of the Markdown parser: its name, or a mapping from its name to details.
Event: TypeAlias = Any
NO_QUOTE = -1  # the quote index of a block that is in no quote
# An item that is a relation in its common form: word, target, reason and id.
EdgeParts: TypeAlias = tuple[str, str, str | None, str | None]


class Link(msgspec.Struct, frozen=True):
    """A wikilink (`wiki`) or a Markdown link, as a range."""

    start: int
    end: int
    destination: str
    wiki: bool


class Block(msgspec.Struct):
    """A run of text: a paragraph, a heading (`level` from 1), a list item or a table cell.

    It ends with its last visible character. `opaque` are ranges of code, HTML or formulas, which
    are not searched; `quote` is the index of the innermost quote around the block, or
    `NO_QUOTE`; `listed` marks a heading or paragraph within a list. `edge` holds the parts of an
    item that is a relation in its common form; the `links` of such a block are empty.
    """

    kind: BlockKind
    start: int
    end: int
    quote: int = NO_QUOTE
    level: int = 0
    links: tuple[Link, ...] = ()
    opaque: tuple[tuple[int, int], ...] = ()
    listed: bool = False
    edge: EdgeParts | None = None


class Quote(msgspec.Struct):
    """A block quote or callout, as a range; `around` is the index of the quote around it."""

    start: int
    end: int
    around: int = NO_QUOTE


# By a block's identity; lists, as a growing tuple would be copied each time.
_LinksByBlock: TypeAlias = dict[int, tuple[Block, list[Link]]]
_Ranges: TypeAlias = dict[int, tuple[Block, list[tuple[int, int]]]]


class BlockScan(NamedTuple):
    """All blocks and quotes of a text, in reading order."""

    blocks: list[Block]
    quotes: list[Quote]


def options_for(text: str, options: pyromark.Options = OPTIONS) -> pyromark.Options:
    """The parser's options for `text`: without tables if these would grow too large."""
    return options & ~pyromark.Options.ENABLE_TABLES if has_oversized_table(text) else options


def scan_blocks(text: str) -> BlockScan:
    """The blocks of `text`. Code blocks, HTML blocks and comments yield none."""
    original = text
    text = bound_nesting(blank_display_formulas(text))
    scan = _scan_events(pyromark.events_with_range(text, options=options_for(text)))
    if not text.isascii():
        _bytes_to_characters(text, scan)
    ends: dict[int, int] = {}
    for block in scan.blocks:
        block.end = _visible_end(text, block.start, block.end, block.quote != NO_QUOTE, ends)
        if block.kind == "item" and len(block.links) == 1 and block.links[0].wiki:
            edge = _EDGE.fullmatch(text, block.start, block.end)
            if edge and edge[3] == block.links[0].destination:
                block.edge = cast(EdgeParts, edge.groups()[1:])
                block.links = ()
    for quote in scan.quotes:
        quote.end = _visible_end(text, quote.start, quote.end, False, ends)
    hide_formulas(original, scan.blocks)
    return scan


def hide_formulas(text: str, blocks: Iterable[Block]) -> None:
    """Make formulas opaque, like code, and drop the links in them."""
    if "$" not in text and "\\" not in text:
        return
    for block in blocks:
        first = block.start
        code = [(start - first, end - first) for start, end in block.opaque]
        raw = replace_with_spaces(text[first : block.end], code)
        if block.edge is None and (formulas := find_formulas(raw)):
            places = [(start + first, end + first) for start, end in formulas]
            outside = [each for each in block.opaque if not is_within(places, each[0])]
            block.opaque = tuple(sorted([*outside, *places]))
            block.links = tuple(link for link in block.links if not is_within(places, link.start))


def is_within(ranges: Sequence[tuple[int, int]], offset: int) -> bool:
    """Return whether an offset is within one of the ranges, which are sorted."""
    number = bisect_right(ranges, offset, key=itemgetter(0))
    return number > 0 and offset < ranges[number - 1][1]


def _scan_events(events: Any) -> BlockScan:
    """The blocks and quotes, with offsets in bytes."""
    reader = _EventReader()
    for event, byte_range in events:
        if type(event) is str or "Text" in event:  # most events: test first, and without a call
            continue
        if "Start" in event:
            reader.start(event["Start"], *byte_range.values())
        elif "End" in event:
            reader.end(event["End"])
        elif reader.leaf is not None and not _OPAQUE.isdisjoint(event):
            _, ranges = reader.opaque.setdefault(id(reader.leaf), (reader.leaf, []))
            ranges.append((byte_range["start"], byte_range["end"]))
    for block, links in reader.links.values():
        block.links = tuple(links)
    for block, ranges in reader.opaque.values():
        block.opaque = tuple(ranges)
    return BlockScan(reader.blocks, reader.quotes)


class _EventReader:
    """Builds blocks from parser events.

    `leaf` is the block to which text now belongs, None outside of any. `items` are the open list
    items, and `bare` tells for each whether it is still empty: an item and its first paragraph are
    one block. `quote` is the index of the innermost open quote, or `NO_QUOTE`.
    """

    __slots__ = ("bare", "blocks", "items", "leaf", "links", "opaque", "quote", "quotes")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.quotes: list[Quote] = []
        self.items: list[Block] = []
        self.bare: list[bool] = []
        self.quote = NO_QUOTE
        self.leaf: Block | None = None
        self.links: _LinksByBlock = {}
        self.opaque: _Ranges = {}

    def start(self, event: Event, start: int, end: int) -> None:
        """Begin what the event is of: a text block, a link, a heading or a container."""
        name = _event_name(event)
        if name in _TEXT_BLOCKS:
            self._start_text(name, start, end)
        elif name == "Link":
            self._add_link(as_link(event[name], start, end))
        elif name == "Heading":
            level = int(event[name]["level"][1])
            self._open(Block("heading", start, end, self.quote, level, listed=bool(self.items)))
        elif name in _CONTAINERS:
            self._start_container(name, start, end)

    def _add_link(self, link: Link) -> None:
        if self.leaf is not None:
            self.links.setdefault(id(self.leaf), (self.leaf, []))[1].append(link)

    def _start_container(self, name: str, start: int, end: int) -> None:
        if self.items and self.bare[-1]:
            self.bare[-1] = False
            self.items[-1].end = start
        self.leaf = None
        if name == "BlockQuote":
            self.quotes.append(Quote(start, end, self.quote))
            self.quote = len(self.quotes) - 1

    def _start_text(self, name: str, start: int, end: int) -> None:
        item = self.items[-1] if self.items else None
        if name == "Paragraph" and item and self.bare[-1] and item.quote == self.quote:
            self.bare[-1] = False
            item.end = end
            self.leaf = item
            return
        self._open(Block(_TEXT_BLOCKS[name], start, end, self.quote, listed=bool(self.items)))
        if name == "Item":
            self.items.append(self.blocks[-1])
            self.bare.append(True)

    def _open(self, block: Block) -> None:
        self.leaf = block
        self.blocks.append(block)

    def end(self, event: Event) -> None:
        """End a text block or a quote."""
        name = _event_name(event)
        if name in _TEXT_BLOCKS:
            self.leaf = None
            if name == "Item":
                self.items.pop()
                self.bare.pop()
        elif name == "BlockQuote":
            self.quote = self.quotes[self.quote].around


def _event_name(event: Event) -> str:
    """The name of an event, or of what it begins or ends."""
    return event if type(event) is str else next(iter(event))


def as_link(link: dict[str, Any], start: int, end: int) -> Link:
    """The parser's link, with its place."""
    link_type = link["link_type"]
    return Link(start, end, link["dest_url"], type(link_type) is dict and "WikiLink" in link_type)


def find_layout(text: str) -> tuple[list[Any], list[tuple[int, int]]]:
    """The structure of a text without its words, and the ranges where trailing spaces matter:
    code, HTML and hard breaks.
    """
    text = bound_nesting(text)
    structure = []
    places = []
    offset_of = places_of_bytes(text)
    verbatim = 0
    events: Any = pyromark.events_with_range(text, options=options_for(text))
    for event, byte_range in events:
        name, element = (event, "") if type(event) is str else next(iter(event.items()))
        element = element if type(element) is str else next(iter(element), "")
        if name in ("Start", "End") and element in ("CodeBlock", "HtmlBlock"):
            verbatim += 1 if name == "Start" else -1
        if verbatim or name in _READ_EVENTS:
            places.append((offset_of(byte_range["start"]), offset_of(byte_range["end"])))
            structure.append(event)
        elif name in ("Start", "End") and element in _LAYOUT:
            structure.append((name, element))
    return structure, places


def places_of_bytes(text: str) -> Callable[[int], int]:
    """A function from byte offsets in a text to character offsets."""
    if text.isascii():
        return lambda byte: byte
    starts: list[int] = []
    surplus = [0]
    for wide_character in _NOT_ASCII.finditer(text):
        starts.append(wide_character.start() + surplus[-1])
        surplus.append(surplus[-1] + len(wide_character[0].encode("utf-8")) - 1)
    return lambda byte: byte - surplus[bisect_left(starts, byte)]


def _bytes_to_characters(text: str, scan: BlockScan) -> None:
    """Turn every UTF-8 byte offset into a character offset, in place."""
    offset_of = places_of_bytes(text)
    for block in scan.blocks:
        block.start, block.end = offset_of(block.start), offset_of(block.end)
        if block.links:
            block.links = tuple(
                Link(offset_of(link.start), offset_of(link.end), link.destination, link.wiki)
                for link in block.links
            )
        if block.opaque:
            block.opaque = tuple((offset_of(start), offset_of(end)) for start, end in block.opaque)
    for quote in scan.quotes:
        quote.start, quote.end = offset_of(quote.start), offset_of(quote.end)


def _visible_end(text: str, start: int, end: int, is_quoted: bool, ends: dict[int, int]) -> int:
    """The end of `text[start:end]` without trailing space and, in a quote, empty `>` lines."""
    while True:
        end = max(start, _end_of_words(text, end, ends))
        last = text.rfind("\n", start, end) if is_quoted else -1
        empty_lines = _EMPTY_QUOTED.search(text, last, end) if last >= 0 else None
        if empty_lines is None:
            return end
        end = empty_lines.start()


def _end_of_words(text: str, end: int, ends: dict[int, int]) -> int:
    """The end of `text[:end]` without white space; cached, as many quotes may share it."""
    offset = end
    while offset > 0 and text[offset - 1] in " \t\r\n" and offset not in ends:
        offset -= 1
    return ends.setdefault(end, ends.get(offset, offset))
