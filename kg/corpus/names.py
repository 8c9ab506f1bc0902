"""Which id a link means: by id, alias, file name or path; undercuts, which lead to edges, last.

And what somebody who asks means by a name: an id, an alias or a title."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kg.model import Edge, InquiryLine, Source, Span, Statement, Value
from kg.model.errors import KgError, need_type
from kg.model.ids import is_part, note_id_of, part_id, split_id
from kg.notes.parsed import ParsedNote, PendingEdge
from kg.text.folding import compose_accents, fold_name

MAX_LISTED = 6  # names that an error lists where none is near


class UnknownId(KgError, KeyError):
    """An id that nothing in the corpus carries; the message suggests the nearest ones.

    `where` is empty for names that belong to the program, such as those of rules. `shared` says
    that several are called so; then `nearest` is their ids.

    `corpus.why("sycofancy")`
    """

    def __init__(
        self,
        wanted: str,
        nearest: tuple[str, ...],
        what: str = "id",
        where: str = " in the corpus",
        shared: bool = False,
    ) -> None:
        self.wanted = wanted
        self.nearest = nearest
        self.what = what
        self.where = where
        self.shared = shared
        super().__init__(wanted)

    def __str__(self) -> str:
        if self.shared:
            ids = ", ".join((*self.nearest[:MAX_LISTED], "…")[: len(self.nearest)])
            return f"{len(self.nearest)} are called {self.wanted!r}: ask by id, {ids}"
        hint = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return f"no {self.what} {self.wanted!r}{self.where}{hint}"


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
        # other names, each with the ids it may mean, as a set that keeps its order
        self._others: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._ids_by_fold: dict[str, dict[str, None]] | None = None
        self._edges: dict[str, str] = {}
        self._former: defaultdict[str, list[str]] = defaultdict(list)  # names in other notes
        for things in (statements, lines, sources):
            for id, thing in things.items():
                self._ids[id] = (id,)
                for alias in thing.aliases:
                    self._others[compose_accents(alias)][id] = None
                    if is_part(alias):
                        self._former[id].append(alias)
        self._left_out: set[str] = set()
        for note in notes:
            if note.left_out:
                self._left_out |= {note.id.casefold(), f"/{compose_accents(note.path)}"}
            if note.id in self._ids:
                # paths begin with a stroke, so that no alias can be taken for one
                path = compose_accents(note.path)
                self._others["/" + path][note.id] = None
                stem = path.rpartition("/")[2].removesuffix(".md")
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
        """The id that a link means: none if it leads nowhere, several if it is ambiguous."""
        if ids := self._ids.get(target):
            return ids
        target = compose_accents(target)
        if target in self._others:
            return tuple(self._others[target])
        name, mark, block = split_id(target)
        if not mark or not block.startswith("^"):
            return self._note(name)  # of a heading within a note, the note is what is meant
        # what was a callout, and is a note of its own now, may have its old name as an alias
        nested = [f"{note}#{block[1:]}" for note in self._note(name)]
        found = (self._ids.get(each) or tuple(self._others.get(each, ())) for each in nested)
        return tuple(id for ids in found for id in ids)

    def is_left_out(self, target: str) -> bool:
        """Whether a link means a note that is there, and not read."""
        name = note_id_of(compose_accents(target))
        return not self._left_out.isdisjoint((name, name.casefold()))

    def find_mentioned(self, target: str) -> tuple[str, ...]:
        """The id that a link in running text means: any block of a note may be linked to."""
        return self.find(target) or self._note(note_id_of(target))

    # -- edges -------------------------------------------------------------------------

    def add_edge(self, id: str, name: str | None = None) -> None:
        """Make an edge findable: by its own id, and by another name that is still free."""
        self._edges[id] = id
        if name is not None:
            self._edges.setdefault(name, id)

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Make edges findable: that of a callout by the callout's name, too.

        So is the first edge of what was a callout of the note that it leads to, and is a note of
        its own now, by the alias `note#name`.
        """
        for edge in edges:
            self.add_edge(edge.id, edge.source if edge.nested else None)
            for alias in self._former.get(edge.source, ()):
                if self._note(note_id_of(alias)) == (note_id_of(edge.target),):
                    self.add_edge(edge.id, alias)

    def find_edge(self, target: str) -> str | None:
        """The edge that `note#^id` names."""
        name, _, block = compose_accents(target).partition("#^")
        for note in self._note(name):
            if (id := part_id(note, block)) in self._edges:
                return self._edges[id]
        return self._edges.get(target)

    # -- notes -------------------------------------------------------------------------

    def _note(self, name: str) -> tuple[str, ...]:
        name = compose_accents(name)
        ids = self._ids.get(name)
        if ids:
            return ids
        if name in self._others:
            return tuple(self._others[name])
        if name.startswith("@") and name[1:] in self._ids:
            return (name[1:],)
        return () if name.startswith("/") else self._any_case(name)

    def _any_case(self, name: str) -> tuple[str, ...]:
        if self._ids_by_fold is None:  # made when a link first needs it
            self._ids_by_fold = defaultdict(dict)
            for id in self._ids:
                self._ids_by_fold[id.casefold()][id] = None
            for other, ids in self._others.items():
                self._ids_by_fold[other.casefold()].update(ids)
        return tuple(self._ids_by_fold.get(name.casefold(), ()))


def resolve_undercuts(
    waiting: Sequence[PendingEdge], names: Names, id_of: Callable[[PendingEdge, str], str]
) -> dict[int, str]:
    """The edge that each undercut leads to, by its index in `waiting`; the others lead nowhere.

    An undercut that has a name of its own may be undercut by one that it undercuts itself.
    """
    ids: dict[int, str] = {}
    # those with a name of their own can be led to before it is known where they lead
    for number, pending in enumerate(waiting):
        if pending.block and names.find_edge(f"{_note(pending)}#^{pending.block}") is None:
            ids[number] = id_of(pending, "")
            names.add_edge(ids[number])
    targets: dict[int, str] = {}
    # an undercut without a name has its id by its target, so each round may make more findable
    while newly_found := _newly_found(waiting, names, targets):
        for number, target in newly_found.items():
            targets[number] = target
            ids.setdefault(number, id_of(waiting[number], target))
            names.add_edge(ids[number])
    return _without_dead_ends(targets, ids)


def _note(pending: PendingEdge) -> str:
    return note_id_of(pending.source)


def _newly_found(
    waiting: Sequence[PendingEdge], names: Names, known: dict[int, str]
) -> dict[int, str]:
    return {
        number: target
        for number, pending in enumerate(waiting)
        if number not in known and (target := names.find_edge(pending.target)) is not None
    }


def _without_dead_ends(targets: dict[int, str], ids: dict[int, str]) -> dict[int, str]:
    """`targets` without those that lead to an undercut which itself leads nowhere."""
    while True:
        nowhere = {id for number, id in ids.items() if number not in targets}
        left = {number: target for number, target in targets.items() if target not in nowhere}
        if len(left) == len(targets):
            return targets
        targets = left  # some undercut may have led to one that just went


class UnresolvedReason(enum.Enum):
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
    why: UnresolvedReason
    candidates: tuple[str, ...] = ()


class Duplicate(Value, frozen=True):
    """A second use of an id; the first one keeps it."""

    id: str
    span: Span
    first: Span


def find_by_name(
    name: str,
    aliases: Mapping[str, str],
    titled: Callable[[], Mapping[str, Sequence[str]]],
    *among: Mapping[str, Any],
) -> str | None:
    """The id among some things: by itself, by an alias, else by a title that one alone has."""
    need_type(name, str, "an id, alias or title is text")
    # as it stands first: what was read from quads may have ids that no file name would have
    for id in (name, *_ids(aliases, compose_accents(name))):
        if any(id in things for things in among):
            return id
    titles = titled()  # only now: they are made for it
    found = [id for id in find_by_title(name, titles) if any(id in things for things in among)]
    return found[0] if len(found) == 1 else None


def find_by_title(title: str, titled: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The ids of all that have a title, in any case and with any spaces."""
    return tuple(titled.get(_fold_title(title), ()))


def ids_by_title(*tables: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    """Ids by title, in any case and with any spaces."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for things in tables:
        for id, thing in things.items():
            found[_fold_title(thing.title)].append(id)
    return found


def _ids(aliases: Mapping[str, str], name: str) -> Iterator[str]:
    plain = name.removeprefix("@").replace("#^", "#")
    for each in (name, plain):
        yield each
        yield aliases.get(each, each)
    note, mark, part = split_id(plain)
    yield f"{aliases.get(note, note)}{mark}{part}"


def _fold_title(title: str) -> str:
    return " ".join(fold_name(title).split())
