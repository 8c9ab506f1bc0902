"""What git leaves in a file where two versions of it could not be merged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_MARK = re.compile(r"(<{7}|={7}|>{7}|\|{7})(?:[ \t].*)?\r?$")


class Conflict(NamedTuple):
    """The lines, from 1, on which a conflict begins and ends, and those that are left out."""

    first: int
    last: int
    left_out: frozenset[int]


class Settled(NamedTuple):
    """A text with the first version of each conflict, every line where it was."""

    text: str
    conflicts: tuple[Conflict, ...] = ()


def settle_conflicts(text: str, *, markdown: bool = False) -> Settled:
    """`text` without the marks of conflicts and without what stands in second versions.

    Git knows no Markdown: a conflict may begin, end or stand in a code block. A `=======` alone
    underlines a title.
    """
    # a lone sign is found many times faster than a row of them, and most texts hold neither
    begun = "<" in text and "<<<<<<<" in text
    if not begun and not (">" in text and ">>>>>>> " in text):
        return Settled(text)
    lines = text.split("\n")
    found = tuple(_find(_marks(lines)))
    for start, stop in _runs(sorted(n for conflict in found for n in conflict.left_out)):
        # a callout goes on below the conflict within it
        quoted = markdown and start > 1 and lines[start - 2][:1] == ">"
        inside = quoted and lines[stop : stop + 1] and re.match(r">(?! ?\[!)", lines[stop])
        lines[start - 1 : stop] = [">" if inside else ""] * (stop - start + 1)
    return Settled("\n".join(lines), found)


def _marks(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Number and sign of each line that may be a mark."""
    for number, line in enumerate(lines, 1):
        if line[:1] in "<=>|" and _MARK.match(line):
            yield number, line[0]


def _find(marks: Iterable[tuple[int, str]]) -> Iterator[Conflict]:
    begun: list[int] = []  # the first mark of a conflict, and those between its versions
    underline: tuple[int, ...] = ()
    for number, sign in marks:
        if sign == "<":
            if begun:  # its end is gone: only its marks are known
                yield Conflict(begun[0], begun[-1], frozenset(begun))
            begun = [number]
        elif sign == ">" and begun:
            second = begun[1] if len(begun) > 1 else number
            yield Conflict(begun[0], number, frozenset((begun[0], *range(second, number + 1))))
            begun = []
        elif sign == ">":
            marked = (*underline, number)
            yield Conflict(marked[0], number, frozenset(marked))
        elif begun:
            begun.append(number)
        underline = (number,) if sign == "=" and not begun else ()
    if begun:
        yield Conflict(begun[0], begun[-1], frozenset(begun))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of numbers that follow one another."""
    start = 0
    for at, (one, other) in enumerate(pairwise(numbers), 1):
        if other != one + 1:
            yield numbers[start], one
            start = at
    if numbers:
        yield numbers[start], numbers[-1]
