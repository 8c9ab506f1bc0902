"""Git's conflict marks in a file of which two versions could not be merged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_MARK = re.compile(r"(<{7}|={7}|>{7}|\|{7})(?:[ \t].*)?\r?$")


class MergeConflict(NamedTuple):
    """The first and last line of a conflict, from 1, and the lines that are left out."""

    first: int
    last: int
    left_out: frozenset[int]


class WithoutConflicts(NamedTuple):
    """A text with the first version of each conflict, with line numbers unchanged."""

    text: str
    conflicts: tuple[MergeConflict, ...] = ()


def keep_first_versions(text: str, *, markdown: bool = False) -> WithoutConflicts:
    """`text` with conflict marks and second versions replaced by empty lines.

    Git does not know Markdown: a conflict may begin, end or lie in a code block. A `=======` alone
    underlines a title.
    """
    # searching for a single character is much faster than for seven, and most texts have none
    begun = "<" in text and "<<<<<<<" in text
    if not begun and not (">" in text and ">>>>>>> " in text):
        return WithoutConflicts(text)
    lines = text.split("\n")
    found = tuple(_conflicts_between_marks(_conflict_marks(lines)))
    for start, stop in _runs_of_numbers(sorted(n for conflict in found for n in conflict.left_out)):
        # a callout continues after a conflict within it
        quoted = markdown and start > 1 and lines[start - 2][:1] == ">"
        inside = quoted and lines[stop : stop + 1] and re.match(r">(?! ?\[!)", lines[stop])
        lines[start - 1 : stop] = [">" if inside else ""] * (stop - start + 1)
    return WithoutConflicts("\n".join(lines), found)


def _conflict_marks(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The number and first character of each line that may be a mark."""
    for number, line in enumerate(lines, 1):
        if line[:1] in "<=>|" and _MARK.match(line):
            yield number, line[0]


def _conflicts_between_marks(marks: Iterable[tuple[int, str]]) -> Iterator[MergeConflict]:
    begun: list[int] = []  # the first mark of a conflict, and those between its versions
    underline: tuple[int, ...] = ()
    for number, sign in marks:
        if sign == "<":
            if begun:  # its end is missing: leave out only its marks
                yield MergeConflict(begun[0], begun[-1], frozenset(begun))
            begun = [number]
        elif sign == ">" and begun:
            second = begun[1] if len(begun) > 1 else number
            yield MergeConflict(begun[0], number, frozenset((begun[0], *range(second, number + 1))))
            begun = []
        elif sign == ">":
            marked = (*underline, number)
            yield MergeConflict(marked[0], number, frozenset(marked))
        elif begun:
            begun.append(number)
        underline = (number,) if sign == "=" and not begun else ()
    if begun:
        yield MergeConflict(begun[0], begun[-1], frozenset(begun))


def _runs_of_numbers(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of consecutive numbers."""
    start = 0
    for at, (one, other) in enumerate(pairwise(numbers), 1):
        if other != one + 1:
            yield numbers[start], one
            start = at
    if numbers:
        yield numbers[start], numbers[-1]
