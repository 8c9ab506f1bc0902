"""Report what Markdown silently hides: relations in code, unclosed fences and comments, embeds."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter

from kg.notes.body.near_misses import RELATION_WORDS
from kg.notes.corrections import NearMiss
from kg.notes.markdown import inline_syntax
from kg.notes.markdown.blocks import Block, is_within
from kg.notes.markdown.markdown_bounds import MAX_NESTING, find_deep_nesting

_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*(\S?)", re.MULTILINE)
_INDENTED = re.compile(
    rf"^(?: {{4,}}| {{0,3}}\t[ \t]*)(?:([-*+])[ \t](?:{RELATION_WORDS})::|>[ \t]*\[!)", re.MULTILINE
)
_EMBED = re.compile(r"!\[\[([^\[\]|\n]+)")
_LATEX = re.compile(r"\\(?:no)?cite[a-z]*\*?(?:\[[^\]\n]*\])*\{([\w:.,; -]+)\}")
_FOOTNOTE = re.compile(r"\[\^(?!0)(\d+)\](:?)")  # `[^a-z]` is more likely a pattern


def find_unrendered(text: str, blocks: Sequence[Block]) -> Iterator[NearMiss]:
    """Parts of a text that its author most likely meant to be read, but that are not.

    Nothing is reported below an unclosed code block or comment, which explains it all.
    """
    hidden_from = len(text)
    code_ranges, fence_start = _find_fenced(text)
    if fence_start is not None:
        hidden_from = fence_start
        message = "this code block is never closed, so nothing below is read"
        yield NearMiss(
            "unclosed-bracket", message, "end it with a line ` ``` ` of its own", fence_start
        )
    yield from _unclosed_comments(text, code_ranges, hidden_from)
    for start in find_deep_nesting(text)[:1]:
        message = f"quotes and lists nest more than {MAX_NESTING} deep: the rest is read as words"
        yield NearMiss("deep-nesting", message, "nest them less deep", start)
    yield from _indented_lines(text, blocks, code_ranges, hidden_from)
    yield from _embeds_of_nothing(text, blocks)
    yield from _latex_citations(text, blocks, hidden_from)
    yield from _missing_footnotes(text, blocks, hidden_from)


def _unclosed_comments(
    text: str, code_ranges: Sequence[tuple[int, int]], hidden_from: int
) -> Iterator[NearMiss]:
    message = "this comment is never closed, so nothing below is read"
    comment = text.rfind("<!--", 0, hidden_from)
    # a mark in backticks is only mentioned
    is_closed = comment < 0 or "-->" in text[comment:] or text[comment - 1 : comment] == "`"
    if not is_closed and not is_within(code_ranges, comment):
        yield NearMiss("unclosed-bracket", message, "end it with `-->`", comment)
    private = text.rfind("%%")  # closed ones were removed before
    if private >= 0 and not text[private + 2 :].strip() and not text[:private][-1:].isdigit():
        yield NearMiss("unclosed-bracket", message, "end it with `%%`", private)


def _indented_lines(
    text: str,
    blocks: Sequence[Block],
    code_ranges: Sequence[tuple[int, int]],
    hidden_from: int,
) -> Iterator[NearMiss]:
    for match in _INDENTED.finditer(text, 0, hidden_from):
        start = match.end() - len(match[0].lstrip())
        # within a list it may be a nested item, which is read
        if not is_within(code_ranges, start) and not _is_in_a_block(blocks, start, match.end()):
            message = "this line is indented so far that it is read as code"
            help = "begin it at the margin" + (": `- relation:: …`" if match[1] else "")
            yield NearMiss("almost-a-relation", message, help, start)


def _latex_citations(text: str, blocks: Sequence[Block], hidden_from: int) -> Iterator[NearMiss]:
    for match in _LATEX.finditer(text, 0, hidden_from):
        if _is_in_a_block(blocks, match.start(), match.end()):
            keys = "; ".join(f"@{key}" for key in re.split(r"[\s,;]+", match[1]) if key)
            message = f"`{match[0]}` is not read as a citation"
            help = f"write `[{keys}]`"
            new = f"[{keys}]"
            yield NearMiss("almost-a-citation", message, help, match.start(), match[0], new)


def _missing_footnotes(text: str, blocks: Sequence[Block], hidden_from: int) -> Iterator[NearMiss]:
    defined_names = {match[1] for match in _FOOTNOTE.finditer(text) if match[2]}
    for match in _FOOTNOTE.finditer(text, 0, hidden_from):
        name = match[1]
        if name not in defined_names and _is_in_a_block(blocks, match.start(), match.end()):
            message = f"there is no footnote `{name}`"
            yield NearMiss("dead-link", message, f"write it below: `[^{name}]: …`", match.start())


def _embeds_of_nothing(text: str, blocks: Sequence[Block]) -> Iterator[NearMiss]:
    message = "`![[…]]` embeds nothing here"
    line_start = 0
    for text_line in text.split("\n"):
        field = text_line.find("::")  # an edge without a target is reported elsewhere
        for match in _EMBED.finditer(text_line, 0, len(text_line) if field < 0 else field):
            name = match[1].strip()
            offset = line_start + match.start()
            if not inline_syntax.has_file_suffix(name) and _is_in_a_block(
                blocks, offset, line_start + match.end()
            ):
                help = f"write the link without `!`: `[[{name}]]`"
                yield NearMiss("dead-link", message, help, offset, "![[", "[[")
        line_start += len(text_line) + 1


def _find_fenced(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """The ranges of closed fenced code blocks, and the start of an unclosed one."""
    code_ranges = []
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match[1].startswith(opening[1]) and not match[2]:
            code_ranges.append((opening.start(1), match.start(1)))
            opening = None
    return code_ranges, opening.start(1) if opening else None


def _is_in_a_block(blocks: Sequence[Block], start: int, end: int) -> bool:
    """Return whether this range is in a block as text, not as code."""
    number = bisect_right(blocks, start, key=attrgetter("start"))
    if not number or start >= blocks[number - 1].end:
        return False
    opaque = blocks[number - 1].opaque
    ranges_before = bisect_left(opaque, end, key=itemgetter(0))
    return not ranges_before or opaque[ranges_before - 1][1] <= start
