"""A page as a value: its content, independent of the program that writes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from sys import intern
from typing import Literal

from kg.model import Value

WHOLE_CORPUS = ("", "")


class Heading(Value, frozen=True):
    """An entry in a page's table of contents: the id of a heading in the HTML, and its words."""

    id: str
    text: str
    level: int = 2


class Alternate(Value, frozen=True):
    """A file that belongs to a page and is stored beside it (`x.html` → `x.bib`)."""

    suffix: str
    media_type: str
    content: str | bytes

    @property
    def data(self) -> bytes:
        """The content of the file."""
        return self.content.encode() if isinstance(self.content, str) else self.content


PageKind = Literal[
    "about",
    "camp",
    "empty",
    "guide",
    "home",
    "index",
    "line",
    "overview",
    "source",
    "statement",
    "topic",
]


class Passage(Value, frozen=True):
    """A part of a page that search finds separately, at the place with its id.

    `facet` is its kind as search shows it, `links` the addresses and words of its links to other
    pages.
    """

    id: str
    facet: str
    names: tuple[str, ...]
    text: str
    links: tuple[tuple[str, str], ...] = ()


class Page(Value, frozen=True):
    """One page of the site.

    `url` is relative to the site's root and ends in `.html`; `html` is the content of the
    article, title included, with every text escaped and every link relative to `url`;
    `kind` names its style.

    Search finds it by its title and its other `names`, by `search_text`, of which a result
    shows a part, and by `keywords`, which no result shows; `best_reason` is the address and the
    title of the page that backs its answer most; a result ends with `links`. `record` is the
    address of its record as data, relative to the site's root.
    """

    url: str
    kind: PageKind
    title: str
    html: str
    toc: tuple[Heading, ...] = ()
    description: str = ""
    linked_data: str = ""
    record: str = ""
    alternates: tuple[Alternate, ...] = ()
    search_text: str = ""
    names: tuple[str, ...] = ()
    keywords: str = ""
    best_reason: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    passages: tuple[Passage, ...] = ()
    facets: dict[str, tuple[str, ...]] = {}
    aliases: tuple[str, ...] = ()
    updated: dt.date | None = None
    in_search: bool = True


class LazyPage(Value, frozen=True):
    """A page made on demand: its address is known before its content.

    `about` names everything passed to `make`: a table of the corpus and a key in it, or
    `WHOLE_CORPUS` if it looks everything up. Without it, the page is remade
    whenever anything changes.
    """

    url: str
    make: Callable[[], Page]
    about: tuple[str, str] | None = None


def make_page(page: Page | LazyPage) -> Page:
    """The page itself, made now if necessary."""
    return page.make() if isinstance(page, LazyPage) else page


def alternate_url(page: Page, alternate: Alternate) -> str:
    """The address of a page's alternate: `x.html` → `x.json`; interned."""
    return intern(f"{page.url.removesuffix('.html')}.{alternate.suffix.lstrip('.')}")
