"""What the site holds for programs: JSON that keeps to its schema."""

from __future__ import annotations

import gzip
import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from rdflib import RDF, Graph, URIRef

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.publish.build.for_programs import api_files
from kg.publish.build.for_programs.api_files import list_address
from kg.publish.build.for_programs.record_files import RECORD_TYPES_OF_FILES
from kg.publish.build.site import build_site

pytestmark = pytest.mark.integration
NOTES = Path(__file__).parents[2] / "golden" / "notes"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(NOTES)


@pytest.fixture(scope="module")
def site(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site(corpus, tmp_path_factory.mktemp("site")).index.parent


@cache
def _load(site: Path, address: str) -> Any:
    return json.loads((site / address).read_text("utf-8"))


def _value_at(site: Path, address: str) -> Any:
    """What a JSON Pointer leads to in its file (RFC 6901, 6)."""
    file, _, pointer = address.partition("#")
    value = _load(site, file)
    for part in unquote(pointer).split("/")[1:]:
        value = value[part.replace("~1", "/").replace("~0", "~")]
    return value


def _check(site: Path, name: str, value: Any) -> None:
    schema = _load(site, "api/v1/schema.json")
    assert name in schema["$defs"]
    Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"}).validate(value)


def test_the_index_leads_to_all_that_there_is(corpus: Corpus, site: Path) -> None:
    versions = _load(site, "api/index.json")["versions"]
    index = _load(site, versions["1"])
    records = {"lines": corpus.lines, "statements": corpus.statements, "sources": corpus.sources}
    assert index["lists"].keys() == records.keys()
    for name, place in index["lists"].items():
        whole_corpus = _load(site, place["first"])
        assert {item["id"] for item in whole_corpus["items"]} == set(records[name])
        assert place["count"] == whole_corpus["total"] == len(records[name])
        assert whole_corpus["next"] is None


@pytest.mark.parametrize("name", ["lines", "statements", "sources"])
def test_lists_and_records_keep_to_the_schema(site: Path, name: str) -> None:
    Draft202012Validator.check_schema(_load(site, "api/v1/schema.json"))
    whole_corpus = _load(site, list_address(name))
    _check(site, name, whole_corpus)
    assert whole_corpus["items"]
    for item in whole_corpus["items"]:
        assert (site / item["page"]).is_file()
        record = _value_at(site, item["data"])
        assert record["iri"] == item["iri"]
        _check(site, RECORD_TYPES_OF_FILES[name].__name__, record)
        assert set(record) <= set(RECORD_TYPES_OF_FILES[name].__struct_fields__)
        page = (site / item["page"]).read_text("utf-8")
        assert f'type="application/json" href="../{escape(item["data"])}"' in page
        packed = site / item["data"].partition("#")[0].replace(".json", ".ttl.gz")
        graph = Graph().parse(data=gzip.decompress(packed.read_bytes()), format="turtle")
        assert (URIRef(record["iri"]), RDF.type, None) in graph


def test_the_schema_refuses_what_is_otherwise(site: Path) -> None:
    item = _load(site, list_address("statements"))["items"][0]
    for name, value in (("strength", "much"), ("id", None), ("sources", "doe2019")):
        with pytest.raises(ValidationError):
            _check(site, "StatementRow", {**item, name: value})
    with pytest.raises(ValidationError):
        _check(site, "StatementRow", {key: item[key] for key in item if key != "verdict"})


@pytest.mark.parametrize("maximum", [4, 17])
def test_a_long_list_goes_on_in_further_files(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, maximum: int
) -> None:
    assert len(corpus.statements) == 17
    monkeypatch.setattr(api_files, "ROWS_IN_FILE", maximum)
    site = build_site(corpus, tmp_path).index.parent
    address, ids = list_address("statements"), []
    while address:
        part = _load(site, address)
        assert len(part["items"]) <= maximum
        ids += [item["id"] for item in part["items"]]
        address = part["next"]
    assert ids == list(corpus.statements)
