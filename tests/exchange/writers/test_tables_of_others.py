"""CSV for Neo4j, Parquet, and what says that the corpus is a data set."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import polars
import pytest
import yaml
from hypothesis import given, settings

from kg.corpus import Corpus
from kg.exchange.formats import render_export, write_export
from kg.exchange.writers.csv_tables import CSV_COLUMNS
from kg.exchange.writers.property_graph import LINKS, NODES, TYPES
from kg.frames import MissingLibrary
from kg.model.config import Config, DataSet, Site
from tests.support.corpora import corpora, read
from tests.support.npm import judged_by
from tests.support.own import NOTES, own_corpus


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened, strict=True))


# What the manual of `neo4j-admin database import` allows in a head: an id and the ends of a
# relationship in a group, labels, a type, else a property with a type.
HEAD = re.compile(r"(\w*):ID\((\w+)\)|:(START_ID|END_ID)\((\w+)\)|:LABEL|:TYPE|\w+(?::(\S+))?")
READERS = {None: str, "string[]": str, "int": int, "float": float}


def held_to_types(rows: list[dict[str, str]]) -> None:
    for column in rows[0] if rows else ():
        head = HEAD.fullmatch(column)
        assert head, column
        for row in rows:
            if row[column]:
                READERS[head[5]](row[column])
            else:
                assert not re.search("ID|LABEL|TYPE", column)


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
        held_to_types(rows)
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


@pytest.mark.integration
def test_neo4j_itself_can_read_the_script(tmp_path: Path) -> None:
    write_export(own_corpus(), "neo4j", tmp_path)
    script = tmp_path.joinpath("load.cypher").read_bytes() + b"MATCH (n) SET m.kind = 1;\n"
    told = judged_by("cypher.cjs", "@neo4j-cypher/language-support", script)
    assert told == ["Variable `m` not defined"]  # of our last line, and of nothing before it


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


SITE = Site(name='A: "b"\n# c', authors=("Jo Doe", "X"), url="https://x.test/", description="- d")
DATASET = DataSet(
    license="CC-BY-4.0",
    doi="10.5281/zenodo.1",
    version="1.0",
    people=("Jo Doe", "van Nap, Li"),
    organisations=("The Nap League",),
)
CORPUS = read(
    config=Config(site=SITE, dataset=DATASET),
    references="@misc{k, title={T}, doi={10.1/x}}\n@misc{l, title={U}, eprint={2301.00001}}",
    a="---\ntype: claim\ntopics: [t]\nupdated: 2026-02-03\n---\n# A\n",
)
BARE = read()


def held_to(schema: str, told: Any) -> None:
    rules = json.loads(
        (NOTES.parent / "tests" / "data" / "vocabularies" / schema).read_text("utf-8")
    )
    judge = jsonschema.validators.validator_for(rules)
    judge(rules, format_checker=judge.FORMAT_CHECKER).validate(told)


def test_a_citation_file_tells_people_from_organisations() -> None:
    told = yaml.safe_load(render_export(CORPUS, "cff"))
    held_to("cff-1.2.0.json", told)
    assert told["title"] == 'A: "b" # c'
    assert told["authors"] == [
        {"family-names": "Doe", "given-names": "Jo"},
        {"name": "X"},
        {"family-names": "van Nap", "given-names": "Li"},
        {"name": "The Nap League"},
    ]
    assert (told["url"], told["abstract"], told["keywords"]) == ("https://x.test/", "- d", ["t"])
    assert (told["license"], told["doi"]) == ("CC-BY-4.0", "10.5281/zenodo.1")
    assert (told["version"], told["date-released"]) == ("1.0", "2026-02-03")


@pytest.mark.parametrize("corpus", [CORPUS, BARE, own_corpus()], ids=["told", "bare", "own"])
def test_a_data_set_is_as_the_schemas_want_it(corpus: Corpus) -> None:
    held_to("cff-1.2.0.json", yaml.safe_load(render_export(corpus, "cff")))
    held_to("datacite-v4.5.json", json.loads(render_export(corpus, "datacite")))


def test_datacite_has_what_kg_toml_says_and_what_is_cited() -> None:
    told = json.loads(render_export(CORPUS, "datacite"))
    assert [(each["name"], each.get("nameType")) for each in told["creators"]] == [
        ("Doe, Jo", "Personal"),
        ("X", None),
        ("van Nap, Li", "Personal"),
        ("The Nap League", "Organizational"),
    ]
    assert (told["doi"], told["publicationYear"]) == ("10.5281/zenodo.1", "2026")
    assert told["rightsList"][0]["rightsUri"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    cited = {each["relatedIdentifier"] for each in told["relatedIdentifiers"]}
    assert cited == {"10.1/x", "arXiv:2301.00001"}


def test_a_crate_names_its_license_and_its_makers() -> None:
    things = {each["@id"]: each for each in json.loads(render_export(CORPUS, "ro-crate"))["@graph"]}
    root = things["./"]
    assert things[root["license"]["@id"]]["name"] == "CC-BY-4.0"
    assert root["identifier"] == "https://doi.org/10.5281/zenodo.1"
    kinds = [things[each["@id"]]["@type"] for each in root["author"]]
    assert kinds == ["Person", ["Person", "Organization"], "Person", "Organization"]


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
