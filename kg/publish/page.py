"""A page as a value: what a reader gets, before anyone knows which program writes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from sys import intern

from kg.model import Value


class Heading(Value, frozen=True):
    """An entry of a page's table of contents: the id of a heading in its HTML, and its words."""

    id: str
    text: str
    level: int = 2


class Alternate(Value, frozen=True):
    """A file that belongs to a page and stands beside it (`x.html` → `x.bib`)."""

    suffix: str
    media_type: str
    content: str | bytes

    @property
    def data(self) -> bytes:
        """What the file holds."""
        return self.content.encode() if isinstance(self.content, str) else self.content


class Passage(Value, frozen=True):
    """A part of a page that search leads to by itself: the id where it stands, and its words."""

    id: str
    kind: str
    names: tuple[str, ...]
    text: str


class Page(Value, frozen=True):
    """One page of the site.

    `url` is relative to the site's root and ends in `.html`; `html` is what stands inside the
    article, title included, with every text escaped and every link relative to `url`;
    `kind` names the stencil it is spliced into and its facet in search.

    Search finds it by its title and its other `names`, by `search_text`, of which a result
    shows a part, and by `keywords`, which no result shows. `record` is the address of its record
    as data, from the site's root.
    """

    url: str
    kind: str
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
    passages: tuple[Passage, ...] = ()
    facets: dict[str, tuple[str, ...]] = {}
    aliases: tuple[str, ...] = ()
    updated: dt.date | None = None
    in_search: bool = True


WHOLE_CORPUS = ("", "")


class PageDraft(Value, frozen=True):
    """A page that is made when it is asked for: its address is known before its content is.

    `about` names all that `make` was given: a table of the corpus and a key in it, or
    `WHOLE_CORPUS` where it looks everything up. Without it, the page is made anew
    whenever anything changed.
    """

    url: str
    make: Callable[[], Page]
    about: tuple[str, str] | None = None


def make_page(page: Page | PageDraft) -> Page:
    """The page itself, made now if it was not."""
    return page.make() if isinstance(page, PageDraft) else page


def alternate_url(page: Page, alternate: Alternate) -> str:
    """Where a page's alternate stands: `x.html` → `x.json`; one string, however often asked for."""
    return intern(f"{page.url.removesuffix('.html')}.{alternate.suffix.lstrip('.')}")
