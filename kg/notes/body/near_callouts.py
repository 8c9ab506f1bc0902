"""Report what looks like a callout or a block's id but is not read as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.notes.body.body_parts import CALLOUTS
from kg.notes.corrections import CALLOUT_SYNONYMS, NearMiss, find_intended
from kg.notes.markdown import inline_syntax

# `^names` that are invalid, that come too early, and that are on a line of their own
BAD_ID = re.compile(r"(?:^|\s)(\^\S+)\s*$")
# after punctuation or a word; `x^ab` may be a power
_TOUCHING_ID = re.compile(r"(?:[^\w\s^\\]|\w\w)(\^[A-Za-z][A-Za-z0-9-]+)[ \t]*$")
_EARLY_ID = re.compile(r"(?:^|\s)(\^[A-Za-z][\w-]*)\s+(?=[^\s(])")
_NEAR_CALLOUT = re.compile(r"\\?\[![ \t]*([A-Za-z][\w -]*?)[ \t]*(?:\|[^\[\]\n]*)?\\?\]")
# in a quotation, `[Evidence]` may be an editorial insertion
_MARKLESS_CALLOUT = re.compile(
    r"(?:!|\[(?=[^\n]* \^[\w-]+[ \t]*(?:\n|\Z)|[^\0]*\(\w+::))"
    r"((?:counter[- _])?(?:evidence|claim))(?:\](?!\()|(?=\s))",
    re.IGNORECASE,
)
_CALLOUT_WITHIN = re.compile(r"\n[ \t]*(\[![A-Za-z][\w-]*\])")


def find_bad_id(raw: str) -> Iterator[NearMiss]:
    """A `^name` at the end of a callout's title or an edge that is invalid, or touches a word."""
    if "^" not in raw or inline_syntax.BLOCK_ID.search(raw):
        return
    if (match := _TOUCHING_ID.search(raw)) and raw.count("$") < 2:
        name = match[1]
        help = f"put a space before it: ` {name}`"
        yield NearMiss("bad-value", f"`{name}` names nothing", help, match.start(1))
    match = BAD_ID.search(raw)
    if match:
        name = re.sub(r"[^A-Za-z0-9-]+", "-", match[1]).strip("-") or "name"
        help = f"names are letters, digits and dashes: `^{name}`"
        message = f"`{match[1]}` names nothing"
        new = f"^{name}"
        yield NearMiss("bad-value", message, help, match.start(1), match[1], new)


def find_early_id(title: str) -> Iterator[NearMiss]:
    """A `^name` in the middle of a callout's title, where it is only text."""
    caret = title.find("^")
    if caret >= 0 and (match := _EARLY_ID.search(title, max(caret - 1, 0))):
        message = f"`{match[1]}` names nothing here"
        yield NearMiss("bad-value", message, "write it at the end of the line", match.start(1))


def find_near_callout(raw: str) -> NearMiss | None:
    """A near miss of a callout's first line at the beginning of a quote."""
    match = _NEAR_CALLOUT.match(raw) or _MARKLESS_CALLOUT.match(raw)
    if match is None:
        return None
    word = re.sub(r"[ _]+", "-", match[1].casefold())
    # other programs have callouts such as `[!note]`, `[!tip]`: report only similar names
    intended = find_intended(word, CALLOUTS, CALLOUT_SYNONYMS)
    if intended is None:
        return None
    message = f"`{match[0]}` makes no statement"
    new = f"[!{intended}]"
    help = f"did you mean `{new}`?"
    return NearMiss("unknown-callout", message, help, 0, match[0], new, intended)


def find_next_callout(raw: str) -> Iterator[NearMiss]:
    """Callouts that begin within the first paragraph of another."""
    for match in _CALLOUT_WITHIN.finditer(raw):
        message = f"`{match[1]}` is read as text of the callout above"
        help = "put an empty line before it"
        word = match[1][2:-1].casefold()
        yield NearMiss("unknown-callout", message, help, match.start(1), about=word)
