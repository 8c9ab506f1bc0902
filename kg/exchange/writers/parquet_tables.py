"""The tables of CSV as Parquet, with lists as lists and numbers as numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kg.corpus import Corpus
from kg.exchange.writers.csv_tables import csv_tables
from kg.frames import as_frame


def write_parquet(corpus: Corpus, folder: Path, whole: Corpus | None = None) -> None:
    """Five files that refer to each other by id. Raises `MissingLibrary` without polars."""
    folder.mkdir()
    for name, (columns, rows) in csv_tables(corpus).items():
        held = list(rows)
        values = {column: [_plain(row[at]) for row in held] for at, column in enumerate(columns)}
        as_frame(values, "polars").write_parquet(folder / f"{name}.parquet")


def _plain(value: Any) -> Any:
    """A value of a type that Parquet has: words of ours are texts."""
    if isinstance(value, tuple):
        return [str(each) for each in value]
    return str(value) if isinstance(value, str) else value
