"""What speaks for and against a statement as it is weighed: with its twins' reasons, and without
what is superseded. All that asks this builds on `Corpus.bearings_on`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from kg.corpus.corpus import Corpus
from kg.corpus.same_and_superseded import first_of_same, superseded_statements, with_same
from kg.model import SIDES, Bearing, Edge, EdgeId, Kind, Relation, SourceKey, Statement, StatementId

T = TypeVar("T")


class Sides(NamedTuple):
    """What supports a statement, what opposes it, and what would do either if nothing that it
    comes from were superseded.
    """

    pro: tuple[Bearing, ...]
    con: tuple[Bearing, ...]
    left_out: tuple[Bearing, ...]

    @property
    def both(self) -> tuple[Bearing, ...]:
        return self.pro + self.con


def reasons_by_side(corpus: Corpus, id: StatementId) -> Sides:
    """The reasons for and against a statement, and for and against those that say the same."""
    return corpus.derive(all_sides)[id]


def undercuts_of(corpus: Corpus, edge: Edge) -> tuple[Edge, ...]:
    """The edges that undercut an edge, but for those of what is superseded."""
    return corpus.derive(all_undercuts)[edge.id]


def contradictories_of(corpus: Corpus, id: StatementId) -> list[StatementId]:
    """The claims that the notes say cannot hold together with a claim: whole contradictions, by
    whichever of the two they are written.
    """
    found: dict[StatementId, None] = {}
    for name in with_same(corpus, id):
        edges = (*corpus.edges_from.get(name, ()), *corpus.edges_to.get(name, ()))
        for edge in edges:
            other = edge.target if edge.source == name else edge.source
            whole = edge.relation is Relation.CONTRADICTS and edge.strength is None
            if whole and not edge.together and _is_claim(corpus, name) and _is_claim(corpus, other):
                found[other] = None
    return list(found)


def _is_claim(corpus: Corpus, id: StatementId) -> bool:
    statement = corpus.statements.get(id)
    return statement is not None and statement.kind is not Kind.EVIDENCE


class _Asked(dict[str, T]):
    """What a question says of each id, worked out once, when it is first asked."""

    def __init__(self, corpus: Corpus, ask: Callable[[Corpus, str], T]) -> None:
        self._corpus = corpus
        self._ask = ask

    def __missing__(self, id: str) -> T:
        found = self[id] = self._ask(self._corpus, id)
        return found

    def get(self, id: str, default: T | None = None) -> T:  # type: ignore[override]
        """What is said of `id`: there is always something."""
        return self[id]


def all_sides(corpus: Corpus) -> Mapping[StatementId, Sides]:
    """`reasons_by_side` each statement; to be kept by `Corpus.derive`."""
    return _Asked(corpus, _sides_of)


def all_undercuts(corpus: Corpus) -> Mapping[EdgeId, tuple[Edge, ...]]:
    """`undercuts_of` each edge; to be kept by `Corpus.derive`."""
    return _Asked(corpus, _undercuts_of)


def _sides_of(corpus: Corpus, id: StatementId) -> Sides:
    pro: list[Bearing] = []
    con: list[Bearing] = []
    left_out: list[Bearing] = []
    for reason in reasons_of(corpus, id):
        side = pro if reason.sign > 0 else con
        (left_out if is_silent(corpus, reason) else side).append(reason)
    return Sides(tuple(pro), tuple(con), tuple(left_out))


def reasons_of(corpus: Corpus, id: StatementId) -> list[Bearing]:
    """All that is written for or against a statement, or one that is the same, by others."""
    group = dict.fromkeys(with_same(corpus, id))
    return [
        bearing
        for each in group
        for bearing in _list_bearings(corpus, each)
        if bearing.edge.relation in SIDES and bearing.source not in group
    ]


def _undercuts_of(corpus: Corpus, id: EdgeId) -> tuple[Edge, ...]:
    return tuple(each.edge for each in _list_bearings(corpus, id) if not is_silent(corpus, each))


def is_silent(corpus: Corpus, bearing: Bearing) -> bool:
    """Whether some of what it comes from is superseded, so that it is no reason."""
    replaced = corpus.derive(superseded_statements)
    return any(each in replaced for each in bearing.speakers)


def find_bearings(corpus: Corpus, id: StatementId) -> Iterator[tuple[Bearing, Statement]]:
    """What bears on a statement and is not silent, on either side, and who says so."""
    for bearing in corpus.bearings_on(id):
        speaker = corpus.statements.get(bearing.source)
        if speaker is not None and bearing.sign and not is_silent(corpus, bearing):
            yield bearing, speaker


def is_supported(corpus: Corpus, id: StatementId) -> bool:
    """Whether anything is written for a statement, or for one that is the same.

    Asked of what is written, as the shape `SupportedClaim` asks it: unlike in `reasons_by_side`,
    what is superseded counts, and so does what a statement says for one that is the same.
    """
    return corpus.derive(first_of_same).get(id, id) in corpus.derive(_supported)


def _supported(corpus: Corpus) -> frozenset[StatementId]:
    """What something is written for; of statements that are the same, the first."""
    first, known = corpus.derive(first_of_same), frozenset(corpus.statements)
    reasons = [relation for relation in Relation if relation.entry.side > 0]
    targets = (edge.target for each in reasons for edge in corpus.edges_by_relation.get(each, ()))
    return frozenset(first.get(id, id) for id in targets if id in known)


def _list_bearings(corpus: Corpus, id: StatementId | EdgeId) -> list[Bearing]:
    """What bears on a statement or an edge; an excerpt may lack some of what an edge comes from."""
    here = corpus.statements
    return [each for each in corpus.bearings_on(id) if all(s in here for s in each.speakers)]


def find_near(corpus: Corpus, ids: Iterable[StatementId]) -> tuple[StatementId, ...]:
    """Statements with all that are the same, then those that speak directly for or against one."""
    among = tuple(ids)
    same = (each for id in among for each in with_same(corpus, id))
    speaking = (reason.source for id in among for reason in reasons_by_side(corpus, id).both)
    return tuple(dict.fromkeys((*same, *speaking)))


def group_by_source(
    corpus: Corpus, ids: Iterable[StatementId]
) -> dict[SourceKey, list[StatementId]]:
    """The statements among some that cite a source, by source."""
    found: dict[SourceKey, list[StatementId]] = {}
    for id in ids:
        for key in corpus.statements[id].sources:
            found.setdefault(key, []).append(id)
    return found


def statements_by_source(corpus: Corpus, id: StatementId) -> Mapping[SourceKey, list[StatementId]]:
    """By source: the statements that cite it, of this one and those directly for or against it."""
    return group_by_source(corpus, find_near(corpus, [id]))
