"""What pages do when files come late, broken or not at all, and when readers move on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

BROKEN = "kgBroken("
COUNT_PREVIEWS = """() => {
  window.previews = 0;
  new MutationObserver(() => {
    window.previews += document.querySelectorAll(".kg-preview").length;
  }).observe(document.body, { childList: true });
}"""


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page in which files may fail, but no promise may do so unheard."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert [error for error in errors if "Unexpected end" not in error] == []


def spoil(page: Page, files: str, how: str) -> None:
    """Let files of the site be missing, or end in the middle."""

    def answer(route: Route) -> None:
        if how == "missing":
            route.abort()
        else:
            route.fulfill(content_type="text/javascript", body=BROKEN)

    page.route(re.compile(files), answer)


WAYS = ("missing", "broken")


@pytest.mark.parametrize("file", ["search/index", "search/t-", "search/d-"])
def test_a_search_that_cannot_be_done_says_so_and_can_later(
    file: str, page: Page, address: str
) -> None:
    page.goto(address)
    element, box = page.locator(".kg-search-result__meta"), page.locator("[name=query]")
    for how in WAYS:
        with page.expect_request(re.compile(file)):
            spoil(page, f"{file}.*[.]js", how)
            box.fill("more " if how == "broken" else "more")
        expect(element).to_have_text("Search could not be loaded")
        page.unroute_all()
    box.fill("more")
    expect(element).to_contain_text("pages")
    expect(page.locator(".kg-search-facets")).to_be_visible()


def test_a_search_survives_that_the_site_is_built_anew(page: Page, address: str) -> None:
    """The files of pages have changed since the index was read."""
    emptied = 'kgSearch("d","0",{});'
    page.route(
        re.compile("search/d-0[.]js"),
        lambda route: route.fulfill(content_type="text/javascript", body=emptied),
        times=1,
    )
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("more")
    expect(page.locator(".kg-search-result__item").first).to_be_visible()


@pytest.mark.parametrize("how", WAYS)
def test_results_are_shown_where_there_is_nothing_to_narrow_them_by(
    how: str, page: Page, address: str
) -> None:
    spoil(page, "search/facets.*[.]js", how)
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("more")
    expect(page.locator("[data-kg-answers=more]")).to_have_count(1)
    expect(page.locator(".kg-search-result__item").first).to_be_visible()
    expect(page.locator(".kg-search-facets")).to_be_hidden()


@pytest.mark.parametrize("file", ["lines/line.graph", "explorer", "vis-network"])
def test_a_graph_that_cannot_be_drawn_says_so_and_can_later(
    file: str, page: Page, address: str
) -> None:
    for how in WAYS:
        spoil(page, f"{file}.*[.]js", how)
        page.goto(address + "graph.html")
        expect(page.locator(".kg-graph-trouble")).to_contain_text("could not be drawn")
        page.unroute_all()
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".kg-graph[data-kg-shown=asked]")).to_have_count(1)
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)


@pytest.mark.parametrize("file", ["lines/line.weigh", "assets/weigh[.]", "weigh-panel"])
def test_a_panel_that_cannot_be_opened_says_so_and_can_later(
    file: str, page: Page, address: str
) -> None:
    page.goto(address + "lines/line.html")
    scales = page.get_by_role("button", name="Open the scales")
    for how in WAYS:
        with page.expect_request(re.compile(file)):
            spoil(page, f"{file}.*js", how)
            scales.click()
        expect(page.locator(".kg-weigh-said")).to_contain_text("could not be loaded")
        page.unroute_all()
    scales.click()
    expect(page.locator(".kg-weigh-now-words")).not_to_be_empty()


def test_a_preview_that_comes_late_is_not_shown(page: Page, address: str) -> None:
    routes: list[Route] = []
    page.clock.install()
    page.route("**/statements/pro.html", lambda route: routes.append(route))
    page.goto(address + "lines/line.html")
    page.evaluate(f"({COUNT_PREVIEWS})()")
    with page.expect_request("**/statements/pro.html"):
        page.locator(".kg-essay > p a.kg-chip").first.hover()
        page.clock.run_for(1000)
    page.mouse.move(2, 2)
    page.clock.run_for(1000)
    for route in routes:
        with page.expect_event("requestfinished"):
            route.continue_()
    page.clock.run_for(1000)
    assert page.evaluate("window.previews") == 0


def test_a_link_beside_all_that_its_card_would_say_has_none(page: Page, address: str) -> None:
    page.goto(address + "lines/line.html")
    link = page.locator(".kg-essay > p a.kg-hollow").first
    link.hover()
    card = page.locator(".kg-preview")
    expect(card).to_contain_text("Found 77% of it")
    words = card.inner_text()
    page.mouse.move(2, 2)
    expect(card).to_have_count(0)
    link.evaluate("(link, words) => link.closest('p').append(words)", words)
    page.evaluate(f"({COUNT_PREVIEWS})()")
    link.hover()
    page.locator(".kg-essay > p a.kg-chip:not(.kg-hollow)").first.hover()
    expect(card).to_contain_text("Pro")
    assert page.evaluate("window.previews") == 1


def test_a_graph_that_was_left_is_given_up(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address + "graph.html")
    expect(page.locator(".kg-graph[data-kg-shown]")).to_have_count(1)
    page.evaluate("window.left = document.querySelector('.kg-graph-canvas').kgNetwork")
    assert page.evaluate("Boolean(left.canvas)")
    page.locator(".kg-nav summary", has_text="Browse").click()
    page.get_by_role("link", name="Statements").first.click()
    expect(page.locator(".kg-rows, [data-kg-rows]").first).to_be_visible()
    page.wait_for_function("!window.left.canvas")


def test_the_data_of_a_page_that_was_left_is_not_drawn_on_the_next(
    page: Page, address: str
) -> None:
    routes: list[Route] = []
    page.route("**/lines/line.graph.js", lambda route: routes.append(route))
    page.goto(address + "index.html")
    page.wait_for_load_state("networkidle")  # the theme, too, knows which pages there are
    with page.expect_request("**/lines/line.graph.js"):
        page.get_by_role("link", name="Graph").first.evaluate("link => link.click()")
    page.locator(".kg-nav a[href$='statements/index.html']").evaluate("link => link.click()")
    page.wait_for_url("**/statements/**")
    expect(page.locator("h1")).to_have_text("Statements")
    for route in routes:
        route.continue_()
        page.wait_for_timeout(300)
    expect(page.locator(".kg-drawn")).to_have_count(0)
