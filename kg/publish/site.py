"""The site: pages of a corpus, written only where they changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kg.corpus import Corpus
from kg.model import Value
from kg.publish.address import Addresses
from kg.publish.guide import Entry, render_feed, render_llms, render_robots, render_sitemap
from kg.publish.inputs import find_inputs
from kg.publish.page import Page
from kg.publish.search import Indexer, encode_state, load_state
from kg.publish.shell import Shell, build_shell
from kg.publish.splice import FEED, Splicer, alias_urls, render_redirect, twin_url
from kg.publish.writer import Writer, write_whole

PageMaker = Callable[[Corpus, Addresses], Iterable[Page]]
Progress = Callable[[str, int], None]

DEFAULT_OUT = Path("build/site")
STATE = "search.state"
UNUSED = (".map", ".gz")
UNUSED_FOLDERS = ("assets/javascripts/lunr/", "assets/javascripts/workers/", "search/")


class SiteReport(Value, frozen=True):
    """What a build did, by address, and where to begin reading."""

    index: Path
    pages: int
    written: tuple[str, ...] = ()
    unchanged: int = 0
    removed: tuple[str, ...] = ()
    shell_built: bool = False
    empty_sections: tuple[str, ...] = ()


def build_site(
    corpus: Corpus,
    out: Path | str = DEFAULT_OUT,
    *,
    pages: Iterable[PageMaker] | None = None,
    progress: Progress | None = None,
    inputs: Path | None = None,
) -> SiteReport:
    """Build the site of `corpus` in `out / "html"`, beside what the builder needs to be quick.

    `pages` are the functions that say what to show, `PAGES` by default. Whatever fails, the
    site that was there stays whole. Raises `ShellError` where MkDocs does not build.
    """
    work = Path(out)
    tell = progress or _silent
    inputs = inputs or find_inputs()
    with Writer(work) as writer:
        shell = build_shell(inputs, work, corpus.config.site.url)
        build = _Build(corpus, writer, Splicer(shell, corpus.config), tell)
        build.add_pages(pages if pages is not None else _all_pages())
        build.add_guides()
        build.add_assets(shell, inputs)
        tell("indexing", len(build.entries))
        state = build.indexer.write(writer)
        tell("writing", len(build.entries))
        done = writer.commit()
        write_whole(work / STATE, encode_state(state))
    return SiteReport(
        index=writer.site / "index.html",
        pages=len(build.entries),
        written=done.written,
        unchanged=done.unchanged,
        removed=done.removed,
        shell_built=shell.built,
        empty_sections=tuple(build.empty),
    )


class _Build:
    """One run: what was rendered so far."""

    def __init__(self, corpus: Corpus, writer: Writer, splicer: Splicer, tell: Progress) -> None:
        self.corpus = corpus
        self.writer = writer
        self.splicer = splicer
        self.tell = tell
        self.entries: list[Entry] = []
        self.empty: list[str] = []
        self.redirects: list[tuple[str, Page]] = []
        self.indexer = Indexer(load_state(writer, writer.work / STATE))

    def add_pages(self, makers: Iterable[PageMaker]) -> None:
        addresses = Addresses(self.corpus)
        for maker in makers:
            for page in maker(self.corpus, addresses):
                self._add(page)
        for url, html in self.splicer.render_written():
            if not self.writer.holds(url):
                self.writer.put(url, html)
        for url in self.splicer.sections:
            if not self.writer.holds(url):
                self.writer.put(url, self.splicer.render_empty(url))
                self.empty.append(url)
        for url, page in self.redirects:
            # An address that something else took over leads to that.
            if not self.writer.holds(url):
                self.writer.put(url, render_redirect(url, page))

    def add_guides(self) -> None:
        config = self.corpus.config
        self.writer.put("sitemap.xml", render_sitemap(self.entries, config))
        self.writer.put("robots.txt", render_robots(config))
        self.writer.put("llms.txt", render_llms(self.entries, self.splicer.sections, config))
        self.writer.put(FEED, render_feed(self.entries, config))

    def add_assets(self, shell: Shell, inputs: Path) -> None:
        own = {f"assets/{name}": place for name, place in _files(inputs / "assets")}
        theme = {f"assets/{name}": place for name, place in _files(shell.folder / "assets")}
        for url, place in sorted({**theme, **own}.items()):
            if not url.endswith(UNUSED) and not url.startswith(UNUSED_FOLDERS):
                self.writer.put(url, place.read_bytes())

    def _add(self, page: Page) -> None:
        self.writer.put(page.url, self.splicer.render(page))
        for twin in page.twins:
            self.writer.put(twin_url(page, twin), twin.content)
        if page.aliases:
            light = Page(url=page.url, kind=page.kind, title=page.title, html="")
            self.redirects += [(url, light) for url in alias_urls(page)]
        self.entries.append(Entry.of(page))
        self.indexer.add(page)
        if len(self.entries) % 100 == 0:
            self.tell("rendering", len(self.entries))


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for place, _, names in os.walk(folder):
        for name in names:
            found = Path(place, name)
            if not name.startswith("."):
                yield found.relative_to(folder).as_posix(), found


def _all_pages() -> Iterable[PageMaker]:
    from kg.publish.pages import PAGES

    return PAGES


def _silent(step: str, count: int) -> None:
    """Tell nobody."""
