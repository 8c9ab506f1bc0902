"""What Markdown hides from the reader of notes: code that never ends, comments, embeds.

Only notes that need the whole Markdown parser can hold any of it, so others are not searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kg.notes.markdown.blocks import Block
from kg.notes.markdown.near_misses import WORDS, Hint

_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*(\S?)", re.MULTILINE)
_INDENTED = re.compile(
    rf"^(?: {{4,}}| {{0,3}}\t[ \t]*)(?:([-*+])[ \t](?:{WORDS})::|>[ \t]*\[!)", re.MULTILINE
)
_EMBED = re.compile(r"!\[\[([^\[\]|\n]+)")
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif|pdf|mp[34]|mov|webm)\Z", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:no)?cite[a-z]*\*?(?:\[[^\]\n]*\])*\{([\w:.,; -]+)\}")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\](?!:)")


def find_hidden(text: str, blocks: Sequence[Block]) -> Iterator[Hint]:
    """Parts of a text that its author meant to be read, and that are not."""
    hidden = len(text)
    if (begin := _find_open_fence(text)) is not None:
        hidden = begin
        message = "this code block is never closed, so nothing below is read"
        yield Hint("unclosed-bracket", message, "end it with a line ` ``` ` of its own", begin)
    comment = text.rfind("<!--", 0, hidden)
    ended = comment < 0 or "-->" in text[comment:] or text[comment - 1 : comment] == "`"
    if not ended and not _is_fenced(text, comment):
        message = "this comment is never closed, so nothing below is read"
        yield Hint("unclosed-bracket", message, "end it with `-->`", comment)
    for found in _INDENTED.finditer(text, 0, hidden):
        begin = found.end() - len(found[0].lstrip())
        if not _is_seen(blocks, begin, found.end()) and not _is_fenced(text, begin):
            message = "this line stands so far to the right that it is read as code"
            help = "begin it at the margin" + (": `- relation:: …`" if found[1] else "")
            yield Hint("almost-a-relation", message, help, begin)
    yield from _embeds(text, blocks)
    for found in _LATEX.finditer(text, 0, hidden):
        if _is_seen(blocks, found.start(), found.end()):
            keys = "; ".join(f"@{key}" for key in re.split(r"[\s,;]+", found[1]) if key)
            message = f"`{found[0]}` is not read as a citation"
            yield Hint("almost-a-citation", message, f"write `[{keys}]`", found.start())
    for found in _FOOTNOTE.finditer(text, 0, hidden):
        name = found[1]
        likely = name.isdecimal() and name[0] != "0"
        if likely and f"[^{name}]:" not in text and _is_seen(blocks, found.start(), found.end()):
            message = f"no footnote is called `{name}`"
            yield Hint("dead-link", message, f"write it below: `[^{name}]: …`", found.start())


def _embeds(text: str, blocks: Sequence[Block]) -> Iterator[Hint]:
    for found in _EMBED.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if "::" in line or not _is_seen(blocks, found.start(), found.end()):
            continue  # an edge without a target is told elsewhere
        name = found[1].strip()
        help = f"write the link without `!`: `[[{name}]]`"
        if _IMAGE.search(name):
            help = f"write `![what it shows]({name})`"
        yield Hint("dead-link", "`![[…]]` embeds nothing here", help, found.start())


def _find_open_fence(text: str) -> int | None:
    """Where the last code block begins, if it is never closed."""
    opened: re.Match[str] | None = None
    for found in _FENCE.finditer(text):
        if opened is None:
            opened = found
        elif found[1].startswith(opened[1]) and not found[2]:
            opened = None
    return opened.start(1) if opened else None


def _is_fenced(text: str, at: int) -> bool:
    """Whether a place stands within a code block that a fence began."""
    return _find_open_fence(text[:at]) is not None


def _is_seen(blocks: Sequence[Block], start: int, end: int) -> bool:
    """Whether a block holds this stretch as text, and not as code."""
    return any(
        block.start <= start < block.end
        and not any(first < end and start < last for first, last in block.opaque)
        for block in blocks
    )
