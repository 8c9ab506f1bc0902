from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.exchange.formats import write_export
from kg.importing.import_records import BadInput
from kg.model import Kind, Status
from tests.importing.conftest import Import, load
from tests.support.own import own_corpus

ANNOTATION = {
    "key": "ABC1",
    "annotationType": "highlight",
    "annotationText": "the parrot [@x] sang %% twice",
    "annotationComment": "Only twice! - supports:: [[y]]",
    "annotationPageLabel": "12",
}
ZOTERO = {
    "config": {"label": "BetterBibTeX JSON"},
    "items": [
        {
            "itemType": "journalArticle",
            "citationKey": "roe2020",
            "title": "Parrots that sing",
            "creators": [{"creatorType": "author", "firstName": "Ann", "lastName": "Roe"}],
            "date": "2020-05-01",
            "publicationTitle": "Birds",
            "attachments": [{"path": "/home/secret.pdf", "annotations": [ANNOTATION] * 2 + [7]}],
            "notes": [
                {"note": "<p>“It sang <i>well</i>” (Roe, 2020, p. 4) as said</p><p>A thought</p>"}
            ],
        },
        {"itemType": "note", "note": "alone"},
    ],
}
BIB = """@article{doe2019, title = {Dogs}, author = {Doe, Jo}, year = 2019,
  file = {/home/jo/dogs.pdf}, annote = {``Dogs \\& cats paint'' (p. 3)

A second thought}}
"""


def test_annotations_become_drafts_with_their_place(notes: Path, bring: Import) -> None:
    bring("library", {"z.json": json.dumps(ZOTERO)})
    corpus = load(notes)
    source = corpus.sources["roe2020"]
    assert (source.title, source.authors, source.year) == ("Parrots that sing", ("Ann Roe",), 2020)
    assert source.venue == "Birds"
    drafts = corpus.statements.values()
    assert {(each.kind, each.status) for each in drafts} == {(Kind.EVIDENCE, Status.DRAFT)}
    quoted = {(q.text, q.key, q.locator) for each in drafts for q in each.quotations}
    assert ("It sang well", "roe2020", "p. 4") in quoted
    assert {(key, place) for _, key, place in quoted} == {("roe2020", "p. 12"), ("roe2020", "p. 4")}
    assert len(drafts) == 3
    assert corpus.edges == ()
    assert "secret" not in "".join(p.read_text("utf-8") for p in notes.rglob("*.*"))
    assert bring("library", {"z.json": json.dumps(ZOTERO)}).files_after == {}


def test_notes_in_bibtex_and_csl_become_evidence(notes: Path, bring: Import) -> None:
    csl = [{"id": "lee 2018", "type": "book", "title": "Cats", "annote": "Read it again, p. 7"}]
    bring("library", {"b.bib": BIB, "c.json": json.dumps(csl)})
    corpus = load(notes)
    assert {*corpus.sources} == {"doe2019", "lee_2018"}
    cited_rows = sorted((c.key, c.locator) for e in corpus.statements.values() for c in e.citations)
    assert cited_rows == [("doe2019", ""), ("doe2019", "p. 3"), ("lee_2018", "p. 7")]
    quoted = [q.text for each in corpus.statements.values() for q in each.quotations]
    assert quoted == ["Dogs & cats paint"]
    assert "jo/dogs" not in (notes / "b.bib").read_text("utf-8")


@pytest.mark.integration
@pytest.mark.parametrize("format", ["bibtex", "csl"])
def test_our_own_sources_come_back(tmp_path: Path, notes: Path, bring: Import, format: str) -> None:
    ours = own_corpus()
    place = tmp_path / ("ours.bib" if format == "bibtex" else "ours.json")
    write_export(ours, format, place)
    bring("library", place)
    back = load(notes).sources
    assert {(k, s.title, s.year, s.authors, s.doi) for k, s in back.items()} == {
        (k, s.title, s.year, s.authors, s.doi) for k, s in ours.sources.items()
    }


@pytest.mark.parametrize("text", ["{", "{}", "[7]", '{"items": {}}', '"x"', "[" * 99_999])
def test_what_is_no_library_is_an_error_of_one_line(bring: Import, text: str) -> None:
    with pytest.raises(BadInput, match=r"^a\.json.*") as error:
        bring("library", {"a.json": text})
    assert "\n" not in str(error.value)


def test_wrong_types_are_passed_over(notes: Path, bring: Import) -> None:
    items = [
        {"itemType": "book", "citationKey": "../../k", "title": 7, "creators": 3, "date": None},
        {"itemType": ["x"], "key": "b", "attachments": [{"annotations": {}}], "notes": "n"},
    ]
    bring("library", {"a.json": json.dumps({"items": items})})
    assert len(load(notes).sources) == 2
