"""What git leaves in a file where two versions of it could not be merged."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from kg.model.value import Diagnostic, Severity, Span

_MARK = re.compile(r"(<{7}|={7}|>{7}|\|{7})(?:[ \t].*)?\r?$")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*(\S?)")
_HELP = (
    "keep what is meant, and delete the lines `<<<<<<<`, `=======` and `>>>>>>>`; "
    "until then the first version is read"
)
_MOST_RELATED = 3  # further conflicts of a file whose places are told


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

    In Markdown, what a code block shows is left as it is. A `=======` alone underlines a title.
    """
    if "<<<<<<<" not in text and ">>>>>>> " not in text:
        return Settled(text)
    lines = text.split("\n")
    shown = _in_code(lines) if markdown else ()
    found = tuple(_find(list(_marks(lines, shown))))
    for start, stop in _runs(sorted(n for conflict in found for n in conflict.left_out)):
        # a callout goes on below the conflict within it
        quoted = markdown and start > 1 and lines[start - 2][:1] == ">"
        inside = quoted and lines[stop : stop + 1] and re.match(r">(?! ?\[!)", lines[stop])
        lines[start - 1 : stop] = [">" if inside else ""] * (stop - start + 1)
    return Settled("\n".join(lines), found)


def conflict_problem(path: str, conflicts: Sequence[Conflict], where: str = "") -> Diagnostic:
    """The one problem with a file in which conflicts stand; `where` the first of them does."""
    more = len(conflicts) - 1
    others = f", nor {more} below" if more else ""
    return Diagnostic(
        rule="merge-conflict",
        severity=Severity.ERROR,
        message=f"this merge conflict{where} was never settled{others}",
        span=Span(path, conflicts[0].first),
        help=_HELP,
        related=tuple(Span(path, each.first) for each in conflicts[1 : _MOST_RELATED + 1]),
    )


def _marks(lines: Sequence[str], shown: Collection[int]) -> Iterator[tuple[int, str]]:
    """Number and sign of each line that may be a mark."""
    for number, line in enumerate(lines, 1):
        if line[:1] in "<=>|" and _MARK.match(line) and number not in shown:
            yield number, line[0]


def _find(marks: list[tuple[int, str]]) -> Iterator[Conflict]:
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


def _in_code(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of all lines in code blocks that end."""
    shown: list[int] = []
    opened, begun = "", 0
    for number, line in enumerate(lines, 1):
        fence = _FENCE.match(line)
        if fence and not opened:
            opened, begun = fence[1], number
        elif fence and fence[1].startswith(opened) and not fence[2]:
            shown += range(begun, number)
            opened = ""
    return frozenset(shown)
