"""What Markdown says, without its marks: for snippets, and for what reads texts whole."""

from __future__ import annotations

import re
from typing import Any

from kg.notes.inline import BLOCK_ID, CALLOUT, CITATION, FIELD
from kg.notes.markdown import read_events

_INSIDE = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})
_GAP = re.compile(r"\s+(?=[.,;:!?)\]\s])")


def as_prose(markdown: str) -> str:
    """The words alone, a block to a line: no emphasis, addresses, citations, fields or HTML."""
    said = "".join(map(_said, read_events(markdown)))
    lines = (_tidy(line) for line in said.split("\n"))
    return "\n".join(line for line in lines if line)


def _said(event: Any) -> str:
    if isinstance(event, str):
        return " "
    for what, text in event.items():
        if what in ("Text", "Code"):
            return str(text)
        if what in ("Start", "End"):
            name = text if isinstance(text, str) else next(iter(text))
            return "" if name in _INSIDE else "\n"
    return ""


def _tidy(line: str) -> str:
    """A line without citations, fields, block ids and callout marks."""
    line = CALLOUT.sub("", BLOCK_ID.sub("", line))
    if "[" in line:
        line = CITATION.sub("", line)
    if "::" in line:
        line = FIELD.sub("", line)
    return _GAP.sub("", line.strip())
