"""What people keep for themselves in a bibliography leaves it by no export, and not by the site.

Of `kg/notes/bibliography/parsed_bibliography.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.api import load
from kg.exchange.formats import FORMATS, write_export
from kg.notes.bibliography.parsed_bibliography import PUBLIC_FIELDS, public_fields
from tests.support import command
from tests.support.every_row import every_row

_HIDDEN = (
    "abstract addendum annotation annote archive archive_location bdsk-url-1 bibsource call-number "
    "comment copyright creationdate date-added file filepath groups howcited keyword keywords "
    "bibliography localfile local-url mendeley-tags note notes owner pdf priority ranking read "
    "readstatus review school-notes shelf source timestamp usera username verba x-mine your-note"
)
HIDDEN = _HIDDEN.split()
LOCAL = (
    "file:///srv/SECRET.pdf",
    "/Users/ann/SECRET.pdf",
    "/home/ann/SECRET.pdf",
    "C:\\Users\\SECRET.pdf",
    "~/SECRET.pdf",
    "see /mnt/SECRET.pdf",
    "zotero://select/SECRET",
)
BIB = "\n".join(
    [
        "@book{bib, title = {PUBLIC book}, author = {Wu, Ann}, year = 2020, crossref = {above},",
        *(f"  {name} = {{SECRET 41 people {name}}}," for name in HIDDEN),
        "  howpublished = {/home/a/SECRET}, url = {file:///SECRET.pdf}, series = {PUBLIC series}}",
        "@mvbook{above, title = {PUBLIC above}, editor = {Li, Bo}, publisher = {P},",
        *(f"  {name} = {{SECRET {name}}}," for name in HIDDEN),
        "}",
    ]
)
CSL = (
    '[{"id": "csl", "type": "book", "title": "PUBLIC CSL", "author": [{"family": "Roe"}],'
    ' "issued": {"raw": "2021"}, "publisher": "PUBLIC press", "medium": "/Users/ann/SECRET",'
    ' "note": "SECRET words\\nDOI: 10.1/public", "custom": {"SECRET": "SECRET"},'
    + ", ".join(f'"{name}": "SECRET 41 people {name}"' for name in HIDDEN if name != "note")
    + "}]"
)
NOTE = """---
type: claim
---

# Sleep helps memory

> [!evidence] It was seen ^seen
> Twice. [@bib] (method:: experiment) (sample:: 14 people) (reason:: seeing it is a reason)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "notes").mkdir()
    (folder / "kg.toml").write_text("", "utf-8")
    for name, text in (
        ("notes/a.md", NOTE),
        ("My Bibliography.bib", BIB),
        ("notes/more.json", CSL),
    ):
        (folder / name).write_text(text, "utf-8")
    return folder


def texts(place: Path) -> Iterator[tuple[str, str]]:
    for file in [place] if place.is_file() else sorted(place.rglob("*")):
        if file.is_file():
            yield file.name, file.read_bytes().decode("utf-8", "replace")


@every_row("name", [each.name for each in FORMATS])
def test_no_export_has_private_fields(name: str, folder: Path, tmp_path: Path) -> None:
    corpus = load(folder / "notes")
    assert len(corpus.sources) == 3
    write_export(corpus, name, tmp_path / "out")
    result_texts = list(texts(tmp_path / "out"))
    assert result_texts
    assert [file for file, text in result_texts if "SECRET" in text] == []


@pytest.mark.integration
def test_the_site_has_no_private_fields(folder: Path, tmp_path: Path) -> None:
    result = command.kg(folder, "build", "--out", str(tmp_path / "out"))
    assert result.returncode == 0
    result_texts = list(texts(tmp_path / "out" / "html"))
    assert [file for file, text in result_texts if "SECRET" in text] == []
    [data] = [json.loads(text) for file, text in result_texts if file == "sources-0.json"]
    records = [json.dumps(data[id]) for id in ("bib", "csl")]
    assert any("PUBLIC series" in text for text in records)
    assert any("PUBLIC press" in text and "10.1/public" in text for text in records)


def test_no_answer_has_private_fields(folder: Path) -> None:
    for words in (("find", "sources", "--format", "json"), ("show", "bib"), ("check",)):
        result = command.kg(folder, *words)
        assert "SECRET" not in result.stdout + result.stderr
    assert "the abstract of `bib` gives 41," in result.stdout


def test_what_is_public_is_a_list_of_bibliographic_fields() -> None:
    assert PUBLIC_FIELDS.isdisjoint(HIDDEN)
    fields = dict.fromkeys([*PUBLIC_FIELDS, *HIDDEN], "x")
    assert public_fields(fields).keys() == PUBLIC_FIELDS


def test_a_slip_for_title_is_kept_and_nothing_else_is_taken_for_one() -> None:
    assert public_fields({"titel": "T", "file": "F"}) == {"titel": "T"}
    assert public_fields({"file": "F", "tags": "T", "subtitle": "S"}) == {"subtitle": "S"}


@every_row("value", LOCAL)
def test_a_path_on_a_disk_is_private_in_any_field(value: str) -> None:
    assert public_fields({"title": "T", "howpublished": value}) == {"title": "T"}


@every_row("value", ["https://x.org/home/ann", "and/or", "10.1000/mnt/x", "A: B"])
def test_other_strokes_are_no_path(value: str) -> None:
    assert public_fields({"title": value}) == {"title": value}
