"""A real browser, a site to read in it, and a page that tells of every error."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from kg.loader import load_corpus
from kg.publish.build.for_programs.sitemap_and_feed import DEFAULT_ORIGIN
from kg.publish.build.site import build_site
from tests.browser.find_chromium import ARGUMENTS, HELP, find_chromium
from tests.browser.sample_notes import write_sample
from tests.support.patience import PATIENCE

HERE = ("", "127.0.0.1", "localhost")
# For busy machines; nothing waits longer than it must.
expect.set_options(timeout=60_000)
MILLISECONDS = 1000 * PATIENCE


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; where there is none, the tests fail and say what to install."""
    path = find_chromium()
    if path is None:
        pytest.fail(HELP, pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A new profile."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(MILLISECONDS)
    yield context
    context.close()


@pytest.fixture
def open_page(context: BrowserContext) -> Iterator[Callable[[str], Page]]:
    """Opens addresses; at the end no page may have had an error, or asked another host."""
    trouble: list[str] = []

    def open(address: str) -> Page:
        page = context.new_page()
        watch(page, trouble)
        page.goto(address)
        return page

    yield open
    assert trouble == []


def watch(page: Page, trouble: list[str]) -> None:
    """Note in `trouble` every error of `page` and every request to another host."""
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("requestfailed", lambda request: _fail(request, trouble))
    page.on("request", lambda request: _mind(request.url, trouble))


def _fail(request: Request, trouble: list[str]) -> None:
    # What ends because the page is left is no failure.
    if request.failure != "net::ERR_ABORTED":
        trouble.append(f"failed: {request.url}: {request.failure}")


def _mind(url: str, trouble: list[str]) -> None:
    if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).hostname not in (None, *HERE):
        trouble.append(f"foreign: {url}")


class _Files(http.server.SimpleHTTPRequestHandler):
    """A web server as most are: `404.html` where there is nothing."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        """Where the sitemap is asked for, one that knows the site's address."""
        if self.path != "/sitemap.xml":
            return super().do_GET()
        sitemap = Path(self.directory, "sitemap.xml").read_text("utf-8")
        address = f"http://{self.headers['Host']}/"
        self._send(200, "text/xml", sitemap.replace(f"{DEFAULT_ORIGIN}/", address).encode())
        return None

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        self._send(code, "text/html", Path(self.directory, "404.html").read_bytes())

    def _send(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves folders; gives the address of each."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def start(folder: Path) -> str:
        handler = functools.partial(_Files, directory=str(folder))
        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site with every kind of page, and titles that would do harm if they could."""
    notes = write_sample(tmp_path_factory.mktemp("notes"))
    return build_site(load_corpus(notes), tmp_path_factory.mktemp("sample")).index.parent


@pytest.fixture(scope="session")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    """The address of that site."""
    return serve(site)
