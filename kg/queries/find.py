"""Run selections on an engine, and return answers, groups or counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from kg.queries.conditions.condition import IdIn, Query, all_of
from kg.queries.conditions.field_types import RecordKind
from kg.queries.engines.engine import Engine
from kg.queries.engines.shown_values import ShownValues, ValueRow, find_in_order
from kg.queries.language.parse_query import FindRequest
from kg.queries.language.selection import Counted, Grouped, GroupSizes, Selection
from kg.queries.results.counts_and_summaries import (
    EFFECTS,
    GroupKey,
    Sizes,
    SummaryFigure,
    require_one_measure,
    summarize,
)
from kg.queries.results.found_records import FoundRecords, Groups

FindResult: TypeAlias = FoundRecords[Any] | Groups | Sizes | int


def find(engine: Engine, request: FindRequest) -> FindResult:
    """The result of a request; raises `UnknownId` for a name that the corpus does not have."""
    if isinstance(request, Selection):
        return find_records(engine, request)
    query = engine.resolve(request.query)
    if isinstance(request, Counted):
        # in what order does not matter, but for which of them are the first
        return len(engine.find_ids(replace(query, order=query.order if query.limit else ())))
    if isinstance(request, Grouped):
        return Groups(_records_by_group(engine, query, request), request.fields)
    return _sizes_of_groups(engine, query, request)


def find_records(engine: Engine, selection: Selection) -> FoundRecords[Any]:
    """The records of a selection; raises `UnknownId` for a name that the corpus does not have."""
    query = engine.resolve(selection.query)
    return FoundRecords(engine, query, find_in_order(engine, query), selection.query)


def _sizes_of_groups(engine: Engine, query: Query, request: GroupSizes) -> Sizes:
    groups: Mapping[GroupKey, FoundRecords[Any]]
    if request.fields:
        groups = _records_by_group(engine, query, request)
    else:
        groups = {(): FoundRecords(engine, query, find_in_order(engine, query))}
    ids = tuple(dict.fromkeys(id for records in groups.values() for id in records.ids))
    shown_values = ShownValues(engine, query, ids)
    figures: dict[str, dict[GroupKey, SummaryFigure]] = {}
    for summary, field in request.figures:
        figures |= _figures_of_field(shown_values, groups, summary, field)
    sizes = {value: len(records) for value, records in groups.items()}
    return Sizes(sizes, request.fields, figures)


def _figures_of_field(
    shown_values: ShownValues,
    groups: Mapping[GroupKey, FoundRecords[Any]],
    summary: str,
    field: str,
) -> dict[str, dict[GroupKey, SummaryFigure]]:
    """The summary of a field for each group, by its heading, after what it must be read with: how
    many records have a value, and of what a sample is.
    """
    values = shown_values.values(field)
    measures = _measures_by_group(shown_values, groups, field)
    figures: dict[str, dict[GroupKey, SummaryFigure]] = {}
    if field in EFFECTS:
        require_one_measure(field, measures.values())
    if summary in ("mean", "sum"):
        figures[f"{field} recorded"] = {
            value: sum(id in values for id in records.ids) for value, records in groups.items()
        }
    if field == "sample" and any(measures.values()):
        figures["sample units"] = {
            value: ", ".join(names) or None for value, names in measures.items()
        }
    figures[f"{summary} {field}"] = {
        value: summarize(summary, values, records.ids) for value, records in groups.items()
    }
    return figures


def _measures_by_group(
    shown_values: ShownValues, groups: Mapping[GroupKey, FoundRecords[Any]], field: str
) -> dict[GroupKey, tuple[str, ...]]:
    """List for each group the units or measures of a field's values, the commonest first; empty for
    a field that has none.
    """
    if shown_values.record_kind is not RecordKind.STATEMENT or field not in ("sample", *EFFECTS):
        return {}
    measure_of = shown_values.values("unit" if field == "sample" else "effect_kind")
    values = shown_values.values(field)
    measures = {}
    for value, records in groups.items():
        ids_with_value = (id for id in records.ids if id in values)
        counts = Counter(name for id in ids_with_value for name in measure_of.get(id, ()))
        measures[value] = tuple(str(name) for name, _ in counts.most_common())
    return measures


def _records_by_group(
    engine: Engine, query: Query, request: Grouped | GroupSizes
) -> dict[GroupKey, FoundRecords[Any]]:
    """Records by the value of a field, or by a tuple of several fields' values, the largest group
    first. Records without a value are grouped under None, last.
    """
    ids_by_key: defaultdict[ValueRow, list[str]] = defaultdict(list)
    ids = find_in_order(engine, query)
    for id, rows in ShownValues(engine, query, ids).rows(request.fields).items():
        for row in rows:
            ids_by_key[row].append(id)
    ordered_keys = sorted(
        ids_by_key, key=lambda key: (None in key, -len(ids_by_key[key]), *map(str, key))
    )
    groups: dict[GroupKey, FoundRecords[Any]] = {}
    for key in ordered_keys[: request.max_groups]:
        ids_in_order = tuple(ids_by_key[key])
        group_query = replace(query, condition=all_of(query.condition, IdIn(ids_in_order)))
        value = key if len(request.fields) > 1 else key[0]
        groups[value] = FoundRecords(engine, group_query, ids_in_order)
    return groups
