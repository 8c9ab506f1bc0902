"""Statements declared the same (`same-as`), and statements replaced by others (`supersedes`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from kg.corpus.corpus import Corpus
from kg.corpus.independent_sources import is_retracted
from kg.grouping import UnionFind
from kg.model import Kind, Relation, StatementId
from kg.reachability import walk_from
from kg.runtime.memoize import memoize


@memoize
def first_of_same(corpus: Corpus) -> Mapping[StatementId, StatementId]:
    """Map each statement declared the same as an earlier one to the first of its class in the
    corpus.

    Only statements of one sort are joined: claims with claims, evidence with evidence.
    """
    same = corpus.edges_by_relation.get(Relation.SAME_AS, ())
    if not same:
        return {}
    ids = list(corpus.statements)
    # by numbers, so that the first statement represents its class
    number_of = {id: number for number, id in enumerate(ids)}
    classes = UnionFind[int]()
    for edge in same:
        if are_of_one_sort(corpus, edge.origin, edge.target):
            classes.join([number_of[edge.origin], number_of[edge.target]])
    first_of = {id: ids[classes.representative_of(number)] for id, number in number_of.items()}
    return {id: first for id, first in first_of.items() if id != first}


def same_statements(corpus: Corpus, id: StatementId) -> tuple[StatementId, ...]:
    """The statement `id` itself, then all others declared the same."""
    return same_by_statement(corpus).get(id, (id,))


@memoize
def same_by_statement(corpus: Corpus) -> Mapping[StatementId, tuple[StatementId, ...]]:
    """Map each statement declared the same as others to itself, followed by those others."""
    others_by_first: defaultdict[StatementId, list[StatementId]] = defaultdict(list)
    for id, first in first_of_same(corpus).items():
        others_by_first[first].append(id)
    classes = [(first, *rest) for first, rest in others_by_first.items()]
    return {
        id: (id, *(each for each in members if each != id)) for members in classes for id in members
    }


def are_of_one_sort(corpus: Corpus, first: StatementId, second: StatementId) -> bool:
    """Return whether both are statements, and both evidence or neither."""
    pair = [corpus.statements.get(id) for id in (first, second)]
    sorts = {None if each is None else each.kind is Kind.EVIDENCE for each in pair}
    return len(sorts) == 1 and None not in sorts


@memoize
def superseded_statements(corpus: Corpus) -> Mapping[str, StatementId]:
    """Superseded ids, and what supersedes them. Retracted evidence supersedes nothing, nor does
    anything that the superseded one supersedes itself, directly or indirectly.
    """
    superseders: dict[str, list[StatementId]] = defaultdict(list)
    for edge in corpus.edges_by_relation.get(Relation.SUPERSEDES, ()):
        superseder = corpus.statements.get(edge.origin)
        if not (superseder and is_retracted(corpus, superseder)):
            superseders[edge.target].append(edge.origin)
    superseder_of: dict[str, StatementId] = {}
    for old_id, new_ids in superseders.items():
        if outside_circles := [
            new_id
            for new_id in new_ids
            if old_id not in walk_from([new_id], lambda id: superseders.get(id, ()))
        ]:
            superseder_of[old_id] = outside_circles[-1]
    return superseder_of
