"""What answers selections: the corpus in memory, a store, a server."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, TypeAlias

from kg.corpus import Corpus
from kg.model import Edge, Relation
from kg.queries.condition import Pick
from kg.queries.order import Values
from kg.queries.sort import Sort

Ends: TypeAlias = tuple[tuple[str, str], ...]


class Engine(Protocol):
    """Whoever can say what a selection holds."""

    def resolve(self, pick: Pick) -> Pick:
        """The pick with every name in it made certain; raises `UnknownId`."""
        ...

    def find_ids(self, pick: Pick) -> tuple[str, ...]:
        """Ids of what a resolved pick holds, in its order."""
        ...

    def values(self, sort: Sort, field: str, ids: Collection[str]) -> Values:
        """The values of a field for some ids, where there are any."""
        ...

    def whole(self) -> Corpus:
        """All records, for what has to be reckoned over the whole corpus."""
        ...

    def corpus_with(self, sort: Sort, ids: Collection[str]) -> Corpus:
        """A corpus that holds at least the records of these ids."""
        ...

    def corpus_around(self, edges: Collection[Edge], ids: Collection[str]) -> Corpus:
        """A corpus that holds these statements, these edges and what they link."""
        ...

    def edges(self, relations: Collection[Relation]) -> Sequence[tuple[Edge, Ends]]:
        """Edges of some relations, each with the pairs of statements that it links."""
        ...
