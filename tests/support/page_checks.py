"""What every page must keep to, whatever the notes hold, read as a browser would."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from itertools import pairwise

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import LazyPage, Page, alternate_url
from kg.publish.pages import PAGES

VOID = {"br", "hr", "img", "input", "wbr", "col"}
BLOCKS = {
    "p",
    "ul",
    "ol",
    "table",
    "div",
    "pre",
    "blockquote",
    "details",
    "figure",
    "section",
    "dl",
    "h2",
    "h3",
}
FORBIDDEN = {"script", "style", "iframe", "object", "embed", "form", "base", "meta", "link", "img"}
WEB = re.compile(r"https?://[^\s\"'<>]+\Z", re.IGNORECASE)


class PageElements(HTMLParser):
    """Elements with their attributes, and what is not closed or not opened."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.comments: list[str] = []
        self.feed(html)
        self.close()
        self.wrong += [f"<{name}> is left open" for name in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag == "a" and "a" in self.open:
            self.wrong.append("a link inside a link")
        if tag in BLOCKS and {"p", "span", "h1", "h2", "h3"} & set(self.open):
            self.wrong.append(f"<{tag}> inside {self.open[-1]}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}")

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def all_pages(corpus: Corpus) -> list[Page]:
    """Every page of a corpus, made."""
    context = SiteContext(Addresses(corpus))
    pages = (page for maker in PAGES for page in maker(context))
    return [page.make() if isinstance(page, LazyPage) else page for page in pages]


def find_problems(pages: Iterable[Page], beside: Iterable[Page] = ()) -> list[str]:
    """What is wrong with the pages, which lead to each other and to those `beside`."""
    pages = list(pages)
    known = {page.url for page in (*pages, *beside)} | {
        "how-to-read.html",
        "feed.xml",
    }
    known |= {alternate_url(page, each) for page in pages for each in page.alternates}
    return [f"{page.url}: {problem}" for page in pages for problem in _problems(page, known)]


def _problems(page: Page, known_names: set[str]) -> Iterator[str]:
    read = PageElements(page.html)
    yield from read.wrong
    yield from (f"a comment: {text}" for text in read.comments)
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    yield from (f"id {id!r} stands twice" for id in set(ids) if ids.count(id) > 1)
    yield from (f"toc leads to {entry.id!r}" for entry in page.toc if entry.id not in ids)
    yield from _heading_problems([tag for tag, _ in read.elements])
    for tag, attributes in read.elements:
        if tag in FORBIDDEN:
            yield f"<{tag}>"
        for name, value in attributes.items():
            if name.startswith("on") or name in {"style", "srcdoc", "formaction"}:
                yield f"{tag} carries {name}"
            if name in {"href", "xlink:href", "src", "action"}:
                yield from _link_problems(page, value, known_names, set(ids))


def _heading_problems(tags: list[str]) -> Iterator[str]:
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"headings begin with {levels[:3]}"
    for above, below in pairwise(levels):
        if below > above + 1:
            yield f"h{below} right under h{above}"


def _link_problems(page: Page, href: str, known_names: set[str], ids: set[str]) -> Iterator[str]:
    if WEB.match(href):
        return
    place, _, fragment = href.partition("#")
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", href):
        yield f"a link to {href!r}"
        return
    target = (
        posixpath.normpath(posixpath.join(posixpath.dirname(page.url), place))
        if place
        else page.url
    )
    if target not in known_names:
        yield f"a dead link to {href!r}"
    # what follows a question mark is for the part of the page that is named before it
    if target == page.url and fragment and fragment.partition("?")[0] not in ids:
        yield f"no {href!r} on the page"
