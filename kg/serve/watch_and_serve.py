"""`kg serve`: watch the notes, serve them, and keep the built site up to date."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import resource_tracker
from pathlib import Path

from kg.files.cache_files import CACHE_VARIABLE, state_folder
from kg.files.file_signatures import file_signature
from kg.files.folder_tree import folders_around
from kg.files.read_files import NotesFolder, StrPath
from kg.files.settings_file import config_places
from kg.loader import list_inputs, load_corpus
from kg.notes.note_listing import list_judgements
from kg.publish.build.build_memory import list_build_inputs
from kg.publish.build.site import build_folder
from kg.publish.build.theme.shell import get_inputs
from kg.serve.live_site import LiveSite, messages_for_writer
from kg.serve.site_server import LastBuild, SiteServer
from kg.text.printable import printable

FileSignatures = dict[str, tuple[int, ...]]

QUIET_BEFORE_BUILD = 1.0  # seconds without an edit: a build takes a core for longer than a save
SHORTEST_PAUSE = 0.05  # seconds between two looks at the files
PAUSE_PER_LOOK = 20  # times as long as a look took: polling may use a twentieth of one core
MAX_DEAF_SECONDS = 0.5  # seconds until a signal is handled at the latest
COLLECT_AFTER = 200_000  # new objects between two collections of the youngest generation
# A full collection after this many edits frees old sites, which would otherwise stay forever.
EDITS_PER_COLLECTION = 20


def serve(
    notes: StrPath,
    output_folder: Path,
    port: int,
    *,
    ready: Callable[[str], None],
    tell: Callable[[str], None],
    stop: threading.Event | None = None,
    drafts: bool = False,
) -> None:
    """Serve the notes until interrupted, or until `stop` is set; `ready` gets the address,
    and `tell` each problem that an edit causes, and a message once all are fixed.

    Raises `NoSuchFolder` if there are no notes, `OSError` if the port is taken, and `PathBlocked`
    if the site's folder is a link.
    """
    stop = stop or threading.Event()
    with _temporary_cache(output_folder) as cache:
        _serve_until(
            NotesFolder.from_path(notes),
            output_folder,
            port,
            ready=ready,
            tell=tell,
            stop=stop,
            drafts=drafts,
            cache=cache,
        )


@contextmanager
def _temporary_cache(output_folder: Path) -> Iterator[Path | None]:
    """A temporary cache folder if there is no lasting one, as the builder uses it to tell the
    server what it wrote.
    """
    if state_folder(output_folder) is not None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="kg-serve-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _serve_until(
    notes: NotesFolder,
    output_folder: Path,
    port: int,
    *,
    ready: Callable[[str], None],
    tell: Callable[[str], None],
    stop: threading.Event,
    drafts: bool,
    cache: Path | None,
) -> None:
    _end_on_sigterm(stop)
    load_corpus(notes)
    last_build = LastBuild(output_folder, folders_around(notes), cache)
    live = LiveSite(notes, drafts=drafts)
    # A corpus is many objects that stay; frequent collections cost more than they free.
    gc.set_threshold(COLLECT_AFTER)
    _refresh_and_tell(live, tell)
    with SiteServer(live, last_build, port) as server:
        builder = SiteBuilder(notes, output_folder, drafts, cache)
        threads = [
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}),
            threading.Thread(target=_watch_sources, args=(live, builder, tell, stop)),
        ]
        for thread in threads:
            thread.start()
        try:
            ready(server.address)
            builder.request_build()
            # any thread may receive a signal, but only the main one handles it, when it runs again
            while not stop.wait(MAX_DEAF_SECONDS):
                pass
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
            live.close()
            server.shutdown()
            builder.close()
            for thread in threads:
                thread.join()


def _end_on_sigterm(stop: threading.Event) -> None:
    """End on SIGTERM as on Ctrl-C: the builder's process must not outlive the server."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: stop.set())


class SiteBuilder:
    """Builds the whole site in a process of its own, once the notes are quiet; `cache` is its cache
    folder if it is not the user's.
    """

    def __init__(
        self, notes: StrPath, output_folder: Path, drafts: bool = False, cache: Path | None = None
    ) -> None:
        self._arguments = (NotesFolder.from_path(notes), output_folder, drafts, cache)
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._closed = False
        self.process: multiprocessing.process.BaseProcess | None = None

    def request_build(self) -> None:
        """Build soon, including all changes until then."""
        with self._lock:
            if self._closed:
                return
            if self._timer:
                self._timer.cancel()
            self._timer = threading.Timer(QUIET_BEFORE_BUILD, self.start)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Stop building; the journal of a build makes that safe at any time."""
        with self._lock:
            self._closed = True
            if self._timer:
                self._timer.cancel()
            if self.process:
                self.process.terminate()
                self.process.join()

    def start(self) -> None:
        """Build now in another process; later if a build is running."""
        with self._lock:
            is_running = self.process is not None and self.process.is_alive()
            if not is_running and not self._closed:
                # imports nothing from the current folder, which may be the notes'
                os.environ["PYTHONSAFEPATH"] = "1"
                self.process = multiprocessing.get_context("spawn").Process(
                    target=_build_site, args=self._arguments, daemon=True
                )
                with _interrupts_left_to_the_server():
                    self.process.start()
        if is_running:
            self.request_build()


@contextmanager
def _interrupts_left_to_the_server() -> Iterator[None]:
    """Processes started in this context ignore Ctrl-C, which they would also receive."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its start would unblock the signal
    signals_blocked_before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, signals_blocked_before)


def _build_site(notes: StrPath, output_folder: Path, drafts: bool, cache: Path | None) -> None:
    """Build in this process, which does nothing else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if cache:
        os.environ[CACHE_VARIABLE] = str(cache)
    try:
        build_folder(notes, output_folder, drafts=drafts)
    except Exception as error:
        # The server reports problems in the notes; this is for others, such as a full disk.
        sys.exit(printable(f"the site was not built: {type(error).__name__}: {error}"))


def _refresh_and_tell(live: LiveSite, tell: Callable[[str], None]) -> None:
    problems_before = live.state.problems
    live.refresh()
    for message in messages_for_writer(problems_before, live.state.problems):
        with suppress(OSError, ValueError):  # the terminal was closed
            tell(message)


def _watch_sources(
    live: LiveSite, builder: SiteBuilder, tell: Callable[[str], None], stop: threading.Event
) -> None:
    inputs = get_inputs()
    edits = count(1)

    def react(_: set[str]) -> None:
        _refresh_and_tell(live, tell)
        builder.request_build()
        if next(edits) % EDITS_PER_COLLECTION == 0:
            gc.collect()

    watch_files(lambda: list_build_inputs(live.notes, inputs), react, stop)


def watched_files(notes: StrPath) -> list[str]:
    """The input files of a corpus: notes, bibliographies, judgements, settings."""
    paths = list_inputs(notes)
    paths += map(str, list_judgements(notes))
    return [*paths, *map(str, config_places(notes))]


def file_signatures(files: Iterable[str]) -> FileSignatures:
    """Times and size of each file that exists, to detect changes."""
    return {file: signature[:3] for file in files if (signature := file_signature(file))}


def watch_files(
    find_files: Callable[[], Iterable[str]],
    react: Callable[[set[str]], None],
    stop: threading.Event,
) -> None:
    """Call `react` with the files that were added, removed or changed, until `stop` is set."""
    signatures = file_signatures(find_files())
    has_waited = False
    while not stop.is_set():
        start = time.perf_counter()
        new_signatures = file_signatures(find_files())
        changed_files = {
            file
            for file in signatures.keys() | new_signatures.keys()
            if signatures.get(file) != new_signatures.get(file)
        }
        look_seconds = time.perf_counter() - start
        if not has_waited and _is_any_emptied(changed_files, signatures, new_signatures):
            has_waited = True
            stop.wait(SHORTEST_PAUSE)
            continue
        signatures = new_signatures
        has_waited = False
        if changed_files:
            react(changed_files)
        else:
            stop.wait(max(SHORTEST_PAUSE, PAUSE_PER_LOOK * look_seconds))


def _is_any_emptied(
    changed_files: Iterable[str], signatures: FileSignatures, new_signatures: FileSignatures
) -> bool:
    """Return whether a file that held something is empty: many editors empty a file before they
    write.
    """
    sizes = ((signatures.get(file), new_signatures.get(file)) for file in changed_files)
    return any(old and new and old[2] and not new[2] for old, new in sizes)
