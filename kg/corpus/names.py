"""Which id a link means: by id, alias, file name or path; undercuts, which lead to edges, last.

Before that, what joining changes in records: undeclared methods, sources with two entries, keys."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from kg.model import (
    Citation,
    Diagnostic,
    InquiryLine,
    Quotation,
    Severity,
    Source,
    Span,
    Statement,
    Value,
)
from kg.model.ladder import Quality
from kg.model.spelling import closest
from kg.notes.parsed import ParsedNote, PendingEdge, PendingMethod
from kg.notes.synonyms import METHODS


class Names:
    """Every name by which a note links to something."""

    def __init__(
        self,
        notes: Iterable[ParsedNote],
        statements: Mapping[str, Statement],
        lines: Mapping[str, InquiryLine],
        sources: Mapping[str, Source],
    ) -> None:
        self._ids: dict[str, tuple[str, ...]] = {}  # each id leads to itself
        self._others: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._folded: dict[str, dict[str, None]] | None = None
        self._edges: dict[str, str] = {}
        for things in (statements, lines, sources):
            for id, thing in things.items():
                self._ids[id] = (id,)
                for alias in thing.aliases:
                    self._others[alias][id] = None
        for note in notes:
            if note.id in self._ids:
                self._others["/" + note.path][note.id] = None
                stem = note.path.rpartition("/")[2].removesuffix(".md")
                if stem != note.id:
                    self._others[stem][note.id] = None

    def aliases(self) -> dict[str, str]:
        """Other names that lead to one id alone."""
        return {
            name: next(iter(ids))
            for name, ids in self._others.items()
            if name[:1] != "/" and len(ids) == 1 and name not in self._ids
        }

    def find(self, target: str) -> tuple[str, ...]:
        """The id that a link means; none where it leads nowhere, several where it is not clear."""
        if found := self._ids.get(target):
            return found
        if target in self._others:
            return tuple(self._others[target])
        name, mark, block = target.partition("#")
        if not mark or not block.startswith("^"):
            return self._note(name)  # of a heading within a note, the note is what is meant
        nested = (f"{note}#{block[1:]}" for note in self._note(name))
        return tuple(id for id in nested if id in self._ids)

    def find_mentioned(self, target: str) -> tuple[str, ...]:
        """The id that a link in running text means: any block of a note may be linked to."""
        return self.find(target) or self._note(target.partition("#")[0])

    # -- edges -------------------------------------------------------------------------

    def add_edge(self, id: str, name: str | None = None) -> None:
        """Make an edge findable: by its own id, and by another name that is still free."""
        self._edges[id] = id
        if name is not None:
            self._edges.setdefault(name, id)

    def find_edge(self, target: str) -> str | None:
        """The edge that `note#^id` names."""
        name, _, block = target.partition("#^")
        for note in self._note(name):
            if (id := f"{note}#{block}") in self._edges:
                return self._edges[id]
        return self._edges.get(target)

    # -- notes -------------------------------------------------------------------------

    def _note(self, name: str) -> tuple[str, ...]:
        found = self._ids.get(name)
        if found:
            return found
        if name in self._others:
            return tuple(self._others[name])
        if name.startswith("@") and name[1:] in self._ids:
            return (name[1:],)
        return () if name.startswith("/") else self._any_case(name)

    def _any_case(self, name: str) -> tuple[str, ...]:
        if self._folded is None:
            self._folded = defaultdict(dict)
            for id in self._ids:
                self._folded[id.casefold()][id] = None
            for other, ids in self._others.items():
                self._folded[other.casefold()].update(ids)
        return tuple(self._folded.get(name.casefold(), ()))


def resolve_undercuts(
    waiting: Sequence[PendingEdge], names: Names, id_of: Callable[[PendingEdge, str], str]
) -> dict[int, str]:
    """The edge that each undercut leads to, by its index in `waiting`; the others lead nowhere.

    An undercut that has a name of its own may be undercut by one that it undercuts itself.
    """
    ids: dict[int, str] = {}
    for number, pending in enumerate(waiting):
        if pending.block and names.find_edge(f"{_note(pending)}#^{pending.block}") is None:
            ids[number] = id_of(pending, "")
            names.add_edge(ids[number])
    targets: dict[int, str] = {}
    while found := _resolved(waiting, names, targets):
        for number, target in found.items():
            targets[number] = target
            ids.setdefault(number, id_of(waiting[number], target))
            names.add_edge(ids[number])
    return _standing(targets, ids)


def _note(pending: PendingEdge) -> str:
    return pending.source.partition("#")[0]


def _resolved(
    waiting: Sequence[PendingEdge], names: Names, known: dict[int, str]
) -> dict[int, str]:
    return {
        number: target
        for number, pending in enumerate(waiting)
        if number not in known and (target := names.find_edge(pending.target)) is not None
    }


def _standing(targets: dict[int, str], ids: dict[int, str]) -> dict[int, str]:
    """`targets` without those that lead to an undercut which itself leads nowhere."""
    while True:
        fallen = {id for number, id in ids.items() if number not in targets}
        kept = {number: target for number, target in targets.items() if target not in fallen}
        if len(kept) == len(targets):
            return targets
        targets = kept


class Why(enum.Enum):
    """What keeps a reference from being resolved."""

    UNKNOWN_TARGET = enum.auto()
    AMBIGUOUS = enum.auto()
    WRONG_KIND = enum.auto()
    NOT_AN_EDGE = enum.auto()
    UNKNOWN_RELATION = enum.auto()
    UNKNOWN_CAMP = enum.auto()
    NOT_LINKABLE = enum.auto()
    OWN_PREMISE = enum.auto()


class Unresolved(Value, frozen=True):
    """An edge that could not be made; `candidates` are the ids that it does lead to, if any."""

    edge: PendingEdge
    why: Why
    candidates: tuple[str, ...] = ()


class Duplicate(Value, frozen=True):
    """A second use of an id; the first one keeps it."""

    id: str
    span: Span
    first: Span


_NEAR = 0.8  # a misspelling, and not a part of another name: `analysis` is no `meta-analysis`


def with_known_methods(note: ParsedNote, table: Quality) -> ParsedNote:
    """`note` without the methods that `table` does not declare, each of them a problem."""
    unknown = [method for method in note.methods if method.word not in table.kinds]
    if not unknown:
        return note
    lost = {method.statement for method in unknown}
    found = (*note.diagnostics, *(_problem(method, table) for method in unknown))
    best_guess = note.best_guess and with_known_methods(note.best_guess, table)
    return msgspec.structs.replace(
        note,
        statements=tuple(
            msgspec.structs.replace(each, method=None) if each.id in lost else each
            for each in note.statements
        ),
        diagnostics=tuple(sorted(found, key=lambda problem: problem.span)),
        best_guess=best_guess and msgspec.structs.replace(best_guess, diagnostics=()),
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


def titled(source: Source) -> Source:
    """A source without a title, with its key as the title."""
    return msgspec.structs.replace(source, title=source.key)


def merge_source(entry: Source, note: Source) -> Source:
    """A bibliography entry with the values that its note adds or changes."""
    added = {
        name: value
        for name in note.__struct_fields__
        if name not in {"key", "type", "entry", "title"}
        and (value := getattr(note, name)) not in ((), "", None, {})
    }
    return msgspec.structs.replace(entry, **added)


Citing = TypeVar("Citing", Statement, InquiryLine)
Cited = TypeVar("Cited", Citation, Quotation)


def with_own_keys(
    records: dict[str, Citing], sources: Mapping[str, Source], aliases: Mapping[str, str]
) -> dict[str, Citing]:
    """The records, each citation and quotation under the key of the source that it means."""
    own_keys = {
        name: key for name, key in aliases.items() if key in sources and name not in sources
    }
    if not own_keys:
        return records
    return {id: _recited(record, own_keys) for id, record in records.items()}


def _recited(record: Citing, own_keys: Mapping[str, str]) -> Citing:
    keys = {one.key for one in record.citations} | {one.key for one in record.quotations}
    if keys.isdisjoint(own_keys):
        return record
    return msgspec.structs.replace(
        record,
        citations=tuple(_own(one, own_keys) for one in record.citations),
        quotations=tuple(_own(one, own_keys) for one in record.quotations),
    )


def _own(cited: Cited, own_keys: Mapping[str, str]) -> Cited:
    key: str = cited.key
    return msgspec.structs.replace(cited, key=own_keys.get(key, key))
