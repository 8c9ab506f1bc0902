"""Which id a link means: by id, alias, file name or path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain

from kg.corpus.corpus import nearest
from kg.model import Edge, InquiryLine, Source, Statement
from kg.notes.parsed import ParsedNote


class Names:
    """Every name by which a note links to something."""

    def __init__(
        self,
        notes: Iterable[ParsedNote],
        statements: Mapping[str, Statement],
        lines: Mapping[str, InquiryLine],
        sources: Mapping[str, Source],
    ) -> None:
        self._ids = {id: (id,) for id in chain(statements, lines, sources)}
        self._others: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._folded: dict[str, dict[str, None]] | None = None
        self._edges: dict[str, str] = {}
        for things in (statements, lines, sources):
            for id, thing in things.items():
                for alias in thing.aliases:
                    self._others[alias][id] = None
        for note in notes:
            if note.id in self._ids:
                self._others["/" + note.path][note.id] = None
                stem = note.path.rpartition("/")[2].removesuffix(".md")
                if stem != note.id:
                    self._others[stem][note.id] = None

    @property
    def aliases(self) -> dict[str, str]:
        """Other names that lead to one id alone."""
        return {
            name: next(iter(ids))
            for name, ids in self._others.items()
            if len(ids) == 1 and not name.startswith("/") and name not in self._ids
        }

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Make edges findable: by their own ids, and a callout's edge by the callout's id."""
        for edge in edges:
            self._edges[edge.id] = edge.id
            if edge.nested:
                self._edges.setdefault(edge.source, edge.id)

    def find(self, target: str) -> tuple[str, ...]:
        """The id that a link means; none where it leads nowhere, several where it is not clear."""
        found = self._ids.get(target)
        if found:
            return found
        name, mark, block = target.partition("#")
        if not mark:
            return self._note(name)
        if not block.startswith("^"):
            return self._note(name)  # a heading within a note: the note is what is meant
        nested = (f"{note}#{block[1:]}" for note in self._note(name))
        return tuple(id for id in nested if id in self._ids)

    def find_edge(self, target: str) -> str | None:
        """The edge that `note#^id` names."""
        name, _, block = target.partition("#^")
        for note in self._note(name):
            if (id := f"{note}#{block}") in self._edges:
                return self._edges[id]
        return self._edges.get(target)

    def nearest(self, target: str) -> tuple[str, ...]:
        """Ids that look like a target that leads nowhere, as links would write them."""
        wanted = target.rpartition("/")[2].replace(".md", "").replace("#^", "#")
        return tuple(
            id.replace("#", "#^") for id in nearest(wanted, chain(self._ids, self.aliases))
        )

    def _note(self, name: str) -> tuple[str, ...]:
        found = self._ids.get(name)
        if found:
            return found
        if name in self._others:
            return tuple(self._others[name])
        return () if name.startswith("/") else self._any_case(name)

    def _any_case(self, name: str) -> tuple[str, ...]:
        if self._folded is None:
            self._folded = defaultdict(dict)
            for id in self._ids:
                self._folded[id.casefold()][id] = None
            for other, ids in self._others.items():
                self._folded[other.casefold()].update(ids)
        return tuple(self._folded.get(name.casefold(), ()))
