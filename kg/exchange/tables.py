"""The corpus as a folder of CSV tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kg.corpus import Corpus
from kg.model import Statement
from kg.rdf.results import csv_text, inert

ANSWERS = {
    "answer_if_holds": "holds",
    "answer_if_fails": "fails",
    "answer_if_undecided": "undecided",
}
COLUMNS = {
    "statements": (
        *("id", "kind", "title", "camp", "topics", "about", "method", "sample", "sources"),
        *("status", "path", "at_line", "body"),
    ),
    "edges": (
        *("id", "source", "together", "relation", "target", "strength", "reason", "scope"),
        *("path", "at_line"),
    ),
    "sources": ("key", "title", "authors", "year", "venue", "doi", "url", "integrity"),
    "lines": ("id", "title", "proposition", *ANSWERS, "topics", "path"),
    "placements": ("line", "statement", "camp", "reason"),
}

Rows = Iterator[tuple[Any, ...]]


def write_csv(corpus: Corpus, folder: Path) -> None:
    """Five tables that refer to each other by id; lists are joined by `; `."""
    folder.mkdir()
    for name, (columns, rows) in tables(corpus).items():
        text = csv_text(columns, ([_cell(value) for value in row] for row in rows))
        folder.joinpath(f"{name}.csv").write_text(text, "utf-8", newline="")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return inert("; ".join(value))
    return str(value) if isinstance(value, int | float) else inert(str(value))


def tables(corpus: Corpus) -> dict[str, tuple[tuple[str, ...], Rows]]:
    """Each table's columns and rows."""
    records: dict[str, Iterable[Any]] = {
        "statements": corpus.statements.values(),
        "edges": corpus.edges,
        "sources": corpus.sources.values(),
        "lines": corpus.lines.values(),
        "placements": corpus.placements,
    }
    return {
        name: (columns, _rows(corpus, records[name], columns)) for name, columns in COLUMNS.items()
    }


def _rows(corpus: Corpus, records: Iterable[Any], columns: tuple[str, ...]) -> Rows:
    for record in records:
        yield tuple(_value(corpus, record, column) for column in columns)


def _value(corpus: Corpus, record: Any, column: str) -> Any:
    if column == "camp" and isinstance(record, Statement):
        return corpus.default_camps.get(record.id)
    if column == "path":
        return record.span.path
    if column in ANSWERS:
        return getattr(record.answers, ANSWERS[column])
    return record.span.line if column == "at_line" else getattr(record, column)
