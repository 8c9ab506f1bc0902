"""Build the site of a corpus, writing only changed files; of a folder, only if it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import structs

from kg.corpus import Corpus
from kg.files.cache_files import read_sealed_as, state_folder, write_sealed
from kg.files.folder_tree import folders_around
from kg.files.locks import LOCK, hold_lock
from kg.files.read_files import NotesFolder, StrPath
from kg.files.settings_file import load_config
from kg.loader import load_corpus
from kg.model import Value
from kg.model.settings.config import Config
from kg.publish.build.build_memory import (
    Stamp,
    is_same,
    list_build_inputs,
    program_digest,
    take_stamp,
)
from kg.publish.build.commit import SITE, find_unbuilt_files, state_file
from kg.publish.build.omissions import sentences_on_left_out
from kg.publish.build.search.search_index import save_state
from kg.publish.build.site_run import Progress, SiteRun, report_nothing
from kg.publish.build.theme.renderers import (
    PageRenderer,
    PlainProject,
    Splicer,
)
from kg.publish.build.theme.shell import (
    Shell,
    build_shell,
    build_shell_meanwhile,
    get_inputs,
)
from kg.publish.build.theme.stencil import StencilError
from kg.publish.build.writer import AlteredFile, CommitResult, Writer
from kg.publish.context.site_context import PageMaker
from kg.runtime.gc_pauses import run_gc_rarely

DEFAULT_OUT = Path("build/site")
COLLECT_IN_BUILD_AFTER = 20_000  # new objects between two garbage collections
BUILT = "built"
BUILT_FORMAT = "built 4"


class SiteReport(CommitResult, frozen=True, kw_only=True):
    """The result of a build: of its commit, and the page to open first.

    `fallback` says why MkDocs rendered every page, if it did; `anew` why nothing of an earlier
    build could be used. `stamp` is a digest of the current files. `left_out` says which notes of a
    folder are missing.
    """

    index: Path
    pages: int
    fallback: str = ""
    stamp: str = ""
    anew: str = ""
    left_out: tuple[str, ...] = ()


def build_site(
    corpus: Corpus,
    output_folder: Path | str = DEFAULT_OUT,
    *,
    pages: Iterable[PageMaker] | None = None,
    progress: Progress | None = None,
    inputs: Path | None = None,
) -> SiteReport:
    """Build the site of `corpus` in `output_folder / "html"`; no link is followed there.

    `pages` are the functions that make pages, `PAGES` by default. On any failure, the existing
    site stays complete. Raises `ShellError` if MkDocs fails, `BadAddress` if two pages have the
    same address, and `PathBlocked` if a link or a file that was not built is in the way.
    """
    makers = tuple(pages if pages is not None else all_pages())

    def build(anew: str = "") -> SiteReport:
        writer = Writer(Path(output_folder), folders_around(corpus.folder), anew)
        return _build_site(
            corpus, writer, makers, inputs or get_inputs(), progress or report_nothing
        )

    with run_gc_rarely(COLLECT_IN_BUILD_AFTER):
        try:
            return build()
        except AlteredFile as error:
            return build(anew=str(error))


def _build_site(
    corpus: Corpus, writer: Writer, makers: Iterable[PageMaker], inputs: Path, progress: Progress
) -> SiteReport:
    with ExitStack() as stack:
        stack.enter_context(writer)
        shell = build_shell(inputs, site=corpus.config.site)
        renderer, fallback = _renderer_and_reason(shell, corpus, inputs, stack)
        stamp = _digest_of_shared_inputs(corpus, shell, fallback)
        run = SiteRun(corpus, writer, renderer, progress, stamp)
        run.add_pages(makers)
        # what follows lists the pages
        run.add_lists_for_programs()
        run.add_data()
        run.add_assets(shell, inputs)
        progress("indexing", len(run.entries))
        state = run.indexer.write(writer, (term.names for term in corpus.terms))
        progress("writing", len(run.entries))
        commit_result = writer.commit()
        # only now: what the next build reads must describe the files that are in place
        save_state(writer, state)
        new_stamp = writer.stamp()
        if not fallback:  # if MkDocs renders the pages, it needs all of them: none may be kept
            run.remember(stamp, new_stamp)
    return SiteReport(
        index=writer.site / "index.html",
        pages=len(run.entries),
        fallback=fallback,
        stamp=new_stamp,
        anew=writer.anew,
        **structs.asdict(commit_result),
    )


def _renderer_and_reason(
    shell: Shell, corpus: Corpus, inputs: Path, stack: ExitStack
) -> tuple[PageRenderer, str]:
    """The renderer for the pages, and why it is the slow one, if it is."""
    try:
        return Splicer(shell, corpus.config), ""
    except StencilError as error:
        why = f"{corpus.config.site.builder} renders every page itself, which takes longer: {error}"
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="kg-plain-")))
        return PlainProject(folder, inputs, corpus.config), why


def _digest_of_shared_inputs(corpus: Corpus, shell: Shell, fallback: str) -> str:
    """A digest of the inputs of every page: the program, the theme and the settings."""
    settings = corpus.config.model_dump_json()
    parts = (program_digest(), shell.key, settings, fallback)
    return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()


def all_pages() -> Iterable[PageMaker]:
    """The makers of all kinds of pages."""
    from kg.publish.pages import PAGES

    return PAGES


# -- a folder of notes ---------------------------------------------------------------------


class BuildRecord(Value, frozen=True):
    """A finished build: its input, its program's digest, and the report of one without changes."""

    inputs: Stamp
    program: str
    report: SiteReport


# Without the path of the site, which may have changed by then.
_encode_record = msgspec.msgpack.Encoder(enc_hook=lambda path: "").encode
_decode_record = msgspec.msgpack.Decoder(BuildRecord, dec_hook=lambda kind, text: kind(text)).decode


def build_folder(
    notes: StrPath,
    output_folder: Path | str = DEFAULT_OUT,
    load: Callable[[NotesFolder, Config], Corpus] | None = None,
    *,
    progress: Progress | None = None,
    inputs: Path | None = None,
    drafts: bool = False,
) -> SiteReport:
    """Build the site of the folder `notes`; raises as `build_site` does.

    With `drafts`, `load` must read drafts, too. If neither the notes, the theme, the program nor
    the site has changed, nothing is loaded.
    """
    notes, output_folder = NotesFolder.from_path(notes), Path(output_folder)
    inputs = inputs or get_inputs()
    program = program_digest() + (" with drafts" if drafts else "")
    config = load_config(notes)
    input_stamp = take_stamp(list_build_inputs(notes, inputs, config))
    record_file, lock = (state_file(state_folder(output_folder), name) for name in (BUILT, LOCK))
    last = read_sealed_as(record_file, BUILT_FORMAT, _decode_record)
    if (
        last
        and last.program == program
        and is_same(last.inputs, input_stamp)
        and (unbuilt := find_unbuilt_files(output_folder, folders_around(notes), last.report.stamp))
        is not None
    ):
        return structs.replace(
            last.report, index=output_folder / SITE / "index.html", unbuilt=unbuilt
        )
    with build_shell_meanwhile(inputs, config.site):
        corpus = load(notes, config) if load else load_corpus(notes, drafts=drafts, config=config)
        makers = all_pages()  # loads as much as takes half as long as the shell
    report = build_site(corpus, output_folder, pages=makers, progress=progress, inputs=inputs)
    report = structs.replace(report, left_out=tuple(sentences_on_left_out(corpus)))
    unchanged = len(report.written) + report.unchanged
    kept_report = structs.replace(report, written=(), unchanged=unchanged, removed=(), anew="")
    record = BuildRecord(input_stamp, program, kept_report)
    with hold_lock(lock, str(output_folder)):
        write_sealed(record_file, BUILT_FORMAT, _encode_record(record))
    return report
