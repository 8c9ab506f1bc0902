"""A shorter way through notes that use only the common forms of Markdown.

Most notes are headings, paragraphs, flat lists of one-line items, quotes of one paragraph and
closed fences. A few patterns read those several times faster than a whole Markdown parser;
anything else, or any doubt, is left to the parser. Tests prove that both see the same blocks.
"""

from __future__ import annotations

import re
from typing import cast

from kg.notes.markdown.blocks import EDGE, Block, BlockScan, Edge, Link, Quote

_SILENT = frozenset({"fence", "end"})
_TAG = re.compile(r"<[A-Za-z/!?]")

# How a line of running text may begin, so that it can begin nothing else.
_BEGIN = r"(?:[^\W\d_]|\d+(?!\d|[.)](?:\s|\Z))|[(\[“”‘’\"'@…]|\*{1,3}(?=\w))"
_END = r"(?=\n\n|\n?\Z)"
_END_ITEM = r"(?=\n(?:\n|-[ ])|\n?\Z)"
_BLOCK = re.compile(
    rf"""
    \n*(?:
      (?P<edge>{EDGE}){_END_ITEM}
    | (?P<item>-[ ](?={_BEGIN})[^\n]*){_END_ITEM}
    | (?P<paragraph>(?={_BEGIN})[^\n]*(?:\n(?={_BEGIN})[^\n]*)*){_END}
    | (?P<quote>>[ ](?={_BEGIN})[^\n]*(?:\n>[ ](?={_BEGIN})[^\n]*)*){_END}
    | (?P<heading>\#{{1,6}}[ ]+(?=[^\s\#])[^\n]*(?<![\s\#]))(?=\n|\Z)
    | (?P<fence>```[^`\n]*\n(?:(?![ ]{{0,3}}```)[^\n]*\n)*```[ ]*)(?=\n|\Z)
    | (?P<end>\Z)
    | (?P<odd>[\s\S])
    )
    """,
    re.VERBOSE,
)
# Every branch begins with a literal, which lets `re` skip to the next of them. The last three
# are what is left: brackets and code of another form, images, footnotes, definitions.
_INLINE = re.compile(
    r"""
      `[^`]*`
    | \[(?<!!\[)\[(?!\^)([^\[\]|`\n<>&]+)(?:\|[^\[\]|`\n]+)?\]\](?![\]:])
    | \[(?<!!\[)(?!\^)[^\[\]`\n]*\]\(([^\s()<>&\[\]`"']*)\)
    | \[(?<!!\[)(?!\^)[^\[\]`]*\](?![(\[:])
    | \[() | \]() | `()
    """,
    re.VERBOSE,
)


def find_plain(text: str) -> BlockScan | None:
    """What `scan` finds in `text`, if all of it has a common form; else None."""
    if "\t" in text or "\r" in text or "\\" in text or ("<" in text and _TAG.search(text)):
        return None
    blocks: list[Block] = []
    quotes: list[Quote] = []
    for found in _BLOCK.finditer(text):
        kind = found.lastgroup
        if kind == "edge":
            start, end = found.span(1)
            edge = cast(Edge, found.group(2, 3, 4, 5))
            blocks.append(Block("item", start, end, edge=edge))
        elif kind == "odd" or kind is None:
            return None
        elif kind not in _SILENT:
            block = _read(text, kind, *found.span(kind), quotes)
            if block is None:
                return None
            blocks.append(block)
    return BlockScan(blocks, quotes)


def _read(text: str, kind: str, start: int, end: int, quotes: list[Quote]) -> Block | None:
    """One block with its links and code spans; None where they are not of a common form."""
    level, quote = 0, -1
    if text[end - 1] == " ":
        if kind == "item":
            return None  # without the space it might be an edge
        end = start + len(text[start:end].rstrip(" "))
    if kind == "heading":
        level = text.index(" ", start) - start
    elif kind == "quote":
        quote = len(quotes)
        quotes.append(Quote(start, end))
        kind, start = "paragraph", start + 2
    links: list[Link] = []
    opaque: list[tuple[int, int]] = []
    for found in _INLINE.finditer(text, start, end):
        which = found.lastindex
        if which is None:
            if text[found.start()] == "`":
                opaque.append(found.span())
        elif which > 2:
            return None
        else:
            links.append(Link(*found.span(), found[which], which == 1))
    if opaque and "``" in text[start:end]:
        return None
    return Block(kind, start, end, quote, level, tuple(links), tuple(opaque))
