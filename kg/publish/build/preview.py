"""The site before it is written: pages made when somebody looks at them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path

from kg.corpus import Corpus
from kg.publish.build.guide import Entry, render_sitemap
from kg.publish.build.site import PageMaker, all_pages, theme_assets
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses, file_name
from kg.publish.page import Draft, Page, made
from kg.publish.theme.shell import build_shell, find_assets, find_inputs
from kg.publish.theme.splice import NOT_FOUND, Splicer, alternate_url, empty_page, render_redirect


class Preview:
    """The site of one corpus as it would be built; what was made once is kept."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        pages: Iterable[PageMaker] | None = None,
        inputs: Path | None = None,
    ) -> None:
        """Raises `ShellError` where MkDocs does not build."""
        inputs = inputs or find_inputs()
        shell = build_shell(inputs, site=corpus.config.site)
        self.corpus = corpus
        self._splicer = Splicer(shell, corpus.config)
        self._assets = theme_assets(shell, inputs)
        self._corpus_assets = {asset.path: asset.content for asset in find_assets(corpus)}
        self._made: dict[str, bytes] = {}
        self._context = SiteContext(Addresses(corpus))
        self._drafts: dict[str, Page | Draft] = {
            page.url: page
            for maker in (pages if pages is not None else all_pages())
            for page in maker(self._context)
        }

    @property
    def urls(self) -> list[str]:
        """The address of every page."""
        return list(self._drafts)

    def find(self, url: str) -> bytes | None:
        """The file at `url`; None where it is not one of pages, their alternates and assets."""
        if url not in self._made:
            content = self._make(url)
            if content is None:
                return None
            self._made[url] = content
        return self._made[url]

    def not_found(self) -> bytes:
        """The page for lost readers."""
        return dict(self._splicer.finish())[NOT_FOUND].encode("utf-8")

    def render_sitemap(self, origin: str) -> str:
        """The sitemap as if the site's address were `origin`."""
        entries = [Entry(url=url, kind="", title="") for url in self._drafts]
        return render_sitemap(entries, origin)

    def _make(self, url: str) -> bytes | None:
        if url in self._assets:
            return self._assets[url].read_bytes()
        if url in self._corpus_assets:
            return self._corpus_assets[url]
        if url in self._drafts:
            return self._splicer.add(self._page(url))
        if not url.endswith(".html"):
            return self._twin(url)
        if url in self._splicer.sections:
            return self._splicer.add(empty_page(url))
        written = dict(self._splicer.finish()).get(url)
        return written.encode("utf-8") if written else self._redirect(url)

    def _page(self, url: str) -> Page:
        return made(self._drafts[url])

    def _twin(self, url: str) -> bytes | None:
        page_url = f"{url.rpartition('.')[0]}.html"
        if page_url not in self._drafts:
            return None
        page = self._page(page_url)
        return next((t.data for t in page.alternates if alternate_url(page, t) == url), None)

    def _redirect(self, url: str) -> bytes | None:
        folder, name = posixpath.split(url)
        for alias in self.corpus.aliases:
            target = self._context.addresses.find(alias)
            if target and (posixpath.dirname(target), f"{file_name(alias)}.html") == (folder, name):
                return render_redirect(url, self._page(target)).encode("utf-8")
        return None
