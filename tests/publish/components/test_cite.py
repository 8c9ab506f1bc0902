"""How a page is cited: with its authors and address where the settings name them.

Of `kg/publish/components/downloads_and_citation.py`.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from kg.cli.shared.selecting import select_part
from kg.corpus import Corpus
from kg.exchange.escaped_text import without_controls
from kg.exchange.formats import render_export
from kg.loader import load_corpus
from kg.notes.bibliography.bibtex import parse_bibtex
from kg.publish.components.downloads_and_citation import cite_page
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.line import line_page
from kg.publish.pages.overview import readme_pages
from kg.publish.pages.sources.source import source_page
from kg.publish.pages.statement import statement_page
from kg.queries.line_scope import LineScope
from tests.support.corpora import HOSTILE, corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import visible_text
from tests.support.repository import commit

NOTE = "---\ntype: claim\ncreated: 2024-05-01\n---\n\n# It helps\n\nIt does.\n"
SET = """[site]
name = "Naps"
url = "https://naps.example.org/"
authors = ["Ann Doe", "Bo {Li}"]
repository = "https://git.example.org/naps"
[dataset]
organisations = ["Nap, Ltd. and Sons"]
"""


def context_of(folder: Path, settings: str) -> SiteContext:
    for name, text in (("kg.toml", settings), ("it.md", NOTE), ("README.md", "# Who\n\nWe.\n")):
        (folder / name).write_text(text)
    return SiteContext(Addresses(load_corpus(folder)))


def about_page(context: SiteContext) -> str:
    (draft,) = readme_pages(context)
    page = draft.make()
    assert page
    return page.html


def test_authors_address_and_repository_stand_where_they_are_asked_for(tmp_path: Path) -> None:
    context = context_of(tmp_path, SET)
    text = visible_text(cite_page(context, "statements/it.html", context.corpus.statements["it"]))
    assert r"author = {Doe, Ann and \{Li\}, Bo and {Nap, Ltd. and Sons}}" in text
    assert "url = {https://naps.example.org/statements/it.html}" in text
    assert "note = {Its note as of 2024-05-01}" in text, "no commit is known"
    about = about_page(context)
    assert "By Ann Doe and Bo {Li}" in about
    assert '<a href="https://naps.example.org/">' in about
    link = '<a href="https://git.example.org/naps">'
    assert link in about
    assert "author = {Doe, Ann and" in about
    assert "title = {{Naps}}" in about
    assert link in statement_page(context, context.corpus.statements["it"]).html


@every_row("settings", ["", '[site]\nname = "Naps"\n'])
def test_without_settings_no_author_address_or_repository_is_shown(
    tmp_path: Path, settings: str
) -> None:
    context = context_of(tmp_path, settings)
    text = visible_text(cite_page(context, "statements/it.html", context.corpus.statements["it"]))
    assert "author" not in text
    assert "url" not in text
    page = statement_page(context, context.corpus.statements["it"]).html
    for page_html in (about_page(context), page):
        assert "example.org" not in page_html
        assert "repository" not in page_html


@pytest.mark.integration
def test_a_citation_names_the_commit_that_the_note_is_at(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    whole = commit(notes, "2024-06-02", it=NOTE)
    context = context_of(notes, '[dataset]\nversion = "1.2"\n')
    text = visible_text(cite_page(context, "statements/it.html", context.corpus.statements["it"]))
    assert f"note = {{Its note as of 2024-06-02, version 1.2, commit {whole[:10]}}}" in text


def to_copy(corpus: Corpus, key: str) -> tuple[str, str]:
    """A source's page, where it is cited: BibTeX and CSL JSON, in which no tag is."""
    page = source_page(SiteContext(Addresses(corpus)), corpus.sources[key])
    entry, items = re.findall(
        r"<code>([^<>]*)</code></pre>", page.html.partition(">Share or cite<")[2]
    )
    return html.unescape(entry), html.unescape(items)


CITED = corpus_of_notes(
    sleep="---\ntype: claim\ncamp: optimist\n---\n\n# Sleep helps\n\nSo it is said [@roe2021].\n\n"
    "> [!evidence] It did in a trial ^trial\n> Counted. [@doe2019, p. 7]\n",
    doubt="---\ntype: claim\ncamp: skeptic\n---\n\n# No\n\n- contradicts:: [[sleep]] — so\n",
    line="---\ntype: line\nproposition: sleep\n---\n\n# Does sleep help?\n\nAsked [@poe2020].\n\n"
    "- optimist:: [[sleep]]\n- skeptic:: [[doubt]]\n",
    references="@article{doe2019, title={On sleep}, author={Doe, Jo and Roe, Al}, year={2019},"
    " doi={10.1000/182}}\n@book{roe2021, title={Rest}, author={Roe, Al}, year={2021}}\n"
    "@misc{poe2020, title={Why ask}, author={Poe, Ed}, year={2020}}\n"
    "@misc{unread, title={Left}, author={Poe, Ed}, year={2018}}\n",
)


def test_a_source_can_be_copied_into_a_library() -> None:
    source = CITED.sources["doe2019"]
    entry, items = to_copy(CITED, "doe2019")
    (back,) = parse_bibtex(entry, "x.bib").sources
    assert (back.key, back.title, back.authors) == (source.key, source.title, source.authors)
    assert json.loads(items)[0]["DOI"] == source.doi


def test_a_line_goes_along_as_the_program_exports_it() -> None:
    corpus = CITED
    context = SiteContext(Addresses(corpus))
    line = corpus.lines["line"]
    page = line_page(context, line)
    files = {each.suffix: each.data for each in page.alternates}
    part = select_part(corpus, line.id, None)
    assert files[".md"] == render_export(part, "report", whole_corpus=corpus)
    assert files[".tex"] == render_export(part, "latex", whole_corpus=corpus)
    listed = LineScope(corpus, line).statements_by_source
    assert {*listed} == {"doe2019", "roe2021", "poe2020"}
    assert [each.key for each in parse_bibtex(files[".bib"].decode(), "x").sources] == [*listed]
    assert [each["id"] for each in json.loads(files[".csl.json"])] == [*listed]
    for suffix in (".md", ".tex", ".bib", ".csl.json"):
        assert f'href="{line.id}{suffix}" download' in page.html


@every_row("word", HOSTILE)
def test_hostile_titles_are_inert_where_they_are_copied(word: str) -> None:
    title = f"The {' '.join(word.split())}"
    corpus = corpus_of_notes(references=json.dumps([{"id": "k", "type": "book", "title": title}]))
    entry, items = to_copy(corpus, "k")
    (back,) = parse_bibtex(entry, "x.bib").sources
    assert back.title == without_controls(corpus.sources["k"].title)
    assert [each["id"] for each in json.loads(items)] == ["k"]
