"""CSV for Neo4j, Parquet, and what says that the corpus is a data set."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
from pathlib import Path
from urllib.parse import unquote

import polars
import pytest
import yaml
from hypothesis import given, settings

from kg.corpus import Corpus
from kg.exchange.formats import render_export, write_export
from kg.exchange.writers.csv_tables import CSV_COLUMNS
from kg.exchange.writers.property_graph import LINKS, NODES, TYPES
from kg.frames import MissingLibrary
from kg.model.config import Config, Site
from tests.support.corpora import corpora, read
from tests.support.own import NOTES, own_corpus


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened, strict=True))


def judge_neo4j(folder: Path) -> dict[str, list[dict[str, str]]]:
    """Heads as the bulk import wants them; ids once; no link to what is not there."""
    held = {file.stem: rows_of(file) for file in folder.glob("*.csv")}
    assert set(held) == {*NODES, *LINKS}
    ids = {}
    for name, (label, _) in NODES.items():
        own = [row[f"id:ID({label})"] for row in held[name]]
        assert len(own) == len(set(own))
        ids[label] = set(own)
        assert {row[":LABEL"].split(";")[0] for row in held[name]} <= {label}
    for name, (start, end, _) in LINKS.items():
        assert {row[f":START_ID({start})"] for row in held[name]} <= ids[start]
        assert {row[f":END_ID({end})"] for row in held[name]} <= ids[end]
        assert {row[":TYPE"] for row in held[name]} <= set(TYPES[name])
    for rows in held.values():
        assert not any(re.search(r'\\("|$)|\n', cell) for row in rows for cell in row.values())
    return held


@given(corpora())
@settings(max_examples=10, deadline=None)
def test_neo4j_files_hold_together(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus
) -> None:
    folder = tmp_path_factory.mktemp("neo4j")
    write_export(corpus, "neo4j", folder)
    judge_neo4j(folder)


def test_neo4j_has_our_corpus_and_loads_every_column(tmp_path: Path) -> None:
    corpus = own_corpus()
    write_export(corpus, "neo4j", tmp_path)
    held = judge_neo4j(tmp_path)
    assert [row["id:ID(Statement)"] for row in held["statements"]] == [*corpus.statements]
    assert {row["id"] for row in held["edges"]} == {edge.id for edge in corpus.edges}
    assert any(row["undercuts"] for row in held["edges"])
    script = tmp_path.joinpath("load.cypher").read_text("utf-8")
    for name, rows in held.items():
        assert f"'file:///{name}.csv'" in script
        assert all(f"row.`{column}`" in script for column in rows[0] if column != ":LABEL")


def test_neo4j_starts_no_formula_and_splits_no_name(tmp_path: Path) -> None:
    corpus = read(
        references="@misc{k, title={=1+1}, author={{Sleep; Naps} and Roe, Jo}, year={2020}}",
        n0="---\ntype: claim\n---\n# =cmd|'/c calc'!A0\n\nSo. [@k, -1]\n",
    )
    write_export(corpus, "neo4j", tmp_path)
    held = judge_neo4j(tmp_path)
    assert held["statements"][0]["title"] == "'=cmd|'/c calc'!A0"
    assert held["sources"][0]["title"] == "'=1+1"
    assert held["sources"][0]["authors:string[]"] == "Sleep, Naps;Jo Roe"
    assert held["citations"][0]["locator"] == "'-1"


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
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "polars" else found(name, *a)
    )
    with pytest.raises(MissingLibrary, match="pip install polars"):
        write_export(own_corpus(), "parquet", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_citation_file_has_what_its_format_requires() -> None:
    site = Site(name='A: "b"\n# c', authors=("Jo Doe",), url="https://x.test/", description="- d")
    corpus = read(config=Config(site=site), a="---\ntype: claim\ntopics: [t]\n---\n# A\n")
    told = yaml.safe_load(render_export(corpus, "cff"))
    assert told["title"] == 'A: "b" # c'
    assert told["authors"] == [{"name": "Jo Doe"}]
    assert (told["url"], told["abstract"], told["keywords"]) == ("https://x.test/", "- d", ["t"])
    nameless = yaml.safe_load(render_export(read(), "cff"))
    required = {"cff-version": "1.2.0", "type": "dataset"}
    assert nameless | required == nameless
    assert all(nameless[name] for name in ("message", "title", "authors"))


def test_a_crate_describes_files_that_are_there() -> None:
    crate = json.loads(render_export(own_corpus(), "ro-crate"))
    things = {thing["@id"]: thing for thing in crate["@graph"]}
    about = things["ro-crate-metadata.json"]["about"]["@id"]
    parts = [part["@id"] for part in things[about]["hasPart"]]
    assert len(parts) > 100
    assert all(NOTES.joinpath(unquote(part)).is_file() for part in parts)
    assert all(things[part]["@type"] == "File" for part in parts)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", things[about]["datePublished"])
    assert all(author["@id"] in things for author in things[about]["author"])
