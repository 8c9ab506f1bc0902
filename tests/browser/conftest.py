"""A real browser, and a page that tells of every error and every foreign request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from find_chromium import HELP, find_chromium
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HERE = ("", "127.0.0.1", "localhost")
# For busy machines; nothing waits longer than it must.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; where there is none, the tests fail and say what to install."""
    found = find_chromium()
    if found is None:
        pytest.fail(HELP, pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A new profile."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def open_page(context: BrowserContext) -> Iterator[Callable[[str], Page]]:
    """Opens addresses; at the end no page may have had an error, or asked another host."""
    trouble: list[str] = []

    def watch(page: Page) -> None:
        page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("requestfailed", lambda request: _fail(request, trouble))
        page.on("request", lambda request: _mind(request.url, trouble))

    def open(address: str) -> Page:
        page = context.new_page()
        watch(page)
        page.goto(address)
        return page

    yield open
    assert trouble == []


def _fail(request: Request, trouble: list[str]) -> None:
    # What ends because the page is left is no failure.
    if request.failure != "net::ERR_ABORTED":
        trouble.append(f"failed: {request.url}: {request.failure}")


def _mind(url: str, trouble: list[str]) -> None:
    if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).hostname not in (None, *HERE):
        trouble.append(f"foreign: {url}")
