from __future__ import annotations

import contextlib
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kg.serve.watch_and_serve import serve
from tests.support.patience import PATIENCE

NOTE = "---\ntype: claim\n---\n# Sleep helps memory\n\n{}\n"


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "notes"
    folder.mkdir()
    (folder / "sleep.md").write_text(NOTE.format("As it was."))
    return folder


@pytest.fixture(scope="module")
def address(notes: Path) -> Iterator[str]:
    """One server for all tests, each of which leaves the note whole."""
    messages: list[str] = []
    ready, stop = threading.Event(), threading.Event()

    def tell(address: str) -> None:
        messages.append(address)
        ready.set()

    thread = threading.Thread(
        target=serve,
        args=(notes, notes.parent / "site", 0),
        kwargs={"ready": tell, "tell": print, "stop": stop},
    )
    thread.start()
    assert ready.wait(PATIENCE)
    yield messages[0]
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def wait_for(url: str) -> None:
    """Wait until there is a page: a new note is read some moments after it is written."""
    for _ in range(600):
        with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(url, timeout=20):
            return
        time.sleep(0.1)
    raise AssertionError(f"no page came to be at {url}")


def test_an_edit_shows_in_the_open_page(
    open_page: Callable[[str], Page], address: str, notes: Path
) -> None:
    page = open_page(f"{address}statements/sleep.html")
    expect(page.locator("article")).to_contain_text("Sleep helps memory")
    (notes / "sleep.md").write_text(NOTE.format("As it is now."))
    expect(page.locator("article")).to_contain_text("As it is now.")


def test_a_broken_note_is_named_in_the_page_until_it_is_mended(
    open_page: Callable[[str], Page], address: str, notes: Path
) -> None:
    page = open_page(address)
    (notes / "sleep.md").write_text("---\ntype: [claim\n---\n# <b>x</b>\n")
    expect(page.get_by_role("alert")).to_contain_text(
        re.compile(r"sleep\.md:\d.*broken-front-matter")
    )
    (notes / "sleep.md").write_text(NOTE.format("Mended."))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_link_is_followed_without_loading_the_theme_again(
    open_page: Callable[[str], Page], address: str, notes: Path
) -> None:
    (notes / "naps.md").write_text("---\ntype: claim\n---\n# Naps help\n\nSee [[sleep]].\n")
    url = f"{address}statements/naps.html"
    wait_for(url)
    page = open_page("about:blank")
    with page.expect_event("requestfinished", lambda one: one.url.endswith("/sitemap.xml")):
        page.goto(url)  # the theme, too, knows by then which pages there are
    expect(page.locator("article h1")).to_have_text("Naps help")
    page.evaluate("window.stayed = true")
    page.locator("article").get_by_role("link", name="Sleep helps memory").first.click()
    expect(page.locator("article h1")).to_have_text("Sleep helps memory")
    assert page.evaluate("window.stayed") is True
    (notes / "sleep.md").write_text(NOTE.format("Edited after the walk."))
    expect(page.locator("article")).to_contain_text("Edited after the walk.")


def test_the_built_site_follows(
    address: str, notes: Path, open_page: Callable[[str], Page]
) -> None:
    page = open_page(address)
    index = notes.parent / "site" / "html" / "search" / "index.js"
    for _ in range(600):
        if index.exists():
            break
        page.wait_for_timeout(100)
    element = page.locator(".kg-search-result__link h2").first
    for _ in range(30):  # the site is built some moments after an edit, and may be of one before
        with contextlib.suppress(AssertionError):
            page.goto(address)
            page.keyboard.press("/")
            page.keyboard.type("memories", delay=5)
            expect(element).to_have_text("Sleep helps memory", timeout=2_000)
            return
    raise AssertionError("what was edited is never found")
