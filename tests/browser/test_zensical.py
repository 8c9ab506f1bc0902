"""What a reader does, once more in the shell that Zensical makes: Material ends, the pages stay.

The tests are those of the usual shell; only the site is another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kg.loader import load_corpus
from kg.publish.build.site import build_site
from tests.browser.sample_notes import write_sample
from tests.browser.test_access import (
    Acts,
    show_results,
    test_no_page_has_a_flaw_that_axe_knows,
    test_nothing_moves_while_a_page_loads,
    test_on_paper_the_words_stay_and_the_tools_go,
    test_the_first_tab_leads_past_the_navigation,
    test_what_opens_on_a_page_has_no_flaw_either,
)
from tests.browser.test_pages import (
    test_an_older_name_leads_to_the_page_and_a_wrong_one_to_suggestions,
    test_pages_are_read_from_the_file_system,
    test_pages_fit_a_narrow_screen,
    test_walking_without_loading_keeps_everything_working,
    test_within_a_text_a_first_touch_previews_and_a_second_follows_from_where_back_returns,
)

__all__ = [
    "test_an_older_name_leads_to_the_page_and_a_wrong_one_to_suggestions",
    "test_no_page_has_a_flaw_that_axe_knows",
    "test_nothing_moves_while_a_page_loads",
    "test_on_paper_the_words_stay_and_the_tools_go",
    "test_pages_are_read_from_the_file_system",
    "test_pages_fit_a_narrow_screen",
    "test_the_first_tab_leads_past_the_navigation",
    "test_walking_without_loading_keeps_everything_working",
    "test_what_opens_on_a_page_has_no_flaw_either",
    "test_within_a_text_a_first_touch_previews_and_a_second_follows_from_where_back_returns",
]


@pytest.fixture
def kinds() -> tuple[str, ...]:
    """Articles are the same in each shell: one with words, one with a table, one without either."""
    return ("statements/asked", "lines/index", "404")


@pytest.fixture
def openings() -> Sequence[tuple[str, Acts]]:
    """Of what opens only the search is of the shell."""
    return (("index", (show_results,)),)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    notes = write_sample(tmp_path_factory.mktemp("notes"))
    (notes / "kg.toml").write_text('[site]\nbuilder = "zensical"\n', "utf-8")
    report = build_site(load_corpus(notes), tmp_path_factory.mktemp("zensical"))
    assert report.fallback == ""
    return report.index.parent


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    return serve(site)


def test_the_shell_is_zensicals(site: Path) -> None:
    assert '<meta name="generator" content="zensical' in (site / "index.html").read_text("utf-8")


@pytest.mark.parametrize(("width", "minimum"), [(360, 340), (1280, 600)])
def test_the_search_box_opens_takes_words_and_closes(
    width: int, minimum: int, open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    page.set_viewport_size({"width": width, "height": 740})
    box = page.locator(".kg-search__inner")
    if width < 960:
        page.locator("label.md-header__button[for=__search]").click()
    else:
        page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("more")
    expect(page.locator(".kg-search-result__item").first).to_be_in_viewport()
    # it grows to its width
    expect(box).to_be_visible()
    grown = "([box, least]) => box.getBoundingClientRect().width >= least"
    page.wait_for_function(grown, arg=[box.element_handle(), minimum])
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".kg-search-result__item")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".kg-search__output")).to_be_hidden()


def test_colours_can_be_chosen_and_are_kept(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address)
    page.locator("label.md-header__button[for^=__palette]:visible").click()
    for url in ("index.html", "statements/pro.html"):
        page.goto(f"{address}{url}")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
