"""One run of a build: which pages to render, in how many processes, and all other files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from kg.corpus import Corpus
from kg.publish.build.api_files import api_files
from kg.publish.build.commit import state_file
from kg.publish.build.dependencies import tracked_context
from kg.publish.build.incremental import (
    BuildMemory,
    PageRecord,
    files_below,
    load_memory,
    record_of,
    renumber_reads,
)
from kg.publish.build.llms_files import SHORT, listed_in_llms, text_files
from kg.publish.build.parallel_pages import BuiltPage, BuiltShare, number_of_shares, shared_out
from kg.publish.build.record_files import DataFile, all_record_files
from kg.publish.build.renderers import (
    NOT_FOUND,
    PageRenderer,
    Splicer,
    empty_page,
    parse_page,
    render_redirect,
)
from kg.publish.build.search.search_index import Indexer, load_state
from kg.publish.build.shell import Shell, find_assets, find_files, read_shown_file
from kg.publish.build.sitemap_and_feed import (
    SITEMAP,
    WHOLE_SITEMAP,
    SitemapEntry,
    find_walked,
    news_of_answers,
    news_of_pages,
    render_feed,
    render_robots,
    render_sitemap,
)
from kg.publish.build.writer import Writer
from kg.publish.context.read_log import ReadLog, pack_numbers
from kg.publish.context.site_context import PageMaker
from kg.publish.page import LazyPage, Page, alternate_url, make_page
from kg.publish.page_head import FEED

Lazy = TypeVar("Lazy", Page | LazyPage, DataFile)
Progress = Callable[[str, int], None]
MEMORY = "pages"
AT_ONCE = 4096  # lazy_pages that are processed together, and divided among processes
UNUSED = (".map", ".gz")
UNUSED_FOLDERS = ("assets/javascripts/lunr/", "assets/javascripts/workers/", "search/")


class SiteRun:
    """The state of one build."""

    def __init__(
        self, corpus: Corpus, writer: Writer, renderer: PageRenderer, tell: Progress, stamp: str
    ) -> None:
        self.corpus = corpus
        self.log = ReadLog()
        self.indexer = Indexer(load_state(writer))
        # Kept pages are not indexed again, so without an index no page can be kept.
        site = writer.stamp() if self.indexer.last.files and not writer.anew else ""
        last = load_memory(state_file(writer.state_dir, MEMORY), stamp, site)
        self.context = tracked_context(corpus, self.log, last.standings)
        self.memory = BuildMemory(self.log, last)
        self.writer = writer
        self.renderer = renderer
        self.tell = tell
        self.entries: list[SitemapEntry] = []
        self.empty: list[str] = []
        self.redirects: list[tuple[str, Page]] = []

    def add_pages(self, makers: Iterable[PageMaker]) -> None:
        for maker in makers:
            lazy_pages = iter(maker(self.context))
            while block := list(islice(lazy_pages, AT_ONCE)):
                self._add_or_keep(block)
        known = {entry.url for entry in self.entries}
        self.empty = [url for url in self.renderer.sections if url not in known]
        for url in self.empty:
            self._put(empty_page(url))
        for url, html in self.renderer.finish():
            if not self.writer.holds(url):
                self.writer.put(url, html)
                self._note_written(url, html, known)
        for url, page in self.redirects:
            # No redirect from an address that something else has taken over.
            if not self.writer.holds(url):
                self.writer.put(url, render_redirect(url, page))

    def add_data(self) -> None:
        """Write the files for programs, except unchanged ones."""
        sections, context = self.renderer.sections, self.context
        listed = listed_in_llms(self.entries, sections)
        if listed != listed_in_llms(self.memory.entries(), sections):
            self.memory.forget(SHORT)
        texts = text_files(context, listed)
        files = (*texts, *api_files(context), *all_record_files(context))
        fresh = [file for file in files if not self._keep(file.url)]
        for made in self._made_together(fresh, self._make_files):
            self.memory.add(made.record, made.reads)

    def remember(self, stamp: str, left: str) -> None:
        """Store the memory for the next build; `left` is the digest of the site."""
        place = state_file(self.writer.state_dir, MEMORY)
        self.memory.write(place, stamp, left, self.context.strengths.standings)

    def add_sitemap_and_robots(self) -> None:
        config = self.corpus.config
        origin = config.site.url
        self.writer.put(SITEMAP, render_sitemap(find_walked(self.entries), origin))
        self.writer.put(WHOLE_SITEMAP, render_sitemap(self.entries, origin))
        self.writer.put("robots.txt", render_robots(config))
        compared = bool(self.context.past.steps)
        news = news_of_answers(self.context) if compared else news_of_pages(self.entries, config)
        self.writer.put(FEED, render_feed(news, config))

    def add_assets(self, shell: Shell, inputs: Path) -> None:
        for url, place in theme_assets(shell, inputs).items():
            self.writer.put(url, place.read_bytes())
        for asset in find_assets(self.corpus):
            self.writer.put(asset.path, asset.content)
        for url, path in find_files(self.corpus).items():
            # a file that has changed since is published by the next build
            if not self.writer.keep(url) and (data := read_shown_file(self.corpus, url, path)):
                self.writer.put(url, data)

    def _put(self, page: Page) -> None:
        html = self.renderer.add(page)
        if html is not None:
            self.writer.put(page.url, html)

    def _note_written(self, url: str, html: str, known: set[str]) -> None:
        """List and index a handwritten page."""
        if url not in known and url != NOT_FOUND and url not in self.empty:
            page = parse_page(url, html)
            self.entries.append(SitemapEntry.of(page))
            self.indexer.add(page)

    def _keep(self, url: str) -> PageRecord | None:
        """Keep the last build's files for `url` if nothing they depend on has changed."""
        record = self.memory.find(url)
        if record is None or not all(map(self.writer.is_intact, record.files)):
            return None
        for file in record.files:
            self.writer.keep(file)
        self.memory.keep(record)
        return record

    def _add_or_keep(self, lazy_pages: Sequence[Page | LazyPage]) -> None:
        """Render pages, except those whose dependencies have not changed."""
        kept = [self._keep(lazy_page.url) for lazy_page in lazy_pages]
        fresh = [
            lazy_page for lazy_page, record in zip(lazy_pages, kept, strict=True) if record is None
        ]
        remade = iter(self._made_together(fresh, self._make_pages))
        for record in kept:
            if record:
                self.indexer.keep(record.files[0])
            else:
                page = next(remade)
                record = self.memory.add(page.record, page.reads)
            if entry := record.entry:
                self.entries.append(entry)
                light = Page(url=entry.url, kind=entry.kind, title=entry.title, html="")
                self.redirects += [(url, light) for url in record.aliases]

    def _made_together(
        self, lazy_pages: Sequence[Lazy], make: Callable[[Sequence[Lazy]], list[BuiltPage]]
    ) -> list[BuiltPage]:
        """Make pages or data files, in several processes if that pays off."""
        # the theme's own program needs all pages in this process
        count = number_of_shares(lazy_pages) if isinstance(self.renderer, Splicer) else 1
        if count == 1:
            return make(lazy_pages)
        self.writer.begin()
        take = partial(self._take, mark=self.log.count)
        return shared_out(lazy_pages, count, make, partial(self._made_apart, make), take)

    def _make_files(self, files: Sequence[DataFile]) -> list[BuiltPage]:
        found = []
        for file in files:
            self.log.start(file.about)
            self.writer.put(file.url, file.make())
            record = PageRecord(None, (file.url,), ())
            found.append(BuiltPage(record, pack_numbers(self.log.take())))
        return found

    def _make_pages(self, lazy_pages: Sequence[Page | LazyPage]) -> list[BuiltPage]:
        found = []
        for lazy_page in lazy_pages:
            self.log.start(lazy_page.about if isinstance(lazy_page, LazyPage) else None)
            page = make_page(lazy_page)
            self._put(page)
            for alternate in page.alternates:
                self.writer.put(alternate_url(page, alternate), alternate.data)
            self.indexer.add(page)
            found.append(BuiltPage(record_of(page), pack_numbers(self.log.take())))
            if len(found) % 100 == 0:
                self.tell("rendering", len(self.entries) + len(found))
        return found

    def _made_apart(
        self, make: Callable[[Sequence[Lazy]], list[BuiltPage]], lazy_pages: Sequence[Lazy]
    ) -> BuiltShare:
        """Make lazy_pages in a copy of this process, and return all changes of its state."""
        self.tell = _silent
        marks = self.log.count, self.writer.checkpoint(), self.indexer.checkpoint()
        pages = make(lazy_pages)
        keys, files, texts = self.log, self.writer, self.indexer
        return BuiltShare(
            pages, keys.numbered_from(marks[0]), *files.since(marks[1]), *texts.since(marks[2])
        )

    def _take(self, share: BuiltShare, mark: int) -> list[BuiltPage]:
        """Take over the result of a copy, whose log was at `mark` when forked."""
        self.writer.adopt(share.moves, share.stays)
        self.indexer.adopt(share.documents, share.texts)
        numbers = self.log.adopt(share.keys)
        return [
            BuiltPage(page.record, renumber_reads(page.reads, mark, numbers))
            for page in share.pages
        ]


def _silent(step: str, count: int) -> None:
    """Report no progress from a copy of the build."""


def theme_assets(shell: Shell, inputs: Path) -> dict[str, Path]:
    """The theme's and our own assets by address; our own take precedence."""
    theme = _files(shell.folder / "assets")
    found = {f"assets/{name}": place for name, place in (*theme, *_files(inputs / "assets"))}
    return {
        url: place
        for url, place in sorted(found.items())
        if not url.endswith(UNUSED) and not url.startswith(UNUSED_FOLDERS)
    }


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for name in files_below(folder):
        found = Path(name)
        yield found.relative_to(folder).as_posix(), found
