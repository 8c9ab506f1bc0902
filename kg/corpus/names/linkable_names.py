"""Resolve links to ids: by id, alias, file name or path; undercuts, which lead to edges, last."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kg.model import Edge, Span, Value
from kg.model.ids import is_part, note_id_of, part_id, split_id
from kg.notes.parsed_note import ParsedNote, PendingEdge
from kg.text.folding import compose_accents


class NoteName(NamedTuple):
    """The names by which a link may call a note."""

    path: str
    id: str
    left_out: bool


class LinkableNames:
    """Every name to which a note can link; `tables` are of records, by id."""

    def __init__(
        self,
        named_notes: Iterable[ParsedNote | NoteName],
        *tables: Mapping[str, Any],
    ) -> None:
        self._ids: dict[str, tuple[str, ...]] = {}  # each id leads to itself
        # other names, each with its possible ids, as an ordered set
        self._others: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._ids_by_fold: dict[str, dict[str, None]] | None = None
        self._edges: dict[str, str] = {}
        self._former: defaultdict[str, list[str]] = defaultdict(list)  # as parts of other notes
        for records in tables:
            for id, record in records.items():
                self._ids[id] = (id,)
                for alias in record.aliases:
                    self._others[compose_accents(alias)][id] = None
                    if is_part(alias):
                        self._former[id].append(alias)
        self._left_out: set[str] = set()
        for note in named_notes:
            if note.left_out:
                self._left_out |= {note.id.casefold(), f"/{compose_accents(note.path)}"}
            if note.id in self._ids:  # a glossary, or a note left out, has no record
                # paths begin with a slash, so that no alias can be taken for one
                path = compose_accents(note.path)
                self._others["/" + path][note.id] = None
                stem = path.rpartition("/")[2].removesuffix(".md")
                if stem != note.id:
                    self._others[stem][note.id] = None

    def aliases(self) -> dict[str, str]:
        """Other names that lead to exactly one id."""
        return {
            name: next(iter(ids))
            for name, ids in self._others.items()
            if name[:1] != "/" and len(ids) == 1 and name not in self._ids
        }

    def find_ids(self, target: str) -> tuple[str, ...]:
        """The ids that a link may mean: none if it leads nowhere, several if it is ambiguous."""
        if ids := self._ids.get(target):
            return ids
        target = compose_accents(target)
        if target in self._others:
            return tuple(self._others[target])
        name, mark, block = split_id(target)
        if not mark or not block.startswith("^"):
            return self._ids_of_note_name(name)  # a heading in a note stands for the note
        # a former callout that is now a note may have its old name as an alias
        part_ids = [f"{note}#{block[1:]}" for note in self._ids_of_note_name(name)]
        ids_of_each = (
            self._ids.get(each) or tuple(self._others.get(each, ())) for each in part_ids
        )
        return tuple(id for ids in ids_of_each for id in ids)

    def is_left_out(self, target: str) -> bool:
        """Return whether a link leads to a note that exists but is not read."""
        name = note_id_of(compose_accents(target))
        return not self._left_out.isdisjoint((name, name.casefold()))

    def find_mentioned(self, target: str) -> tuple[str, ...]:
        """The ids that a link in running text may mean: it may lead to any block of a note."""
        return self.find_ids(target) or self._ids_of_note_name(note_id_of(target))

    # -- edges -------------------------------------------------------------------------

    def add_edge(self, id: str, name: str | None = None) -> None:
        """Register an edge by its id, and by another name if that is not in use."""
        self._edges[id] = id
        if name is not None:
            self._edges.setdefault(name, id)

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Register edges; the edge of a callout also by the callout's name.

        The first edge from a former callout, now a note of its own, to its former note is also
        registered by its alias `note#name`.
        """
        for edge in edges:
            self.add_edge(edge.id, edge.origin if edge.nested else None)
            for alias in self._former.get(edge.origin, ()):
                if self._ids_of_note_name(note_id_of(alias)) == (note_id_of(edge.target),):
                    self.add_edge(edge.id, alias)

    def find_edge(self, target: str) -> str | None:
        """The id of the edge called `note#^id`; None if there is none."""
        name, _, block = compose_accents(target).partition("#^")
        for note in self._ids_of_note_name(name):
            if (id := part_id(note, block)) in self._edges:
                return self._edges[id]
        return self._edges.get(target)

    # -- notes -------------------------------------------------------------------------

    def _ids_of_note_name(self, name: str) -> tuple[str, ...]:
        name = compose_accents(name)
        ids = self._ids.get(name)
        if ids:
            return ids
        if name in self._others:
            return tuple(self._others[name])
        if name.startswith("@") and name[1:] in self._ids:
            return (name[1:],)
        return () if name.startswith("/") else self._ids_in_any_case(name)

    def _ids_in_any_case(self, name: str) -> tuple[str, ...]:
        if self._ids_by_fold is None:  # made on first use
            self._ids_by_fold = defaultdict(dict)
            for id in self._ids:
                self._ids_by_fold[id.casefold()][id] = None
            for other, ids in self._others.items():
                self._ids_by_fold[other.casefold()].update(ids)
        return tuple(self._ids_by_fold.get(name.casefold(), ()))


def resolve_undercuts(
    undercuts: Sequence[PendingEdge], names: LinkableNames, id_of: Callable[[PendingEdge, str], str]
) -> dict[int, str]:
    """The target edge of each undercut, by its index in `undercuts`, without those that have none.

    Undercuts with names may undercut each other.
    """
    ids: dict[int, str] = {}
    # undercuts with names can be targets before their own targets are known
    for number, pending in enumerate(undercuts):
        name = f"{note_id_of(pending.origin)}#^{pending.block}"
        if pending.block and names.find_edge(name) is None:
            ids[number] = id_of(pending, "")
            names.add_edge(ids[number])
    targets: dict[int, str] = {}
    # an undercut without a name gets its id from its target, so each round may register more
    while new_targets := {
        number: target
        for number, pending in enumerate(undercuts)
        if number not in targets and (target := names.find_edge(pending.target)) is not None
    }:
        for number, target in new_targets.items():
            targets[number] = target
            ids.setdefault(number, id_of(undercuts[number], target))
            names.add_edge(ids[number])
    return _without_unresolved_targets(targets, ids)


def _without_unresolved_targets(targets: dict[int, str], ids: dict[int, str]) -> dict[int, str]:
    """`targets` without those that lead to an undercut that has no target itself."""
    while True:
        untargeted_ids = {id for number, id in ids.items() if number not in targets}
        remaining = {
            number: target for number, target in targets.items() if target not in untargeted_ids
        }
        if len(remaining) == len(targets):
            return targets
        targets = remaining  # an undercut may have led to one just removed


class UnresolvedReason(enum.Enum):
    """The reason why a reference cannot be resolved."""

    UNKNOWN_TARGET = enum.auto()
    AMBIGUOUS = enum.auto()
    WRONG_KIND = enum.auto()
    NOT_AN_EDGE = enum.auto()
    UNKNOWN_RELATION = enum.auto()
    UNKNOWN_CAMP = enum.auto()
    NOT_LINKABLE = enum.auto()
    OWN_PREMISE = enum.auto()


class Unresolved(Value, frozen=True):
    """An edge that could not be resolved; `candidates` are the ids that its target may mean."""

    edge: PendingEdge
    reason: UnresolvedReason
    candidates: tuple[str, ...] = ()


class Duplicate(Value, frozen=True):
    """A second use of an id; the first one keeps it."""

    id: str
    span: Span
    first: Span
    is_draft: bool = False
