"""An index of links: the edges of a corpus as pairs of statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, compress, product

from kg.corpus import Corpus
from kg.corpus.cached_rows import CachedRecords, group_numbers, rows_of_groups
from kg.memoize import memoized_method
from kg.model import Edge, Relation

IdsById = Mapping[str, tuple[str, ...]]
MAX_SINGLE_LOOKUPS = 1000  # ids up to which each is looked up by itself
_NOTHING: frozenset[str] = frozenset()


class LinkIndex:
    """Links by statement and relation; each index is made on first use."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def linked_ids(self, relation: Relation, ids: Set[str], onward: bool) -> Set[str]:
        """Statements to which edges from `ids` lead or, if `onward`, those with edges to `ids`."""
        if not self.is_cached:
            return step_along(
                self.incoming_ids(relation) if onward else self.outgoing_ids(relation), ids
            )
        statement_ids = self._statement_ids
        ids_inside = ids & statement_ids
        # for a single query, an index of all edges would not pay
        if len(ids) > MAX_SINGLE_LOOKUPS and (columns := self._link_columns(relation)):
            wanted_ends, other_ends = columns if onward else columns[::-1]
            is_linked = map(ids_inside.__contains__, other_ends)
            return statement_ids & {*compress(wanted_ends, is_linked)}
        pairs = self._pairs_near(relation, ids)
        if onward:
            return statement_ids & {start for start, end in pairs if end in ids_inside}
        return statement_ids & {end for start, end in pairs if start in ids_inside}

    @memoized_method
    def outgoing_ids(self, relation: Relation) -> IdsById:
        """The targets of each statement's edges."""
        return group_pairs(self._pairs(relation))

    @memoized_method
    def incoming_ids(self, relation: Relation) -> IdsById:
        """The sources of the edges to each statement."""
        return group_pairs((b, a) for a, b in self._pairs(relation))

    def _pairs(self, relation: Relation) -> Iterable[tuple[str, str]]:
        statement_ids = self._statement_ids
        return (
            pair
            for pair in self._links(relation)
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
        if len(ids) <= MAX_SINGLE_LOOKUPS and self.is_cached:
            return chain.from_iterable(map(self.ends, self._edges_near(relation, ids)))
        return self._links(relation)

    def _edges_near(self, relation: Relation, ids: Set[str]) -> Iterable[Edge]:
        """The edges of a relation that link one of `ids`, in order; all of them for undercuts,
        whose links depend on other edges.
        """
        corpus, edges = self.corpus, self.corpus.edges_by_id
        if relation is Relation.UNDERCUTS or not isinstance(edges, CachedRecords):
            return self.edges(relation)
        groups = (corpus.edges_from, corpus.edges_to, corpus.edges_with)
        near_edges = rows_of_groups(edges.rows, groups, ids)
        return (edge for edge in near_edges if edge.relation is relation)

    @property
    def is_cached(self) -> bool:
        """Whether the corpus comes from the cache of an earlier run, and is decoded lazily."""
        return isinstance(self.corpus.statements, CachedRecords)

    @memoized_method
    def _links(self, relation: Relation) -> Sequence[tuple[str, str]]:
        """The pairs of statements that edges of a relation link (see `ends`)."""
        if columns := self._link_columns(relation):
            return list(zip(*columns, strict=True))
        return [pair for edge in self.edges(relation) for pair in self.ends(edge)]

    @memoized_method
    def _link_columns(self, relation: Relation) -> tuple[list[str], list[str]] | None:
        """Starts and ends of links, from the columns of a cached corpus; None if it is not cached,
        or if some edges link more than their ends, and so must be decoded.
        """
        edges = self.corpus.edges_by_id
        if relation is Relation.UNDERCUTS or not isinstance(edges, CachedRecords):
            return None
        numbers, rows = group_numbers(self.corpus.edges_by_relation, relation), edges.rows
        edges_with_more_links = set(rows.recorded_values("together")[0])
        edge_numbers, mutual = rows.recorded_values("mutual")
        if True in mutual:
            edges_with_more_links.update(compress(edge_numbers, mutual))
        if not edges_with_more_links.isdisjoint(numbers):
            return None
        (rows_with_start, starts), (_, ends) = map(rows.recorded_values, ("source", "target"))
        if len(starts) != len(ends) or (starts and rows_with_start[-1] != len(starts) - 1):
            return None  # else all have both, and the values stand where the rows do
        return [starts[number] for number in numbers], [ends[number] for number in numbers]

    def edges(self, relation: Relation) -> tuple[Edge, ...]:
        """Edges of one relation."""
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

    @memoized_method
    def neighbours(
        self, relations: tuple[Relation, ...]
    ) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """For each statement, the statements linked with it in either direction, and the edges."""
        links_by_id: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        relation_set = frozenset(relations)
        for edge in self.corpus.edges:
            for start, end in self.ends(edge) if edge.relation in relation_set else ():
                links_by_id[start][end, edge.id] = None
                links_by_id[end][start, edge.id] = None
        return {id: tuple(links) for id, links in links_by_id.items()}

    @cached_property
    def _statement_ids(self) -> frozenset[str]:
        return frozenset(self.corpus.statements)


def step_along(links: IdsById, start_ids: Set[str]) -> Set[str]:
    """All ids to which links lead from `start_ids` in one step."""
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
