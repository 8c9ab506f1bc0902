"""Pages for everyone: what axe finds, what moves while loading, what is left without a screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
RUN = "async options => (await axe.run(document, options)).violations"
EVERYTHING = {"rules": {"target-size": {"enabled": True}}}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
KINDS = (
    "index",
    "lines/index",
    "lines/line",
    "statements/index",
    "statements/asked",
    "statements/pro.found",
    "sources/index",
    "sources/doe2020",
    "topics/index",
    "topics/talk",
    "camps/optimist",
    "about/thing",
    "disagreements",
    "gaps",
    "figures",
    "recent",
    "atlas",
    "how-to-read",
    "404",
)
WIDE = {"width": 1400, "height": 900}
NARROW = {"width": 360, "height": 740}
Open = Callable[[str], Page]


def find_flaws(page: Page, options: Any) -> list[tuple[str, str, object]]:
    """What axe has against the page as it is now."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE)
    found = page.evaluate(RUN, options)
    return [(page.url, flaw["id"], node["target"]) for flaw in found for node in flaw["nodes"]]


@pytest.mark.parametrize("screen", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_page_has_a_flaw_that_axe_knows(screen: Any, browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=screen, color_scheme="light", reduced_motion="reduce")
    flaws = []
    for kind in KINDS:
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}{kind}.html")
        flaws += find_flaws(page, EVERYTHING)
        page.emulate_media(color_scheme="dark")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        flaws += find_flaws(page, COLOURS)
    page.close()
    assert flaws == []


def test_every_kind_of_page_is_looked_at(site: Path) -> None:
    kinds = {place.parent.name for place in site.rglob("*.html")}
    written = {place.stem for place in site.glob("*.html")}
    assert kinds - {Path(kind).parent.name for kind in KINDS} == {site.name}
    assert written - set(KINDS) == set()
