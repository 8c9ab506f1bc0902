"""What CSL JSON can write in an entry, kind by kind."""

from __future__ import annotations

import json
from typing import Any

from kg.model import Integrity
from kg.notes.bibliography.bibliography import parse_bibliography
from kg.notes.bibliography.csl import parse_csl
from kg.notes.bibliography.parsed_bibliography import Bibliography
from kg.notes.note_files import NoteFile
from tests.support.every_row import every_row


def read(text: str, name: str = "references.json") -> Bibliography:
    return parse_bibliography(NoteFile(name, text.encode(), (name + text).encode()))


def one(**fields: Any) -> Any:
    (source,) = parse_csl(json.dumps([{"id": "k", **fields}]), "references.json").sources
    return source


@every_row(
    ("issued", "year"),
    [
        ({"date-parts": [[2021, 5], [2021, 7]]}, 2021),
        ({"date-parts": [["2021"]]}, 2021),
        ({"raw": "May 2020"}, 2020),
        ({"literal": "around 1999"}, 1999),
        ("2018-03", 2018),
        ({"date-parts": [[-44]]}, None),
        ({"date-parts": []}, None),
        (None, None),
    ],
)
def test_a_year_is_read_from_the_date_of_csl(issued: Any, year: int | None) -> None:
    assert one(issued=issued).year == year


@every_row(
    ("title", "expected_output"),
    [
        ("<i>E. coli</i> in H<sub>2</sub>O", "E. coli in H2O"),
        ('On <span class="nocase">pH</span> and <sc>x</sc>', "On pH and x"),
        ('<span style="font-variant:small-caps;">A</span> &amp; B', "A & B"),
        ("if a<b and b>c", "if a<b and b>c"),
    ],
)
def test_tags_in_titles_are_not_shown(title: str, expected_output: str) -> None:
    assert one(title=title).title == expected_output
    assert one(title=title).entry["title"] == expected_output


@every_row(
    ("fields", "key", "aliases"),
    [
        ({"id": "http://zotero.org/users/1/items/AB12", "citation-key": "lee"}, "lee", ()),
        ({"id": "http://zotero.org/users/1/items/AB12"}, "AB12", ()),
        ({"id": "http://zotero.org/users/1/items/AB12", "note": "Citation Key: lee"}, "lee", ()),
        ({"id": "old", "citation-key": "lee"}, "lee", ("old",)),
        ({"id": 7, "citation-key": "lee"}, "lee", ()),
        ({"id": "lee", "citation-key": "lee"}, "lee", ()),
    ],
)
def test_a_citation_key_of_csl_comes_before_its_id_which_stays_an_alias(
    fields: dict[str, Any], key: str, aliases: tuple[str, ...]
) -> None:
    source = one(**fields)
    assert (source.key, source.aliases) == (key, aliases)


def test_what_stands_in_extra_and_custom_is_read() -> None:
    source = one(
        note="read twice\nDOI: 10.1/x\nintegrity: retracted\n{:independence: lab:a; data:b}",
        custom={"arXiv": "2401.01234", "mood": "bad"},
    )
    assert (source.doi, source.arxiv, source.integrity) == ("10.1/x", "2401.01234", "retracted")
    assert source.independence == ("lab:a", "data:b")
    assert "read twice" not in str(source.entry)
    assert "mood" not in source.entry


def test_integrity_and_independence_are_fields_as_in_bibtex() -> None:
    source = one(integrity="corrected", independence="lab:a, data:b")
    assert (source.integrity, source.independence) == (Integrity.CORRECTED, ("lab:a", "data:b"))
    (problem,) = read('[{"id": "a"},\n{"id": "k", "integrity": "fishy"}]').diagnostics
    assert ("fishy" in problem.message, problem.span.line) == (True, 2)


VENUE_FIELDS = ("container-title", "publisher", "event-title", "authority", "event")


@every_row("first", range(len(VENUE_FIELDS)))
def test_a_venue_is_the_first_of_these_that_an_entry_has(first: int) -> None:
    fields = {name: f"a {name}" for name in reversed(VENUE_FIELDS[first:])}
    assert one(**fields).venue == f"a {VENUE_FIELDS[first]}"


@every_row(
    ("person", "name", "short"),
    [
        ({"literal": "World Bank, Inc."}, "World Bank, Inc.", "World Bank, Inc."),
        ({"family": "World Bank", "given": ""}, "World Bank", "World Bank"),
        ({"family": "Meer", "given": "G.", "non-dropping-particle": "van der"}, "G. van der Meer",
         "van der Meer"),
        ({"family": "King", "given": "M. L.", "suffix": "Jr."}, "M. L. King, Jr.", "King"),
        ({"family": "Aristotle"}, "Aristotle", "Aristotle"),
    ],
)  # fmt: skip
def test_names_of_csl_have_a_full_and_a_short_form(
    person: dict[str, str], name: str, short: str
) -> None:
    source = one(author=[person])
    assert (source.authors, source.short_authors) == ((name,), short)


def test_a_second_key_is_reported_where_it_stands() -> None:
    text = """[
      {
        "custom": {"id": "b"},
        "citation-key": "a", "id": "a", "title": "A"
      },
      {
        "id": "b", "title": "B"
      },
      {"title": "A", "id": "a", "citation-key": "a", "DOI": "10.1/a"}
    ]"""
    bibliography = read(text)
    assert [(source.key, source.span.line) for source in bibliography.sources] == [
        ("a", 4),
        ("b", 7),
    ]
    assert [problem.span.line for problem in bibliography.diagnostics] == [9]
    assert bibliography.sources[0].doi == "10.1/a"


@every_row(
    "text",
    [
        '{"name": "package"}',
        "[1, 2]",
        '[{"id": 1, "type": "Feature"}]',
        "{",
        '[{"id": "a", "author": "someone", "value": 3}]',
    ],
)
def test_other_json_is_no_bibliography(text: str) -> None:
    assert read(text, "data.json") == Bibliography()


def test_json_of_any_name_may_be_one() -> None:
    text = '[{"id": "a", "type": "book", "title": "A", "issued": {"raw": "2020"}}]'
    assert [source.key for source in read(text, "My Bibliography.json").sources] == ["a"]


BETTER_BIBTEX = """{
  "config": {"label": "BetterBibTeX JSON"},
  "collections": {"C": {"name": "SECRET", "items": [1, 2]}},
  "items": [
    {"itemType": "attachment", "path": "/home/ann/SECRET.pdf", "itemID": 3},
    {"itemType": "journalArticle", "itemID": 1,
     "citationKey": "bell2020", "title": "On <i>naps</i>", "date": "2020-03-01",
     "publicationTitle": "Sleep", "pages": "1-9", "DOI": "10.1/x", "extra": "tex.secret: SECRET",
     "abstractNote": "SECRET words of 41 people",
     "attachments": [{"path": "/home/ann/SECRET.pdf"}], "tags": [{"tag": "SECRET"}],
     "creators": [{"creatorType": "author", "firstName": "Ann", "lastName": "Bell"},
                  {"creatorType": "editor", "lastName": "Ed"},
                  {"creatorType": "author", "name": "World Bank"}]},
    {"itemType": "book", "title": "No key"}
  ]}"""


def test_json_of_better_bibtex_is_read_as_it_is() -> None:
    library = read(BETTER_BIBTEX, "library.json")
    (source,) = library.sources
    assert (source.key, source.title, source.year) == ("bell2020", "On naps", 2020)
    assert source.authors == ("Ann Bell", "World Bank")
    assert (source.venue, source.doi, source.type) == ("Sleep", "10.1/x", "article-journal")
    assert source.span.line == 7
    assert source.entry["page"] == "1-9"
    assert "SECRET" not in repr(library.sources)
    assert "41 people" in library.figures_in_abstracts["bell2020"]
    (problem,) = library.diagnostics
    assert ("has no `id`" in problem.message, problem.span.line) == (True, 14)
