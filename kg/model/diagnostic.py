"""Problems in notes: a diagnostic each, with its place and, if only one is plausible, its fix."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from kg.model.value import MAX_SHORT_TITLE_CHARACTERS, Span, Value
from kg.text.merge_conflicts import MergeConflict
from kg.text.printable import printable

_CONFLICT_HELP = (
    "keep what is meant, and delete the lines `<<<<<<<`, `=======` and `>>>>>>>`; "
    "until then the first version is read. In an example of one, put a space before each mark"
)
_MAX_CONFLICTS = 3  # further conflicts of a file whose places are listed


class Severity(enum.StrEnum):
    """The severity of a problem; only errors make `kg check` fail."""

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


def fix_at(span: Span, old: str, new: str) -> Fix:
    """The fix that replaces `old`, at `span`, by `new`."""
    lines = old.count("\n")
    last = old.rpartition("\n")[2]
    edit = Edit(
        path=span.path,
        line=span.line,
        column=span.column,
        end_line=span.line + lines,
        end_column=len(last) + (1 if lines else span.column),
        text=new,
    )
    texts = [printable(words) for words in (old, new)]
    if max(map(len, texts)) > MAX_SHORT_TITLE_CHARACTERS:
        return Fix(title="Write it as it is read", edits=(edit,))
    return Fix(title=f"Write `{texts[1]}` for `{texts[0]}`", edits=(edit,))


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


def conflict_problem(path: str, conflicts: Sequence[MergeConflict], where: str = "") -> Diagnostic:
    """The diagnostic for a file with conflicts; `where` describes the place of the first."""
    further_count = len(conflicts) - 1
    others = f", and {further_count} more below" if further_count else ""
    return Diagnostic(
        rule="merge-conflict",
        severity=Severity.ERROR,
        message=f"unresolved merge conflict{where}{others}",
        span=Span(path, conflicts[0].first),
        help=_CONFLICT_HELP,
        related=tuple(Span(path, each.first) for each in conflicts[1 : _MAX_CONFLICTS + 1]),
    )
