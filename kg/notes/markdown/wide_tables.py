"""Detect tables that would become far larger than their text."""

from __future__ import annotations

import re

_DELIMITERS = re.compile(r"^[ \t>]*[|:-][|: \t-]*$", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t>]*(?:\n|\Z)")
FEWEST_CELLS = 10_000  # always allowed, however few of them are written


def has_oversized_table(text: str) -> bool:
    """Whether the tables of `text` have more cells than it has characters.

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
