"""Statements that fit a description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kg.corpus import Corpus, UnknownId, nearest
from kg.model import Kind, Relation, Statement, StatementId, Value


class Wanted(Value, frozen=True):
    """A description of statements; what is left empty does not matter.

    `supports`, `contradicts` and `qualifies` name a statement that the wanted ones bear on;
    `supported_by`, `contradicted_by` and `qualified_by` one that bears on them.
    """

    kind: tuple[Kind, ...] = ()
    camp: str = ""
    line: str = ""
    topic: str = ""
    about: str = ""
    source: str = ""
    text: str = ""
    supports: str = ""
    contradicts: str = ""
    qualifies: str = ""
    supported_by: str = ""
    contradicted_by: str = ""
    qualified_by: str = ""


ONWARD = {
    "supports": Relation.SUPPORTS,
    "contradicts": Relation.CONTRADICTS,
    "qualifies": Relation.QUALIFIES,
}
BACK = {
    "supported_by": Relation.SUPPORTS,
    "contradicted_by": Relation.CONTRADICTS,
    "qualified_by": Relation.QUALIFIES,
}


def find_statements(corpus: Corpus, wanted: Wanted) -> list[Statement]:
    """Statements that fit, in reading order.

    Raises `UnknownId` for a camp, line, topic, source or statement that the corpus does not have.
    """
    return [s for s in _candidates(corpus, wanted) if _fits(corpus, s, wanted)]


def _candidates(corpus: Corpus, wanted: Wanted) -> Iterable[Statement]:
    """The narrowest set that an index gives; every id in `wanted` is looked up here."""
    sets: list[list[StatementId]] = []
    if wanted.topic:
        sets.append([s.id for s in _indexed(corpus.topics, wanted.topic, "topic")])
    if wanted.about:
        sets.append([s.id for s in _indexed(corpus.about, wanted.about, "subject")])
    if wanted.source:
        sets.append([s.id for s in corpus.citing.get(corpus.source(wanted.source).key, ())])
    sets += _related(corpus, wanted)
    if wanted.line and corpus.line(wanted.line) and not wanted.camp:
        line = corpus.line(wanted.line)
        sets.append([place.statement for place in line.placements])
    if not sets:
        return corpus.statements.values()
    common = set(sets[0]).intersection(*map(set, sets[1:]))
    return [statement for id, statement in corpus.statements.items() if id in common]


def _indexed(
    names: Mapping[str, tuple[Statement, ...]], name: str, what: str
) -> tuple[Statement, ...]:
    if name in names:
        return names[name]
    folded = {key.casefold(): key for key in names}
    if name.casefold() in folded:
        return names[folded[name.casefold()]]
    raise UnknownId(name, nearest(name, names), what)


def _related(corpus: Corpus, wanted: Wanted) -> Iterator[list[StatementId]]:
    for field, relation in ONWARD.items():
        if name := getattr(wanted, field):
            edges = corpus.edges_to.get(corpus.statement(name).id, ())
            yield [edge.source for edge in edges if edge.relation is relation]
    for field, relation in BACK.items():
        if name := getattr(wanted, field):
            edges = corpus.edges_from.get(corpus.statement(name).id, ())
            yield [edge.target for edge in edges if edge.relation is relation]


def _fits(corpus: Corpus, statement: Statement, wanted: Wanted) -> bool:
    if wanted.kind and statement.kind not in wanted.kind:
        return False
    if wanted.camp and corpus.camp_of(statement.id, wanted.line or None) != wanted.camp:
        return False
    if wanted.text:
        words = f"{statement.title} {statement.body}".casefold()
        return all(word in words for word in wanted.text.casefold().split())
    return True
