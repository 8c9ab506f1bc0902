"""Blocks of the common forms, read without the Markdown parser.

Most notes are headings, paragraphs, flat lists of one-line items, quotes of one paragraph and
closed fences. A few patterns read those several times faster than a full Markdown parser;
anything else, or any doubt, is left to the parser. Tests check that both find the same blocks.
"""

from __future__ import annotations

import re
from typing import cast

from kg.notes.markdown.blocks import (
    EDGE_PATTERN,
    NO_QUOTE,
    Block,
    BlockKind,
    BlockScan,
    EdgeParts,
    Link,
    Quote,
    hide_formulas,
    scan_blocks,
)

_YIELD_NO_BLOCK = frozenset({"fence", "end"})
_HTML_START = re.compile(r"<[A-Za-z/!?]")

# How a line of running text may begin without being any other block.
_TEXT_BEGIN = r"(?:[^\W\d_]|\d+(?!\d|[.)](?:\s|\Z))|[(\[“”‘’\"'@…]|\*{1,3}(?=\w))"
_BLOCK_END = r"(?=\n\n|\n?\Z)"
_ITEM_END = r"(?=\n(?:\n|-[ ])|\n?\Z)"
_SIMPLE_BLOCK = re.compile(
    rf"""
    \n*(?:
      (?P<edge>{EDGE_PATTERN}){_ITEM_END}
    | (?P<item>-[ ](?={_TEXT_BEGIN})[^\n]*){_ITEM_END}
    | (?P<paragraph>(?={_TEXT_BEGIN})[^\n]*(?:\n(?={_TEXT_BEGIN})[^\n]*)*){_BLOCK_END}
    | (?P<quote>>[ ](?={_TEXT_BEGIN})[^\n]*(?:\n>[ ](?={_TEXT_BEGIN})[^\n]*)*){_BLOCK_END}
    | (?P<heading>\#{{1,6}}[ ]+(?=[^\s\#])[^\n]*(?<![\s\#]))(?=\n|\Z)
    | (?P<fence>```[^`\n]*\n(?:(?![ ]{{0,3}}```)[^\n]*\n)*```[ ]*)(?=\n|\Z)
    | (?P<end>\Z)
    | (?P<odd>[\s\S])
    )
    """,
    re.VERBOSE,
)
# Every branch begins with a literal, so that `re` can skip to the next one. The empty groups
# match the rest: brackets and code of another form, images, footnotes, definitions.
_SIMPLE_INLINE = re.compile(
    r"""
      `[^`]*`
    | \[(?<!!\[)\[(?!\^)(?P<wiki>[^\[\]|`\n<>&]+)(?:\|[^\[\]|`\n]+)?\]\](?![\]:])
    | \[(?<!!\[)(?!\^)[^\[\]`\n]*\]\((?P<link>[^\s()<>&\[\]`"']*)\)
    | \[(?<!!\[)(?!\^)[^\[\]`]*\](?![(\[:])
    | \[(?P<odd_opening>) | \](?P<odd_closing>) | `(?P<odd_code>)
    """,
    re.VERBOSE,
)


def scan_simple(text: str) -> BlockScan | None:
    """The result of `scan_blocks`, if all of `text` has a common form; else None."""
    if any(sign in text for sign in "\t\r\\") or ("<" in text and _HTML_START.search(text)):
        return None
    blocks: list[Block] = []
    quotes: list[Quote] = []
    for match in _SIMPLE_BLOCK.finditer(text):
        kind = match.lastgroup
        if kind == "edge":
            start, end = match.span(1)
            edge = cast(EdgeParts, match.group(3, 4, 5, 6))
            blocks.append(Block("item", start, end, edge=edge))
        elif kind == "odd" or kind is None:
            return None
        elif kind not in _YIELD_NO_BLOCK:
            block = _read_simple_block(text, kind, *match.span(kind), quotes)
            if block is None:
                return None
            blocks.append(block)
    hide_formulas(text, blocks)
    return BlockScan(blocks, quotes)


def _read_simple_block(
    text: str, kind: str, start: int, end: int, quotes: list[Quote]
) -> Block | None:
    """A block with its links and code spans; None if they do not have a common form."""
    level = 0
    quote = NO_QUOTE
    if text[end - 1] == " ":
        if kind == "item":
            return None  # without the space it might be an edge
        end = start + len(text[start:end].rstrip(" "))
    if kind == "heading":
        level = text.index(" ", start) - start
    elif kind == "quote":
        quote = len(quotes)
        quotes.append(Quote(start, end))
        kind = "paragraph"
        start = start + 2
    links: list[Link] = []
    opaque: list[tuple[int, int]] = []
    for match in _SIMPLE_INLINE.finditer(text, start, end):
        inline_kind = match.lastgroup
        if inline_kind is None:
            if text[match.start()] == "`":
                opaque.append(match.span())
        elif inline_kind == "wiki" or inline_kind == "link":
            links.append(Link(*match.span(), match[inline_kind], inline_kind == "wiki"))
        else:
            return None
    if opaque and "``" in text[start:end]:
        return None
    return Block(cast(BlockKind, kind), start, end, quote, level, tuple(links), tuple(opaque))


def find_blocks(text: str) -> BlockScan:
    """The result of `scan_blocks`, found by the faster patterns where possible."""
    return scan_simple(text) or scan_blocks(text)
