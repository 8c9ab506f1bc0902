"""Methods of evidence that the format does not know: the settings of the corpus decide."""

from __future__ import annotations

import msgspec

from kg.model import Diagnostic, Severity
from kg.model.ladder import Quality
from kg.model.spelling import closest
from kg.notes.hints import METHODS
from kg.notes.parsed import ParsedNote, PendingMethod

_NEAR = 0.8  # a misspelling, and not a part of another name: `analysis` is no `meta-analysis`


def with_known_methods(note: ParsedNote, table: Quality) -> ParsedNote:
    """`note` without the methods that `table` does not declare, each of them a problem."""
    unknown = [method for method in note.methods if method.word not in table.kinds]
    if not unknown:
        return note
    lost = {method.statement for method in unknown}
    found = (*note.diagnostics, *(_problem(method, table) for method in unknown))
    meant = note.meant and with_known_methods(note.meant, table)
    return msgspec.structs.replace(
        note,
        statements=tuple(
            msgspec.structs.replace(each, method=None) if each.id in lost else each
            for each in note.statements
        ),
        diagnostics=tuple(sorted(found, key=lambda problem: problem.span)),
        meant=meant and msgspec.structs.replace(meant, diagnostics=()),
    )


def _problem(method: PendingMethod, table: Quality) -> Diagnostic:
    return Diagnostic(
        rule="bad-value",
        severity=Severity.ERROR,
        message=f"`method` cannot be {method.word!r}",
        span=method.span,
        help=_help(method.word, table),
    )


def _help(word: str, table: Quality) -> str:
    """The method that is spelled almost so, or that the word stands for if that lifts nothing.

    A guess by meaning must not put evidence higher than saying nothing would.
    """
    if close := closest(word, table.kinds, _NEAR):
        return f"did you mean `{close}`?"
    other = METHODS.get(word, "")
    if table.kinds.get(other, table.top) <= table.unrecorded:
        return f"did you mean `{other}`?"
    *most, last = table.kinds
    return f"write {', '.join(most)} or {last}, or declare it in kg.toml, `[quality.kinds]`"
