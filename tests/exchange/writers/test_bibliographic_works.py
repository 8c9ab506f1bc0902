"""A source as the work that bibliographies list, whoever wrote its entry."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from kg.cli import main as kg
from kg.corpus import Corpus
from kg.exchange.formats import render_export
from kg.exchange.writers.bibliographic_works import split_name
from kg.model import Source, Span
from kg.notes.bibliography import VENUES
from kg.notes.bibliography.bibtex import parse_bibtex
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

TOLD = ("key", "title", "authors", "year", "venue", "doi", "arxiv", "url")


def sources_in(corpus: Corpus) -> dict[str, Source]:
    library = parse_bibtex(render_export(corpus, "bibtex").decode(), "out.bib")
    assert library.diagnostics == ()
    return {source.key: source for source in library.sources}


@every_row(
    ("fields", "entry"),
    [
        ({}, {}),
        ({"url": "https://x.test/a"}, {"howpublished": "https://x.test/a"}),
        ({"doi": "10.1000/a"}, {"url": "https://doi.org/10.1000/a"}),
        ({"year": 2020}, {"date": "2020-05-01"}),
        ({"year": 2021}, {"date": "2020-05-01"}),
        ({"venue": "Ours"}, {"series": "Theirs"}),
        ({"authors": ("Jo Doe",)}, {"author": "Roe, Jo"}),
    ],
)
def test_what_the_entry_of_a_source_does_not_say_is_added(
    fields: dict[str, object], entry: dict[str, str]
) -> None:
    names = {"title": "It", "year": 2020, "venue": "V", "url": "https://y.test", **fields}
    source = Source(key="k", span=Span("x.bib"), entry=entry, arxiv="2101.00001", **names)  # type: ignore[arg-type]
    back = sources_in(replace(corpus_of_notes(), sources={"k": source}))["k"]
    for name in TOLD:
        assert getattr(back, name) == getattr(source, name), name
    assert [back.entry[name] for name in VENUES if name in back.entry] == [back.venue]


@every_row(
    ("fields", "expected"),
    [
        ("eprint={arXiv:2401.00001}, eprinttype={arxiv}", ("arXiv:2401.00001", None)),
        ("eprint={123}, eprinttype={pubmed}, url={https://arxiv.org/abs/2401.00001}",
         ("123", None)),
        ("doi={10.48550/arXiv.2401.00001}", ("2401.00001", "arXiv")),
    ],
)  # fmt: skip
def test_the_number_of_a_preprint_is_added_only_to_an_entry_without_a_number(
    fields: str, expected: tuple[str, str | None]
) -> None:
    corpus = corpus_of_notes(references=f"@misc{{k, title={{T}}, {fields}}}")
    entry = sources_in(corpus)["k"].entry
    assert (entry["eprint"], entry.get("archiveprefix")) == expected


@every_row("word", ["String", "comment", "preamble", "xdata", "no word"])
def test_what_is_no_type_of_an_entry_is_misc(word: str) -> None:
    source = Source(key="k", title="T", span=Span("x.bib"), type=word, venue="V")
    back = sources_in(replace(corpus_of_notes(), sources={"k": source}))["k"]
    assert (back.type, back.venue) == ("misc", "V")


def test_surnames_are_those_before_the_comma() -> None:
    corpus = corpus_of_notes(
        references="""
        @book{m, title={M}, author={family=Meer, given=Jan, prefix=van der and {Lazard}}}
        @book{g, title={G}, author={Escobar Rangel, Lina and {A and B}},
            editor={Garc{\\'\\i}a M{\\'a}rquez, Ana}}
        @incollection{p, title={P}, author={Roe, Ann}, crossref={e}}
        @collection{e, title={E}, editor={Del Rio, Eva and {Lazard}}}""",
    )
    items = {item["id"]: item for item in json.loads(render_export(corpus, "csl"))}
    assert items["m"]["author"] == [
        {"family": "van der Meer", "given": "Jan"},
        {"literal": "Lazard"},
    ]
    assert items["g"]["author"][0] == {"family": "Escobar Rangel", "given": "Lina"}
    assert items["g"]["editor"] == [{"family": "García Márquez", "given": "Ana"}]
    assert items["p"]["editor"] == [{"family": "Del Rio", "given": "Eva"}, {"literal": "Lazard"}]
    assert corpus.sources["g"].short_authors == "Escobar Rangel and A and B"
    again = corpus_of_notes(references=json.dumps([*items.values()])).sources
    assert again["g"].first_author == "Escobar Rangel"
    back = sources_in(corpus)
    assert [back[key].short_authors for key in items] == [
        each.short_authors for each in corpus.sources.values()
    ]


def test_the_note_of_a_source_corrects_its_entry() -> None:
    corpus = corpus_of_notes(
        references="@article{doe, title={Old}, year={2001}, date={2001-02-03}, journal={J}}",
        doe="---\ntype: source\nkey: doe\ntitle: New {and} 100%\nyear: 2002\n---\n",
    )
    source = corpus.sources["doe"]
    back = sources_in(corpus)["doe"]
    assert (back.title, back.year, back.venue) == (source.title, source.year, source.venue)


def test_what_is_found_brings_the_sources_of_its_reasons(tmp_path: Path) -> None:
    """The same in all formats."""
    passage = "---\ntype: claim\ntopics: [sleep]\n---\n\n# Naps help\n\nThey do. [@own]\n\n"
    trial = "> [!evidence] It was seen ^seen\n> In a trial. [@trial]\n"
    reason = "---\ntype: claim\n---\n\n# Rest {}\n\nIt does. [@{}]\n\n- {}:: [[{}]] — so\n"
    for name, text in (
        ("naps", passage + trial),
        ("rest", reason.format("helps", "reason", "supports", "naps")),
        ("far", reason.format("is all", "far", "supports", "rest")),
    ):
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    books = "".join(f"@misc{{{key}, title={{T}}}}\n" for key in ("far", "own", "reason", "trial"))
    (tmp_path / "references.bib").write_text(books, "utf-8")
    run, query = CliRunner().invoke, ["--where", "claims topic:sleep", "--notes", str(tmp_path)]
    entries = parse_bibtex(run(kg, ["export", "bibtex", *query]).output, "x.bib").sources
    items = json.loads(run(kg, ["export", "csl", *query]).output)
    cited_matches = re.findall(r"\\bibitem{(.*?)}", run(kg, ["export", "latex", *query]).output)
    assert [source.key for source in entries] == ["own", "reason", "trial"]
    assert [item["id"] for item in items] == sorted(cited_matches) == ["own", "reason", "trial"]


def test_a_name_of_three_parts_is_split_at_its_commas() -> None:
    name = split_name("Jo Doe Smith, Jr.", "Doe Smith, Jr., Jo")
    assert (name.family, name.given, name.suffix) == ("Doe Smith", "Jo", "Jr.")
