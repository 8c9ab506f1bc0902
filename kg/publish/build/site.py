"""The site: pages of a corpus, written only where they changed; of a folder, only if it changed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from kg.checks.left_out import describe_left_out
from kg.corpus import Corpus
from kg.corpus.site_files import attachments_by_link, digest_of_file, read_attachment
from kg.files.read import NotesFolder, StrPath
from kg.files.state import hold_lock, read_sealed_as, state_folder, write_sealed
from kg.files.tree import folders_around
from kg.loader import load_corpus
from kg.model import Value
from kg.publish.build.commit import SITE, state_file, unbuilt_beside
from kg.publish.build.dependencies import ReadLog, tracked_context
from kg.publish.build.incremental import (
    BuildMemory,
    PageRecord,
    Stamp,
    files_below,
    find_sources,
    is_same,
    load_memory,
    program_digest,
    take_stamp,
)
from kg.publish.build.llms_files import files_for_programs
from kg.publish.build.renderers import (
    FEED,
    NOT_FOUND,
    PageRenderer,
    PlainProject,
    Splicer,
    alternate_url,
    empty_page,
    parse_page,
    render_redirect,
)
from kg.publish.build.search_index import Indexer, load_state, save_state
from kg.publish.build.shell import Shell, build_shell, find_assets, find_inputs
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
from kg.publish.build.stencil import StencilError
from kg.publish.build.writer import LOCK, AlteredFile, Writer
from kg.publish.context.site_context import PageMaker
from kg.publish.markup.shown_files import file_url
from kg.publish.page import Draft, Page, make_page

Progress = Callable[[str, int], None]

DEFAULT_OUT = Path("build/site")
MEMORY = "pages"
COLLECT_AFTER = 20_000  # new values, between two searches for garbage
UNUSED = (".map", ".gz")
UNUSED_FOLDERS = ("assets/javascripts/lunr/", "assets/javascripts/workers/", "search/")


class SiteReport(Value, frozen=True):
    """What a build did, by address, and where to begin reading.

    `fallback` says why every page was rendered whole, if it was; `anew` why nothing of an earlier
    build could be used; `unbuilt` are files there that no build wrote, which stay. `stamp` is a
    digest of the files as they are now. `left_out` says what it lacks of the notes in a folder.
    """

    index: Path
    pages: int
    written: tuple[str, ...] = ()
    unchanged: int = 0
    removed: tuple[str, ...] = ()
    shell_built: bool = False
    fallback: str = ""
    stamp: str = ""
    anew: str = ""
    unbuilt: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def build_site(
    corpus: Corpus,
    out: Path | str = DEFAULT_OUT,
    *,
    pages: Iterable[PageMaker] | None = None,
    progress: Progress | None = None,
    inputs: Path | None = None,
) -> SiteReport:
    """Build the site of `corpus` in `out / "html"`; no link is followed there.

    `pages` are the functions that say what to show, `PAGES` by default. Whatever fails, the
    site that was there stays whole. Raises `ShellError` where MkDocs does not build,
    `BadAddress` where two pages claim one address, and `PathBlocked` where something that was not
    built, as a link, stands in the way.
    """
    work, own = Path(out), folders_around(corpus.folder)
    makers = tuple(pages if pages is not None else all_pages())
    inputs, tell = inputs or find_inputs(), progress or _silent
    with _few_collections():
        try:
            return _build_site(corpus, Writer(work, own), makers, inputs, tell)
        except AlteredFile as error:
            return _build_site(corpus, Writer(work, own, anew=str(error)), makers, inputs, tell)


def _build_site(
    corpus: Corpus, writer: Writer, makers: Iterable[PageMaker], inputs: Path, tell: Progress
) -> SiteReport:
    with ExitStack() as stack:
        stack.enter_context(writer)
        shell = build_shell(inputs, site=corpus.config.site)
        renderer, fallback = _renderer(shell, corpus, inputs, stack)
        stamp = _stamp_pages(corpus, shell, fallback)
        build = _Build(corpus, writer, renderer, tell, stamp)
        build.add_pages(makers)
        build.add_guides()
        build.add_assets(shell, inputs)
        tell("indexing", len(build.entries))
        state = build.indexer.write(writer, (term.names for term in corpus.terms))
        tell("writing", len(build.entries))
        done = writer.commit()
        save_state(writer, state)
        left = writer.stamp()
        if not fallback:
            build.memory.write(state_file(writer.state_dir, MEMORY), stamp, left)
    return SiteReport(
        index=writer.site / "index.html",
        pages=len(build.entries),
        written=done.written,
        unchanged=done.unchanged,
        removed=done.removed,
        shell_built=shell.built,
        fallback=fallback,
        stamp=left,
        anew=writer.anew,
        unbuilt=done.unbuilt,
    )


def _renderer(
    shell: Shell, corpus: Corpus, inputs: Path, stack: ExitStack
) -> tuple[PageRenderer, str]:
    """What renders the pages; where the theme cannot be cut, its own program, and why."""
    try:
        return Splicer(shell, corpus.config), ""
    except StencilError as error:
        why = f"{corpus.config.site.builder} renders every page itself, which takes longer: {error}"
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="kg-plain-")))
        return PlainProject(folder, inputs, corpus.config), why


class _Build:
    """One run of a build, and what it rendered so far."""

    def __init__(
        self, corpus: Corpus, writer: Writer, renderer: PageRenderer, tell: Progress, stamp: str
    ) -> None:
        self.corpus = corpus
        self.log = ReadLog()
        self.context = tracked_context(corpus, self.log)
        self.indexer = Indexer(load_state(writer))
        # Pages that stay are not indexed again, so nothing stays where the index is lost.
        site = writer.stamp() if self.indexer.last.files and not writer.anew else ""
        last = load_memory(state_file(writer.state_dir, MEMORY), stamp, site)
        self.memory = BuildMemory(self.log, last)
        self.writer = writer
        self.renderer = renderer
        self.tell = tell
        self.entries: list[SitemapEntry] = []
        self.empty: list[str] = []
        self.redirects: list[tuple[str, Page]] = []

    def add_pages(self, makers: Iterable[PageMaker]) -> None:
        for maker in makers:
            for page in maker(self.context):
                self._add_or_keep(page)
        known = {entry.url for entry in self.entries}
        self.empty = [url for url in self.renderer.sections if url not in known]
        for url in self.empty:
            self._put(empty_page(url))
        for url, html in self.renderer.finish():
            if not self.writer.holds(url):
                self.writer.put(url, html)
                self._note_written(url, html, known)
        for url, page in self.redirects:
            # An address that something else took over leads to that.
            if not self.writer.holds(url):
                self.writer.put(url, render_redirect(url, page))

    def add_guides(self) -> None:
        config = self.corpus.config
        origin = config.site.url
        self.writer.put(SITEMAP, render_sitemap(find_walked(self.entries), origin))
        self.writer.put(WHOLE_SITEMAP, render_sitemap(self.entries, origin))
        self.writer.put("robots.txt", render_robots(config))
        for url, text in files_for_programs(self.context, self.entries, self.renderer.sections):
            self.writer.put(url, text)
        compared = bool(self.context.past.steps)
        news = news_of_answers(self.context) if compared else news_of_pages(self.entries, config)
        self.writer.put(FEED, render_feed(news, config))

    def add_assets(self, shell: Shell, inputs: Path) -> None:
        for url, place in theme_assets(shell, inputs).items():
            self.writer.put(url, place.read_bytes())
        for asset in find_assets(self.corpus):
            self.writer.put(asset.path, asset.content)
        for url, path in find_files(self.corpus).items():
            # one that changed since it was looked at is put there by the next build
            if not self.writer.keep(url) and (data := read_shown_file(self.corpus, url, path)):
                self.writer.put(url, data)

    def _put(self, page: Page) -> None:
        html = self.renderer.add(page)
        if html is not None:
            self.writer.put(page.url, html)

    def _note_written(self, url: str, html: str, known: set[str]) -> None:
        """List and index a page that was written by hand."""
        if url not in known and url != NOT_FOUND and url not in self.empty:
            page = parse_page(url, html)
            self.entries.append(SitemapEntry.of(page))
            self.indexer.add(page)

    def _add_or_keep(self, page: Page | Draft) -> None:
        """Make a page, unless nothing that it read last time has changed."""
        record = self.memory.find(page.url)
        if record and all(map(self.writer.is_intact, record.files)):
            for url in record.files:
                self.writer.keep(url)
            self.indexer.keep(page.url)
            self.memory.keep(record)
        else:
            record = self._add(page)
        entry = record.entry
        self.entries.append(entry)
        if record.aliases:
            light = Page(url=entry.url, kind=entry.kind, title=entry.title, html="")
            self.redirects += [(url, light) for url in record.aliases]
        if len(self.entries) % 100 == 0:
            self.tell("rendering", len(self.entries))

    def _add(self, draft: Page | Draft) -> PageRecord:
        self.log.start(draft)
        page = make_page(draft)
        self._put(page)
        for alternate in page.alternates:
            self.writer.put(alternate_url(page, alternate), alternate.data)
        self.indexer.add(page)
        return self.memory.add(page, self.log.take())


def _stamp_pages(corpus: Corpus, shell: Shell, fallback: str) -> str:
    """What every page rests on: the program, the theme, the settings, and what draws pictures."""
    settings = corpus.config.model_dump_json()
    parts = (program_digest(), shell.folder.parent.name, settings, fallback)
    return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let the garbage collector pass over what was there before the build: most of it stays."""
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def theme_assets(shell: Shell, inputs: Path) -> dict[str, Path]:
    """The theme's files and our own that pages ask for, by address; ours win."""
    theme = _files(shell.folder / "assets")
    found = {f"assets/{name}": place for name, place in (*theme, *_files(inputs / "assets"))}
    return {
        url: place
        for url, place in sorted(found.items())
        if not url.endswith(UNUSED) and not url.startswith(UNUSED_FOLDERS)
    }


def find_files(corpus: Corpus) -> dict[str, str]:
    """The files that notes show or link to, by address: their paths in the notes folder."""
    return {file_url(file): file.path for file in corpus.derive(attachments_by_link).values()}


def read_shown_file(corpus: Corpus, url: str, path: str) -> bytes | None:
    """What is to stand at `url`; None where the file is not any more what it was."""
    try:
        data = read_attachment(corpus, path)
    except OSError:
        return None
    return data if digest_of_file(data) in url else None


def all_pages() -> Iterable[PageMaker]:
    """Every kind of page there is."""
    from kg.publish.pages import PAGES

    return PAGES


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for name in files_below(folder):
        found = Path(name)
        yield found.relative_to(folder).as_posix(), found


def _silent(step: str, count: int) -> None:
    """Default progress callback: does nothing."""


# -- a folder of notes ---------------------------------------------------------------------

BUILT = "built"
BUILT_FORMAT = "built 2"


class BuildRecord(Value, frozen=True):
    """A finished build: what it was made of and by, the files it left, and what it reported."""

    sources: Stamp
    program: str
    site: str
    pages: int
    files: int
    fallback: str
    left_out: tuple[str, ...]


def build_folder(
    notes: StrPath,
    out: Path | str = DEFAULT_OUT,
    load: Callable[[NotesFolder], Corpus] | None = None,
    *,
    progress: Progress | None = None,
    inputs: Path | None = None,
    drafts: bool = False,
) -> SiteReport:
    """Build the site of the folder `notes` with `build_site`, which says what may go wrong.

    `drafts` says whether those are on it, as `load` has to read them. Where neither the notes, the
    theme, the program nor the site changed, nothing is loaded.
    """
    notes, work, inputs = NotesFolder.of(notes), Path(out), inputs or find_inputs()
    program = program_digest() + (" with drafts" if drafts else "")
    sources = take_stamp(find_sources(notes, inputs))
    place, lock = (state_file(state_folder(work), name) for name in (BUILT, LOCK))
    last = read_sealed_as(place, BUILT_FORMAT, msgspec.msgpack.Decoder(BuildRecord).decode)
    if (
        last
        and last.program == program
        and is_same(last.sources, sources)
        and (unbuilt := unbuilt_beside(work, folders_around(notes), last.site)) is not None
    ):
        return SiteReport(
            index=work / SITE / "index.html",
            pages=last.pages,
            unchanged=last.files,
            fallback=last.fallback,
            stamp=last.site,
            unbuilt=unbuilt,
            left_out=last.left_out,
        )
    corpus = load(notes) if load else load_corpus(notes, drafts=drafts)
    report = build_site(corpus, work, progress=progress, inputs=inputs)
    report = msgspec.structs.replace(report, left_out=tuple(describe_left_out(corpus)))
    built = BuildRecord(
        sources=sources,
        program=program,
        site=report.stamp,
        pages=report.pages,
        files=len(report.written) + report.unchanged,
        fallback=report.fallback,
        left_out=report.left_out,
    )
    with hold_lock(lock, str(work)):
        write_sealed(place, BUILT_FORMAT, msgspec.msgpack.encode(built))
    return report
