from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from kg.files.state import VARIABLE
from kg.files.tree import PathBlocked
from kg.notes.discover import Listed, list_notes
from kg.publish.output.commit import SITE, LastBuild
from kg.publish.output.writer import Writer
from kg.publish.page import Draft, Page
from kg.serve.live import LiveSite, Remembered, find_news
from kg.serve.run import Builder, _watch, look, serve, watch, watched_files
from kg.serve.server import SCRIPT, Server, address_of
from tests.support.publish_pages import PAGES

PATIENCE = 20.0


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text(
        "---\ntype: claim\naliases: [old]\n---\n# Sleep helps\n\nIt does.\n"
    )
    (folder / "b.md").write_text("---\ntype: claim\n---\n# Naps help\n")
    return folder


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture
def live(notes: Path, work: Path) -> Iterator[LiveSite]:
    live = LiveSite(notes, pages=PAGES)
    live.refresh()
    yield live
    live.close()


@pytest.fixture
def server(live: LiveSite, tmp_path: Path) -> Iterator[Server]:
    with Server(live, LastBuild(tmp_path), 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        live.close()
        server.shutdown()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def ask(server: Server, path: str, host: str = "", method: str = "GET") -> tuple[int, str, str]:
    link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    link.request(method, path, headers={"Host": host} if host else {})
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()
    return answer.status, answer.headers["Content-Type"].partition(";")[0], text


class News:
    """What an open page hears."""

    def __init__(self, server: Server, page: str, last: str = "") -> None:
        self.link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
        self.link.request("GET", f"/__kg/events?page={page}", headers={"Last-Event-ID": last})
        self.stream = self.link.getresponse()

    def next(self) -> tuple[str, str]:
        lines = iter(lambda: self.stream.readline().decode().strip(), "")
        said = dict(line.split(": ", 1) if ": " in line else (line, "") for line in lines)
        self.last = said["id"]
        return said["event"], said.get("data", "")

    def until(self, name: str) -> str:
        while True:
            found, text = self.next()
            if found == name:
                return text


def test_pages_twins_guides_and_assets_are_served(server: Server) -> None:
    status, kind, text = ask(server, "/statements/a.html")
    assert (status, kind) == (200, "text/html")
    assert "<p>It does.</p>" in text
    assert ask(server, "/statements/a.json")[:2] == (200, "application/json")
    assert ask(server, "/assets/kg-search.js")[:2] == (200, "text/javascript")
    assert "<h1>Home</h1>" in ask(server, "/")[2]
    assert "url=a.html" in ask(server, "/statements/old.html")[2]
    assert f"{server.address}statements/a.html" in ask(server, "/sitemap.xml")[2]


def test_what_is_not_there_gets_the_page_for_lost_readers(server: Server) -> None:
    status, kind, text = ask(server, "/statements/sleeep.html")
    assert (status, kind) == (404, "text/html")
    assert "data-kg-suggestions" in text


def test_only_this_machine_is_answered(server: Server) -> None:
    assert ask(server, "/", host="evil.example")[0] == 403
    for name in ("localhost", "LocalHost", "[::1]", "127.0.0.1"):
        assert ask(server, "/", host=f"{name}:{server.server_port}")[0] == 200
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "path",
    ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/link", "/a%00b", "/" + "a" * 300, "/%ff"],
)
def test_nothing_outside_the_site_is_served(path: str, server: Server, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    build(tmp_path, {"link": "secret"})
    (tmp_path / SITE / "link").unlink()
    (tmp_path / SITE / "link").symlink_to(tmp_path / "secret")
    status, _, text = ask(server, path)
    assert status == 404
    assert text != "secret"


def build(work: Path, files: dict[str, str]) -> None:
    with Writer(work) as writer:
        for url, content in files.items():
            writer.put(url, content)
        writer.commit()


def test_files_of_the_last_build_are_served(server: Server, tmp_path: Path) -> None:
    build(tmp_path, {"search/index.js": "index"})
    assert ask(server, "/search/index.js")[2] == "index"
    assert server.built.read("search") is None
    build(tmp_path, {"search/index.js": "new", "search/d-0.js": "more"})
    assert ask(server, "/search/index.js")[2] == "new"
    assert ask(server, "/search/d-0.js")[2] == "more"


def test_what_no_build_wrote_is_not_served(server: Server, tmp_path: Path) -> None:
    """Neither before the first build nor after it, and nothing that was altered since."""
    search = tmp_path / SITE / "search"
    search.mkdir(parents=True)
    for name in ("index.js", "d-0.js"):
        (search / name).write_text("planted")
    (tmp_path / SITE / "evil.html").write_text("<script>planted</script>")
    for path in ("/search/index.js", "/search/d-0.js", "/evil.html"):
        assert ask(server, path)[0] == 404
    build(tmp_path, {"search/index.js": "index"})
    assert ask(server, "/search/index.js")[2] == "index"
    assert ask(server, "/search/d-0.js")[0] == ask(server, "/evil.html")[0] == 404
    (search / "index.js").write_text("inked")
    assert ask(server, "/search/index.js")[0] == 404


def test_what_a_commit_that_was_stopped_has_moved_is_served(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, {"search/index.js": "index", "search/d-0.js": "texts"})
    with monkeypatch.context() as patch:
        patch.setattr("kg.publish.output.commit._remove", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build(tmp_path, {"search/index.js": "new", "search/d-0.js": "texts"})
    assert ask(server, "/search/index.js")[2] == "new"
    assert ask(server, "/search/d-0.js")[2] == "texts"


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
    with pytest.raises(PathBlocked, match="is a link, and nothing is written through it"):
        serve(notes, Path("build/site"), 0, ready=lambda _: None, tell=lambda _: None)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("link", ["html", "html/search"])
def test_a_site_that_becomes_a_link_is_not_served(
    link: str, server: Server, tmp_path: Path
) -> None:
    build(tmp_path, {"search/index.js": "index"})
    (tmp_path / link).rename(tmp_path / "moved")
    (tmp_path / link).symlink_to(tmp_path / "moved")
    assert ask(server, "/search/index.js")[0] == 404


def test_search_works_where_nothing_can_be_kept(
    notes: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "relative")
    stop, found = threading.Event(), []

    def look(address: str) -> None:
        def search() -> None:
            port = int(address.rstrip("/").rpartition(":")[2])
            for _ in range(200):
                link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                link.request("GET", "/search/index.js")
                found.append(link.getresponse().status)
                link.close()
                if found[-1] == 200 or stop.wait(0.2):
                    break
            stop.set()

        threading.Thread(target=search).start()

    serve(notes, tmp_path / "out", 0, ready=look, tell=lambda _: None, stop=stop)
    assert found[-1] == 200
    assert os.environ[VARIABLE] == "relative"


def test_served_pages_listen_and_heads_have_no_body(server: Server) -> None:
    assert f'<script src="{SCRIPT}" data-shown="' in ask(server, "/")[2]
    assert "EventSource" in ask(server, SCRIPT)[2]
    assert ask(server, "/", method="HEAD")[2] == ""
    link = socket.create_connection(("127.0.0.1", server.server_port), timeout=PATIENCE)
    with link, link.makefile("rb") as answer:
        link.sendall(b"HEAD /__kg/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer.read().endswith(b"\r\n\r\n")


def test_no_page_from_elsewhere_may_run_what_is_served(server: Server) -> None:
    """The search index is scripts, and holds the text of every note."""
    link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    for path in ("/", "/assets/kg.js", "/__kg/reload.js"):
        link.request("GET", path)
        answer = link.getresponse()
        answer.read()
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
    link.close()


def test_every_answer_has_a_policy(server: Server) -> None:
    """Also an answer that is no page of the theme, and so names none itself."""
    link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    for path in ("/", "/nowhere.html", "/statements/old.html", "/assets/kg.js"):
        link.request("GET", path)
        answer = link.getresponse()
        answer.read()
        assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    link.close()


@pytest.mark.parametrize(
    "line", ["POST / HTTP/1.1", "<b> / HTTP/1.1", "GET / HTTP/9.9", "GET /", "GET", "GET / <b>"]
)
def test_an_answer_to_what_is_no_request_has_a_policy(line: str, server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as link:
        link.sendall(f"{line}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = http.client.HTTPResponse(link)
        answer.begin()
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
        assert "<b>" not in answer.reason


def test_a_page_that_cannot_be_made_says_why_and_is_shown_when_it_can(
    notes: Path, work: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = [True]

    def make() -> Page:
        if broken:
            raise ValueError("no <b>good</b>")
        return Page(url="x.html", kind="", title="X", html="<p>Good.</p>")

    live = LiveSite(notes, pages=[*PAGES, lambda *_: [Draft("x.html", make)]])
    live.refresh()
    with Server(live, LastBuild(tmp_path), 0) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        status, kind, text = ask(server, "/x.html")
        assert (status, kind) == (500, "text/html")
        assert "ValueError: no &lt;b&gt;good&lt;/b&gt;" in text
        assert SCRIPT in text
        assert "ValueError: no <b>good</b>" in capfd.readouterr().err
        news = News(server, "/x.html")
        news.until("problems")
        broken.clear()
        (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps hinder\n")
        live.refresh()
        news.until("reload")
        assert "<p>Good.</p>" in ask(server, "/x.html")[2]
        live.close()
        server.shutdown()


def test_nothing_is_said_of_readers_who_leave(
    server: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(5):
        link = socket.create_connection(("127.0.0.1", server.server_port))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT")
        link.close()
    assert ask(server, "/")[0] == 200
    assert capfd.readouterr().err == ""


def test_a_reader_who_comes_back_hears_what_it_missed(
    server: Server, live: LiveSite, notes: Path
) -> None:
    news = News(server, "/statements/a.html")
    news.until("problems")
    news.link.close()
    (notes / "a.md").write_text("---\ntype: claim\n---\n# Sleep helps\n\nOften.\n")
    live.refresh()
    again = News(server, "/statements/a.html", news.last)
    again.until("reload")
    assert again.last != news.last


def test_notes_are_read_on_when_a_check_breaks(
    live: LiveSite, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("a check")

    with monkeypatch.context() as patch:
        patch.setattr("kg.serve.live.check", broken)
        (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps hinder\n")
        live.refresh()
        assert live.moment.problems == ("ZeroDivisionError: a check",)
    live.refresh()
    assert live.moment.problems == ()


def test_a_builder_that_fails_says_so_in_a_line_and_leaves_ctrl_c_to_the_server(
    notes: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kg.toml").write_text("name = ")
    builder = Builder(notes, tmp_path / "out")
    thread = threading.Thread(target=builder.start)
    thread.start()
    thread.join(PATIENCE)
    assert builder.process is not None
    if os.name != "nt":
        os.kill(builder.process.pid or 0, signal.SIGINT)
    builder.process.join(PATIENCE)
    assert builder.process.exitcode == 1
    said = capfd.readouterr().err
    assert said.startswith("the site was not built: ConfigError: ")
    assert len(said.splitlines()) == 1


def test_a_builder_that_was_closed_builds_no_more(notes: Path, tmp_path: Path) -> None:
    builder = Builder(notes, tmp_path / "out")
    builder.close()
    builder.ask()
    builder.start()
    assert builder.process is None


class _Built:
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

    class Process(_Built):
        def __init__(self, target: object, args: tuple[object, ...], daemon: bool) -> None:
            super().__init__()
            started.append(args)
            assert daemon

        def start(self) -> None:
            begun.set()

    monkeypatch.setattr("kg.serve.run.QUIET_BEFORE_BUILD", 0.01)
    monkeypatch.setattr("kg.serve.run._leave_interrupts_to_the_server", lambda: None)
    monkeypatch.setattr("multiprocessing.get_context", lambda _: SimpleNamespace(Process=Process))
    builder = Builder(notes, tmp_path / "out")
    builder.process = first = _Built(at_work=2)  # type: ignore[assignment]
    builder.ask()
    builder.ask()
    assert begun.wait(PATIENCE)
    builder.close()
    assert [out for _, out in started] == [tmp_path / "out"]
    assert isinstance(builder.process, Process)
    assert (first.ended, builder.process.ended) == ([], ["told", "waited for"])


@pytest.mark.skipif(os.name == "nt", reason="there a signal cannot be sent to oneself")
def test_the_end_of_the_terminal_is_an_end_like_ctrl_c(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.serve.run.QUIET_BEFORE_BUILD", PATIENCE)
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


def test_who_waits_hears_of_the_end_at_once(notes: Path) -> None:
    live = LiveSite(notes, pages=PAGES)
    waiting = threading.Thread(target=live.wait, args=(0, 10 * PATIENCE), daemon=True)
    waiting.start()
    live.close()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()


def test_an_open_page_hears_of_its_own_changes_alone(
    server: Server, live: LiveSite, notes: Path
) -> None:
    one, other = News(server, "/statements/a.html"), News(server, "/statements/b.html")
    assert json.loads(one.until("problems")) == []
    assert json.loads(other.until("problems")) == []
    (notes / "a.md").write_text("---\ntype: claim\n---\n# Sleep helps\n\nIt does, often.\n")
    live.refresh()
    one.until("reload")
    assert "It does, often." in ask(server, "/statements/a.html")[2]
    (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps hinder\n")
    live.refresh()
    while (event := other.next())[0] != "reload":
        assert event[0] in {"beat", "problems"}


def test_an_edit_between_page_and_connection_is_not_missed(server: Server) -> None:
    news = News(server, "/statements/a.html&shown=0123")
    news.until("reload")


def test_a_broken_note_is_named_and_its_mending_too(
    server: Server, live: LiveSite, notes: Path
) -> None:
    news = News(server, "/statements/b.html")
    news.until("problems")
    (notes / "a.md").write_text("---\ntype: [claim\n---\n# Sleep helps\n")
    live.refresh()
    problems = json.loads(news.until("problems"))
    assert problems[0].startswith(f"{Path('notes/a.md')}:")
    assert "broken-front-matter" in problems[0]
    assert ask(server, "/statements/b.html")[0] == 200
    (notes / "a.md").write_text("---\ntype: claim\n---\n# Sleep helps\n")
    live.refresh()
    while json.loads(news.until("problems")):
        pass


def test_what_breaks_everything_is_told_and_the_last_pages_stay(
    server: Server, live: LiveSite, notes: Path
) -> None:
    (notes / "kg.toml").write_text("name = ")
    live.refresh()
    assert "ConfigError" in live.moment.problems[0]
    assert "It does." in ask(server, "/statements/a.html")[2]


def test_a_server_without_pages_says_so(notes: Path, work: Path, tmp_path: Path) -> None:
    live = LiveSite(notes, pages=PAGES)
    with Server(live, LastBuild(tmp_path), 0) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert ask(server, "/")[0] == 503
        thread.join(PATIENCE)


def test_edits_are_noticed(notes: Path) -> None:
    heard: list[set[str]] = []
    stop = threading.Event()
    found = threading.Event()

    def react(changed: set[str]) -> None:
        heard.append({os.path.basename(file) for file in changed})
        found.set()

    arguments = (lambda: watched_files(notes), react, stop)
    thread = threading.Thread(target=watch, args=arguments)
    thread.start()
    for edit in (
        lambda: (notes / "a.md").write_text("# Longer than it was before\n" * 9),
        lambda: (notes / "c.md").write_text("# New\n"),
        lambda: (notes / "b.md").unlink(),
        lambda: (notes.parent / "kg.toml").write_text("name = 'x'\n"),
    ):
        time.sleep(0.05)
        found.clear()
        edit()
        assert found.wait(PATIENCE)
    stop.set()
    thread.join(PATIENCE)
    assert set().union(*heard) == {"a.md", "b.md", "c.md", "kg.toml"}


def test_all_that_a_build_looks_at_is_watched(notes: Path, work: Path) -> None:
    """Such as the `README.md`, which is no note."""
    live, stop = LiveSite(notes), threading.Event()
    live.refresh()
    before = live.moment
    builder = Builder(notes, work)
    builder.close()
    watching = threading.Thread(target=_watch, args=(live, builder, print, stop))
    watching.start()
    for size in range(1, int(PATIENCE * 5)):
        (notes / "README.md").write_text("# How it was made\n" * size)
        if (now := live.wait(before.number, 0.2)) is not before:
            break
    stop.set()
    watching.join(PATIENCE)
    assert now.preview is not None
    assert b"How it was made" in (now.preview.find("about-this-corpus.html") or b"")


def test_looking_at_a_file_that_is_gone_is_no_error(tmp_path: Path) -> None:
    assert look([str(tmp_path / "gone")]) == {}


def test_a_path_names_a_file() -> None:
    assert address_of("/") == "index.html"
    assert address_of("/lines/") == "lines/index.html"
    assert address_of("/a%20b.html") == "a b.html"


def test_new_problems_are_told_with_their_place_and_so_is_their_end(
    live: LiveSite, notes: Path
) -> None:
    before = live.moment.problems
    (notes / "b.md").write_text("---\ncamp: [\n---\n# Naps help\n")
    live.refresh()
    broken = live.moment.problems
    assert before == ()
    assert find_news(before, broken) == broken
    assert broken[0].startswith(f"{Path('notes/b.md')}:2:7: broken-front-matter: ")
    assert find_news(broken, (*broken, "more")) == ("more",)
    assert find_news(broken, broken) == ()
    assert find_news(broken, ()) == ("all is well again",)


def test_of_many_problems_the_first_are_told_and_the_others_counted(
    live: LiveSite, notes: Path
) -> None:
    for number in range(10):
        (notes / f"x{number}.md").write_text("---\ncamp: [\n---\n# X\n")
    live.refresh()
    told = live.moment.problems
    assert [Path(line.partition(":")[0]).stem for line in told[:-1]] == [f"x{n}" for n in range(8)]
    assert told[-1] == "and 2 more; see `kg check`"


def test_notes_are_read_again_where_they_may_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(name: str, title: str) -> None:
        (tmp_path / f"{name}.md").write_text(f"---\ntype: claim\n---\n\n# {title}\n")

    def titles() -> dict[str, str]:
        return {note.path: note.statements[0].title for note in read(listed()).notes}

    def listed() -> tuple[Listed, ...]:
        return list_notes(tmp_path).notes

    read = Remembered().read_notes
    write("new", "New")
    write("old", "Old")
    assert titles() == {"new.md": "New", "old.md": "Old"}
    write("new", "Now")  # of the same size, at almost the same time
    assert titles()["new.md"] == "Now"
    monkeypatch.setattr("kg.files.read.COARSEST_CLOCK", -1_000_000_000)  # nothing is too young
    before = read(listed()).notes
    write("more", "More")
    after = read(listed()).notes
    assert [note.path for note in after] == ["more.md", "new.md", "old.md"]
    assert after[1] is before[0]
    assert after[2] is before[1]
    gone = listed()
    (tmp_path / "old.md").unlink()
    assert [problem.span.path for problem in read(gone).diagnostics] == ["old.md"]
    assert titles() == {"more.md": "More", "new.md": "Now"}
    (tmp_path / "more.md").write_bytes(b" " * (4 * 1024 * 1024 + 1))
    assert titles() == {"new.md": "Now"}
