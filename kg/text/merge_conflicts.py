"""Git's conflict lines in a file of which two versions could not be merged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_CONFLICT_LINE = re.compile(r"(<{7}|={7}|>{7}|\|{7})(?:[ \t].*)?\r?$")


class MergeConflict(NamedTuple):
    """The first and last line of a conflict, from 1, and the lines that are left out."""

    first: int
    last: int
    omitted_lines: frozenset[int]


class WithoutConflicts(NamedTuple):
    """A text with the first version of each conflict, with line numbers unchanged."""

    text: str
    conflicts: tuple[MergeConflict, ...] = ()


def keep_first_versions(text: str, *, markdown: bool = False) -> WithoutConflicts:
    """`text` with conflict lines and second versions replaced by empty lines.

    Git does not know Markdown: a conflict may begin, end or lie in a code block. A `=======` alone
    underlines a title.
    """
    # searching for a single character is much faster than for seven, and most texts have none
    has_first_line = "<" in text and "<<<<<<<" in text
    if not has_first_line and not (">" in text and ">>>>>>> " in text):
        return WithoutConflicts(text)
    lines = text.split("\n")
    conflicts = tuple(_conflicts_between_lines(_find_conflict_lines(lines)))
    for first, last in _runs_of_numbers(
        sorted(n for conflict in conflicts for n in conflict.omitted_lines)
    ):
        # a callout continues after a conflict within it
        quoted = markdown and first > 1 and lines[first - 2][:1] == ">"
        inside = quoted and lines[last : last + 1] and re.match(r">(?! ?\[!)", lines[last])
        lines[first - 1 : last] = [">" if inside else ""] * (last - first + 1)
    return WithoutConflicts("\n".join(lines), conflicts)


def _find_conflict_lines(text_lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The number and first character of each line that may be a conflict line."""
    for number, text_line in enumerate(text_lines, 1):
        if text_line[:1] in "<=>|" and _CONFLICT_LINE.match(text_line):
            yield number, text_line[0]


def _conflicts_between_lines(conflict_lines: Iterable[tuple[int, str]]) -> Iterator[MergeConflict]:
    open_lines: list[int] = []  # the first line of a conflict, and those between its versions
    underline: tuple[int, ...] = ()
    for number, sign in conflict_lines:
        if sign == "<":
            if open_lines:  # its end is missing: leave out only its conflict lines
                yield MergeConflict(open_lines[0], open_lines[-1], frozenset(open_lines))
            open_lines = [number]
        elif sign == ">" and open_lines:
            second = open_lines[1] if len(open_lines) > 1 else number
            yield MergeConflict(
                open_lines[0], number, frozenset((open_lines[0], *range(second, number + 1)))
            )
            open_lines = []
        elif sign == ">":
            own_lines = (*underline, number)
            yield MergeConflict(own_lines[0], number, frozenset(own_lines))
        elif open_lines:
            open_lines.append(number)
        underline = (number,) if sign == "=" and not open_lines else ()
    if open_lines:
        yield MergeConflict(open_lines[0], open_lines[-1], frozenset(open_lines))


def _runs_of_numbers(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of consecutive numbers."""
    start = 0
    for index, (number, following) in enumerate(pairwise(numbers), 1):
        if following != number + 1:
            yield numbers[start], number
            start = index
    if numbers:
        yield numbers[start], numbers[-1]
