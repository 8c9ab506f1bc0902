"""The current site of a folder of notes, with pages rendered on request."""

from __future__ import annotations

import posixpath
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kg.checks import check
from kg.corpus import Corpus
from kg.files.read_files import NotesFolder, StrPath
from kg.loader import load_corpus
from kg.model import Diagnostic, Severity
from kg.notes.notes_cache import LatestNotes
from kg.publish.build.for_programs.record_files import all_record_files
from kg.publish.build.for_programs.sitemap_and_feed import SitemapEntry, render_sitemap
from kg.publish.build.site import all_pages
from kg.publish.build.site_run import theme_assets
from kg.publish.build.theme.renderers import NOT_FOUND, Splicer, empty_page, render_redirect
from kg.publish.build.theme.shell import (
    attachment_paths_by_url,
    build_shell,
    find_assets,
    get_inputs,
    read_shown_file,
)
from kg.publish.context.site_context import (
    PageMaker,
    SiteContext,
    record_addresses,
    record_files,
)
from kg.publish.context.standings import Standings
from kg.publish.context.weighing_inputs import keep_results
from kg.publish.markup.address import Addresses, addresses_of_things, file_name
from kg.publish.page import LazyPage, Page, alternate_url, make_page
from kg.text.plurals import describe_rest

FROM_IDS = (addresses_of_things, record_addresses, record_files)
MAX_PROBLEMS_ON_PAGE = 8  # about half a screen: `kg check` lists the rest


@dataclass(frozen=True)
class SiteState:
    """One state of the notes: its number, its pages, and the problems in the notes."""

    number: int
    site: CorpusSite | None
    problems: tuple[str, ...]


class LiveSite:
    """Reads the notes again after each edit; on errors, reports them and keeps the last pages.

    `state` is the latest; each is replaced whole, so that any thread may read it.
    """

    def __init__(
        self,
        notes: StrPath,
        *,
        pages: Iterable[PageMaker] | None = None,
        drafts: bool = False,
    ) -> None:
        self.notes = NotesFolder.from_path(notes)
        self._drafts = drafts
        self._make_site = partial(CorpusSite, pages=pages)
        self._read_notes = LatestNotes().read_notes
        self._news = threading.Condition()
        self.state = SiteState(0, None, ())
        self.closed = False

    def refresh(self) -> None:
        """Read the notes as they are now; publish new pages first, then problems."""
        corpus = self.refresh_pages()
        if corpus is not None:
            self._publish_state(self.state.site, self._check_corpus(corpus))

    def refresh_pages(self) -> Corpus | None:
        """Read the notes, and publish only the pages; None if that failed."""
        try:
            corpus = load_corpus(self.notes, self._read_notes, drafts=self._drafts)
            last_site, known_standings = self.state.site, None
            if last_site and keep_results(last_site.corpus, corpus, FROM_IDS):
                known_standings = last_site.standings
            site = self._make_site(corpus, known_standings=known_standings)
        except Exception as error:
            # Any failure during an edit is shown to its author, and must not end the server.
            self._publish_state(self.state.site, _crash_problems(error))
            return None
        problems = lines_of_errors(corpus.diagnostics, self.notes.display_path)
        self._publish_state(site, problems or self.state.problems)
        return corpus

    def _check_corpus(self, corpus: Corpus) -> tuple[str, ...]:
        try:
            return lines_of_errors(check(corpus), self.notes.display_path)
        except Exception as error:  # as above
            return _crash_problems(error)

    def wait_for_state(self, last_number: int, seconds: float) -> SiteState:
        """Wait for a state after number `last_number`; the latest state when the time is up."""
        with self._news:
            self._news.wait_for(lambda: self.closed or self.state.number > last_number, seconds)
            return self.state

    def close(self) -> None:
        """Wake all waiting threads, for good."""
        with self._news:
            self.closed = True
            self._news.notify_all()

    def _publish_state(self, site: CorpusSite | None, problems: tuple[str, ...]) -> None:
        with self._news:
            last_state = self.state
            if site is not last_state.site or problems != last_state.problems:
                self.state = SiteState(last_state.number + 1, site, problems)
                self._news.notify_all()


def messages_for_writer(
    problems_before: tuple[str, ...], problems: tuple[str, ...]
) -> tuple[str, ...]:
    """Messages for the author: new problems, or that the last one is gone."""
    if problems_before and not problems:
        return ("no more errors",)
    return tuple(each for each in problems if each not in problems_before)


def lines_of_errors(problems: Iterable[Diagnostic], notes: Path) -> tuple[str, ...]:
    """The first errors, one per line, and how many more there are."""
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    lines = [_problem_line(problem, notes) for problem in errors[:MAX_PROBLEMS_ON_PAGE]]
    if rest := describe_rest(errors, MAX_PROBLEMS_ON_PAGE, "and"):
        lines.append(f"{rest}; see `kg check`")
    return tuple(lines)


def _crash_problems(error: Exception) -> tuple[str, ...]:
    return (f"{type(error).__name__}: {error}",)


def _problem_line(problem: Diagnostic, notes: Path) -> str:
    help = f" ({problem.help})" if problem.help else ""
    path = Path(notes.name, problem.span.path)
    position = f"{path}:{problem.span.line}:{problem.span.column}"
    return f"{position}: {problem.rule}: {problem.message}{help}"


class CorpusSite:
    """The site of one corpus as a build would make it; rendered files are cached."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        pages: Iterable[PageMaker] | None = None,
        known_standings: Standings | None = None,
    ) -> None:
        """`known_standings` are those of a corpus with the same inputs.

        Raises `ShellError` if MkDocs fails.
        """
        inputs = get_inputs()
        shell = build_shell(inputs, site=corpus.config.site)
        self.corpus = corpus
        self._splicer = Splicer(shell, corpus.config)
        self._assets = theme_assets(shell, inputs)
        self._corpus_assets = {asset.path: asset.content for asset in find_assets(corpus)}
        self._files = attachment_paths_by_url(corpus)
        self._rendered_files: dict[str, bytes] = {}
        # do not delay pages by weighing the past: show what builds have computed
        self._context = SiteContext(
            Addresses(corpus), weigh_past=False, known_standings=known_standings
        )
        self._pages: dict[str, Page | LazyPage] = {
            page.url: page
            for maker in (pages if pages is not None else all_pages())
            for page in maker(self._context)
        }
        self._records = {file.url: file.make for file in all_record_files(self._context)}

    def find_file(self, url: str) -> bytes | None:
        """The file at `url`: a page, an alternate or an asset; None if there is none."""
        if url not in self._rendered_files:
            content = self._make_file(url)
            if content is None:
                return None
            self._rendered_files[url] = content
        return self._rendered_files[url]

    @property
    def standings(self) -> Standings | None:
        """The standings computed so far, here or before."""
        return self._context.standings.known_standings

    def not_found(self) -> bytes:
        """The page for addresses that do not exist."""
        return dict(self._splicer.finish())[NOT_FOUND].encode("utf-8")

    def render_sitemap(self, origin: str) -> str:
        """The sitemap as if the site's address were `origin`."""
        entries = [SitemapEntry(url=url, kind="index", title="") for url in self._pages]
        return render_sitemap(entries, origin)

    def _make_file(self, url: str) -> bytes | None:
        if url in self._assets:
            return self._assets[url].read_bytes()
        if url in self._corpus_assets:
            return self._corpus_assets[url]
        if url in self._files:
            return read_shown_file(self.corpus, url, self._files[url])
        if url in self._records:
            data = self._records[url]()
            return data if isinstance(data, bytes) else data.encode("utf-8")
        if url in self._pages:
            return self._splicer.add(make_page(self._pages[url]))
        if not url.endswith(".html"):
            return self._alternate_at(url)
        if url in self._splicer.sections:
            return self._splicer.add(empty_page(url))
        page_text = dict(self._splicer.finish()).get(url)
        return page_text.encode("utf-8") if page_text else self._redirect_at(url)

    def _alternate_at(self, url: str) -> bytes | None:
        page_url = f"{url.rpartition('.')[0]}.html"
        if page_url not in self._pages:
            return None
        page = make_page(self._pages[page_url])
        for alternate in page.alternates:
            if alternate_url(page, alternate) == url:
                return alternate.data
        return None

    def _redirect_at(self, url: str) -> bytes | None:
        folder, name = posixpath.split(url)
        for alias in self.corpus.aliases:
            target = self._context.addresses.find_page(alias)
            if target and (posixpath.dirname(target), f"{file_name(alias)}.html") == (folder, name):
                return render_redirect(url, make_page(self._pages[target])).encode("utf-8")
        return None
