"""The page about the corpus itself: the `README.md` of its notes, which makes no statement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from kg.corpus import Corpus
from kg.publish.address import Addresses
from kg.publish.html import element
from kg.publish.page import Draft, Page
from kg.publish.pages.sheet import Sheet, kicker
from kg.publish.press import Press, press_for

ABOUT = "about-this-corpus.html"
README = "README.md"


def find_readme(corpus: Corpus) -> Path | None:
    """The text about the corpus that lies beside its notes; None where there is none."""
    place = corpus.folder / README if corpus.folder else None
    return place if place and place.is_file() else None


def readme_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """What the authors say of the corpus, where they say something."""
    if find_readme(corpus):
        yield Draft(ABOUT, partial(_about, press_for(addresses)))


def _about(press: Press) -> Page:
    sheet = Sheet(press, ABOUT)
    place = find_readme(press.corpus)
    text = place.read_text("utf-8", "replace").strip() if place else ""
    first, _, rest = text.partition("\n")
    title = first.lstrip("# ").strip() if first.startswith("# ") else "About this corpus"
    body = sheet.prose(rest if first.startswith("# ") else text, README, listed=True)
    sheet.add(kicker("Overview"), element("h1", title), element("div", body, class_="kg-essay"))
    return Page(
        url=ABOUT,
        kind="overview",
        title=title,
        html=sheet.html("overview"),
        toc=tuple(sheet.toc),
        description=f"{title}: how it was made and how to read it.",
    )
