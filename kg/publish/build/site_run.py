"""A run of a build: the pages to render, the number of processes, and all other files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

import msgspec

from kg.corpus import Corpus
from kg.model import Value
from kg.publish.build.build_memory import (
    BuildMemory,
    PageRecord,
    files_below,
    load_memory,
    record_of,
    renumber_reads,
)
from kg.publish.build.commit import WrittenFile, state_file
from kg.publish.build.dependencies import tracked_context
from kg.publish.build.for_programs.api_files import api_files
from kg.publish.build.for_programs.llms_files import SHORT_FILE, llms_contents, text_files
from kg.publish.build.for_programs.record_files import DataFile, all_record_files
from kg.publish.build.for_programs.sitemap_and_feed import (
    SITEMAP,
    WHOLE_SITEMAP,
    SitemapEntry,
    news_of_answers,
    news_of_pages,
    pages_for_instant_navigation,
    render_feed,
    render_robots,
    render_sitemap,
)
from kg.publish.build.search.search_index import IndexedPage, Indexer, load_state
from kg.publish.build.theme.renderers import (
    NOT_FOUND,
    PageRenderer,
    Splicer,
    empty_page,
    parse_page,
    render_redirect,
)
from kg.publish.build.theme.shell import (
    Shell,
    attachment_paths_by_url,
    find_assets,
    read_shown_file,
)
from kg.publish.build.writer import Writer
from kg.publish.context.read_log import ReadLog, pack_numbers
from kg.publish.context.site_context import PageMaker
from kg.publish.context.weighing_inputs import digest_of_inputs
from kg.publish.page import LazyPage, Page, alternate_url, make_page
from kg.publish.page_head import FEED
from kg.runtime.forked_workers import MAX_CORES, available_cores, can_fork, fork_process

Lazy = TypeVar("Lazy", bound=Page | LazyPage | DataFile)
Progress = Callable[[str, int], None]
MEMORY_NAME = "pages"
PAGES_AT_ONCE = 4096  # lazy pages that are processed together, and divided among processes
FEWEST_PAGES_TO_SHARE_OUT = 100  # with fewer, a second process costs more time than it saves
PAGES_OF_A_LINE, PAGES_OF_A_DATA_FILE = 50, 5  # equivalent in time
UNUSED_SUFFIXES = (".map", ".gz")
UNUSED_FOLDERS = ("assets/javascripts/lunr/", "assets/javascripts/workers/", "search/")


class BuiltPage(Value, frozen=True, array_like=True):
    """A rendered page, and the packed numbers of the keys that it read."""

    record: PageRecord
    reads: bytes


class ProcessResult(Value, frozen=True, array_like=True):
    """The result of one process for its share of the pages.

    `keys` are the tables and keys that its log numbered after the fork; `moves` and `stays` are
    its files, as in a `Writer`; `documents` and `texts` are for the search index.
    """

    pages: list[BuiltPage]
    keys: list[tuple[str, str]]
    moves: dict[str, bytes]
    stays: dict[str, WrittenFile]
    documents: dict[str, IndexedPage]
    texts: dict[str, bytes]


class SiteRun:
    """The state of one build."""

    def __init__(
        self, corpus: Corpus, writer: Writer, renderer: PageRenderer, progress: Progress, stamp: str
    ) -> None:
        self.corpus = corpus
        self.log = ReadLog()
        self.indexer = Indexer(load_state(writer))
        # Kept pages are not indexed again, so without an index no page can be kept.
        site = writer.stamp() if self.indexer.last.files and not writer.anew else ""
        last = load_memory(state_file(writer.state_dir, MEMORY_NAME), stamp, site)
        self.log.inputs_digest = digest_of_inputs(corpus)
        known_standings = last.standings if last.inputs_digest == self.log.inputs_digest else None
        self.context = tracked_context(corpus, self.log, known_standings)
        self.memory = BuildMemory(self.log, last)
        self.writer = writer
        self.renderer = renderer
        self.progress = progress
        self.entries: list[SitemapEntry] = []
        self.empty: list[str] = []
        self.redirects: list[tuple[str, Page]] = []

    def add_pages(self, makers: Iterable[PageMaker]) -> None:
        """Put every page that may have changed, and a redirect from each former address."""
        lazy_pages = chain.from_iterable(maker(self.context) for maker in makers)
        # The home page first, before this process is forked: what it computes, many others need,
        # too.
        size = 1
        while block := list(islice(lazy_pages, size)):
            self._add_or_keep(block)
            size = PAGES_AT_ONCE
        page_urls = {entry.url for entry in self.entries}
        self.empty = [url for url in self.renderer.sections if url not in page_urls]
        for url in self.empty:
            self._put_page(empty_page(url))
        for url, html in self.renderer.finish():
            if not self.writer.holds(url):
                self.writer.put(url, html)
                self._list_handwritten(url, html, page_urls)
        for url, page in self.redirects:
            # No redirect from an address that something else has taken over.
            if not self.writer.holds(url):
                self.writer.put(url, render_redirect(url, page))

    def add_data(self) -> None:
        """Write the files for programs, except unchanged ones."""
        sections, context = self.renderer.sections, self.context
        contents = llms_contents(self.entries, sections)
        if contents != llms_contents(self.memory.entries(), sections):
            self.memory.forget(SHORT_FILE)
        texts = text_files(context, contents)
        files = (*texts, *api_files(context), *all_record_files(context))
        files_to_make = [file for file in files if not self._keep_page(file.url)]
        for page in self._make_in_processes(files_to_make, self._make_files):
            self.memory.add(page.record, page.reads)

    def remember(self, stamp: str, site_stamp: str) -> None:
        """Store the memory for the next build; `site_stamp` is that of its files."""
        path = state_file(self.writer.state_dir, MEMORY_NAME)
        self.memory.write(path, stamp, site_stamp, self.context.standings.all_standings)

    def add_lists_for_programs(self) -> None:
        """Put the lists of pages for programs, and the feed of news."""
        config = self.corpus.config
        origin = config.site.url
        self.writer.put(SITEMAP, render_sitemap(pages_for_instant_navigation(self.entries), origin))
        self.writer.put(WHOLE_SITEMAP, render_sitemap(self.entries, origin))
        self.writer.put("robots.txt", render_robots(config))
        has_history = bool(self.context.past.steps)
        news = news_of_answers(self.context) if has_history else news_of_pages(self.entries, config)
        self.writer.put(FEED, render_feed(news, config))

    def add_assets(self, shell: Shell, inputs: Path) -> None:
        """Put the files that pages load, with those that notes link to."""
        for url, file in theme_assets(shell, inputs).items():
            self.writer.put(url, file.read_bytes())
        for asset in find_assets(self.corpus):
            self.writer.put(asset.path, asset.content)
        for url, path in attachment_paths_by_url(self.corpus).items():
            # a file that has changed since is published by the next build
            if not self.writer.keep(url) and (data := read_shown_file(self.corpus, url, path)):
                self.writer.put(url, data)

    def _put_page(self, page: Page) -> None:
        html = self.renderer.add(page)
        if html is not None:
            self.writer.put(page.url, html)

    def _list_handwritten(self, url: str, html: str, page_urls: set[str]) -> None:
        """List and index a handwritten page."""
        if url not in page_urls and url != NOT_FOUND and url not in self.empty:
            page = parse_page(url, html)
            self.entries.append(SitemapEntry.from_page(page))
            self.indexer.add(page)

    def _keep_page(self, url: str) -> PageRecord | None:
        """Keep the last build's files for `url` if nothing they depend on has changed."""
        record = self.memory.find_page_record(url)
        if record is None or not all(map(self.writer.is_intact, record.files)):
            return None
        for file in record.files:
            self.writer.keep(file)
        self.memory.keep(record)
        return record

    def _add_or_keep(self, lazy_pages: Sequence[Page | LazyPage]) -> None:
        """Render pages, except those whose dependencies have not changed."""
        kept_records = [self._keep_page(lazy_page.url) for lazy_page in lazy_pages]
        pages_to_make = [
            lazy_page
            for lazy_page, record in zip(lazy_pages, kept_records, strict=True)
            if record is None
        ]
        made_pages = iter(self._make_in_processes(pages_to_make, self._make_pages))
        for record in kept_records:
            if record:
                self.indexer.keep(record.files[0])
            else:
                page = next(made_pages)
                record = self.memory.add(page.record, page.reads)
            if entry := record.entry:
                self.entries.append(entry)
                redirect_target = Page(url=entry.url, kind=entry.kind, title=entry.title, html="")
                self.redirects += [(url, redirect_target) for url in record.aliases]

    def _make_in_processes(
        self, items: Sequence[Lazy], make: Callable[[Sequence[Lazy]], list[BuiltPage]]
    ) -> list[BuiltPage]:
        """Make pages or data files, in several processes if that pays off: this process makes a
        share, and also that of a copy that failed.
        """
        # the theme's own program needs all pages in this process
        count = _count_processes(items) if isinstance(self.renderer, Splicer) else 1
        if count == 1:
            return make(items)
        self.writer.begin()
        mark = self.log.next_number
        own_batch, *other_batches = (items[number::count] for number in range(count))
        copies = [fork_process(partial(self._make_in_copy, make, each)) for each in other_batches]
        packed_results: list[bytes | None] = []
        try:
            pages_of_batches = [make(own_batch)]
        finally:  # even if that failed, no copy may be left behind
            packed_results += [copy.receive() for copy in copies]
        for batch, packed in zip(other_batches, packed_results, strict=True):
            pages_of_batches.append(self._adopt_result(packed, mark) if packed else make(batch))
        return [pages_of_batches[number % count][number // count] for number in range(len(items))]

    def _make_files(self, files: Sequence[DataFile]) -> list[BuiltPage]:
        pages = []
        for file in files:
            self.log.begin_page(file.about)
            self.writer.put(file.url, file.make())
            record = PageRecord(None, (file.url,), ())
            pages.append(BuiltPage(record, pack_numbers(self.log.take_numbers_read())))
        return pages

    def _make_pages(self, pages_to_make: Sequence[Page | LazyPage]) -> list[BuiltPage]:
        pages = []
        for page_to_make in pages_to_make:
            about = page_to_make.about if isinstance(page_to_make, LazyPage) else None
            self.log.begin_page(about)
            page = make_page(page_to_make)
            self._put_page(page)
            for alternate in page.alternates:
                self.writer.put(alternate_url(page, alternate), alternate.data)
            self.indexer.add(page)
            pages.append(BuiltPage(record_of(page), pack_numbers(self.log.take_numbers_read())))
            if len(pages) % 100 == 0:
                self.progress("rendering", len(self.entries) + len(pages))
        return pages

    def _make_in_copy(
        self, make: Callable[[Sequence[Lazy]], list[BuiltPage]], items: Sequence[Lazy]
    ) -> bytes:
        """Make pages or data files in a copy of this process; return a packed `ProcessResult`."""
        self.progress = report_nothing
        first_number = self.log.next_number
        files_before, texts_before = self.writer.checkpoint(), self.indexer.checkpoint()
        pages = make(items)
        moves, stays = self.writer.since(files_before)
        documents, texts = self.indexer.since(texts_before)
        keys = self.log.entries_from(first_number)
        result = ProcessResult(pages, keys, moves, stays, documents, texts)
        return msgspec.msgpack.encode(result)

    def _adopt_result(self, packed: bytes, mark: int) -> list[BuiltPage]:
        """Take over the result of a copy, whose log was at `mark` when forked."""
        result = msgspec.msgpack.decode(packed, type=ProcessResult)
        self.writer.adopt(result.moves, result.stays)
        self.indexer.adopt(result.documents, result.texts)
        numbers = self.log.adopt(result.keys)
        return [
            BuiltPage(page.record, renumber_reads(page.reads, mark, numbers))
            for page in result.pages
        ]


def _count_processes(items: Sequence[Page | LazyPage | DataFile]) -> int:
    """Choose how many processes to use for these."""
    pages = sum(map(_cost_in_pages, items))
    if pages < FEWEST_PAGES_TO_SHARE_OUT or len(items) < 2 or not can_fork():
        return 1
    return min(available_cores(), MAX_CORES, len(items))


def _cost_in_pages(item: Page | LazyPage | DataFile) -> int:
    """The number of statement pages that take as long."""
    if isinstance(item, DataFile):
        return PAGES_OF_A_DATA_FILE
    is_line = isinstance(item, LazyPage) and item.about and item.about[0] == "lines"
    return PAGES_OF_A_LINE if is_line else 1


def report_nothing(step: str, count: int) -> None:
    """A `Progress` that shows nothing, for copies of the process."""


def theme_assets(shell: Shell, inputs: Path) -> dict[str, Path]:
    """The theme's and our own assets by address; our own take precedence."""
    theme = _files_by_name(shell.folder / "assets")
    assets = {f"assets/{name}": path for name, path in (*theme, *_files_by_name(inputs / "assets"))}
    return {
        url: path
        for url, path in sorted(assets.items())
        if not url.endswith(UNUSED_SUFFIXES) and not url.startswith(UNUSED_FOLDERS)
    }


def _files_by_name(folder: Path) -> Iterator[tuple[str, Path]]:
    for name in files_below(folder):
        path = Path(name)
        yield path.relative_to(folder).as_posix(), path
