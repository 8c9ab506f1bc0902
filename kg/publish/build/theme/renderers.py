"""Turn pages into whole HTML files, spliced into the theme or rendered by its own program.

The second way is slow, and used only if the theme cannot be cut into stencils: the whole site is
one project, which MkDocs, or a program that reads its projects, builds.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Protocol

from kg.model.settings.config import Config
from kg.notes.frontmatter import render_yaml
from kg.publish.build.theme.shell import (
    LONE_STENCIL,
    METHOD_PAGES,
    Shell,
    copy_project,
    load_settings,
    run_builder,
)
from kg.publish.build.theme.stencil import Stencil, parse_stencil, parse_written
from kg.publish.content_policy import ALLOW_NOTHING, insert_policy
from kg.publish.markup.address import file_name, relative_url
from kg.publish.markup.html import escape
from kg.publish.page import Page
from kg.publish.page_head import head_of

NOT_FOUND = "404.html"
_TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
_HEADING = re.compile(r"<h[23]\b[^>]*>(.*?)</h[23]>", re.DOTALL)
_ARTICLE = re.compile(r"<article[^>]*>(.*?)</article>", re.DOTALL)
_QUESTION = re.compile(r"[^.?!]+[?]")
_HTML_TAG = re.compile(r"<[^>]*>")
_BLOCK_END = re.compile(r"</(?:p|li|h\d|t[dh]|d[dt]|summary|pre)>")


class PageRenderer(Protocol):
    """Makes HTML files of pages, one by one or all at the end."""

    @property
    def sections(self) -> tuple[str, ...]:
        """Addresses in the navigation that need a page."""

    def add(self, page: Page) -> bytes | None:
        """The HTML file of `page`, or None if it comes with `finish`."""

    def finish(self) -> Iterator[tuple[str, str]]:
        """Address and HTML of every file that `add` did not return."""


class Splicer:
    """Splices pages of one corpus into the stencils of one shell."""

    def __init__(self, shell: Shell, config: Config) -> None:
        """Raises `StencilError` if the theme's pages lack a place for something."""
        self.config = config
        self._shell = shell
        self._stencils = {
            url: parse_stencil(_shell_page(shell, url), url, config.image_hosts)
            for url in shell.stencils
        }
        self._lone = self._stencils.pop(LONE_STENCIL.replace(".md", ".html"))

    @property
    def sections(self) -> tuple[str, ...]:
        """The addresses of pages to which the site's navigation links."""
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
            "article": _article_with_relative_links(page),
            "site-name": name,
        }
        return self._stencil_for(page.url).encode(page.url, slots, page.toc)

    def finish(self) -> Iterator[tuple[str, str]]:
        """Address and HTML of each handwritten page, and of the 404 page."""
        slots = {"site-name": escape(self.config.site.name)}
        for url in (*self._shell.written_pages, NOT_FOUND):
            yield url, parse_written(_shell_page(self._shell, url), url).fill(url, slots)

    def _stencil_for(self, url: str) -> Stencil:
        """The stencil of the page itself, else of its folder's index, else the default one."""
        folder, slash, _ = url.rpartition("/")
        index = f"{folder}/index.html" if slash else ""
        return self._stencils.get(url) or self._stencils.get(index) or self._lone


def _article_with_relative_links(page: Page) -> str:
    """A page's article, with links to its own folder made relative to that folder."""
    folder, *parts_below = page.url.split("/")
    return (
        page.html.replace(f' href="../{folder}/', ' href="') if len(parts_below) == 1 else page.html
    )


def empty_page(url: str) -> Page:
    """A page for a section of the navigation for which the corpus has nothing."""
    name = posixpath.splitext(url.removesuffix("/index.html"))[0]
    title = escape(name.replace("-", " ").capitalize())
    html = f"<h1>{title}</h1>\n<p>This corpus has nothing here yet.</p>"
    return Page(url=url, kind="empty", title=title, html=html, in_search=False)


def parse_page(url: str, html: str) -> Page:
    """A handwritten page, as needed for the search index and the sitemap. Questions among its
    headings are names of it, since readers ask them. Pages on the method are found by their titles
    alone: their many words would stand before what a corpus says.
    """
    is_on_method = url.removesuffix(".html") + ".md" in METHOD_PAGES
    title, article = _TITLE.search(html), None if is_on_method else _ARTICLE.search(html)
    text = unescape(_HTML_TAG.sub(" ", _BLOCK_END.sub("\n\n", article[1]))) if article else ""
    name = unescape(_HTML_TAG.sub("", title[1])).strip() if title else url
    heading_htmls = _HEADING.findall(article[1]) if article else ()
    headings = [unescape(_HTML_TAG.sub(" ", heading)) for heading in heading_htmls]
    questions = [each.strip() for heading in headings for each in _QUESTION.findall(heading)]
    return Page(
        url=url,
        kind="guide",
        title=name,
        html="",
        search_text=text,
        names=tuple(questions),
        keywords=" ".join(headings),
        facets={"kind": ("Guide",)},
    )


def alias_urls(page: Page) -> Iterator[str]:
    """Former addresses of a page; a bare id is a name in the page's own folder."""
    for alias in page.aliases:
        if alias.endswith(".html"):
            yield alias
        elif not alias.endswith("?"):  # a question words the title anew, and was no address
            yield posixpath.join(posixpath.dirname(page.url), f"{file_name(alias)}.html")


def render_redirect(url: str, page: Page) -> str:
    """A page at `url` that redirects to `page` without a script."""
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
        path = self.folder / "pages" / f"{page.url.removesuffix('.html')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render_source(page), "utf-8")
        self._heads[page.url] = head_of(page, self.config)

    def finish(self) -> Iterator[tuple[str, str]]:
        """Run MkDocs; address and HTML of every page. Raises `ShellError`."""
        run_builder(self.folder, self.config.site.builder)
        html = self.folder / "html"
        for path in sorted(html.rglob("*.html")):
            url = path.relative_to(html).as_posix()
            slots = {"head": self._heads.get(url, "")}
            yield url, parse_written(path.read_text("utf-8"), url).fill(url, slots)


def render_source(page: Page) -> str:
    """A page as Markdown that contains its HTML; titles are escaped, as the theme does not."""
    meta = {
        "title": escape(page.title),
        "description": escape(page.description),
        "hide": ["navigation", "toc"],
        "search": {"exclude": True},
    }
    head = render_yaml(meta)
    return f'---\n{head}---\n\n<div markdown="0">\n{page.html}\n</div>\n'
