"""What is answered to whom."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import struct
import threading
from pathlib import Path

import pytest

from kg.publish.build.commit import SITE
from kg.publish.build.writer import Writer
from kg.serve.live_site import LiveSite
from kg.serve.site_server import SCRIPT_PATH, LastBuild, SiteServer, url_of_request
from tests.serve.asking import EventStream, ask
from tests.support.patience import PATIENCE
from tests.support.publish_pages import PAGES

pytestmark = pytest.mark.integration


def build(work: Path, files: dict[str, str]) -> None:
    with Writer(work) as writer:
        for url, content in files.items():
            writer.put(url, content)
        writer.commit()


def test_pages_records_guides_and_assets_are_served(server: SiteServer) -> None:
    status, kind, text = ask(server, "/statements/a.html")
    assert (status, kind) == (200, "text/html")
    assert "<p>It does.</p>" in text
    assert ask(server, "/statements/a.json")[:2] == (200, "application/json")
    assert ask(server, "/api/v1/records/statements-0.json")[:2] == (200, "application/json")
    assert ask(server, "/assets/search-box.js")[:2] == (200, "text/javascript")
    assert ask(server, "/assets/relations.css")[:2] == (200, "text/css")
    assert "<h1>Home</h1>" in ask(server, "/")[2]
    assert "url=a.html" in ask(server, "/statements/old.html")[2]
    assert f"{server.address}statements/a.html" in ask(server, "/sitemap.xml")[2]


def test_what_is_not_there_gets_the_page_for_lost_readers(server: SiteServer) -> None:
    status, kind, text = ask(server, "/statements/sleeep.html")
    assert (status, kind) == (404, "text/html")
    assert "data-kg-suggestions" in text


def test_only_this_machine_is_answered(server: SiteServer) -> None:
    for evil in ("evil.example", "localhost:1@evil.example", "localhost:1, evil.example"):
        assert ask(server, "/", host=evil)[0] == 403
    two_hosts = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as link:
        link.sendall(two_hosts)
        assert link.recv(12) == b"HTTP/1.1 403"
    for name in ("localhost", "LocalHost", "[::1]", "127.0.0.1"):
        assert ask(server, "/", host=f"{name}:{server.server_port}")[0] == 200
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "path",
    ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/link", "/a%00b", "/" + "a" * 300, "/%ff"],
)
def test_nothing_outside_the_site_is_served(path: str, server: SiteServer, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    build(tmp_path, {"link": "secret"})
    (tmp_path / SITE / "link").unlink()
    (tmp_path / SITE / "link").symlink_to(tmp_path / "secret")
    status, _, text = ask(server, path)
    assert status == 404
    assert text != "secret"


def test_files_of_the_last_build_are_served(server: SiteServer, tmp_path: Path) -> None:
    build(tmp_path, {"search/index.js": "index"})
    assert ask(server, "/search/index.js")[2] == "index"
    assert server.last_build.read("search") is None
    build(tmp_path, {"search/index.js": "new", "search/d-0.js": "more"})
    assert ask(server, "/search/index.js")[2] == "new"
    assert ask(server, "/search/d-0.js")[2] == "more"


def test_what_no_build_wrote_is_not_served(server: SiteServer, tmp_path: Path) -> None:
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
    server: SiteServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, {"search/index.js": "index", "search/d-0.js": "texts"})
    with monkeypatch.context() as patch:
        patch.setattr("kg.publish.build.commit._check_moved", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build(tmp_path, {"search/index.js": "new", "search/d-0.js": "texts"})
    assert ask(server, "/search/index.js")[2] == "new"
    assert ask(server, "/search/d-0.js")[2] == "texts"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("link", ["html", "html/search"])
def test_a_site_that_becomes_a_link_is_not_served(
    link: str, server: SiteServer, tmp_path: Path
) -> None:
    build(tmp_path, {"search/index.js": "index"})
    (tmp_path / link).rename(tmp_path / "moved")
    (tmp_path / link).symlink_to(tmp_path / "moved")
    assert ask(server, "/search/index.js")[0] == 404


def test_served_pages_listen_and_heads_have_no_body(server: SiteServer) -> None:
    digests = [
        re.findall(rf'<script src="{SCRIPT_PATH}" data-shown="(\w{{24}})"', ask(server, path)[2])
        for path in ("/", "/", "/statements/a.html")
    ]
    assert [len(each) for each in digests] == [1, 1, 1]
    assert digests[0] == digests[1] != digests[2]
    assert "EventSource" in ask(server, SCRIPT_PATH)[2]
    assert ask(server, "/", method="HEAD")[2] == ""
    link = socket.create_connection(("127.0.0.1", server.server_port), timeout=PATIENCE)
    with link, link.makefile("rb") as answer:
        link.sendall(b"HEAD /__kg/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer.read().endswith(b"\r\n\r\n")


def test_an_open_page_hears_of_problems_when_they_change(
    server: SiteServer, live: LiveSite, notes: Path
) -> None:
    news = EventStream(server, "/statements/b.html")
    assert json.loads(news.wait_for_event("problems")) == []
    (notes / "a.md").write_text("---\ntype: [claim\n---\n# Sleep helps\n")
    live.refresh()
    name, content = news.next()
    assert name == "problems"
    assert "broken-front-matter" in content


def test_no_page_from_elsewhere_may_run_what_is_served(server: SiteServer) -> None:
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


def test_every_answer_has_a_policy(server: SiteServer) -> None:
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
def test_an_answer_to_what_is_no_request_has_a_policy(line: str, server: SiteServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as link:
        link.sendall(f"{line}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = http.client.HTTPResponse(link)
        answer.begin()
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
        assert "<b>" not in answer.reason


def test_nothing_is_said_of_readers_who_leave(
    server: SiteServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(5):
        link = socket.create_connection(("127.0.0.1", server.server_port))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT")
        link.close()
    assert ask(server, "/")[0] == 200
    assert capfd.readouterr().err == ""


def test_a_server_without_pages_says_so(notes: Path, work: Path, tmp_path: Path) -> None:
    live = LiveSite(notes, pages=PAGES)
    with SiteServer(live, LastBuild(tmp_path), 0) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert ask(server, "/")[0] == 503
        thread.join(PATIENCE)


def test_a_path_names_a_file() -> None:
    assert url_of_request("/") == "index.html"
    assert url_of_request("/lines/") == "lines/index.html"
    assert url_of_request("/a%20b.html") == "a b.html"
