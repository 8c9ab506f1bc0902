"""Inherited fields: claims are asked through their evidence, evidence through its claims.

A claim has no method, sample or source of its own: a condition on one applies to its evidence. A
piece of evidence is in the lines, topics and camps of the claims that it bears on.
`WithoutInheritance` asks only for what each note says itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from kg.model import Kind, Relation
from kg.model.statement import EVIDENCE_FIELDS
from kg.queries.conditions.condition import (
    All,
    AnyOf,
    Condition,
    FieldBetween,
    FieldIn,
    FieldIsRecorded,
    InLimitedQuery,
    Not,
    Query,
    Unrestricted,
    all_of,
)
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.related_records import Citing, Linked, PlacedBy, Related

# Relations by which evidence bears on a claim: supports, contradicts, qualifies, undercuts.
EVIDENCE_RELATIONS = tuple(relation for relation in Relation if relation.entry.side)
ALL_KINDS = frozenset(kind.value for kind in Kind)
FIELDS_OF_CLAIMS = frozenset({"line", "topic", "camp"})
FIELDS_OF_EVIDENCE = frozenset(
    {*(field.query_word for field in EVIDENCE_FIELDS), "about", "source", "year", "integrity"}
)
FIELDS_ASKED_THROUGH_OTHERS = FIELDS_OF_CLAIMS | FIELDS_OF_EVIDENCE
_CLAIMS = frozenset({Kind.CLAIM.value, Kind.COUNTER_CLAIM.value})
_EVIDENCE = frozenset({Kind.EVIDENCE.value})
IS_EVIDENCE = FieldIn("kind", (Kind.EVIDENCE.value,))


@dataclass(frozen=True, slots=True)
class WithoutInheritance(Unrestricted):
    """A marker among conditions: they ask what each note says itself."""

    def describe(self) -> str:
        return "directly"


def inheriting_relations(field: str) -> tuple[Relation, ...]:
    """The relations by which evidence inherits a field from claims; only supports for a camp."""
    # what contradicts a claim is on its topic and in its line, but not of its camp
    return (Relation.SUPPORTS,) if field == "camp" else EVIDENCE_RELATIONS


@lru_cache(256)  # rewriting a short query takes five times as long as answering it
def with_inherited_fields(query: Query) -> Query:
    """The query that asks claims through their evidence, and evidence through its claims."""
    if query.record_kind is not RecordKind.STATEMENT:
        condition = query.condition.change_queries(query.record_kind, with_inherited_fields)
    else:
        condition = _rewrite_for_kinds(query.condition, ALL_KINDS)
    return replace(query, condition=condition)


def _rewrite_for_kinds(condition: Condition, kinds: frozenset[str]) -> Condition:
    """`condition` rewritten for statements of these kinds."""
    match condition:
        case All(parts):
            if WithoutInheritance() in parts:
                return condition.change_queries(RecordKind.STATEMENT, _inherit_in_subquery)
            for part in parts:
                kinds &= _kinds_that_match(part)
            return _join_evidence_conditions(parts, kinds)
        case AnyOf(parts):
            return AnyOf(tuple(_rewrite_for_kinds(part, kinds) for part in parts))
        case Not(inner):
            return Not(_rewrite_for_kinds(inner, kinds))
    return _join_evidence_conditions((condition,), kinds)


def _inherit_in_subquery(subquery: Query) -> Query:
    """A subquery of a direct condition, in which only nested queries inherit fields."""
    condition = subquery.condition
    if isinstance(condition, Related | InLimitedQuery):
        return replace(subquery, condition=_inherit_in_nested_queries(condition))
    changed_condition = condition.change_queries(subquery.record_kind, _inherit_in_subquery)
    return replace(subquery, condition=changed_condition)


def _inherit_in_nested_queries(part: Condition) -> Condition:
    """`part`, with inherited fields in its nested queries, if it has any."""
    has_nested_query = isinstance(part, Related | InLimitedQuery)
    return (
        part.change_queries(RecordKind.STATEMENT, with_inherited_fields)
        if has_nested_query
        else part
    )


def _kinds_that_match(condition: Condition) -> frozenset[str]:
    if isinstance(condition, FieldIn) and condition.field == "kind":
        return frozenset(map(str, condition.values))
    return ALL_KINDS


def _join_evidence_conditions(parts: tuple[Condition, ...], kinds: frozenset[str]) -> Condition:
    """Join the parts, so that one and the same piece of evidence meets those that only evidence
    has.

    `claims topic:sleep method:experiment year:2020` asks for claims on sleep for which there is an
    experiment of 2020: not an experiment, and something else of 2020.
    """
    parts = tuple(_inherit_in_nested_queries(part) for part in parts)
    evidence_conditions: list[Condition] = []
    own_conditions: list[Condition] = []
    for part in parts:
        if kinds <= _CLAIMS and _field_of(part) in FIELDS_OF_EVIDENCE:
            evidence_conditions.append(part)
        else:
            own_conditions.append(_inherit_one(part, kinds))
    if evidence_conditions:
        own_conditions.append(_of_note_or_evidence(all_of(*evidence_conditions)))
    return all_of(*own_conditions)


def _of_note_or_evidence(condition: Condition) -> AnyOf:
    """Met by the note itself, or by a piece of evidence that bears on it."""
    matching_evidence = Query(RecordKind.STATEMENT, all_of(IS_EVIDENCE, condition))
    return AnyOf((condition, Linked(matching_evidence, EVIDENCE_RELATIONS, onward=False)))


def condition_on_evidence(condition: Condition) -> Condition | None:
    """The part of a condition that a single piece of a claim's evidence has to meet, if any."""
    parts = condition.conditions if isinstance(condition, All) else (condition,)
    for part in parts:
        # what `_of_note_or_evidence` made, which is known by what it would make again
        if isinstance(part, AnyOf) and part == _of_note_or_evidence(part.conditions[0]):
            return part.conditions[0]
    return None


def _inherit_one(part: Condition, kinds: frozenset[str]) -> Condition:
    if isinstance(part, All | AnyOf | Not):
        return _rewrite_for_kinds(part, kinds)
    field = _field_of(part)
    if field not in FIELDS_OF_CLAIMS or not kinds & _EVIDENCE:
        return part
    asks_camp = isinstance(part, PlacedBy) and part.camp is not None
    claims = Query(RecordKind.STATEMENT, all_of(FieldIn("kind", tuple(sorted(_CLAIMS))), part))
    # evidence has the values of the claims that it bears on, besides those of its own note
    bears_on_claims: Condition = Linked(
        claims, inheriting_relations("camp" if asks_camp else field), onward=True
    )
    if not kinds <= _EVIDENCE:
        bears_on_claims = all_of(IS_EVIDENCE, bears_on_claims)
    return AnyOf((part, bears_on_claims))


def _field_of(condition: Condition) -> str:
    match condition:
        case FieldIn(field=field) | FieldIsRecorded(field=field) | FieldBetween(field=field):
            return field
        case Citing():
            return "source"
        case PlacedBy():
            return "line"
    return ""
