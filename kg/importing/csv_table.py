"""Tables in CSV: the columns that each may have, and its rows with their lines."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field

from kg.exchange.writers.csv_tables import CSV_COLUMNS
from kg.importing.import_records import InputFile, printable_line
from kg.judgements.edge_labels import REQUIRED_COLUMNS
from kg.reporting.csv_cells import unescape_formula

CSV_LIMIT = 4 * 1024 * 1024  # characters of a cell
_OTHER_COLUMNS_READ = {"statements": ("text", "supports", "contradicts", "qualifies", "reason")}
_REQUIRED_COLUMNS = {
    "statements": ("title",),
    "edges": ("origin", "relation", "target"),
    "sources": ("id",),
    "lines": ("title",),
    "placements": ("line", "statement", "camp"),
    "judgements": REQUIRED_COLUMNS,
}
# By table, how others call some of its columns.
_OTHER_NAMES = {
    "statements": {"type": "kind", "claim": "title", "statement": "title"},
    "edges": {"source": "origin"},
}

Row = dict[str, str]


@dataclass
class CsvTable:
    """A table: its file, and its rows with their lines."""

    file: InputFile
    rows: list[tuple[int, Row]] = field(default_factory=list)


def table_name(file: InputFile) -> str:
    """Tell from its name what the rows of a file are; statements if the name does not say."""
    name = file.name.removesuffix(".csv").casefold()
    return name if name in CSV_COLUMNS else "statements"


def read_table(file: InputFile, name: str, remarks: list[str]) -> CsvTable:
    """The rows of a file; raises `BadInput`, and remarks on columns that are not carried."""
    limit = csv.field_size_limit(CSV_LIMIT)
    try:
        return _read_rows(file, name, remarks)
    finally:
        # Python has one limit for all threads: only `kg import` may raise it, which has no others
        csv.field_size_limit(limit)


def _read_rows(file: InputFile, name: str, remarks: list[str]) -> CsvTable:
    table = CsvTable(file)
    reader = csv.reader(io.StringIO(file.text, newline=""))
    line_number = 1
    try:
        heads = [each.strip().casefold() for each in next(reader, [])]
        heads = [_OTHER_NAMES.get(name, {}).get(head, head) for head in heads]
        for column in _REQUIRED_COLUMNS[name]:
            if column not in heads:
                raise file.error_at(1, f"no column `{column}`", f"name {column} in the first row")
        columns = ("", *CSV_COLUMNS[name], *_OTHER_COLUMNS_READ.get(name, ()))
        unknown = [head for head in heads if head not in columns]
        if unknown:
            remarks.append(
                f"{file.place(1)}: not carried: column {', '.join(map(printable_line, unknown))}"
            )
        line_number = reader.line_num + 1
        for cells in reader:
            if len(cells) > len(heads):
                raise file.error_at(
                    line_number, f"{len(cells)} cells in a table of {len(heads)} columns"
                )
            if any(cells):
                table.rows.append(
                    (line_number, dict(zip(heads, map(unescape_formula, cells), strict=False)))
                )
            line_number = reader.line_num + 1
    except csv.Error as error:
        raise file.error_at(
            line_number, str(error), "save it as CSV with commas, in UTF-8"
        ) from None
    return table
