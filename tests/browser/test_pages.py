"""What a reader can do on the pages: previews, maps, tables, graphs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kg.loader import load_corpus
from kg.publish.build.site import build_site
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text, evidence_text, line_text

Open = Callable[[str], Page]
PLACE = """({ style }) => ({ left: parseFloat(style.left), width: parseFloat(style.width) })"""


def test_resting_on_a_link_shows_what_is_behind_it(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html")
    page.locator(".kg-essay > p a.kg-chip").first.hover()
    card = page.locator(".kg-preview")
    expect(card).to_contain_text("Pro")
    expect(card).to_contain_text("Strongest objection")
    expect(card).to_contain_text("Con")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_a_preview_stays_within_the_window(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 420})
    page = context.new_page()
    page.goto(address + "lines/line.html")
    link = page.locator(".kg-essay > p a.kg-chip").first
    link.evaluate("link => link.scrollIntoView({ block: 'center' })")
    link.hover()
    box = page.locator(".kg-preview").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 420
    way_on = page.locator(".kg-preview").get_by_role("link", name="Read on")
    expect(way_on).to_be_in_viewport()
    page.set_viewport_size({"width": 800, "height": 2000})
    page.mouse.move(0, 0)
    expect(page.locator(".kg-preview")).to_have_count(0)
    link.hover()
    expect(page.locator(".kg-preview")).to_be_visible()
    expect(way_on).to_be_hidden()
    context.close()


def test_the_keyboard_reaches_previews_too(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html")
    link = page.locator(".kg-case a.kg-chip").first
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".kg-preview")).to_be_visible()
    expect(link).to_have_attribute("aria-describedby", "kg-preview")


def test_a_menu_of_the_head_opens_by_keys_or_pointing_and_is_left(
    open_page: Open, address: str
) -> None:
    page = open_page(address)
    menu, gaps = (
        page.locator(".kg-menu summary", has_text="Unsettled"),
        page.locator(".kg-menu a[href$='gaps.html']"),
    )
    expect(gaps).to_be_hidden()
    page.locator(".kg-nav").get_by_role("link", name="Graph").focus()
    page.keyboard.press("Tab")
    expect(menu).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".kg-menu summary", has_text="About")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".kg-menu a[href$='disputes.html']")).to_be_focused()
    expect(gaps).to_be_visible()
    page.keyboard.press("Escape")
    expect(gaps).to_be_hidden()
    page.keyboard.press("Enter")
    expect(gaps).to_be_visible()
    page.mouse.click(900, 600)
    expect(gaps).to_be_hidden()
    menu.hover()
    expect(gaps).to_be_visible()
    menu.click()  # who is used to click does not close it
    expect(gaps).to_be_visible()
    page.mouse.move(900, 600)
    expect(gaps).to_be_hidden()


def test_marks_and_gauges_of_an_essay_come_with_a_switch(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html")
    mark = page.locator(".kg-essay > p a .kg-bar").first
    switch = page.get_by_role("button", name="Show weights")
    key = page.locator(".kg-key-signs")
    expect(mark).to_be_hidden()
    expect(key).to_be_hidden()
    switch.click()
    expect(mark).to_be_visible()
    expect(key).to_be_visible()
    page.get_by_role("button", name="Hide weights").click()
    expect(mark).to_be_hidden()
    expect(key).to_be_hidden()


@pytest.mark.parametrize(
    ("url", "link", "end"),
    [
        ("index.html", ".kg-card-title a", "lines/line.html"),
        ("statements/index.html", ".kg-rows tbody th[scope=row] a", "statements/"),
        ("sources/index.html", "table a.kg-cite", "sources/doe2020.html"),
    ],
)
def test_a_touch_follows_a_link(
    url: str, link: str, end: str, browser: Browser, address: str
) -> None:
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    page.goto(address + url)
    page.locator(link).first.tap()
    page.wait_for_url(lambda url_now: end in url_now and not url_now.endswith(url))
    context.close()


@pytest.mark.parametrize(
    ("link", "title", "end"),
    [
        (".kg-essay > p a.kg-cite", "A Study", "sources/doe2020.html"),
        (".kg-essay > p a.kg-chip", "Pro", "statements/pro.html"),
        (".kg-standfirst a.kg-chip", "Pro", "statements/pro.html"),
    ],
)
def test_within_a_text_a_first_touch_previews_and_a_second_follows_from_where_back_returns(
    link: str, title: str, end: str, browser: Browser, address: str
) -> None:
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    page.goto(address + "lines/line.html")
    touched = page.locator(link).first
    touched.tap()
    expect(page.locator(".kg-preview.kg-sheet .kg-preview-title")).to_have_text(title)
    assert page.url.endswith("lines/line.html")
    left_at = page.evaluate("scrollY")
    touched.tap()
    page.wait_for_url(f"**/{end}")
    page.go_back()
    page.wait_for_url("**/lines/line.html")
    page.wait_for_function("at => Math.abs(scrollY - at) < 50", arg=left_at)
    context.close()


@pytest.mark.parametrize("position", [0.2, 0.8])
def test_a_card_that_a_touch_brings_leaves_what_was_touched_in_sight(
    position: float, browser: Browser, address: str
) -> None:
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 780})
    page = context.new_page()
    page.goto(address + "lines/line.html")
    page.wait_for_load_state("networkidle")
    link = page.locator(".kg-essay > p a.kg-cite").first
    link.evaluate(
        "(a, at) => scrollBy(0, a.getBoundingClientRect().top - at * innerHeight)", position
    )
    link.tap()
    expect(page.locator(".kg-sheet")).to_be_visible()
    card, touched = page.locator(".kg-sheet").bounding_box(), link.bounding_box()
    assert card
    assert touched
    assert (
        card["y"] >= touched["y"] + touched["height"] or card["y"] + card["height"] <= touched["y"]
    )
    context.close()


def test_hostile_titles_do_nothing_in_pages_previews_tables_and_graphs(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html")
    page.locator(".kg-verdict a.kg-chip").first.hover()
    expect(page.locator(".kg-preview")).to_contain_text("onerror")
    page.keyboard.press("Escape")
    page.goto(address + "graph.html")
    expect(page.locator(".kg-graph-canvas[data-kg-middle]")).to_have_count(1)
    canvas = page.locator(".kg-graph-canvas").bounding_box()
    assert canvas
    page.mouse.move(canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2)
    page.goto(address + "statements/index.html")
    page.get_by_label("Title, topic or name").fill("onerror")
    expect(page.locator(".kg-rows tbody th[scope=row]")).to_have_count(1)
    assert page.evaluate("window.ran") is None


def test_replies_are_one_link_away_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "statements/asked.html")
    row = page.locator(".kg-column-for .kg-tree > li", has_text="Pro").first
    row.get_by_role("link", name="Replies to this").click()
    page.wait_for_url("**/statements/pro.html#for-and-against")
    expect(page.locator(".kg-column-for").get_by_text("Found 77% of it")).to_be_visible()
    context.close()


def test_all_statements_are_printed_with_the_bars_of_both_sides(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "statements/index.html")
    rows = page.locator(".kg-rows tbody tr")
    expect(rows).to_have_count(50)
    page.emulate_media(media="print")
    page.pdf()
    expect(page.locator(".kg-rows tbody tr:has(th[scope=row])")).to_have_count(134)
    bars = page.locator(".kg-pro-and-con > b")
    heights = bars.evaluate_all("all => all.map((bar) => bar.offsetHeight)")
    assert heights
    assert min(heights) > 0


def test_the_table_of_statements_filters_sorts_and_grows(open_page: Open, address: str) -> None:
    page = open_page(address + "statements/index.html")
    rows = page.locator(".kg-rows tbody tr:has(th[scope=row])")
    expect(page.locator(".kg-tools [aria-live]")).to_have_text("134 of 134")
    expect(page.locator(".kg-rows tbody tr")).to_have_count(50)
    page.get_by_role("button", name="Show all 134").click()
    expect(rows).to_have_count(134)
    expect(page.get_by_role("button", name="Show all 134")).to_be_hidden()
    page.get_by_role("combobox", name="Camp").select_option("optimist")
    expect(page.locator(".kg-tools [aria-live]")).to_have_text("2 of 134")
    expect(page.locator("option[value=optimist]")).to_have_text("Optimist (2)")
    page.get_by_role("combobox", name="Camp").select_option("")
    question = page.get_by_role("combobox", name="Question", exact=True)
    question.select_option("lines/line.html")
    text = question.locator("option:checked").inner_text()
    assert page.locator(".kg-rows [data-kg-group] a").inner_text() in text
    page.get_by_role("combobox", name="Order by").select_option("Most disputed")
    expect(page.locator(".kg-tools [aria-live]")).to_have_text(re.compile(rf"^{text[-2]} of 134"))
    page.get_by_label("Title, topic or name").fill("nothing like this")
    expect(rows).to_have_count(0)
    page.get_by_role("button", name="search the whole site").click()
    expect(page.locator("[data-kg-search] [name=query]")).to_have_value("nothing like this")
    expect(page.locator(".kg-search-result__meta")).to_contain_text("Nothing here on “like”")


def test_filters_know_the_words_that_search_knows(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    notes = corpus_of_notes(
        tarns="---\ntype: claim\nabout: [Wolfram-2]\n---\n\n# Tarns freeze\n\nText.\n",
        metals="---\ntype: claim\n---\n\n# Metals of one half-life bend\n\nText.\n",
        tried="---\ntype: evidence\nsample: 20 people\n---\n\n# Seen\n\nText.\n",
        counted="---\ntype: evidence\nsample: 20 items\n---\n\n# Counted\n\nText.\n",
        glossary="---\ntype: glossary\n---\n\n- **tarn**, **lake-in-hills**: A lake.\n",
    )
    page = open_page(serve(build_site(notes, tmp_path).index.parent) + "statements/index.html")
    titles = page.locator(".kg-rows th[scope=row] a")
    for words in ("freezing", "lake-in-hills", "lake in hills", "wolfram2", "wolfram-2"):
        page.get_by_label("Title, topic or name").fill(words)
        expect(titles).to_have_text(["Tarns freeze"])
    page.get_by_label("Title, topic or name").fill("half-life")
    expect(titles).to_have_text(["Metals of one half-life bend"])
    page.get_by_label("Title, topic or name").fill("")
    page.get_by_role("combobox", name="Kind").select_option("Findings from tests with people")
    expect(titles).to_have_text(["Seen"])


def test_what_is_chosen_of_statements_stands_in_the_address(open_page: Open, address: str) -> None:
    page = open_page(address + "statements/index.html")
    page.get_by_role("combobox", name="Camp").select_option("optimist")
    page.get_by_label("Order by").select_option("Title")
    page.get_by_label("Title, topic or name").fill("pro")
    text = page.locator(".kg-tools [aria-live]").inner_text()
    assert page.url.endswith("#words=pro&camp=optimist&order=Title")
    page.reload()
    expect(page.locator(".kg-tools [aria-live]")).to_have_text(text)
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Statement")
    page.goto("about:blank")
    page.goto(address + "statements/index.html#camp=none-such&order=Nothing")
    expect(page.locator(".kg-tools [aria-live]")).to_have_text("134 of 134")


def test_one_choice_orders_statements_and_the_heads_of_columns_agree(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "statements/index.html")
    order, titles = (
        page.get_by_label("Order by"),
        page.locator(".kg-rows tbody th[scope=row] a.kg-chip"),
    )
    groups, hint = page.locator("[data-kg-group]"), page.locator(".kg-big-table > p")
    expect(groups.first).to_contain_text("Is it so")
    expect(titles.first).to_contain_text("Asked")
    page.get_by_role("button", name="Show all 134").click()
    expect(titles.get_by_text("Found 77% of it")).to_be_visible()
    order.select_option(label="Most disputed")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Against · For")
    expect(hint).to_contain_text("strong reasons on both sides")
    head = page.get_by_role("button", name="How sure, or quality")
    for name, way in (("Surest", "descending"), ("Least sure", "ascending")):
        head.click()
        expect(order.locator("option:checked")).to_have_text(name)
        expect(page.locator(f"th[aria-sort={way}]")).to_have_text("How sure, or quality")
    head.click()
    expect(order.locator("option:checked")).to_have_text("By question")
    expect(page.locator("th[aria-sort]")).to_have_count(0)
    order.select_option(label="Title")
    expect(groups).to_have_count(0)
    page.get_by_role("button", name="Show all 134").click()
    expect(groups).to_have_text("Findings")
    expect(titles.last).to_have_text("Found 77% of it")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.get_by_role("button", name="Statement")).to_be_hidden()
    expect(order).to_be_visible()


def test_findings_are_folded_and_the_most_disputed_come_first(
    site: Path, open_page: Open, address: str
) -> None:
    data = json.loads(
        (site / "statements/index.rows.js").read_text("utf-8").strip()[len("kgRows(") : -2]
    )
    claims = [row for row in data["rows"] if row[7] is not None][:3]
    for row, dispute in zip(claims, (0.09, 0.4, 0.48), strict=True):
        row[10] = dispute
    data["unfolded"] = 0
    body = f"kgRows({json.dumps(data)});"
    page = open_page(address + "404.html")
    page.route("**/index.rows.js", lambda route: route.fulfill(body=body))
    page.goto(address + "statements/index.html")
    page.get_by_role("button", name="Show all 134").click()
    page.get_by_text("1 more finding", exact=True).click()
    expect(page.locator(".kg-rows details a")).to_have_text("Found 77% of it")
    page.get_by_label("Order by").select_option(label="Most disputed")
    titles = page.locator(".kg-rows tbody th[scope=row] a.kg-chip")
    for place, row in enumerate(reversed(claims)):
        expect(titles.nth(place)).to_have_text(row[0])


def test_small_tables_sort_and_filter(open_page: Open, address: str) -> None:
    page = open_page(address + "figures.html")
    expect(page.locator(".kg-sortable tbody tr")).to_have_count(1)
    for words in ("999", "7%"):  # words are sought from where they start
        page.get_by_label("Filter").fill(words)
        expect(page.locator(".kg-sortable tbody tr:not([hidden])")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 780})
    expect(page.locator(".kg-sortable tbody tr").first).to_be_hidden()
    page.get_by_label("Filter").fill("77%")
    expect(page.locator(".kg-sortable tbody tr")).to_be_visible()


def test_figures_stand_under_their_questions_until_they_are_sorted(
    site: Path, open_page: Open, address: str
) -> None:
    group = '<tr><th scope="rowgroup" colspan="3" data-kg-group="true">{}</th></tr>'
    html = site.joinpath("figures.html").read_text("utf-8")
    row = html[html.index("<tr>", html.index("<tbody>")) : html.index("</tbody>")]
    more = row.replace("77%", "88%")
    both = group.format("First?") + row + group.format("Second?") + more
    page = open_page(address + "figures.html")
    page.route("**/figures.html", lambda route: route.fulfill(body=html.replace(row, both)))
    page.reload()
    element = page.locator("[data-kg-group]")
    expect(element).to_have_text(["First?", "Second?"])
    page.get_by_label("Filter").fill("88%")
    expect(element.first).to_be_hidden()
    expect(element.last).to_be_visible()
    page.get_by_label("Filter").fill("")
    expect(element.first).to_be_visible()
    page.get_by_role("button", name="Finding").click()
    expect(element).to_have_count(0)
    expect(page.locator(".kg-sortable tbody tr")).to_have_count(2)
    long = group.format("First?") + row * 60 + group.format("Second?") + more * 20
    page.route("**/figures.html", lambda route: route.fulfill(body=html.replace(row, long)))
    page.reload()
    visible_rows = page.locator(".kg-sortable tbody tr:not([hidden])")
    expect(element).to_have_text(["First?", "Second?"])
    expect(visible_rows.filter(has_text="77%")).to_have_count(25)
    expect(visible_rows.filter(has_text="88%")).to_have_count(20)


def test_a_long_verdict_in_the_table_stays_in_its_column(open_page: Open, address: str) -> None:
    page = open_page(address + "statements/index.html")
    cell = page.locator(".kg-rows tbody td").nth(2)
    cell.evaluate("cell => { cell.textContent = 'Undecided, no surer than what it depends on'; }")
    assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth")


def test_pages_are_read_from_the_file_system(site: Path, open_page: Open) -> None:
    page = open_page((site / "lines/line.html").as_uri())
    expect(page.locator(".kg-camp-1").first).to_be_visible()
    page.locator(".kg-essay > p a.kg-chip").first.click()
    page.wait_for_url("**/statements/pro.html")
    page.goto((site / "statements/index.html").as_uri())
    expect(page.locator(".kg-tools [aria-live]")).to_have_text("134 of 134")


@pytest.mark.parametrize("from_disk", [False, True])
def test_replies_to_a_reason_unfold_in_its_place(
    from_disk: bool, site: Path, open_page: Open, address: str
) -> None:
    url = "statements/asked.html"
    page = open_page((site / url).as_uri() if from_disk else address + url)
    page.get_by_role("link", name="Replies to this: 1 for it").click()
    replies = page.locator(".kg-column-for .kg-tree details[open] > .kg-tree > li")
    expect(replies).to_have_count(2)
    expect(replies.first).to_contain_text("Found 77% of it")
    replies.first.get_by_role("link").first.click()
    page.wait_for_url("**/statements/pro.found.html")


def test_the_navigation_of_a_narrow_screen_opens_without_scripts(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 700})
    page = context.new_page()
    page.goto(address + "statements/asked.html")
    link = page.locator(".kg-nav").get_by_role("link", name="Topics")
    expect(link).to_be_hidden()
    page.locator("label.md-header__button[for=__drawer]").click()
    page.locator(".kg-nav summary", has_text="Browse").click()
    link.click()
    page.wait_for_url("**/topics/index.html")
    context.close()


def test_the_navigation_has_the_same_names_and_groups_on_every_screen(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + "lines/line.html")
    entries = page.locator(".kg-nav > ul > li > :is(a, details > summary)")
    wide = ["Home", *(each.inner_text() for each in entries.all() if each.is_visible())]
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("label.md-header__button[for=__drawer]").click()
    expect(entries.filter(visible=True)).to_have_text(wide)
    gaps = page.locator(".kg-menu a[href$='gaps.html']")
    expect(gaps).to_be_hidden()
    page.locator(".kg-menu summary", has_text="Unsettled").click()
    gaps.click()
    page.wait_for_url("**/gaps.html")
    context.close()


NARROW = (
    "index",
    "lines/line",
    "statements/pro",
    "statements/index",
    "sources/doe2020",
    "disputes",
    "gaps",
    "figures",
    "topics/index",
    "topics/talk",
    "camps/optimist",
)
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_pages_fit_a_narrow_screen(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.set_viewport_size({"width": 320, "height": 700})
    over = {}
    for url in NARROW:
        page.goto(f"{address}{url}.html")
        page.evaluate(DRAWN)
        over[url] = page.evaluate(OVER)
    assert {url: more for url, more in over.items() if more > 0} == {}


def test_on_a_phone_each_row_of_a_table_written_by_hand_is_stacked_under_the_names_of_its_columns(
    open_page: Open, address: str
) -> None:
    page = open_page(f"{address}lines/line.html")
    page.set_viewport_size({"width": 390, "height": 800})
    box = page.locator(".kg-scroll", has=page.locator(".kg-written"))
    row = box.locator("tbody tr").first
    tops = row.locator("th, td").evaluate_all("all => all.map((e) => e.offsetTop)")
    assert tops == sorted({*tops})
    names = row.locator("td").evaluate_all("all => all.map((e) => e.dataset.label)")
    assert names == box.locator("thead th").all_text_contents()[1:]
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert page.evaluate(OVER) <= 0
    # a name of two rows makes its cell as high
    heights = "all => all.map((e) => [e.clientHeight, e.scrollHeight])"
    assert all(room >= needed for room, needed in row.locator("td").evaluate_all(heights))


def test_on_paper_a_finding_in_an_essay_names_its_work_unless_the_sentence_cites(
    open_page: Open, address: str
) -> None:
    page = open_page(f"{address}lines/line.html")
    papers = page.locator(".kg-essay .kg-paper-cite")
    expect(papers).to_have_text([" (Doe 2020)"] * 2)
    expect(papers.first).to_be_hidden()
    page.emulate_media(media="print")
    expect(papers.first).to_be_hidden()
    expect(papers.last).to_be_visible()


def test_a_citation_is_copied(context: BrowserContext, address: str) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + "statements/pro.html")
    page.get_by_text("Share or cite").click()
    page.get_by_role("button", name="Copy BibTeX").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@misc{pro,")


def test_walking_without_loading_keeps_everything_working(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("window.stayed = true")
    tab = page.locator(".kg-nav")
    browse = tab.locator("summary", has_text="Browse")
    browse.click()
    tab.get_by_role("link", name="Camps").click()
    expect(page.locator(".kg-stances")).to_be_visible()
    expect(tab.get_by_role("link", name="Camps")).to_be_hidden()
    browse.click()
    tab.get_by_role("link", name="Topics").click()
    expect(page.locator(".kg-topics .kg-sort").first).to_be_visible()
    browse.click()
    tab.get_by_role("link", name="Statements").click()
    expect(page.locator(".kg-tools [aria-live]")).to_have_text("134 of 134")
    page.locator(".kg-rows a[href$='/con~.html']").click()
    page.wait_for_url("**/statements/*.html")
    page.locator(".kg-tree a.kg-chip").first.hover()
    expect(page.locator(".kg-preview")).to_be_visible()
    page.keyboard.press("Escape")
    browse.click()
    tab.get_by_role("link", name="Topics").click()
    expect(page.locator(".kg-topics .kg-sort").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("onerror")
    expect(page.locator(".kg-search-result__item")).to_have_count(2)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/(statements/asked|lines/line).html"))
    assert page.evaluate("[window.stayed, window.ran ?? null]") == [True, None]


def test_an_older_name_leads_to_the_page_and_a_wrong_one_to_suggestions(
    open_page: Open, context: BrowserContext, address: str
) -> None:
    page = open_page(address + "statements/an-older-name.html")
    page.wait_for_url("**/statements/con~.html")
    lost = context.new_page()
    lost.goto(address + "statements/mor-12.html")
    expect(lost.get_by_role("heading", name="There is no page here")).to_be_visible()
    expect(lost.get_by_role("link", name="More 12", exact=True)).to_be_visible()


def test_a_walk_counts_the_reasons_one_by_one_and_comes_to_the_answer(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address + "lines/line.html")
    start = page.get_by_role("button", name="Walk through it")
    start.press("Enter")
    panel = page.locator(".kg-walk")
    name, text = panel.locator("strong").first, panel.locator(".kg-walk-text")
    answer, effect = panel.locator(".kg-answer-words"), panel.locator(".kg-walk-effect")
    word = panel.locator(".kg-reached")
    expect(page.locator(".kg-glance")).to_be_hidden()
    expect(name).to_have_text(re.compile(r"^1 of \d · Best reason towards “"))
    expect(effect).to_have_text("By this reason alone.")
    expect(answer).to_have_text(re.compile("^So far: probably "))
    page.keyboard.press("Enter")
    expect(name).to_contain_text("2 of")
    page.keyboard.press("ArrowLeft")
    expect(name).to_contain_text("1 of")
    expect(word).to_have_text("probably")
    while "Why we say “perhaps”" not in name.inner_text():
        page.keyboard.press("ArrowRight")
    expect(text).to_contain_text("But it depends on one source. So we say “perhaps”.")
    expect(answer).to_have_text(re.compile("^All in all: perhaps "))
    expect(word).to_have_text(page.locator(".kg-dial-box .kg-scale-word").text_content() or "")
    while "Your turn" not in name.inner_text():
        page.keyboard.press("ArrowRight")
    bar = panel.locator(".kg-weigh-now")
    place = bar.evaluate(PLACE)
    assert place["width"] > 1
    weights = panel.locator(".kg-weigh-by-weights").evaluate(PLACE)["left"]
    expect(text).to_contain_text("Suppose we lost “Found 77% of it”, from Doe 2020. Would we")
    panel.get_by_role("button", name="No", exact=True).click()
    expect(text).to_contain_text("Right: without it, the answer becomes “undecided”")
    expect(word).to_have_text("undecided")
    assert bar.evaluate(PLACE)["width"] == 0
    before = panel.locator(".kg-weigh-before").evaluate(PLACE)
    assert before == pytest.approx({"left": 50, "width": weights - 50}), "to what the weights gave"
    for key in ("ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert bar.evaluate(PLACE) == place, "the guess can be made anew"
    panel.get_by_role("button", name="Yes").click()
    expect(text).to_contain_text("Not so: without it, the answer becomes “undecided”")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(start).to_be_focused()


def test_a_walk_ends_with_what_would_undo_a_side_that_is_firm(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(f"{address}lines/line.html")
    studies = '<a class="kg-term">two new studies</a>'
    settles = f'<p class="kg-settles">{studies}<span class="kg-firm"></span></p>'
    page.locator(".kg-settles").evaluate("(one, html) => { one.outerHTML = html; }", settles)
    page.get_by_role("button", name="Walk through it").click()
    while "Your turn" not in page.locator(".kg-walk strong").first.inner_text():
        page.keyboard.press("ArrowRight")
    page.locator(".kg-walk").get_by_role("button", name="No", exact=True).click()
    text = page.locator(".kg-walk-text")
    expect(text).to_contain_text("The side is firm: it would take two new studies to undo it.")


def test_a_walk_puts_the_scales_away_and_the_way_back_leads_to_them(
    open_page: Callable[[str], Page], address: str
) -> None:
    line = address + "lines/line.html"
    page = open_page(f"{line}#weigh?falls=doe2020")
    scales, walk = page.locator(".kg-weigh-head"), page.locator(".kg-walk")
    expect(page.locator(".kg-glance > .kg-chosen:has(strong)")).to_be_visible()
    page.get_by_role("button", name="Walk through it").click()
    expect(walk).to_be_visible()
    expect(scales).to_have_count(0)
    expect(page.locator(".kg-glance > .kg-chosen:has(strong)")).to_have_count(0)
    assert page.url == f"{line}#walk"
    page.go_back()
    expect(scales).to_be_visible()
    expect(walk).to_have_count(0)
    assert page.url == f"{line}#weigh?falls=doe2020"
    page.evaluate("location.hash = '#walk'")
    expect(walk).to_be_visible()
    expect(scales).to_have_count(0)
    page.keyboard.press("Escape")
    expect(walk).to_have_count(0)
    assert page.url == line
    page.locator("[data-kg-weigh] button").click()
    expect(scales).to_be_visible()


def test_a_walk_counts_the_other_reasons_of_each_side_together(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    notes = load_corpus(Path(__file__).parents[1] / "publish/golden/notes")
    address = serve(build_site(notes, tmp_path).index.parent)
    page = open_page(address + "lines/should-one-nap.html#walk")
    panel = page.locator(".kg-walk")
    name, text = panel.locator("strong").first, panel.locator(".kg-walk-text")
    expect(name).to_contain_text("1 of")
    while "The other reason for “" not in name.inner_text():
        page.keyboard.press("ArrowRight")
    expect(text.get_by_role("listitem")).to_have_count(1)
    expect(panel.locator(".kg-walk-effect")).to_contain_text(
        re.compile("Before: |tronger than before")
    )
    on_scale = page.locator(".kg-dial-box .kg-scale-word").text_content() or ""
    expect(panel.locator(".kg-reached")).to_have_text(on_scale)


def test_a_walk_counts_many_reasons_in_one_step_and_says_which_was_met_as_a_reply(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    reasons = {
        f"r{n}": evidence_text(f"Reason {n}", 0.9 - n / 20, "supports:: [[asked]]")
        for n in range(14)
    }
    reasons["r1"] += "- contradicts:: [[con]]\n"
    reasons["r13"] += "[@doe2020]\n"
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        con=evidence_text("Con", 0.5, "contradicts:: [[asked]]"),
        references="@misc{doe2020, title = {A}, author = {Doe, Ann}, year = {2020}}",
        line=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
        **reasons,
    )
    address = serve(build_site(corpus, tmp_path).index.parent)
    page = open_page(address + "lines/line.html#walk")
    panel = page.locator(".kg-walk")
    name, names = panel.locator("strong").first, panel.get_by_role("listitem")
    expect(name).to_contain_text("1 of")
    while "The other 13 reasons for “It holds”" not in name.inner_text():
        page.keyboard.press("ArrowRight")
    met = "Reason 1, which we met as a reply and which also counts here as a reason of its own"
    heaviest = [met, *(f"Reason {n}" for n in range(2, 6))]
    expect(names).to_have_text(heaviest)
    panel.get_by_text("and 8 more, lighter").click()
    lighter = [*(f"Reason {n}" for n in range(6, 13)), "Reason 13 (Doe 2020)"]
    expect(names).to_have_text([*heaviest, *lighter])


def test_a_walk_says_that_a_reason_was_met_as_a_reply(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence_text("Con", 0.5, "contradicts:: [[asked]]\n- contradicts:: [[pro]]"),
        line=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    page = open_page(serve(build_site(corpus, tmp_path).index.parent) + "lines/line.html#walk")
    text = page.locator(".kg-walk-text")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(text).to_contain_text("Con")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(text).to_contain_text("We met this as a reply; here it counts as a reason.")


def test_a_walk_through_circles_that_are_too_large_says_so(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html")
    script = page.request.get(address + "assets/weigh-plan.js").text()
    small = script.replace("const MAX_COPIES = 20000;", "const MAX_COPIES = -1;")
    assert small != script
    page.route(
        "**/weigh-plan.js",
        lambda route: route.fulfill(
            body=small.replace("number >= 0 && ", ""), content_type="text/javascript"
        ),
    )
    page.get_by_role("button", name="Walk through it").click()
    expect(page.locator(".kg-onward")).to_contain_text("reasons go in circles too large for a page")
    expect(page.locator(".kg-onward").get_by_role("link", name="Both sides")).to_be_visible()


def test_home_leads_into_a_walk(open_page: Open, address: str) -> None:
    page = open_page(address + "index.html")
    page.get_by_role("link", name="See an answer added up").click()
    expect(page.locator(".kg-walk strong").first).to_contain_text("1 of")


def test_the_best_reply_to_a_reason_is_a_link_to_the_objection(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html")
    page.locator(".kg-case summary").first.click()
    objection = page.locator(".kg-case .kg-reply a").first
    title = objection.inner_text()
    objection.click()
    page.wait_for_url("**/statements/*.html")
    # the address changes before the page does
    assert page.locator(".kg-page-statement h1").inner_text() in title
