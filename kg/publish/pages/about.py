"""The page about the corpus itself: the `README.md` of its notes, which makes no statement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.corpus import Corpus
from kg.notes.discover import README
from kg.publish.address import Addresses
from kg.publish.html import element
from kg.publish.page import NOTHING, Draft, Page
from kg.publish.pages.sheet import Sheet, kicker
from kg.publish.press import Press, press_for

ABOUT = "about-this-corpus.html"


def is_told(press: Press) -> bool:
    """Whether there is a page about the corpus."""
    return README in press.beside


def readme_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """What the authors say of the corpus, where they say something."""
    press = press_for(addresses)
    if is_told(press):
        yield Draft(ABOUT, partial(_about, press), NOTHING)


def _about(press: Press) -> Page:
    sheet = Sheet(press, ABOUT)
    text = press.beside[README].strip()
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
