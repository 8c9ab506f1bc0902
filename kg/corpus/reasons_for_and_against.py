"""Reasons for and against a statement as they are weighed: including those of statements declared
the same, without superseded ones. All of this builds on `Corpus.bearings_on`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kg.corpus.columns import records_of_key
from kg.corpus.corpus import Corpus
from kg.corpus.same_and_superseded import first_of_same, same_statements, superseded_statements
from kg.model import SIDES, Bearing, Edge, EdgeId, Kind, Relation, SourceKey, Statement, StatementId
from kg.runtime.memoize import memoize


class ReasonsBySide(NamedTuple):
    """The reasons for a statement, those against it, and those that would be either if none of
    their premises were superseded.
    """

    pro: tuple[Bearing, ...]
    con: tuple[Bearing, ...]
    superseded_reasons: tuple[Bearing, ...]

    @property
    def both(self) -> tuple[Bearing, ...]:
        return self.pro + self.con


@memoize
def reasons_by_side(corpus: Corpus, id: StatementId) -> ReasonsBySide:
    """The reasons for and against a statement and those declared the same."""
    pro: list[Bearing] = []
    con: list[Bearing] = []
    superseded_reasons: list[Bearing] = []
    for reason in reasons_of(corpus, id):
        if has_superseded_premise(corpus, reason):
            superseded_reasons.append(reason)
        elif reason.side > 0:
            pro.append(reason)
        else:
            con.append(reason)
    return ReasonsBySide(tuple(pro), tuple(con), tuple(superseded_reasons))


def count_premises(corpus: Corpus, side: int) -> Mapping[StatementId, int]:
    """Count the statements that are premises of each statement's reasons on one side, as
    `reasons_by_side` does, in one pass over the edges.
    """
    first = first_of_same(corpus)
    superseded = superseded_statements(corpus)
    ids = frozenset(corpus.statements)
    premises_by_first: defaultdict[StatementId, set[StatementId]] = defaultdict(set)
    for relation in (each for each, its_side in SIDES.items() if its_side == side):
        for edge in records_of_key(corpus.edges_by_relation, relation):
            for premise, target in edge.directions:
                premises = (premise, *edge.together)
                first_target = first.get(target, target)
                if (
                    target in ids
                    and first.get(premise, premise) != first_target
                    and ids.issuperset(premises)
                    and superseded.keys().isdisjoint(premises)
                ):
                    premises_by_first[first_target].update(premises)
    return {id: len(premises_by_first.get(first.get(id, id), ())) for id in ids}


@memoize
def undercuts_of(corpus: Corpus, id: EdgeId) -> tuple[Edge, ...]:
    """The edges that undercut an edge, without those from superseded statements."""
    return tuple(
        each.edge for each in _list_bearings(corpus, id) if not has_superseded_premise(corpus, each)
    )


def contradicting_claims(corpus: Corpus, id: StatementId) -> list[StatementId]:
    """The claims that cannot hold together with a claim according to the notes: those in full
    contradiction with it, whichever of the two the edge starts from.
    """
    claims: dict[StatementId, None] = {}
    for same_id in same_statements(corpus, id):
        edges = (*corpus.edges_from.get(same_id, ()), *corpus.edges_to.get(same_id, ()))
        for edge in edges:
            other = edge.target if edge.origin == same_id else edge.origin
            is_full_contradiction = edge.relation is Relation.CONTRADICTS and edge.strength is None
            if (
                is_full_contradiction
                and not edge.together
                and _is_claim(corpus, same_id)
                and _is_claim(corpus, other)
            ):
                claims[other] = None
    return list(claims)


def _is_claim(corpus: Corpus, id: StatementId) -> bool:
    statement = corpus.statements.get(id)
    return statement is not None and statement.kind is not Kind.EVIDENCE


def reasons_of(corpus: Corpus, id: StatementId) -> list[Bearing]:
    """List all reasons that others give for or against a statement or those declared the same."""
    same_ids = dict.fromkeys(same_statements(corpus, id))
    return [
        bearing
        for each in same_ids
        for bearing in _list_bearings(corpus, each)
        if bearing.edge.relation in SIDES and bearing.origin not in same_ids
    ]


def has_superseded_premise(corpus: Corpus, bearing: Bearing) -> bool:
    """Return whether any of its premises is superseded, so that it does not count."""
    superseded = superseded_statements(corpus)
    return any(each in superseded for each in bearing.premises)


def find_bearings(corpus: Corpus, id: StatementId) -> Iterator[tuple[Bearing, Statement]]:
    """Find what bears on a statement, for or against it, and from where; nothing superseded."""
    for bearing in corpus.bearings_on(id):
        premise = corpus.statements.get(bearing.origin)
        if premise is not None and bearing.side and not has_superseded_premise(corpus, bearing):
            yield bearing, premise


def is_supported(corpus: Corpus, id: StatementId) -> bool:
    """Return whether any support is written for a statement, or for one declared the same.

    This follows the shape `shapes:SupportedClaim`: unlike in `reasons_by_side`, superseded
    statements count, and so does support between statements declared the same.
    """
    return first_of_same(corpus).get(id, id) in _supported_statements(corpus)


@memoize
def _supported_statements(corpus: Corpus) -> frozenset[StatementId]:
    """The statements with written support, each as the first of those declared the same."""
    first = first_of_same(corpus)
    statement_ids = frozenset(corpus.statements)
    by_relation = corpus.edges_by_relation
    reasons = [relation for relation in Relation if relation.entry.side > 0]
    targets = (edge.target for each in reasons for edge in records_of_key(by_relation, each))
    return frozenset(first.get(id, id) for id in targets if id in statement_ids)


def _list_bearings(corpus: Corpus, id: StatementId | EdgeId) -> list[Bearing]:
    """List what bears on a statement or an edge, without edges whose premises an excerpt lacks."""
    statements = corpus.statements
    return [each for each in corpus.bearings_on(id) if all(s in statements for s in each.premises)]


def ids_with_neighbours(corpus: Corpus, ids: Iterable[StatementId]) -> tuple[StatementId, ...]:
    """Statements themselves, those declared the same, then what speaks directly for or against."""
    starts = tuple(ids)
    same = (each for id in starts for each in same_statements(corpus, id))
    reasons = (reason.origin for id in starts for reason in reasons_by_side(corpus, id).both)
    return tuple(dict.fromkeys((*same, *reasons)))


def group_by_source(
    corpus: Corpus, ids: Iterable[StatementId]
) -> dict[SourceKey, list[StatementId]]:
    """The statements in `ids` that cite a source, by source."""
    statements_by_key: dict[SourceKey, list[StatementId]] = {}
    for id in ids:
        for key in corpus.statements[id].sources:
            statements_by_key.setdefault(key, []).append(id)
    return statements_by_key


def statements_by_source(corpus: Corpus, id: StatementId) -> Mapping[SourceKey, list[StatementId]]:
    """Group a statement and its direct reasons by the sources that they cite."""
    return group_by_source(corpus, ids_with_neighbours(corpus, [id]))


def superseded_reasons(corpus: Corpus, id: StatementId) -> tuple[StatementId, ...]:
    """Statements that would speak for or against `id` directly, if they were not superseded."""
    superseded = superseded_statements(corpus)
    premises = (
        each
        for reason in reasons_by_side(corpus, id).superseded_reasons
        for each in reason.premises
    )
    return tuple(dict.fromkeys(each for each in premises if each in superseded))
