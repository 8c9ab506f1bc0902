"""The server and the builder of the site: begun, watching, ended."""

from __future__ import annotations

import http.client
import itertools
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from kg.files.cache_files import CACHE_VARIABLE
from kg.files.folder_tree import PathBlocked
from kg.notes.note_listing import NoSuchFolder
from kg.serve import watch_and_serve
from kg.serve.live_site import LiveSite
from kg.serve.watch_and_serve import (
    SiteBuilder,
    _build_site,
    _is_any_emptied,
    _refresh_and_tell,
    _watch_sources,
    file_signatures,
    serve,
    watch_files,
    watched_files,
)
from tests.support.every_row import every_row
from tests.support.patience import PATIENCE
from tests.support.publish_pages import PAGES

pytestmark = pytest.mark.integration


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("link", ["build", "build/site", "build/site/html"])
def test_a_site_that_is_a_link_is_refused(
    link: str, notes: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / "site" / "html").mkdir(parents=True)
    (tmp_path / link).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / link).symlink_to(home)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PathBlocked, match="is a link, which is not followed"):
        serve(notes, Path("build/site"), 0, ready=lambda _: None, tell=lambda _: None)


def test_a_folder_that_is_not_there_is_not_served(work: Path, tmp_path: Path) -> None:
    stop, messages = threading.Event(), []
    with pytest.raises(NoSuchFolder):
        serve(
            tmp_path / "nowhere",
            tmp_path / "out",
            0,
            ready=lambda _: stop.set(),
            tell=messages.append,
            stop=stop,
        )
    assert messages == []


def test_search_works_where_nothing_can_be_kept(
    notes: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "relative")
    stop, statuses = threading.Event(), []

    def file_looks(address: str) -> None:
        def search() -> None:
            port = int(address.rstrip("/").rpartition(":")[2])
            for _ in range(200):
                link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                link.request("GET", "/search/index.js")
                statuses.append(link.getresponse().status)
                link.close()
                if statuses[-1] == 200 or stop.wait(0.2):
                    break
            stop.set()

        threading.Thread(target=search).start()

    serve(notes, tmp_path / "out", 0, ready=file_looks, tell=lambda _: None, stop=stop)
    assert statuses[-1] == 200
    assert os.environ[CACHE_VARIABLE] == "relative"


def test_a_builder_that_fails_says_so_in_a_line_and_leaves_ctrl_c_to_the_server(
    notes: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kg.toml").write_text("name = ")
    builder = SiteBuilder(notes, tmp_path / "out")
    builder.start()
    assert builder.process is not None
    if os.name != "nt":
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    if os.name != "nt":
        os.kill(builder.process.pid or 0, signal.SIGINT)
    builder.process.join(PATIENCE)
    assert builder.process.exitcode == 1
    error_output = capfd.readouterr().err
    assert error_output.startswith("the site was not built: ConfigError: ")
    assert len(error_output.splitlines()) == 1


def test_the_process_of_a_builder_builds_the_folder(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_parts: list[tuple[Path, Path, bool]] = []

    def build_folder(notes: Path, path: Path, drafts: bool) -> None:
        built_parts.append((notes, path, drafts))

    monkeypatch.setattr("kg.serve.watch_and_serve.build_folder", build_folder)
    monkeypatch.setenv(CACHE_VARIABLE, "usual")
    before = signal.getsignal(signal.SIGINT)
    try:
        for cache in (None, tmp_path / "cache"):
            _build_site(notes, tmp_path, True, cache)
            assert os.environ[CACHE_VARIABLE] == str(cache or "usual")
    finally:
        signal.signal(signal.SIGINT, before)
    assert built_parts == 2 * [(notes, tmp_path, True)]


def test_a_builder_that_was_closed_builds_no_more(notes: Path, tmp_path: Path) -> None:
    builder = SiteBuilder(notes, tmp_path / "out")
    builder.close()
    builder.request_build()
    builder.start()
    assert builder.process is None


class _BuildResult:
    """A build in a process of its own, which is at work as often as it is told to say so."""

    def __init__(self, at_work: int = 0) -> None:
        self.at_work = at_work
        self.ended: list[str] = []

    def is_alive(self) -> bool:
        self.at_work -= 1
        return self.at_work >= 0

    def terminate(self) -> None:
        self.ended.append("told")

    def join(self) -> None:
        self.ended.append("waited for")


def test_what_changes_during_a_build_is_built_after_it(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    started: list[tuple[object, ...]] = []

    class Process(_BuildResult):
        def __init__(self, target: object, args: tuple[object, ...], daemon: bool) -> None:
            super().__init__()
            started.append(args)
            assert daemon

        def start(self) -> None:
            begun.set()

    monkeypatch.setattr("kg.serve.watch_and_serve.QUIET_BEFORE_BUILD", 0.01)
    monkeypatch.setattr("multiprocessing.get_context", lambda _: SimpleNamespace(Process=Process))
    builder = SiteBuilder(notes, tmp_path / "out")
    builder.process = first = _BuildResult(at_work=2)  # type: ignore[assignment]
    builder.request_build()
    builder.request_build()
    assert begun.wait(PATIENCE)
    builder.close()
    assert [output for _, output, *_ in started] == [tmp_path / "out"]
    assert isinstance(builder.process, Process)
    assert (first.ended, builder.process.ended) == ([], ["told", "waited for"])
    assert first.at_work == -1  # it was waited for as often as it was still at work


@pytest.mark.skipif(os.name == "nt", reason="there a signal cannot be sent to oneself")
def test_the_end_of_the_terminal_is_an_end_like_ctrl_c(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.serve.watch_and_serve.QUIET_BEFORE_BUILD", PATIENCE)
    stop, unheard = threading.Event(), threading.Timer(PATIENCE, lambda: stop.set())

    def end(_: str) -> None:
        unheard.start()
        signal.raise_signal(signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        serve(notes, tmp_path / "out", 0, ready=end, tell=lambda _: None, stop=stop)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not unheard.finished.is_set()
    unheard.cancel()
    timers = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    assert all(timer.finished.is_set() for timer in timers)


class Steps:
    """In place of the event that stops a watch: each wait takes a step, and the last ends it."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.steps = [*steps]

    def is_set(self) -> bool:
        return not self.steps

    def wait(self, _: float) -> None:
        self.steps.pop(0)()


def test_each_edit_is_heard_once_and_by_its_file(notes: Path) -> None:
    heard: list[set[str]] = []
    steps = Steps(
        lambda: (notes / "a.md").write_text("# Longer than it was before\n" * 9),
        lambda: (notes / "c.md").write_text("# New\n"),
        lambda: (notes / "b.md").unlink(),
        lambda: None,  # nothing changed: nothing is heard
        lambda: (notes.parent / "kg.toml").write_text("name = 'x'\n"),
        lambda: None,
    )
    watch_files(
        lambda: watched_files(notes),
        lambda changed: heard.append({os.path.basename(file) for file in changed}),
        steps,  # type: ignore[arg-type]
    )
    assert heard == [{"a.md"}, {"c.md"}, {"b.md"}, {"kg.toml"}]


@pytest.mark.parametrize(("text", "sizes"), [("# Written\n", [10]), ("", [0])])
def test_a_file_that_was_emptied_is_looked_at_once_more(
    notes: Path, text: str, sizes: list[int]
) -> None:
    """Many editors empty a file before they write it: its page would be gone for a moment."""
    file, sizes_seen = notes / "a.md", list[int]()
    steps: Any = Steps(
        lambda: file.write_text(""), lambda: file.write_text(text), lambda: None, lambda: None
    )
    watch_files(
        lambda: watched_files(notes), lambda _: sizes_seen.append(file.stat().st_size), steps
    )
    assert sizes_seen == sizes


@every_row(
    ("before", "after", "is_emptied"),
    [
        ((1, 1, 9), (1, 2, 0), True),
        ((1, 1, 9), (1, 2, 3), False),
        ((1, 1, 0), (1, 2, 0), False),
        ((1, 1, 9), None, False),
        (None, (1, 2, 0), False),
    ],
)
def test_only_a_file_that_held_something_can_be_emptied(
    before: tuple[int, ...] | None, after: tuple[int, ...] | None, is_emptied: bool
) -> None:
    old, new = ({"a.md": each} if each else {} for each in (before, after))
    assert _is_any_emptied(["a.md"], old, new) == is_emptied


def test_all_that_a_build_looks_at_is_watched(notes: Path, work: Path) -> None:
    """Such as the `README.md`, which is no note."""
    live, stop = LiveSite(notes), threading.Event()
    live.refresh()
    before = live.state
    builder = SiteBuilder(notes, work)
    builder.close()
    watching = threading.Thread(target=_watch_sources, args=(live, builder, print, stop))
    watching.start()
    about = b""
    for size in range(1, int(PATIENCE * 5)):
        # a watcher that reads a file half written builds that, and what it becomes only later
        (notes / "staged").write_text("# How it was made\n" * size)
        (notes / "staged").replace(notes / "README.md")
        if (state := live.wait_for_state(before.number, 0.2)).site is not None:
            about = state.site.find_file("about.html") or b""
        if b"How it was made" in about:
            break
    stop.set()
    watching.join(PATIENCE)
    assert b"How it was made" in about


def test_what_an_edit_breaks_is_reported_in_the_terminal_and_its_end_too(notes: Path) -> None:
    live = LiveSite(notes, pages=PAGES)
    messages: list[str] = []
    _refresh_and_tell(live, messages.append)
    assert messages == []
    (notes / "b.md").write_text("---\ncamp: [\n---\n# Naps help\n")
    _refresh_and_tell(live, messages.append)
    (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps help\n")
    _refresh_and_tell(live, messages.append)
    [broken, end] = messages
    assert broken.startswith(f"{Path('notes/b.md')}:2:7: broken-front-matter: ")
    assert end == "no more errors"


def test_a_terminal_that_was_closed_ends_nothing(notes: Path) -> None:
    def closed(_: str) -> None:
        raise OSError("closed")

    live = LiveSite(notes, pages=PAGES)
    (notes / "b.md").write_text("---\ncamp: [\n---\n# Naps help\n")
    _refresh_and_tell(live, closed)
    assert live.state.problems


def test_ctrl_c_ends_all_threads(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.serve.watch_and_serve.QUIET_BEFORE_BUILD", PATIENCE)
    stop, late = threading.Event(), threading.Event()

    def give_up() -> None:
        late.set()
        stop.set()

    unheard = threading.Timer(PATIENCE, give_up)

    def interrupt(_: str) -> None:
        unheard.start()
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGTERM)
    try:
        serve(notes, tmp_path / "out", 0, ready=interrupt, tell=lambda _: None, stop=stop)
    finally:
        signal.signal(signal.SIGTERM, before)
        unheard.cancel()
    assert not late.is_set()


def test_a_file_that_stays_looks_the_same_at_any_time(notes: Path) -> None:
    place = str(notes / "a.md")
    first = file_signatures([place])
    assert first == file_signatures([place])
    os.utime(place, (1, 1))
    assert file_signatures([place]).keys() == first.keys()
    assert file_signatures([place]) != first


def test_looking_at_a_file_that_is_gone_is_no_error(tmp_path: Path) -> None:
    assert file_signatures([str(tmp_path / "gone")]) == {}


def test_after_each_edit_the_site_is_built(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = mock.create_autospec(SiteBuilder, instance=True)
    monkeypatch.setattr(
        watch_and_serve, "watch_files", lambda _find, react, _stop: [react(set()), react(set())]
    )
    _watch_sources(LiveSite(notes), builder, print, threading.Event())
    assert builder.request_build.call_count == 2


@pytest.mark.parametrize(("look_seconds", "pause"), [(0.0, 0.05), (1.0, 20.0)])
def test_looking_takes_at_most_a_share_of_the_time(
    look_seconds: float, pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The more files there are, the longer the pause between two looks at them."""
    times = itertools.count(0.0, look_seconds)
    monkeypatch.setattr(watch_and_serve, "time", SimpleNamespace(perf_counter=times.__next__))
    stop = mock.create_autospec(threading.Event, instance=True)
    stop.is_set.side_effect = [False, True]
    watch_files(list, lambda _: None, stop)
    stop.wait.assert_called_once_with(pause)
