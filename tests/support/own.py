"""Our own notes, and what is made of them, once in each process: nothing here may be altered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import kg
from kg.loader import load_corpus
from kg.publish.page import LazyPage, Page, make_page
from kg.reasoning import reading_of
from kg.reasoning.reading import Reading
from tests.support.page_checks import page_drafts

NOTES = Path(__file__).parents[2] / "notes"
LINES = sorted(file.stem for file in (NOTES / "lines").glob("*.md"))
"""Their ids, for tests that take the time of one page."""


@cache
def own_corpus() -> kg.Corpus:
    return kg.load(NOTES)


@cache
def new_reading() -> Reading:
    """A reading of its own: nothing that pages worked out is in it."""
    return reading_of(load_corpus(NOTES))


@cache
def _page_drafts() -> dict[str, Page | LazyPage]:
    return {draft.url: draft for draft in page_drafts(own_corpus())}


@cache
def own_page(url: str) -> Page:
    """One page alone: those of the lines take 3 seconds each."""
    return make_page(_page_drafts()[url])


@cache
def own_pages() -> tuple[Page, ...]:
    return tuple(map(own_page, _page_drafts()))
