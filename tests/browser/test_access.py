"""Pages for everyone: what axe finds, what moves while loading, what is left without a screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import MILLISECONDS

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
# Behind the eleventh, rows and items of the sample that differ in a number are not looked at.
ALIKE = ":is(li, tr):nth-child(n+12):has(a[href*='/more'])"
RUN = f"""async options =>
  (await axe.run({{ exclude: [["{ALIKE}"]] }}, options)).violations"""
# What passes is not described: that takes longer than to look.
RULES = ("target-size", "label-content-name-mismatch")  # which axe leaves out if not asked
EVERYTHING = {"resultTypes": ["violations"], "rules": {name: {"enabled": True} for name in RULES}}
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
    "about/Thing",
    "disputes",
    "about",
    "graph",
    "gaps",
    "figures",
    "recent",
    "glossary",
    "how-to-read",
    "how-strength-is-computed",
    "quality",
    "404",
)
# Of several kinds that are made of the same parts one is also looked at narrow and dark.
IN_THE_DARK = (
    *("index", "lines/line", "statements/index", "statements/asked", "statements/pro.found"),
    *("sources/doe2020", "topics/talk", "disputes", "figures", "how-to-read", "404"),
)
WIDE = {"width": 1400, "height": 900}
NARROW = {"width": 360, "height": 740}
Open = Callable[[str], Page]


def find_flaws(page: Page) -> list[tuple[str, str, object]]:
    """What axe has against the page as it is now."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE)
    flaws = page.evaluate(RUN, EVERYTHING)
    return [(page.url, flaw["id"], node["target"]) for flaw in flaws for node in flaw["nodes"]]


@pytest.fixture
def kinds() -> tuple[str, ...]:
    """The pages that are looked at."""
    return KINDS


@pytest.mark.parametrize(("screen", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_no_page_has_a_flaw_that_axe_knows(
    screen: Any, scheme: Any, browser: Browser, address: str, kinds: tuple[str, ...]
) -> None:
    page = browser.new_page(viewport=screen, color_scheme=scheme, reduced_motion="reduce")
    flaws = []
    for kind in kinds:
        if scheme == "dark" and kind not in IN_THE_DARK:
            continue
        answer = page.goto(f"{address}{kind}.html")
        assert answer
        assert answer.ok, kind
        expect(page.locator("main")).to_have_count(1)
        flaws += find_flaws(page)
    page.close()
    assert flaws == []


def test_every_kind_of_page_is_looked_at(site: Path) -> None:
    kinds = {place.parent.name for place in site.rglob("*.html")}
    stems = {place.stem for place in site.glob("*.html")}
    assert kinds - {Path(kind).parent.name for kind in KINDS} == {site.name}
    assert stems - set(KINDS) == {"atlas"}, "an old address, which leads on at once"


def show_preview(page: Page) -> None:
    page.locator(".kg-case a.kg-chip").first.hover()
    expect(page.locator(".kg-preview")).to_be_visible()


def show_scales(page: Page) -> None:
    page.get_by_role("button", name="Open the scales").click()
    page.get_by_text("More: other studies").click()
    page.get_by_text("Other settings", exact=True).click()
    page.get_by_label("Count Pro", exact=True).uncheck()
    expect(page.locator(".kg-weigh-now-words")).not_to_contain_text("As on this page")


def show_walk(page: Page) -> None:
    page.get_by_role("button", name="Walk through it").click()
    while page.locator(".kg-walk strong").first.inner_text().find("Your turn") < 0:
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="No", exact=True)).to_be_visible()


def show_results(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("more")
    expect(page.locator(".kg-search-facets")).to_be_visible()


def show_graph(page: Page) -> None:
    page.evaluate("location.hash = '#line=line&at=pro'")
    expect(page.locator(".kg-graph[data-kg-shown=pro]")).to_have_count(1)
    page.locator(".kg-graph summary", has_text="As a list").click()


Acts = Sequence[Callable[[Page], None]]


@pytest.fixture
def openings() -> Sequence[tuple[str, Acts]]:
    """What is opened on a page, all of it at once."""
    return (
        ("lines/line", (show_preview, show_scales)),
        ("lines/line", (show_walk,)),
        ("graph", (show_graph,)),
        ("index", (show_results,)),
    )


@pytest.mark.parametrize(("screen", "scheme"), [(WIDE, "dark"), (NARROW, "light")])
def test_what_opens_on_a_page_has_no_flaw_either(
    screen: Any,
    scheme: Any,
    browser: Browser,
    address: str,
    openings: Sequence[tuple[str, Acts]],
) -> None:
    page = browser.new_page(viewport=screen, color_scheme=scheme, reduced_motion="reduce")
    flaws = []
    for url, acts in openings:
        page.goto(f"{address}{url}.html")
        for act in acts:
            act(page)
        flaws += find_flaws(page)
    page.close()
    assert flaws == []


SHIFT = """
window.shift = 0;
new PerformanceObserver(list => list.getEntries().forEach(entry => {
    if (!entry.hadRecentInput) shift += entry.value;
})).observe({type: "layout-shift", buffered: true});
"""


@pytest.mark.parametrize("screen", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_moves_while_a_page_loads(screen: Any, browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=screen)
    context.set_default_timeout(MILLISECONDS)
    context.add_init_script(SHIFT)
    urls = ("index", "lines/line", "statements/asked", "statements/index", "figures")
    urls = (*urls, "topics/index")
    pages = {url: context.new_page() for url in urls}
    for url, page in pages.items():
        page.goto(f"{address}{url}.html")
    moved = {}
    for url, page in pages.items():
        page.wait_for_load_state("networkidle")
        moved[url] = page.evaluate("shift")
    context.close()
    assert {url: shift for url, shift in moved.items() if shift >= 0.05} == {}


@pytest.mark.parametrize("url", ["lines/line", "statements/asked", "sources/doe2020"])
def test_a_text_is_as_wide_before_its_contents_have_arrived(
    url: str, browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport=WIDE)
    page.goto(f"{address}{url}.html")
    width = "document.querySelector('article').getBoundingClientRect().width"
    width_at_last = page.evaluate(width)
    expect(page.locator(".md-sidebar--secondary")).to_be_visible()
    page.evaluate("document.querySelector('.md-sidebar--secondary').remove()")
    assert page.evaluate(width) == width_at_last
    page.close()


def test_the_first_tab_leads_past_the_navigation(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}statements/asked.html")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("Tab")
    expect(page.locator(".md-skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#kg-article")).to_be_focused()
    page.close()


def test_the_contents_of_a_page_follow_its_text_and_stand_beside_it(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport=WIDE)
    page.goto(f"{address}statements/asked.html")
    text, contents = page.locator("#kg-article"), page.locator(".md-sidebar--secondary")
    follows = "(one, other) => Boolean(one.compareDocumentPosition(other) & 4)"
    assert text.evaluate(follows, contents.element_handle())
    beside, own = contents.bounding_box(), text.bounding_box()
    assert own
    assert beside
    assert own["x"] + own["width"] <= beside["x"] + 1
    assert abs(own["y"] - beside["y"]) < 200
    page.close()


COVERED = """() => {
    const at = document.activeElement;
    if (at === document.body || at.closest(".md-header, .md-sidebar, .md-skip")) return "";
    const header = document.querySelector(".md-header").getBoundingClientRect();
    return at.getBoundingClientRect().top < header.bottom ? at.outerHTML : "";
}"""


@pytest.mark.parametrize("screen", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_that_is_focused_or_linked_to_lies_under_the_header(
    screen: Any, browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport=screen, reduced_motion="reduce")
    page.goto(f"{address}statements/asked.html")
    page.wait_for_load_state("networkidle")
    page.locator("main a:visible").last.focus()
    covered, focused = [], set()
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        covered.append(page.evaluate(COVERED))
        focused.add(page.evaluate("() => document.activeElement.outerHTML"))
    assert len(focused) >= 19
    assert [each for each in covered if each] == []
    page.goto(f"{address}how-to-read.html#how-far-to-rely-on-an-answer")
    place = page.locator("#how-far-to-rely-on-an-answer").bounding_box()
    header = page.locator(".md-header").bounding_box()
    assert place
    assert header
    assert header["height"] <= place["y"] < header["height"] + 60
    page.close()


def test_on_paper_the_words_stay_and_the_tools_go(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}statements/asked.html")
    page.get_by_text("Share or cite").first.click()
    expect(page.locator(".kg-copy").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".kg-column-for .kg-tree > li").first).to_contain_text("Pro")
    expect(page.locator(".kg-column-for .kg-tree > li").first).to_be_visible()
    for tool in (".md-header", ".kg-copy"):
        expect(page.locator(tool).first).to_be_hidden()
    page.close()
