"""What a reader waits for, in a real Chromium: a page, an answer of search.

    python -m bench browse --size 10000

Each row stands beside an empty page opened in the same run. Pages come compressed from a
server on this machine; every visit is a first one. Quiet machines are kinder than busy ones.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import statistics
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.measure import Row
from bench.vault import get_vault
from tests.browser.find_chromium import ARGUMENTS, HELP, find_chromium

ROUNDS = 3
SLOWER = 4
WATCH = """
window.seen = {shift: 0, paint: 0};
const watch = (type, act) =>
    new PerformanceObserver(list => list.getEntries().forEach(act)).observe({type, buffered: true});
watch("layout-shift", entry => { if (!entry.hadRecentInput) seen.shift += entry.value; });
watch("largest-contentful-paint", entry => { seen.paint = entry.startTime; });
"""
UNTIL = """selector => new Promise(done => {
    const look = () => {
        if (!document.querySelector(selector)) requestAnimationFrame(look);
        else requestAnimationFrame(() => done(performance.now()));
    };
    look();
})"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A server that compresses, as they all do, and counts what it sends."""

    sent = 0

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        place = Path(self.translate_path(self.path))
        if not place.is_file():
            self.send_error(404)
            return
        body = _compressed(place)
        Files.sent += len(body)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(place)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@functools.cache
def _compressed(place: Path) -> bytes:
    return gzip.compress(place.read_bytes(), 6)


def report(size: int) -> list[Row]:
    """Medians over first visits to a site of `size` notes."""
    site = _site(size)
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit(HELP)
    with _served(site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        visit = functools.partial(_median, browser, address)
        empty, _ = visit(_empty)
        rows = [
            Row(what, *_with_floor(visit(act), empty))
            for what, act in (
                (f"a statement, processor {SLOWER}x slower", _statement),
                ("search, from first letter to first result", _search),
            )
        ]
        browser.close()
    return rows


def _with_floor(measured: tuple[float, str], floor: float) -> tuple[float, float, str]:
    return measured[0], floor, measured[1]


def _site(size: int) -> Path:
    from kg.loader import load_corpus
    from kg.publish.build.site import build_site

    notes = get_vault(size)
    return build_site(load_corpus(notes), notes.with_name("browse")).index.parent


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    handler = functools.partial(Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


Visit = Callable[[Page, str], tuple[float, str]]


def _median(browser: Browser, address: str, act: Visit) -> tuple[float, str]:
    found = [_first_visit(browser, address, act) for _ in range(ROUNDS)]
    return statistics.median(ms for ms, _ in found) / 1000, found[-1][1]


def _first_visit(browser: Browser, address: str, act: Visit) -> tuple[float, str]:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH)
    Files.sent = 0
    found = act(page, address)
    context.close()
    return found


def _empty(page: Page, address: str) -> tuple[float, str]:
    page.goto(address + "robots.txt")
    return page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart"), ""


def _statement(page: Page, address: str) -> tuple[float, str]:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address + "statements/note-000000.html")
    page.wait_for_load_state("networkidle")
    seen: dict[str, Any] = page.evaluate("seen")
    return seen["paint"], f"{Files.sent / 1000:.0f} kB in all, layout shift {seen['shift']:.3f}"


def _search(page: Page, address: str) -> tuple[float, str]:
    page.goto(address + "statements/note-000000.html")
    page.wait_for_load_state("networkidle")
    Files.sent = 0
    start: float = page.evaluate("performance.now()")
    page.keyboard.press("/")
    page.keyboard.type("dialogue")
    ready: float = page.evaluate(UNTIL, ".kg-search-result__item")
    return ready - start, f"{Files.sent / 1000:.0f} kB asked for"
