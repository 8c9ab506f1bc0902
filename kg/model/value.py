"""The base of every record, rendering of records, places in files, and diagnostics."""

from __future__ import annotations

import enum
import gc
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from kg.text.merge_conflicts import MergeConflict

StatementId = str
SourceKey = str
LineId = str
EdgeId = str
CampId = str


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record that never changes after it is made."""


MAX_SHORT_TITLE_CHARACTERS = 90  # characters of a title in one line


def render_short(kind: str, name: str, text: str = "") -> str:
    """A record in one line: `<claim naps-help: A short nap helps …>`."""
    words = " ".join(text.split())
    words = (
        words
        if len(words) <= MAX_SHORT_TITLE_CHARACTERS
        else f"{words[: MAX_SHORT_TITLE_CHARACTERS - 1].rstrip()}…"
    )
    return f"<{kind} {name}{': ' if words else ''}{words}>"


def render_card(title: str, name: str, facts: tuple[str, ...], body: str = "") -> str:
    """A record as HTML, with its content escaped."""
    from html import escape

    line = " · ".join(escape(fact) for fact in facts if fact)
    text = f"<p>{escape(body)}</p>" if body else ""
    return f"<p><strong>{escape(title)}</strong><br><code>{escape(name)}</code> {line}</p>{text}"


# Joiners and non-joiners, which Persian and many emoji need, but only between two letters.
_LETTER = "[^\x00-\xbf\u2000-\u206f\ufeff]"
_JOINER = re.compile(f"(?<={_LETTER})[\u200c\u200d](?={_LETTER})")


def printable(text: str) -> str:
    """`text` without control characters, which a terminal would interpret."""
    return replace_unprintable(text, lambda sign: " " if sign.isspace() else "�")


def printable_lines(text: str) -> str:
    """`printable` applied line by line: line breaks are kept."""
    return "\n".join(map(printable, text.split("\n")))


def replace_unprintable(text: str, instead: Callable[[str], str]) -> str:
    """`text` with `instead(sign)` for every control or hidden character."""
    if text.isprintable():  # the usual case
        return text
    joiners = {found.start() for found in _JOINER.finditer(text)}
    signs = enumerate(text)
    return "".join(s if s.isprintable() or at in joiners else instead(s) for at, s in signs)


def pluralize(count: int, thing: str) -> str:
    """`1 claim`, `2 claims`, `2 queries`, `2 essays`: a count with the thing counted."""
    if count == 1:
        return f"1 {thing}"
    if thing.endswith("y") and thing[-2] not in "aeiou":
        return f"{count} {thing[:-1]}ies"
    return f"{count} {thing}s"


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause the garbage collector while many values and no cycles are made: halves the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


Asked = ParamSpec("Asked")
Found = TypeVar("Found")


def kept(
    make: Callable[Concatenate[Any, Asked], Found],
) -> Callable[Concatenate[Any, Asked], Found]:
    """A method that is worked out once for what it is asked; its object keeps what was found."""

    @wraps(make)
    def ask(self: Any, /, *asked: Asked.args, **more: Asked.kwargs) -> Found:
        known = self.__dict__.setdefault("_found", {})
        key = (make, *asked, *more.items())
        if key not in known:
            with pause_gc():
                known[key] = make(self, *asked, **more)
        found: Found = known[key]
        return found

    return ask


class Span(msgspec.Struct, frozen=True, order=True, array_like=True):
    """A place in a file: path relative to the notes folder, line and column from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class Severity(enum.StrEnum):
    """How severe a problem is; only errors make `kg check` fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Edit(Value, frozen=True):
    """A replacement by `text` of what a file has from one place up to another.

    Lines and columns count from 1, in characters, as in `Span`.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fix(Value, frozen=True):
    """A fix for a problem: edits that do not overlap, applied all or none."""

    title: str
    edits: tuple[Edit, ...]


def fix_at(place: Span, old: str, new: str) -> Fix:
    """The fix that replaces `old`, at `place`, by `new`."""
    lines, last = old.count("\n"), old.rpartition("\n")[2]
    edit = Edit(
        path=place.path,
        line=place.line,
        column=place.column,
        end_line=place.line + lines,
        end_column=len(last) + (1 if lines else place.column),
        text=new,
    )
    shown = [printable(words) for words in (old, new)]
    if max(map(len, shown)) > MAX_SHORT_TITLE_CHARACTERS:
        return Fix(title="Write it as it is read", edits=(edit,))
    return Fix(title=f"Write `{shown[1]}` for `{shown[0]}`", edits=(edit,))


class Diagnostic(Value, frozen=True):
    """One problem, at one place, under a stable rule name.

    `fix` is given if there is only one plausible fix. `about` names the field whose value is
    wrong, or the callout that was most likely meant, for rules that depend on it.
    """

    rule: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    related: tuple[Span, ...] = ()
    fix: Fix | None = None
    about: str = ""


_CONFLICT_HELP = (
    "keep what is meant, and delete the lines `<<<<<<<`, `=======` and `>>>>>>>`; "
    "until then the first version is read. In an example of one, put a space before each mark"
)
_MAX_CONFLICTS = 3  # further conflicts of a file whose places are listed


def conflict_diagnostic(
    path: str, conflicts: Sequence[MergeConflict], where: str = ""
) -> Diagnostic:
    """The diagnostic for a file with conflicts; `where` describes the place of the first."""
    more = len(conflicts) - 1
    others = f", and {more} more below" if more else ""
    return Diagnostic(
        rule="merge-conflict",
        severity=Severity.ERROR,
        message=f"unresolved merge conflict{where}{others}",
        span=Span(path, conflicts[0].first),
        help=_CONFLICT_HELP,
        related=tuple(Span(path, each.first) for each in conflicts[1 : _MAX_CONFLICTS + 1]),
    )
