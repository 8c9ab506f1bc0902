"""Relations as selections name them."""

from __future__ import annotations

from kg.model import SIDES, Relation, RelationEnds
from kg.queries.conditions.fields import parse_closed_words

ANSWERING_RELATIONS = tuple(relation for relation in Relation if relation.entry.side < 0)
RELATION_BY_INVERSE = {relation.entry.inverse: relation for relation in Relation}
FOLLOWED_RELATIONS = (*SIDES, Relation.DEPENDS_ON)


def parse_relations(relation: str | tuple[str, ...]) -> tuple[Relation, ...]:
    """The relations to follow, by default all that carry reasons; raises `UnknownWord`."""
    if not relation:
        return FOLLOWED_RELATIONS
    words = (relation,) if isinstance(relation, str) else relation
    allowed_words = tuple(r.value for r in Relation if r.entry.joins is not RelationEnds.EDGE)
    return tuple(map(Relation, parse_closed_words("relation to follow", allowed_words, words)))
