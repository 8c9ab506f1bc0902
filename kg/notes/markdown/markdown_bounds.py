"""Bounds on what Markdown may become: how deep quotes and lists nest, how many cells tables have.

CommonMark leaves both to each program. A parser keeps a record for each container: a line of a
million `>` would take seconds, and hundreds of megabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pyromark

MAX_NESTING = 100  # quotes and list items within each other, by the marks of one line
_MARK = r"[ \t]*+(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))"
_RULE_SIGNS = ({"-", " ", "\t"}, {"*", " ", "\t"})  # of a line that is a rule: `* * *`
_DELIMITERS = re.compile(r"^[ \t>]*[|:-][|: \t-]*$", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t>]*(?:\n|\Z)")
FEWEST_CELLS = 10_000  # always allowed, however few of them are written


def _marks_beyond(count: int) -> re.Pattern[str]:
    """A line's beginning before the mark behind so many others."""
    return re.compile(rf"^(?:{_MARK}){{{count}}}(?={_MARK})[ \t]*+", re.MULTILINE)


_DEEP, _DEEPER = _marks_beyond(MAX_NESTING), _marks_beyond(MAX_NESTING + 1)


def bound_nesting(text: str) -> str:
    """`text` in which marks beyond the bound are words; no offset moves."""
    return _escape_at(text, find_deep_nesting(text))


def find_deep_nesting(text: str) -> list[int]:
    """The offset of the first mark beyond the bound, on each line that has so many."""
    if not _DEEP.search(text) or not _is_nested_deep(_escape_at(text, _find_marks(_DEEPER, text))):
        return []
    return _find_marks(_DEEP, text)


def _find_marks(pattern: re.Pattern[str], text: str) -> list[int]:
    """The end of each match, but on lines that are rules."""
    offsets = []
    for match in pattern.finditer(text):
        line_end = text.find("\n", match.end())
        signs = set(text[match.end() : line_end if line_end >= 0 else len(text)])
        if not any(signs <= each for each in _RULE_SIGNS):
            offsets.append(match.end())
    return offsets


def _escape_at(text: str, offsets: Iterable[int]) -> str:
    """`text` with a backslash over the character at each place: what follows is a paragraph."""
    pieces = []
    offset = 0
    for position in offsets:
        pieces += [text[offset:position], "\\"]
        offset = position + 1
    return "".join([*pieces, text[offset:]])


def _is_nested_deep(text: str) -> bool:
    """Return whether the parser nests quotes and items that deep: marks in code nest nothing."""
    depth = 0
    events: Any = pyromark.events(text)
    for event in events:
        if type(event) is str:
            continue
        for step, change in (("Start", 1), ("End", -1)):
            container = event.get(step)
            if container == "Item" or (type(container) is dict and "BlockQuote" in container):
                depth += change
        if depth > MAX_NESTING:
            return True
    return False


def has_oversized_table(text: str) -> bool:
    """Return whether the tables of `text` have more cells than it has characters.

    Short rows are padded: below a row of 2,000 columns, each line “x” would become 2,000 cells,
    and a note of 4 MiB would exhaust the memory.
    """
    if "|" not in text:
        return False
    cells = widest = lines = end = 0
    for row in _DELIMITERS.finditer(text):
        columns = row[0].count("|") + 1
        if columns == 1:
            continue
        if row.start() >= end:  # below a blank line: another table
            cells += widest * lines
            blank = _BLANK_LINE.search(text, row.end())
            end = blank.start() + 1 if blank else len(text)
            widest = 0
            lines = text.count("\n", row.end(), end) + 1
        widest = max(widest, columns)
    return cells + widest * lines > max(len(text), FEWEST_CELLS)
