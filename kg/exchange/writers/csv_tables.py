"""Write statements, edges, sources, lines, placements and judgements as CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from kg.corpus import Corpus
from kg.judgements.edge_labels import JUDGEMENT_COLUMNS, judgements_of
from kg.model import Statement
from kg.reporting.csv_cells import csv_cell, render_csv_rows
from kg.reporting.data_frames import as_frame

ANSWER_COLUMNS = {
    "answer_if_holds": "holds",
    "answer_if_fails": "fails",
    "answer_if_undecided": "undecided",
}
CSV_COLUMNS = {
    "statements": (
        "id", "kind", "title", "camp", "topics", "about", "method", "sample", "unit",
        "sources", "status", "path", "at_line", "body",
    ),
    "edges": (
        "id", "origin", "together", "relation", "target", "strength", "reason", "scope",
        "mutual", "by", "locator", "path", "at_line",
    ),
    "sources": ("id", "title", "authors", "year", "venue", "doi", "url", "integrity"),
    "lines": ("id", "title", "proposition", *ANSWER_COLUMNS, "doubt", "topics", "path"),
    "placements": ("line", "statement", "camp", "reason"),
    "judgements": JUDGEMENT_COLUMNS,
}  # fmt: skip

TableRows = Iterator[tuple[object, ...]]


def write_csv(corpus: Corpus, folder: Path) -> None:
    """Write six CSV tables that refer to each other by id; lists are joined by `; `."""
    folder.mkdir()
    for name, (columns, rows) in csv_tables(corpus).items():
        text = render_csv_rows(columns, ([csv_cell(value) for value in row] for row in rows))
        folder.joinpath(f"{name}.csv").write_text(text, "utf-8", newline="")


def csv_tables(corpus: Corpus) -> dict[str, tuple[tuple[str, ...], TableRows]]:
    """The columns and rows of each table."""
    records: dict[str, Iterable[object]] = {
        "statements": corpus.statements.values(),
        "edges": corpus.edges,
        "sources": corpus.sources.values(),
        "lines": corpus.lines.values(),
        "placements": corpus.placements,
        "judgements": (j for j in judgements_of(corpus).rows if j.edge in corpus.edges_by_id),
    }
    return {
        name: (columns, _rows_of_records(corpus, records[name], columns))
        for name, columns in CSV_COLUMNS.items()
    }


def _rows_of_records(
    corpus: Corpus, records: Iterable[object], columns: tuple[str, ...]
) -> TableRows:
    for record in records:
        yield tuple(_cell_value(corpus, record, column) for column in columns)


def _cell_value(corpus: Corpus, record: Any, column: str) -> object:
    if column == "camp" and isinstance(record, Statement):
        return corpus.default_camps.get(record.id)
    if column == "unit":
        return record.sample_unit
    if column == "mutual":
        return "yes" if record.mutual else None
    if column == "path":
        return record.span.path
    if column in ANSWER_COLUMNS:
        return getattr(record.answers, ANSWER_COLUMNS[column])
    return record.span.line if column == "at_line" else getattr(record, column)


def write_parquet(corpus: Corpus, folder: Path) -> None:
    """Write the same tables as Parquet. Raises `MissingLibrary` without polars."""
    folder.mkdir()
    for name, (columns, rows) in csv_tables(corpus).items():
        row_list = list(rows)
        values = {
            column: [_parquet_value(row[position]) for row in row_list]
            for position, column in enumerate(columns)
        }
        whole_file = BytesIO()  # polars does not raise `OSError` on a full disk
        as_frame(values, "polars").write_parquet(whole_file)
        (folder / f"{name}.parquet").write_bytes(whole_file.getvalue())


def _parquet_value(value: object) -> object:
    """A value of a type that Parquet has: enums become strings."""
    if isinstance(value, tuple):
        return [str(each) for each in value]
    return str(value) if isinstance(value, str) else value
