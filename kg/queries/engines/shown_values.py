"""The values by which records are shown, sorted and grouped: the same that conditions read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, product
from typing import TypeAlias

from kg.model import Kind, Relation
from kg.queries.conditions.condition import All, AnyOf, Condition, IdIn, Query
from kg.queries.conditions.field_types import FieldValue, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND, field_name
from kg.queries.conditions.inherited_conditions import (
    EVIDENCE_RELATIONS,
    FIELDS_ASKED_THROUGH_OTHERS,
    FIELDS_OF_CLAIMS,
    FIELDS_OF_EVIDENCE,
    WithoutInheritance,
    condition_on_evidence,
    inheriting_relations,
)
from kg.queries.conditions.ordering import Values, sort_by
from kg.queries.conditions.related_records import PlacedBy
from kg.queries.engines.engine import Engine

ShownIds = Mapping[str, Collection[str]]
ValueRow: TypeAlias = tuple[FieldValue | None, ...]
ValueRows: TypeAlias = Mapping[str, Sequence[ValueRow]]
EVIDENCE_KINDS = (Kind.EVIDENCE,)
PLACEMENT_FIELDS = ("camp", "line")


class ShownValues:
    """The values of fields for the results of a resolved query, as its conditions read them.

    Claims are read through their evidence and evidence through its claims, unless the query asks
    directly; in a query within lines, or if lines are among `shown_fields`, a camp is the placement
    there.
    """

    def __init__(
        self, engine: Engine, query: Query, ids: Collection[str], shown_fields: Iterable[str] = ()
    ) -> None:
        self.engine = engine
        self.query = query
        self.record_kind = query.record_kind
        self.ids = ids
        parts = set(_single_conditions(query.condition))
        self.direct = query.record_kind is not RecordKind.STATEMENT or WithoutInheritance() in parts
        self.lines = {id for part in parts for id in _line_ids_of(part)}
        names = [field_name(self.record_kind, each) for each in shown_fields]
        self.paired = not self.direct and self._pairs_camp_with_line(names)

    def values(self, field: str) -> Values:
        """The values of a field, by id. Raises `UnknownWord`."""
        name = field_name(self.record_kind, field)
        if name == "camp" and self.lines:
            own_values = _camps_by_id(_camps_in_lines(self.engine, self.lines))
        elif name == "camp" and self.paired:
            return _camps_by_id(self._camp_rows)
        else:
            own_values = self._own_values(name)
        return self._with_lent_values(name, own_values)

    def rows(self, fields: Sequence[str]) -> ValueRows:
        """Return rows of values of several fields that belong together, by id. Raises
        `UnknownWord`.

        The values that a claim takes from evidence come from a single piece, which meets the
        query's conditions on evidence; a camp is the placement in the line of the row. None means
        not recorded; rows that only repeat part of another are left out.
        """
        names = [field_name(self.record_kind, each) for each in fields]
        field_groups = list(self._fields_together(tuple(dict.fromkeys(names))))
        grouped_names = [name for group, _ in field_groups for name in group]
        positions = [grouped_names.index(name) for name in names]
        rows_by_id = {}
        for id in self.ids:
            rows_by_group = (rows.get(id, ((None,) * len(group),)) for group, rows in field_groups)
            joined_rows = [tuple(chain.from_iterable(each)) for each in product(*rows_by_group)]
            rows_by_id[id] = tuple(
                dict.fromkeys(tuple(row[position] for position in positions) for row in joined_rows)
            )
        return rows_by_id

    def _fields_together(
        self, names: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], ValueRows]]:
        """Groups of fields that belong together, and their rows of values by id."""
        if self._pairs_camp_with_line(names):
            yield PLACEMENT_FIELDS, self._camp_rows
            names = tuple(name for name in names if name not in PLACEMENT_FIELDS)
        lent = tuple(name for name in names if not self.direct and name in FIELDS_OF_EVIDENCE)
        if lent:
            condition = condition_on_evidence(self.query.condition)
            matching_ids = (
                {*self.engine.find_ids(Query(self.record_kind, condition))} if condition else None
            )
            yield (
                lent,
                {
                    id: _drop_partial_rows(rows)
                    for id, rows in self.rows_of_pieces(lent, matching_ids).items()
                },
            )
        for name in names:
            if name not in lent:
                values_by_id = self.values(name)
                yield (
                    (name,),
                    {id: [(value,) for value in values] for id, values in values_by_id.items()},
                )

    def rows_of_pieces(
        self, names: Sequence[str], wanted_ids: Collection[str] | None = None
    ) -> ValueRows:
        """Return the values of fields of evidence, by id, in the note itself and in each piece of
        evidence that bears on it; if `wanted_ids` are given, only in these.
        """
        values_of_fields = [self._own_values(name) for name in names]
        lenders = self._ids_inherited_from(names[0])
        rows_by_id = {}
        for id in self.ids:
            piece_ids = (id, *lenders.get(id, ()))
            pieces = (
                piece_ids
                if wanted_ids is None
                else [each for each in piece_ids if each in wanted_ids]
            )
            rows = (
                product(*(values.get(each, (None,)) for values in values_of_fields))
                for each in pieces
            )
            rows_by_id[id] = tuple(dict.fromkeys(chain.from_iterable(rows)))
        return rows_by_id

    @cached_property
    def _camp_rows(self) -> ValueRows:
        """Rows of camp and line; if no line places the statement, the camp of its note."""
        lines = self._own_values("line")
        places = _camps_in_lines(
            self.engine, {str(each) for line_ids in lines.values() for each in line_ids}
        )
        camps = self._with_lent_values("camp", self._own_values("camp"))
        bearing_links = self._ids_inherited_from("line")
        supporting_links = self._ids_inherited_from("camp")
        rows_by_id = {}
        for id in self.ids:
            rows = [
                row for each in (id, *supporting_links.get(id, ())) for row in places.get(each, ())
            ]
            rows += [
                (None, line) for each in bearing_links.get(id, ()) for line in lines.get(each, ())
            ]
            rows_by_id[id] = _drop_partial_rows(
                rows or [(camp, None) for camp in camps.get(id, (None,))]
            )
        return rows_by_id

    def _pairs_camp_with_line(self, names: Iterable[str]) -> bool:
        return self.record_kind is RecordKind.STATEMENT and {*names}.issuperset(PLACEMENT_FIELDS)

    def _own_values(self, name: str) -> Values:
        """The values of a field as each record says itself, of the results and of those from which
        they inherit.
        """
        lenders = chain.from_iterable(self._ids_inherited_from(name).values())
        return self.engine.values(self.record_kind, name, {*self.ids, *lenders})

    def _with_lent_values(self, name: str, own_values: Values) -> Values:
        """Values of each record: its own first, then those that others lend to it."""
        links = self._ids_inherited_from(name)
        if not links or not own_values:
            return own_values
        values_by_id = {id: own_values[id] for id in self.ids if id in own_values}
        for id, lenders in links.items():
            if lent := [own_values[each] for each in lenders if each in own_values]:
                values_by_id[id] = tuple(dict.fromkeys(chain(values_by_id.get(id, ()), *lent)))
        return values_by_id

    def has_many(self, field: str) -> bool:
        """Return whether a field may have several values for a result."""
        name = field_name(self.record_kind, field)
        if name == "camp" and self.paired and not self.lines:
            return True
        if FIELDS_BY_KIND[self.record_kind][name].many:
            return True
        if self.direct or name not in FIELDS_ASKED_THROUGH_OTHERS:
            return False
        # evidence takes the fields of its claims, claims take those of their evidence: of several
        kinds = self._kinds_by_id.values()
        if name in FIELDS_OF_CLAIMS:
            return EVIDENCE_KINDS in kinds
        return any(each != EVIDENCE_KINDS for each in kinds)

    @cached_property
    def _kinds_by_id(self) -> Values:
        kinds = self.engine.values(RecordKind.STATEMENT, "kind", self.ids)
        return {id: kinds[id] for id in self.ids}

    def _ids_inherited_from(self, field: str) -> ShownIds:
        """Map each statement to those from which it inherits values of a field."""
        if self.direct or field not in FIELDS_ASKED_THROUGH_OTHERS:
            return {}
        if field not in FIELDS_OF_CLAIMS:
            return self._evidence_of_claims
        return (
            self._claims_supported
            if inheriting_relations(field) == (Relation.SUPPORTS,)
            else self._claims_of_evidence
        )

    @cached_property
    def _bearing_links(self) -> list[tuple[Relation, str, str]]:
        """Links by which evidence bears on claims, if either end is among the results."""
        result_ids = frozenset(self.ids)
        links = self.engine.links(EVIDENCE_RELATIONS, result_ids)
        bearing_links = [each for each in links if each[1] in result_ids or each[2] in result_ids]
        ends = {end for _, *pair in bearing_links for end in pair}
        kinds = self.engine.values(RecordKind.STATEMENT, "kind", ends)
        return [
            each
            for each in bearing_links
            if kinds.get(each[1]) == EVIDENCE_KINDS
            and kinds.get(each[2], EVIDENCE_KINDS) != EVIDENCE_KINDS
        ]

    @cached_property
    def _evidence_of_claims(self) -> ShownIds:
        return self._lenders_by_taker((target, origin) for _, origin, target in self._bearing_links)

    @cached_property
    def _claims_of_evidence(self) -> ShownIds:
        return self._lenders_by_taker((origin, target) for _, origin, target in self._bearing_links)

    @cached_property
    def _claims_supported(self) -> ShownIds:
        return self._lenders_by_taker(
            (origin, target)
            for relation, origin, target in self._bearing_links
            if relation is Relation.SUPPORTS
        )

    def _lenders_by_taker(self, pairs: Iterable[tuple[str, str]]) -> ShownIds:
        """Map each result to the records that lend their values to it."""
        lenders: defaultdict[str, dict[str, None]] = defaultdict(dict)
        result_ids = frozenset(self.ids)
        for taker, lender in pairs:
            if taker in result_ids:
                lenders[taker][lender] = None
        return lenders


def _drop_partial_rows(rows: Iterable[ValueRow]) -> Sequence[ValueRow]:
    """The rows, each once, without those that only repeat part of another."""
    distinct = list(dict.fromkeys(rows))
    return [
        row
        for row in distinct
        if None not in row or not any(_extends_row(other, row) for other in distinct)
    ]


def _extends_row(row: ValueRow, partial_row: ValueRow) -> bool:
    return row != partial_row and all(
        part in (None, value) for value, part in zip(row, partial_row, strict=True)
    )


def _camps_in_lines(engine: Engine, lines: Collection[str]) -> ValueRows:
    """The camps in which some lines place statements, each with the line."""
    camps_by_id: defaultdict[str, list[ValueRow]] = defaultdict(list)
    corpus = engine.corpus_with(RecordKind.LINE, lines)
    for line in lines:
        for placement in corpus.lines[line].placements:
            camps_by_id[placement.statement].append((placement.camp or None, line))
    return camps_by_id


def _camps_by_id(placements: ValueRows) -> Values:
    camps_by_id = {
        id: dict.fromkeys(camp for camp, _ in rows if camp) for id, rows in placements.items()
    }
    return {id: tuple(camps) for id, camps in camps_by_id.items() if camps}


def _single_conditions(condition: Condition) -> Iterator[Condition]:
    """The single conditions in a conjunction or disjunction, nested ones included."""
    match condition:
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _single_conditions(part)
        case _:
            yield condition


def _line_ids_of(condition: Condition) -> tuple[str, ...]:
    if isinstance(condition, PlacedBy) and isinstance(condition.query.condition, IdIn):
        return condition.query.condition.ids
    return ()


def find_in_order(engine: Engine, query: Query) -> tuple[str, ...]:
    """Ids of the results of a resolved query, sorted by the values that are shown."""
    if query.record_kind is not RecordKind.STATEMENT or not query.order:
        return engine.find_ids(query)
    ids = engine.find_ids(replace(query, order=(), limit=None))
    shown_values = ShownValues(engine, query, ids)
    values = {key.field: shown_values.values(key.field) for key in query.order}
    return tuple(sort_by(list(ids), query.order, values)[: query.limit])
