"""What looks like a part of the format and is not read as one, so that silence loses nothing.

Prose is left alone: a hint needs a word of the format's own, in the place where it would count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kg.model import Relation
from kg.notes import inline
from kg.notes.head import CalloutHead, StatementHead
from kg.notes.items import EDGE_FIELDS

_WORDS = "|".join([*(re.escape(relation.value) for relation in Relation), "next"])
# Keys that prose might use in parentheses too are left out.
_COMMON = {"about", "by", "id", "open", "scope", "status", "title", "type"}
_KEYS = "|".join(sorted({*CalloutHead.model_fields, *EDGE_FIELDS} - _COMMON))

_ITEM = re.compile(
    rf"\s*(?:[-*+]|\d+[.)])\s+[*_`]*({_WORDS})[*_`]*\s*(?::{{1,4}}|=|->|→)[*_`]*\s*(?=\[)",
    re.IGNORECASE,
)
_LINE = re.compile(rf"^[ \t]*([-*+]?)({_WORDS})::[ \t]*\[", re.IGNORECASE | re.MULTILINE)
_ONE_COLON = re.compile(rf"\(({_KEYS}):(?!:)[ \t]*([^()\n]*)\)?", re.IGNORECASE)
_SQUARE = re.compile(rf"\[({_KEYS})::[ \t]*([^\[\]\n]*)\]", re.IGNORECASE)
_OPEN_FIELD = re.compile(rf"\(({_KEYS})::", re.IGNORECASE)
_OPEN_LINK = re.compile(r"\[\[(?!\d+\])([^\[\]\n]{2,80})(?:\](?![\](\[])|$)", re.MULTILINE)
_OPEN_CITATION = re.compile(r"\[-?@(\w[\w:.-]*)[^\[\]]*(?=\[|\Z)")
_BAD_ID = re.compile(r"(?:^|\s)(\^\S+)\s*$")
_EARLY_ID = re.compile(r"(?:^|\s)(\^[A-Za-z][\w-]*)\s+(?=[^\s(])")
_BARE_CALLOUT = re.compile(
    r"\s*\[!(evidence|counter-evidence|claim|counter-claim)\](?!\()", re.IGNORECASE
)
_LONGEST = 40


class Hint(NamedTuple):
    """A likely slip, at an offset in the text that was looked at."""

    rule: str
    message: str
    help: str
    at: int


def may_slip(raw: str) -> bool:
    """Whether a paragraph is worth a closer look; most are not."""
    return (
        "::" in raw
        or raw.startswith("[!")
        or ("(" in raw and ": " in raw)
        or raw.count("[") > raw.count("]")
    )


def find_slips(raw: str, *, item: bool, in_callout: bool) -> Iterator[Hint]:
    """Likely slips in a run of text that is no edge."""
    if item and (found := _ITEM.match(raw)):
        word = found[1].lower()
        message = f"this item names `{word}` and makes no edge"
        yield Hint("almost-a-relation", message, f"write `- {word}:: [[target]] — reason`", 0)
    elif found := _BARE_CALLOUT.match(raw):
        word = found[1].lower()
        message = f"`[!{word}]` outside a quote makes no statement"
        yield Hint("unknown-callout", message, f"begin its lines with `> `: `> [!{word}] …`", 0)
        return
    yield from _in_lines(raw)
    if in_callout:
        yield from find_near_fields(raw)
    elif "::" in raw:
        yield from _lost_fields(raw)


def find_slips_in_edge(raw: str, leftover: str) -> Iterator[Hint]:
    """Likely slips in an item that is an edge; `leftover` are its words beside the targets."""
    yield from find_near_fields(raw)
    yield from find_bad_id(raw)
    yield from _in_lines(raw)
    words = inline.CITATION.sub(" ", _BAD_ID.sub(" ", leftover))
    if re.search(r"\w", words) and not any(find_near_fields(leftover)) and "::" not in words:
        shown = words.strip().lstrip("-—–: ")
        shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
        help = f"a reason stands behind a dash between spaces: ` — {shown}`"
        yield Hint("unread-words", f"`{shown}` is not read as a reason", help, 0)


def find_near_fields(raw: str) -> Iterator[Hint]:
    """Fields of a callout or an edge that are not written as such."""
    patterns = []
    if raw.count(":") > 2 * raw.count("::"):
        patterns.append(_ONE_COLON)
    if "::" in raw and "[" in raw:
        patterns.append(_SQUARE)
    for pattern in patterns:
        for found in pattern.finditer(raw):
            key, value = found[1].lower(), found[2].strip()
            help = f"write `({key}:: {value})`"
            yield Hint("almost-a-field", f"`{key}` is not read here", help, found.start())
    if raw.count("(") > raw.count(")"):
        read = {found.start() for found in inline.find_fields(raw)}
        for found in _OPEN_FIELD.finditer(raw):
            if found.start() not in read:
                message = f"the field `{found[1].lower()}` is never closed"
                yield Hint("almost-a-field", message, "close it with `)`", found.start())


def find_bad_id(raw: str) -> Iterator[Hint]:
    """A `^name` at the end of a callout's title or of an edge that cannot be a name."""
    found = _BAD_ID.search(raw)
    if found and not inline.BLOCK_ID.search(raw):
        name = re.sub(r"[^A-Za-z0-9-]+", "-", found[1]).strip("-") or "name"
        help = f"names are letters, digits and dashes: `^{name}`"
        yield Hint("bad-value", f"`{found[1]}` names nothing", help, found.start(1))


def find_early_id(title: str) -> Iterator[Hint]:
    """A `^name` within a callout's title, where it is only text."""
    if found := _EARLY_ID.search(title):
        message = f"`{found[1]}` names nothing here"
        yield Hint("bad-value", message, "a name stands at the end of the line", found.start(1))


def _in_lines(raw: str) -> Iterator[Hint]:
    """Relations outside lists, and brackets that are never closed."""
    linked = "::" in raw and ("[[" in raw or "](" in raw)
    for found in _LINE.finditer(raw) if linked else ():
        word = found[2].lower()
        message = f"`{word}::` in running text makes no edge"
        help = f"put it in a list: `- {word}:: [[target]] — reason`"
        if found[1]:
            help = f"put a space behind `{found[1]}`: `- {word}:: [[target]] — reason`"
        yield Hint("almost-a-relation", message, help, found.start(1))
    if raw.count("[") > raw.count("]"):
        if link := _OPEN_LINK.search(raw):
            name, space, _ = link[1].partition(" ")
            help = f"write `[[{name if space and '-' in name else inline.tidy(link[1])}]]`"
            yield Hint("unclosed-bracket", "this link is never closed", help, link.start())
        if citation := _OPEN_CITATION.search(raw):
            help = f"write `[@{citation[1]}]`"
            yield Hint("unclosed-bracket", "this citation is never closed", help, citation.start())


def _lost_fields(raw: str) -> Iterator[Hint]:
    """Fields in a note's own text, where only front matter counts."""
    for found in inline.find_fields(raw):
        if re.fullmatch(_KEYS, found[1].lower()):
            key = found[1].lower()
            help = f"write `{key}: {found[2].strip()}` in the front matter"
            if key not in StatementHead.model_fields:
                help = "begin the line with `> `, to put it into the callout above"
            message = f"`{key}` is not read in running text"
            yield Hint("almost-a-field", message, help, found.start())
