"""Tables as Parquet."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import polars
import pytest

from kg.exchange.formats import write_export
from kg.exchange.writers.csv_tables import CSV_COLUMNS
from kg.reporting.data_frames import MissingLibrary
from tests.support.own import own_corpus


def test_parquet_has_the_tables_with_lists_and_numbers(tmp_path: Path) -> None:
    corpus = own_corpus()
    write_export(corpus, "parquet", tmp_path)
    tables = {file.stem: polars.read_parquet(file) for file in tmp_path.iterdir()}
    assert {name: tuple(table.columns) for name, table in tables.items()} == CSV_COLUMNS
    assert tables["statements"]["id"].to_list() == [*corpus.statements]
    topics = [list(each.topics) for each in corpus.statements.values()]
    assert tables["statements"]["topics"].to_list() == topics
    assert tables["sources"]["year"].to_list() == [each.year for each in corpus.sources.values()]


def test_what_to_install_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "polars" else spec(name, *a)
    )
    with pytest.raises(MissingLibrary, match="pip install polars"):
        write_export(own_corpus(), "parquet", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
