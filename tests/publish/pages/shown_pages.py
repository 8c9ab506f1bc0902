"""The pages of our own notes and of the small site, and the words on them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from kg.corpus import Corpus
from kg.loader import load_corpus
from tests.support.own import NOTES, own_corpus, own_pages
from tests.support.page_checks import all_pages

FOLDERS = (NOTES, Path(__file__).parents[1] / "golden" / "notes")


@cache
def corpus_and_pages(folder: Path) -> tuple[Corpus, dict[str, str]]:
    """A corpus, and its pages by their addresses."""
    corpus = own_corpus() if folder == NOTES else load_corpus(folder)
    pages = own_pages() if folder == NOTES else all_pages(corpus)
    return corpus, {page.url: page.html for page in pages}


def text_without_pictures(html: str) -> str:
    """The text of a page without its pictures, spaces joined."""
    bare = re.sub(r"<[^>]+>", "", re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL))
    return re.sub(r"\s+", " ", bare)
