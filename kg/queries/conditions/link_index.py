"""An index of links: the edges of a corpus as pairs of statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, compress, product
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.columns import edges_near, is_read_record_by_record, premises_and_targets
from kg.model import Edge, EdgeId, Relation, StatementId
from kg.runtime.memoize import ResultsKeeper, memoize

IdsById = Mapping[str, tuple[str, ...]]
MAX_SINGLE_LOOKUPS = 1000  # ids up to which each is looked up by itself
_NOTHING: frozenset[str] = frozenset()


class Neighbour(NamedTuple):
    """A statement that an edge links with another."""

    id: StatementId
    edge: EdgeId


class LinkIndex(ResultsKeeper):
    """Links by statement and relation; each index is made on first use."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def linked_ids(self, relation: Relation, ids: Set[str], lead_to_ids: bool) -> Set[str]:
        """Statements whose edges `lead_to_ids` or, if false, those to which edges from `ids`
        lead.
        """
        if not is_read_record_by_record(self.corpus):
            # all edges are in memory, and a second question will use the index again
            links = self.incoming_ids(relation) if lead_to_ids else self.outgoing_ids(relation)
            return step_along(links, ids)
        statement_ids = self._statement_ids
        ids_inside = ids & statement_ids
        # for a single query, an index of all edges would not pay
        if len(ids) > MAX_SINGLE_LOOKUPS and (columns := self._starts_and_ends(relation)):
            wanted_ends, other_ends = columns if lead_to_ids else columns[::-1]
            is_linked = map(ids_inside.__contains__, other_ends)
            return statement_ids & {*compress(wanted_ends, is_linked)}
        pairs = self._pairs_near(relation, ids)
        if lead_to_ids:
            return statement_ids & {start for start, end in pairs if end in ids_inside}
        return statement_ids & {end for start, end in pairs if start in ids_inside}

    @memoize
    def outgoing_ids(self, relation: Relation) -> IdsById:
        """The targets of each statement's edges."""
        return group_pairs(self._pairs_in_scope(relation))

    @memoize
    def incoming_ids(self, relation: Relation) -> IdsById:
        """The premises of the edges to each statement."""
        return group_pairs((b, a) for a, b in self._pairs_in_scope(relation))

    def _pairs_in_scope(self, relation: Relation) -> Iterable[tuple[str, str]]:
        statement_ids = self._statement_ids
        return (
            pair
            for pair in self._pairs_linked_by(relation)
            if pair[0] in statement_ids and pair[1] in statement_ids
        )

    def links(
        self, relations: Iterable[Relation], ids: Set[str]
    ) -> Iterable[tuple[Relation, str, str]]:
        """The pairs of statements that edges of these relations link (see `ends`), at least those
        with one end among `ids`: by relation, in the order of the edges.
        """
        return ((each, *pair) for each in relations for pair in self._pairs_near(each, ids))

    def _pairs_near(self, relation: Relation, ids: Set[str]) -> Iterable[tuple[str, str]]:
        if len(ids) <= MAX_SINGLE_LOOKUPS and is_read_record_by_record(self.corpus):
            return chain.from_iterable(map(self.ends, self._edges_near(relation, ids)))
        return self._pairs_linked_by(relation)

    def _edges_near(self, relation: Relation, ids: Set[str]) -> Iterable[Edge]:
        """The edges of a relation that link one of `ids`, in order; all of them for undercuts,
        whose links depend on other edges.
        """
        if relation is Relation.UNDERCUTS or (edges := edges_near(self.corpus, ids)) is None:
            return self.edges(relation)
        return (edge for edge in edges if edge.relation is relation)

    @memoize
    def _pairs_linked_by(self, relation: Relation) -> Sequence[tuple[str, str]]:
        """The pairs of statements that edges of a relation link (see `ends`)."""
        if columns := self._starts_and_ends(relation):
            return list(zip(*columns, strict=True))
        return [pair for edge in self.edges(relation) for pair in self.ends(edge)]

    @memoize
    def _starts_and_ends(self, relation: Relation) -> tuple[list[str], list[str]] | None:
        """The same pairs as two columns; None if edges must be read for them."""
        if relation is Relation.UNDERCUTS:
            return None
        return premises_and_targets(self.corpus, relation)

    def edges(self, relation: Relation) -> tuple[Edge, ...]:
        """The edges of one relation; none if no note has it."""
        return self.corpus.edges_by_relation.get(relation, ())

    def ends(self, edge: Edge) -> tuple[tuple[str, str], ...]:
        """The pairs of statements that an edge links, each from its start to its end.

        Each premise of a joint reason is a start. A mutual contradiction leads both ways. An
        undercut leads to the premises of the edge that it denies and, if that is a support, to
        its target.
        """
        if edge.relation is Relation.UNDERCUTS:
            denied_edge = self.corpus.edges_by_id.get(edge.target)
            if denied_edge is None:
                return ()
            is_support = denied_edge.relation is Relation.SUPPORTS
            ends = (
                (*denied_edge.premises, denied_edge.target) if is_support else denied_edge.premises
            )
            return tuple(product(edge.premises, ends))
        if edge.together:
            return tuple((premise, edge.target) for premise in edge.premises)
        return edge.directions

    @memoize
    def neighbours(self, relations: tuple[Relation, ...]) -> Mapping[str, tuple[Neighbour, ...]]:
        """Map each statement to those linked with it in either direction, and the edges that link
        them.
        """
        neighbours_by_id: defaultdict[str, dict[Neighbour, None]] = defaultdict(dict)
        relation_set = frozenset(relations)
        for edge in self.corpus.edges:
            for start, end in self.ends(edge) if edge.relation in relation_set else ():
                neighbours_by_id[start][Neighbour(end, edge.id)] = None
                neighbours_by_id[end][Neighbour(start, edge.id)] = None
        return {id: tuple(neighbours) for id, neighbours in neighbours_by_id.items()}

    @cached_property
    def _statement_ids(self) -> frozenset[str]:
        return frozenset(self.corpus.statements)


def step_along(links: IdsById, start_ids: Set[str]) -> Set[str]:
    """Return all ids to which links lead from `start_ids` in one step."""
    if len(start_ids) == 1:
        (only_id,) = start_ids
        return frozenset(links.get(only_id, ()))
    if len(start_ids) > len(links):  # iterate over the shorter of the two
        return _NOTHING.union(*(ends for id, ends in links.items() if id in start_ids))
    return _NOTHING.union(*(links[id] for id in start_ids if id in links))


def group_pairs(pairs: Iterable[tuple[str, str]]) -> IdsById:
    """The second elements of pairs, grouped by the first."""
    values_by_key: defaultdict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        values_by_key[key].append(value)
    return {
        key: tuple(dict.fromkeys(values) if len(values) > 1 else values)
        for key, values in values_by_key.items()
    }
