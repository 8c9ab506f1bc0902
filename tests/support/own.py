"""Our own notes, and what is made of them, once in each process: nothing here may be altered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import kg
from kg.loader import load_corpus
from kg.publish.page import Page
from kg.reasoning import reading_of
from kg.reasoning.reading import Reading
from tests.support.page_checks import all_pages

NOTES = Path(__file__).parents[2] / "notes"


@cache
def own_corpus() -> kg.Corpus:
    return kg.load(NOTES)


@cache
def new_reading() -> Reading:
    """A reading of its own: nothing that pages worked out is in it."""
    return reading_of(load_corpus(NOTES))


@cache
def own_pages() -> tuple[Page, ...]:
    return tuple(all_pages(own_corpus()))
