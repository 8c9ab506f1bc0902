"""Pages become whole HTML files: spliced into the theme, or rendered by the theme's own program.

The second is the slow way, for when the theme cannot be cut: the whole site is one MkDocs project,
which MkDocs, or a program that reads its projects, builds unaided.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from sys import intern
from typing import Protocol

import yaml

from kg.model.config import Config
from kg.publish.build.shell import LONE_STENCIL, Shell, copy_project, load_settings, run_builder
from kg.publish.build.stencil import (
    ALLOW_NOTHING,
    Stencil,
    insert_policy,
    parse_stencil,
    parse_written,
)
from kg.publish.components.alternates import BIBTEX, CSL
from kg.publish.graphics.card import PNG, SITE_CARD, site_card
from kg.publish.markup.address import file_name, relative_url
from kg.publish.markup.html import escape, escape_json
from kg.publish.page import Alternate, Page

FEED = "feed.xml"
DESCRIPTIONS = (BIBTEX, CSL)
NOT_FOUND = "404.html"
_TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
_HEADING = re.compile(r"<h[23]\b[^>]*>(.*?)</h[23]>", re.DOTALL)
_ARTICLE = re.compile(r"<article[^>]*>(.*?)</article>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


class PageRenderer(Protocol):
    """Makes HTML files of pages, one by one or all at the end."""

    @property
    def sections(self) -> tuple[str, ...]:
        """Addresses in the navigation that pages are expected for."""

    def add(self, page: Page) -> bytes | None:
        """The HTML file of `page`, or None where it comes with `finish`."""

    def finish(self) -> Iterator[tuple[str, str]]:
        """Address and HTML of every file that `add` did not give."""


class Splicer:
    """Splices pages of one corpus into the stencils of one shell."""

    def __init__(self, shell: Shell, config: Config) -> None:
        """Raises `StencilError` where the theme's pages lack a place for something."""
        self.config = config
        self._shell = shell
        self._stencils = {
            url: parse_stencil(_shell_page(shell, url), url, config.image_hosts)
            for url in shell.stencils
        }
        self._lone = self._stencils.pop(LONE_STENCIL.replace(".md", ".html"))

    @property
    def sections(self) -> tuple[str, ...]:
        """Addresses in the navigation that pages are expected for."""
        return tuple(self._stencils)

    def add(self, page: Page) -> bytes:
        """The HTML file of `page`."""
        name = escape(self.config.site.name)
        title = escape(page.title)
        slots = {
            "title": title,
            "document-title": name if page.url == "index.html" else f"{title} – {name}",
            "description": escape(page.description or self.config.site.description),
            "head": head_of(page, self.config),
            "article": _from_own_folder(page),
            "site-name": name,
        }
        return self._stencil(page.url).encode(page.url, slots, page.toc)

    def finish(self) -> Iterator[tuple[str, str]]:
        """Address and HTML of each page written by hand, and of the one for lost readers."""
        slots = {"site-name": escape(self.config.site.name)}
        for url in (*self._shell.written, NOT_FOUND):
            yield url, parse_written(_shell_page(self._shell, url), url).fill(url, slots)

    def _stencil(self, url: str) -> Stencil:
        """The stencil of the page itself, else of its folder's index, else of no section."""
        folder, slash, _ = url.rpartition("/")
        index = f"{folder}/index.html" if slash else ""
        return self._stencils.get(url) or self._stencils.get(index) or self._lone


def _from_own_folder(page: Page) -> str:
    """A page's article, whose links to its neighbours do not go by the site's root."""
    folder, *below = page.url.split("/")
    return page.html.replace(f' href="../{folder}/', ' href="') if len(below) == 1 else page.html


def empty_page(url: str) -> Page:
    """The page of a part of the navigation that a corpus has nothing for."""
    name = posixpath.splitext(url.removesuffix("/index.html"))[0]
    title = escape(name.replace("-", " ").capitalize())
    html = f"<h1>{title}</h1>\n<p>This corpus has nothing here yet.</p>"
    return Page(url=url, kind="empty", title=title, html=html, in_search=False)


def parse_page(url: str, html: str) -> Page:
    """A page that was written by hand, as the search index and the sitemap list it."""
    title, article = _TITLE.search(html), _ARTICLE.search(html)
    text = unescape(_TAG.sub(" ", article[1])) if article else ""
    name = unescape(_TAG.sub("", title[1])).strip() if title else url
    headings = unescape(_TAG.sub(" ", " ".join(_HEADING.findall(article[1])))) if article else ""
    return Page(
        url=url,
        kind="guide",
        title=name,
        html="",
        search_text=text,
        keywords=headings,
        facets={"kind": ("Guide",)},
    )


def head_of(page: Page, config: Config) -> str:
    """The head of a page: its address, its title, its other formats and its data."""
    return "".join([*_links(page, config), *_card(page, config), *_linked_data(page)])


def _links(page: Page, config: Config) -> Iterator[str]:
    address = site_address(config, page.url)
    if address:
        yield f'<link rel="canonical" href="{escape(address)}">'
        yield f'<meta property="og:url" content="{escape(address)}">'
    feed = f'type="application/atom+xml" title="What changed" href="{_up(page.url)}{FEED}"'
    yield f'<link rel="alternate" {feed}>'
    # Not `alternate`: beside each of those the theme would look for a sitemap.
    if page.record:
        record = _up(page.url) + page.record
        graph = record.partition("#")[0].removesuffix(".json") + ".ttl"
        yield f'<link rel="describedby" type="application/json" href="{escape(record)}">'
        yield f'<link rel="describedby" type="text/turtle" href="{escape(graph)}">'
    for alternate in page.alternates:
        if alternate.media_type in DESCRIPTIONS:
            href = escape(alternate_url(page, alternate).rpartition("/")[2])
            yield f'<link rel="describedby" type="{escape(alternate.media_type)}" href="{href}">'


def _up(url: str) -> str:
    """The way from a page to the site's root."""
    return "../" * url.count("/")


def _card(page: Page, config: Config) -> Iterator[str]:
    for name, value in (
        ("og:type", "website" if page.url == "index.html" else "article"),
        ("og:site_name", config.site.name),
        ("og:title", page.title),
    ):
        yield f'<meta property="{name}" content="{escape(value)}">'
    picture = _picture(page, config)
    if picture:
        yield '<meta name="twitter:card" content="summary_large_image">'
        yield f'<meta property="og:image" content="{escape(picture)}">'
        description = config.site.name if picture.endswith(SITE_CARD) else page.title
        yield f'<meta property="og:image:alt" content="{escape(description)}">'


def _picture(page: Page, config: Config) -> str:
    """The address of the picture to show with a link to `page`; empty where there is none."""
    if not config.site.url:
        return ""
    own = (
        alternate_url(page, alternate)
        for alternate in page.alternates
        if alternate.media_type == PNG
    )
    shared = SITE_CARD if site_card(config.site) else ""
    url = next(own, shared)
    return site_address(config, url) if url else ""


def _linked_data(page: Page) -> Iterator[str]:
    if page.linked_data:
        yield f'<script type="application/ld+json">{escape_json(page.linked_data)}</script>'


def site_address(config: Config, url: str) -> str:
    """The public address of `url`; empty where the corpus does not say where its site is."""
    return f"{config.site.url.rstrip('/')}/{url}" if config.site.url else ""


def alternate_url(page: Page, alternate: Alternate) -> str:
    """Where a page's alternate stands: `x.html` → `x.json`; one string, however often asked for."""
    return intern(f"{page.url.removesuffix('.html')}.{alternate.suffix.lstrip('.')}")


def alias_urls(page: Page) -> Iterator[str]:
    """Where a page stood before; a bare id is a name in the page's own folder."""
    for alias in page.aliases:
        if alias.endswith(".html"):
            yield alias
        else:
            yield posixpath.join(posixpath.dirname(page.url), f"{file_name(alias)}.html")


def render_redirect(url: str, page: Page) -> str:
    """A page at `url` that leads on to `page`, without a script."""
    target, title = escape(relative_url(url, page.url)), escape(page.title)
    html = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<title>{title}</title>\n<meta name="robots" content="noindex">\n'
        f'<link rel="canonical" href="{target}">\n'
        f'<meta http-equiv="refresh" content="0; url={target}">\n</head>\n'
        f'<body><p>This page is now at <a href="{target}">{title}</a>.</p></body>\n</html>\n'
    )
    return insert_policy(html, ALLOW_NOTHING)


def _shell_page(shell: Shell, url: str) -> str:
    return Path(shell.folder, url).read_text("utf-8")


class PlainProject:
    """Renders each page by MkDocs itself, from Markdown sources in a folder."""

    def __init__(self, folder: Path, inputs: Path, config: Config) -> None:
        """Start in `folder`, which is empty."""
        self.folder = folder
        self.config = config
        settings = load_settings(inputs, config.site)
        settings["site_name"] = escape(config.site.name)
        settings["site_description"] = escape(config.site.description)
        files = [file for entry in settings["nav"] for file in entry.values()]
        copy_project(inputs, settings, folder)
        missing = [file for file in files if not (folder / "pages" / file).exists()]
        self.sections = tuple(file.removesuffix(".md") + ".html" for file in missing)
        self._heads: dict[str, str] = {}

    def add(self, page: Page) -> None:
        """Write the source of `page`; its HTML comes at the end."""
        place = self.folder / "pages" / f"{page.url.removesuffix('.html')}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(render_source(page), "utf-8")
        self._heads[page.url] = head_of(page, self.config)

    def finish(self) -> Iterator[tuple[str, str]]:
        """Run MkDocs; address and HTML of every page. Raises `ShellError`."""
        run_builder(self.folder, self.config.site.builder)
        html = self.folder / "html"
        for place in sorted(html.rglob("*.html")):
            url = place.relative_to(html).as_posix()
            slots = {"head": self._heads.get(url, "")}
            yield url, parse_written(place.read_text("utf-8"), url).fill(url, slots)


def render_source(page: Page) -> str:
    """A page as Markdown that holds its HTML; the theme prints titles as they are."""
    meta = {
        "title": escape(page.title),
        "description": escape(page.description),
        "hide": ["navigation", "toc"],
        "search": {"exclude": True},
    }
    head = yaml.safe_dump(meta, allow_unicode=True, sort_keys=False)
    return f'---\n{head}---\n\n<div markdown="0">\n{page.html}\n</div>\n'
