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
    omitted_lines: frozenset[int]


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
    has_first_mark = "<" in text and "<<<<<<<" in text
    if not has_first_mark and not (">" in text and ">>>>>>> " in text):
        return WithoutConflicts(text)
    lines = text.split("\n")
    conflicts = tuple(_conflicts_between_marks(_conflict_marks(lines)))
    for start, stop in _runs_of_numbers(
        sorted(n for conflict in conflicts for n in conflict.omitted_lines)
    ):
        # a callout continues after a conflict within it
        quoted = markdown and start > 1 and lines[start - 2][:1] == ">"
        inside = quoted and lines[stop : stop + 1] and re.match(r">(?! ?\[!)", lines[stop])
        lines[start - 1 : stop] = [">" if inside else ""] * (stop - start + 1)
    return WithoutConflicts("\n".join(lines), conflicts)


def _conflict_marks(text_lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The number and first character of each line that may be a mark."""
    for number, text_line in enumerate(text_lines, 1):
        if text_line[:1] in "<=>|" and _MARK.match(text_line):
            yield number, text_line[0]


def _conflicts_between_marks(marks: Iterable[tuple[int, str]]) -> Iterator[MergeConflict]:
    open_marks: list[int] = []  # the first mark of a conflict, and those between its versions
    underline: tuple[int, ...] = ()
    for number, sign in marks:
        if sign == "<":
            if open_marks:  # its end is missing: leave out only its marks
                yield MergeConflict(open_marks[0], open_marks[-1], frozenset(open_marks))
            open_marks = [number]
        elif sign == ">" and open_marks:
            second = open_marks[1] if len(open_marks) > 1 else number
            yield MergeConflict(
                open_marks[0], number, frozenset((open_marks[0], *range(second, number + 1)))
            )
            open_marks = []
        elif sign == ">":
            mark_lines = (*underline, number)
            yield MergeConflict(mark_lines[0], number, frozenset(mark_lines))
        elif open_marks:
            open_marks.append(number)
        underline = (number,) if sign == "=" and not open_marks else ()
    if open_marks:
        yield MergeConflict(open_marks[0], open_marks[-1], frozenset(open_marks))


def _runs_of_numbers(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of consecutive numbers."""
    start = 0
    for index, (number, following) in enumerate(pairwise(numbers), 1):
        if following != number + 1:
            yield numbers[start], number
            start = index
    if numbers:
        yield numbers[start], numbers[-1]
