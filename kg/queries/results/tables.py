"""Answers as tables: which columns, which cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from kg.corpus import Corpus
from kg.model import Edge, Kind
from kg.model.figures import render_effect, render_p
from kg.queries.conditions.condition import (
    All,
    AnyOf,
    Condition,
    FieldBetween,
    FieldIn,
    FieldIsRecorded,
    Not,
    Query,
)
from kg.queries.conditions.field_types import Field, FieldValue, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND, field_name, field_of
from kg.queries.conditions.inherited_conditions import FIELDS_ASKED_THROUGH_OTHERS
from kg.queries.engines.engine import Engine
from kg.queries.engines.shown_values import ShownValues
from kg.queries.results.explain_empty import noun_of
from kg.queries.support_groups import support_of
from kg.reporting.report import MAX_CELL_CHARACTERS, Table, render_columns
from kg.text.printable import printable

if TYPE_CHECKING:
    from rich.table import Table as RichTable

# columns of a terminal
WIDE_TERMINAL = 120  # from here on ids have a column of their own
MIN_TEXT_WIDTH = 24  # of titles and reasons: narrower, they break after every word or two
MAX_SUPPORT_WIDTH = 18  # of counts of evidence, so that titles have the rest
USUAL_COLUMNS: Mapping[RecordKind, tuple[str, ...]] = {
    RecordKind.STATEMENT: ("id", "kind", "camp", "title"),
    RecordKind.SOURCE: ("id", "year", "author", "title", "integrity"),
    RecordKind.LINE: ("id", "placements", "title"),
    RecordKind.EDGE: ("origin", "relation", "target", "reason"),
}
ALL_FIELDS = ("all",)  # the name that selects every field
COLUMNS_IF_ASKED = ("studies", "supporters", "opponents", "strength", "year", "quality")
EVIDENCE_COLUMNS = ("id", "method", "sample", "source", "title")


class RecordsInOrder(Protocol):
    """The interface of a result that tables need: records of one kind, in order."""

    query: Query
    written_query: Query
    engine: Engine
    ids: tuple[str, ...]

    @property
    def record_kind(self) -> RecordKind: ...
    @property
    def corpus(self) -> Corpus: ...
    @property
    def edges(self) -> tuple[Edge, ...]: ...
    @property
    def why_empty(self) -> str: ...
    @property
    def excerpt(self) -> Corpus: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getitem__(self, positions: slice, /) -> RecordsInOrder: ...


CellRenderer: TypeAlias = Callable[[Corpus, Any], str]
FieldValues: TypeAlias = tuple[FieldValue, ...]


def default_columns_of(result: RecordsInOrder) -> tuple[str, ...]:
    """The usual columns, and the fields that the selection counts by."""
    usual = USUAL_COLUMNS[result.record_kind]
    query = result.query  # without the queries that it links to
    query_fields = {*(key.field for key in query.order), *_fields_of(query.condition)}
    if result.record_kind is not RecordKind.STATEMENT:
        return usual
    if holds_only_evidence(result):
        usual = EVIDENCE_COLUMNS
    extra = [field for field in COLUMNS_IF_ASKED if field in query_fields]
    column_names = ["support" if field == "studies" else field for field in extra]
    if "supporters" in extra and "support" not in column_names:
        column_names.insert(column_names.index("supporters") + 1, "support")
    return (*usual[:-1], *column_names, usual[-1])


def holds_only_evidence(result: RecordsInOrder) -> bool:
    """Return whether there are records, all of them evidence."""
    return bool(result) and all(statement.kind is Kind.EVIDENCE for statement in result)


def table_of(result: RecordsInOrder, columns: Sequence[str] = ()) -> Table:
    """A table of the named columns, by default the usual ones. Raises `UnknownWord`."""
    names = column_names_to_show(result, columns)
    shown_values = _shown_values(result, () if tuple(columns) == ALL_FIELDS else names)
    cell_renderers = [_cell_renderer(result, name, shown_values) for name in names]
    rows = [
        tuple(render_cell(result.corpus, record) for render_cell in cell_renderers)
        for record in result
    ]
    return Table("", names, rows)


def _cell_renderer(result: RecordsInOrder, name: str, shown_values: ShownValues) -> CellRenderer:
    """The function that renders a column's cell for a record."""
    record_kind = result.record_kind
    if _is_column_of_support(result, name):
        whole_corpus = result.engine.whole_corpus()
        return lambda corpus, statement: str(support_of(whole_corpus, statement.id))
    field = field_of(record_kind, name)
    if field is FIELDS_BY_KIND[RecordKind.STATEMENT]["sample"] and holds_only_evidence(result):
        return lambda corpus, s: f"{s.sample or ''} {s.sample_unit}".strip()
    if field is FIELDS_BY_KIND[RecordKind.SOURCE]["author"]:
        return lambda corpus, source: source.short_authors
    if companion := field.companion:
        rows = shown_values.rows_of_pieces((field_name(record_kind, name), companion))
        return lambda corpus, s: ", ".join(
            _render_figure(field, *row) for row in rows[s.id] if row[0] is not None
        )
    values = dict(zip(result.ids, _field_values(result, name, shown_values), strict=True))
    return lambda corpus, record: ", ".join(map(render_value, values[record.id]))


def _render_figure(field: Field, value: Any, companion: Any) -> str:
    """A p with its sign, an effect with its measure, as notes write them."""
    if field.sign_field:
        return render_p(companion or "", value)
    return render_effect(companion, value, None, None) if companion else render_value(value)


def _field_values(
    result: RecordsInOrder, name: str, shown_values: ShownValues
) -> list[FieldValues]:
    """The values of a field for each record, as selections read them."""
    field = field_of(result.record_kind, name)
    corpus = result.corpus
    if field.in_record and result.record_kind is not RecordKind.STATEMENT:
        return [field.values(corpus, record) for record in result]
    values_by_id = shown_values.values(name)

    def values_in_order(id: str) -> FieldValues:
        """Return the values in the record's order if all are its own, else sorted."""
        values = values_by_id.get(id, ())
        if len(values) < 2:
            return values
        own_values = field.values(corpus, corpus.statements[id]) if field.in_record else ()
        return own_values if set(own_values) == set(values) else tuple(sorted(values))

    return [values_in_order(id) for id in result.ids]


def _shown_values(result: RecordsInOrder, shown_columns: Sequence[str]) -> ShownValues:
    """A reader of values; if camp and line are among `shown_columns`, they are paired."""
    fields = [name for name in shown_columns if not _is_column_of_support(result, name)]
    return ShownValues(result.engine, result.query, result.ids, shown_fields=fields)


def _is_column_of_support(result: RecordsInOrder, name: str) -> bool:
    """Return whether a column is the only one that is no field: what supports each statement."""
    return result.record_kind is RecordKind.STATEMENT and name == "support"


def column_names_to_show(result: RecordsInOrder, columns: Sequence[str]) -> tuple[str, ...]:
    """The named columns; every field for `all`, the usual columns for none."""
    if tuple(columns) == ALL_FIELDS:
        return tuple(FIELDS_BY_KIND[result.record_kind])
    return tuple(columns) or default_columns_of(result)


def csv_names(result: RecordsInOrder, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns of a table; where cells hold two values, the second gets a column of its own:
    `unit` after `sample`, `effect_kind` after `effect`, `p_sign` after `p`.
    """
    names = list(column_names_to_show(result, columns))
    if result.record_kind is not RecordKind.STATEMENT:
        return tuple(names)
    field_by_name = {
        name: field_name(result.record_kind, name) for name in names if name != "support"
    }
    for name, field in field_by_name.items():
        companion = FIELDS_BY_KIND[result.record_kind][field].companion
        if companion and companion not in field_by_name.values():
            names.insert(names.index(name) + 1, companion)
    if holds_only_evidence(result):
        _add_unit_after_sample(names)
    return tuple(names)


def _add_unit_after_sample(names: list[str]) -> None:
    """Insert `unit` after the only column of samples, unless units have a column already."""
    sample_columns = [name for name in names if name in ("sample", "samples")]
    if len(sample_columns) == 1 and not {"unit", "units"} & {*names}:
        names.insert(names.index(sample_columns[0]) + 1, "unit")


def value_columns(
    result: RecordsInOrder, columns: Sequence[str], shown_columns: Sequence[str] | None = None
) -> dict[str, list[Any]]:
    """The columns of a table as values; lists if a record may have several values of the field.

    Camps and lines are paired if both are among `shown_columns`: `columns` if not given, none if
    `columns` is `ALL_FIELDS`.
    """
    columns_found: dict[str, list[Any]] = {}
    names = column_names_to_show(result, columns)
    if shown_columns is None:
        shown_columns = () if tuple(columns) == ALL_FIELDS else names
    shown_values = _shown_values(result, shown_columns)
    for name in names:
        if _is_column_of_support(result, name):
            render_cell = _cell_renderer(result, name, shown_values)
            columns_found[name] = [render_cell(result.corpus, record) for record in result]
            continue
        values = _field_values(result, name, shown_values)
        if shown_values.has_many(name) or any(each[1:] for each in values):
            columns_found[name] = [[as_plain_value(value) for value in each] for each in values]
        else:
            columns_found[name] = [as_plain_value(each[0]) if each else None for each in values]
    return columns_found


def render_value(value: object) -> str:
    """A value as shown in a cell: a fraction to two places."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.2f}" if value == 0.0 or abs(value) >= 0.01 else f"{value:.2g}"


def count_line(result: RecordsInOrder) -> str:
    """“3 claims”; if there are none, the reason."""
    number = len(result)
    return f"{number} {noun_of(result.written_query, number)}" if number else result.why_empty


def render_plain(result: RecordsInOrder) -> str:
    """A table as plain text, with the number of records beneath."""
    if not result:
        return result.why_empty
    return f"{render_columns(table_of(result), MAX_CELL_CHARACTERS)}\n{count_line(result)}"


def as_table(
    result: RecordsInOrder, columns: Sequence[str] = (), width: int = WIDE_TERMINAL
) -> RichTable:
    """A table for terminals; in narrow ones, ids are shown below the titles."""
    table = table_of(result, columns)
    _, names, cells, *_ = table
    if width >= WIDE_TERMINAL or columns or not {"id", "title"} <= set(names):
        return rich_table(table)
    id = names.index("id")
    title = names.index("title")
    other_columns = [column for column in range(len(names)) if column not in (id, title)]
    longest_id = max((len(row[id]) for row in cells), default=0)
    headings = ("title and id", *(names[column] for column in other_columns))
    stacked_rows = [
        (
            f"{printable(row[title])}\n{printable(row[id])}",
            *(row[column] for column in other_columns),
        )
        for row in cells
    ]
    # ids stay in one piece for copying, and the rest has room
    return rich_table(Table("", headings, stacked_rows), min(longest_id, width * 2 // 3))


def title_first_table(result: RecordsInOrder) -> tuple[str, ...]:
    """The usual columns, the title first, for formats with a paragraph per record."""
    names = default_columns_of(result)
    return ("title", *(name for name in names if name != "title")) if "title" in names else names


def rich_table(table: Table, room_for_ids: int = 0) -> RichTable:
    """Cells under headings; cells are shown literally, never read as markup."""
    from rich.table import Table
    from rich.text import Text

    terminal_table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in table.columns:
        min_width = MIN_TEXT_WIDTH if name in ("title", "reason") else None
        if name == "title and id":
            min_width = max(MIN_TEXT_WIDTH, room_for_ids)
        max_width = MAX_SUPPORT_WIDTH if name == "support" else None
        terminal_table.add_column(
            name.replace("_", " "), overflow="fold", min_width=min_width, max_width=max_width
        )
    for row in table.rows:
        terminal_table.add_row(*(Text("\n".join(map(printable, cell.split("\n")))) for cell in row))
    return terminal_table


def as_plain_value(value: object) -> Any:
    """A value for data frames and JSON: an enumeration's member as plain text."""
    return str(value) if isinstance(value, str) else value


def as_json(result: RecordsInOrder, columns: Sequence[str]) -> str:
    """The records as a JSON list: the named columns. If none are named, all that is recorded, with
    the values by which selections find statements.
    """
    records: list[Any] = list(result)
    if columns:
        columns_found = value_columns(result, columns)
        records = [
            dict(zip(columns_found, row, strict=True))
            for row in zip(*columns_found.values(), strict=True)
        ]
    elif result.record_kind is RecordKind.STATEMENT:
        records = [msgspec.to_builtins(statement) for statement in records]
        fields = FIELDS_BY_KIND[result.record_kind]
        lent = [name for name in fields if name in FIELDS_ASKED_THROUGH_OTHERS]
        for name, values in value_columns(result, lent, shown_columns=()).items():
            key = fields[name].attribute or name
            for statement, value in zip(records, values, strict=True):
                if value in (None, []):
                    statement.pop(key, None)
                else:
                    statement[key] = value
    return msgspec.json.format(msgspec.json.encode(records), indent=2).decode("utf-8")


def _fields_of(condition: Condition) -> Iterator[str]:
    match condition:
        case FieldIn(field=field) | FieldIsRecorded(field=field) | FieldBetween(field=field):
            yield field
        case Not(inner):
            yield from _fields_of(inner)
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _fields_of(part)
