"""How a page is cited: with its authors and address where the settings name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.publish.components.alternates import cite
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.overview import readme_pages
from kg.publish.pages.statement import statement_page
from tests.support.note_texts import words_of

NOTE = "---\ntype: claim\ncreated: 2024-05-01\n---\n\n# It helps\n\nIt does.\n"
SET = """[site]
name = "Naps"
url = "https://naps.example.org/"
authors = ["Ann Doe", "Bo {Li}"]
repository = "https://git.example.org/naps"
"""


def context_of(folder: Path, settings: str) -> SiteContext:
    for name, text in (("kg.toml", settings), ("it.md", NOTE), ("README.md", "# Who\n\nWe.\n")):
        (folder / name).write_text(text)
    return SiteContext(Addresses(load_corpus(folder)))


def about_page(context: SiteContext) -> str:
    (draft,) = readme_pages(context)
    return draft.make().html  # type: ignore[union-attr]


def test_authors_address_and_repository_stand_where_they_are_asked_for(tmp_path: Path) -> None:
    context = context_of(tmp_path, SET)
    said = words_of(cite(context, "statements/it.html", "it", "It helps", 2024))
    assert "author = {Ann Doe and Bo (Li)}" in said
    assert "url = {https://naps.example.org/statements/it.html}" in said
    about = about_page(context)
    assert "By Ann Doe and Bo {Li}" in about
    assert '<a href="https://naps.example.org/">' in about
    link = '<a href="https://git.example.org/naps">'
    assert link in about
    assert link in statement_page(context, context.corpus.statements["it"]).html


@pytest.mark.parametrize("settings", ["", '[site]\nname = "Naps"\n'])
def test_what_is_not_set_is_not_mentioned(tmp_path: Path, settings: str) -> None:
    context = context_of(tmp_path, settings)
    said = words_of(cite(context, "statements/it.html", "it", "It helps", 2024))
    assert "author" not in said
    assert "url" not in said
    page = statement_page(context, context.corpus.statements["it"]).html
    for html in (about_page(context), page):
        assert "example.org" not in html
        assert "repository" not in html
