"""The page of graphs: chosen, followed and sent, by hand and by key, wide and narrow."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kg.loader import load_corpus
from kg.publish.build.site import build_site
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text, evidence_text, line_text

FOUND = "pro#found"
FINGER = 44  # pixels: the least height of what is tapped
MANY, DRAWN = 10, 5  # reasons for one claim, and for how many the picture has room
Open = Callable[[str], Page]
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
COLUMN_BY_REASON = """canvas => Object.fromEntries(
  [...canvas.kgBoxes.values()].filter(({ edge }) => edge)
    .map(({ edge, column }) => [edge.origin, column]))"""
DRAWN_BOXES = """canvas => {
  const { clientWidth, clientHeight } = canvas.querySelector("canvas");
  return [[clientWidth, clientHeight], [...canvas.kgBoxes.keys()].map((id) => {
    const { left, top, right, bottom } = canvas.kgNetwork.getBoundingBox(id);
    const [from, to] = [[left, top], [right, bottom]].map(([x, y]) =>
      canvas.kgNetwork.canvasToDOM({ x, y }));
    return [from.x, from.y, to.x, to.y];
  })]; }"""
PLACE_OF = """(canvas, id) => {
  const [box] = [...canvas.kgBoxes.values()]
    .filter(({ picks, page, opens }) => (picks ?? page ?? opens) === id);
  return canvas.kgNetwork.canvasToDOM({ x: box.x, y: box.y });
}"""
REST = 700  # milliseconds until a note is shown
IN_WINDOW = f"""(canvas, id) => {{
  const {{ x, y }} = ({PLACE_OF})(canvas, id);
  const {{ left, top }} = canvas.getBoundingClientRect();
  return {{ x: x + left, y: y + top }};
}}"""
HAS_NOTE = """(canvas, { x, y }) => {
  const { left, top } = canvas.getBoundingClientRect();
  const id = canvas.kgNetwork.getNodeAt({ x: x - left, y: y - top });
  return Boolean(canvas.kgBoxes.get(id)?.edge);
}"""


def canvas_around(page: Page, id: str) -> Locator:
    """The picture, once it shows a statement in the middle."""
    canvas = page.locator(f".kg-graph-canvas[data-kg-middle='{id}']")
    expect(canvas).to_have_count(1)
    return canvas


def middle(page: Page) -> Locator:
    return page.locator(".kg-graph-middle a")


def way(page: Page) -> Locator:
    """The links of the way from what is asked to what is shown, and to the pages of its sources."""
    return page.locator(":is(.kg-graph-path, .kg-graph-way) > li a:not(.kg-out)")


def unfold(page: Page) -> Locator:
    """The list of all reasons, once it is open."""
    page.locator(".kg-graph summary", has_text="As a list").click()
    lists = page.locator(".kg-graph-lists")
    expect(lists).to_be_visible()
    return lists


def test_a_line_leads_to_its_graph(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html")
    page.locator(".kg-onward").get_by_role("link", name="Graph").click()
    page.wait_for_url("**/graph.html#line=line")
    canvas_around(page, "asked")
    expect(page.get_by_label("Question")).to_have_value("line")
    expect(middle(page)).to_contain_text("Asked")


# The theme may bring the page anew at a new address, so no element is held on to.
AS_WIDE_AS_ITS_ROOM = """position => {
  const canvas = document.querySelector(`.kg-graph-canvas[data-kg-middle='${position}']`);
  return canvas && canvas.clientWidth === canvas.querySelector('canvas')?.clientWidth;
}"""


def test_all_that_is_drawn_is_in_view_at_full_size_and_no_box_lies_on_another(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html")
    for wide, position in ((1280, "asked"), (1280, "pro"), (1000, "pro")):
        page.set_viewport_size({"width": wide, "height": 900})
        page.evaluate("at => { location.hash = `#line=line&at=${at}`; }", position)
        canvas = canvas_around(page, position)
        page.wait_for_function(AS_WIDE_AS_ITS_ROOM, arg=position)
        assert canvas.evaluate("canvas => canvas.kgNetwork.getScale()") == 1
        room, boxes = canvas.evaluate(DRAWN_BOXES)
        assert len(boxes) >= 2
        for number, (left, top, right, bottom) in enumerate(boxes):
            assert left >= 0
            assert top >= 0
            assert right <= room[0]
            assert bottom <= room[1]
            for one in boxes[:number]:
                assert left >= one[2] or right <= one[0] or top >= one[3] or bottom <= one[1]


LINKS = """canvas => Object.values(canvas.kgNetwork.body.edges)
  .map(({ from, to }) => [from, to].map(({ x, y }) => [x, y]))"""
EDGES_OF_BOXES = """canvas => [...canvas.kgBoxes.values()].map(({ x, y, width, height }) =>
  [x - width / 2, y - height / 2, x + width / 2, y + height / 2])"""


def test_each_link_is_level_or_upright_and_none_runs_behind_a_box(
    open_page: Open, address: str
) -> None:
    for position in ("asked", "pro"):
        page = open_page(f"{address}graph.html#line=line&at={position}")
        canvas = canvas_around(page, position)
        links, boxes = canvas.evaluate(LINKS), canvas.evaluate(EDGES_OF_BOXES)
        assert links
        for start, end in links:
            assert start[0] == end[0] or start[1] == end[1]
            x, y = ((one + other) / 2 for one, other in zip(start, end, strict=True))
            assert not any(
                left <= x <= right and top <= y <= bottom for left, top, right, bottom in boxes
            )


def test_the_arrows_and_enter_lead_through_the_picture_and_escape_leads_up(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html")
    canvas_around(page, "asked").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    canvas_around(page, "pro")
    page.keyboard.press("Enter")  # nothing is chosen
    for key in ("ArrowUp", "Enter"):
        page.keyboard.press(key)
    canvas_around(page, "asked")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    canvas_around(page, "pro")
    page.keyboard.press("Escape")
    expect(canvas_around(page, "asked")).to_be_focused()


def test_what_speaks_for_it_is_on_the_right_and_the_rest_is_counted(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html")
    columns = canvas_around(page, "asked").evaluate(
        "canvas => [...canvas.kgBoxes.values()].filter(({ edge }) => edge)"
        ".map(({ column }) => column)"
    )
    assert columns == [1]
    middle = words_of_boxes(canvas_around(page, "asked"))[-1]
    assert "nothing recorded" in middle  # of the other side, whose room it takes
    element = page.locator(".kg-graph-said")
    expect(element).to_contain_text("1 for it")


def test_an_end_of_the_scale_is_on_the_same_side_of_the_graph(
    browser: Browser, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    """A camp argues for the right end of each scale: it affirms the claim of one question, and
    denies that of the other.
    """
    camps = ("optimist:: [[pro]]", "skeptic:: [[con]]")
    corpus = corpus_of_notes(
        affirmed=claim_text("Affirmed", "optimist"),
        denied=claim_text("Denied", "skeptic"),
        pro=evidence_text("Pro", 0.8, "supports:: [[affirmed]]", "contradicts:: [[denied]]"),
        con=evidence_text("Con", 0.7, "contradicts:: [[affirmed]]", "supports:: [[denied]]"),
        here=line_text("Here?", *camps, head="proposition: affirmed\n"),
        there=line_text("There?", *camps, head="proposition: denied\n"),
    )
    root = serve(build_site(corpus, tmp_path / "site").index.parent)
    page = browser.new_page(viewport=WIDE)
    for line, claim, ends in (
        ("here", "affirmed", ["It does not hold", "It holds"]),
        ("there", "denied", ["It holds", "It does not hold"]),
    ):
        page.goto(f"{root}lines/{line}.html")
        expect(page.locator(".kg-dial-box .kg-two-ends span")).to_have_text(ends)
        page.goto(f"{root}graph.html#line={line}")
        columns = canvas_around(page, claim).evaluate(COLUMN_BY_REASON)
        assert columns == {"pro": 1, "con": -1}
        page.set_viewport_size(NARROW)
        tree = page.locator(".kg-graph-tree")
        for end in ends:
            expect(tree).to_contain_text(f"Towards “{end}”")
        left, right = (
            tree.get_by_role("link", name=name).bounding_box() for name in ("Con", "Pro")
        )
        assert left
        assert right
        assert left["x"] + left["width"] <= right["x"]
        page.set_viewport_size(WIDE)
    page.close()


def test_of_many_reasons_the_lightest_are_counted_and_shown_in_place_when_asked_for(
    browser: Browser, open_page: Open, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    texts = {f"n{n}": evidence_text(f"Study {n}", 0.5, "supports:: [[asked]]") for n in range(MANY)}
    texts["asked"] = claim_text("Asked", "optimist")
    texts["line"] = line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n")
    for name, text in texts.items():
        notes.joinpath(f"{name}.md").write_text(text, "utf-8")
    many = build_site(load_corpus(notes), tmp_path / "many").index.parent
    address = serve(many) + "graph.html"
    page = open_page(address)
    canvas = canvas_around(page, "asked")
    assert sum("Study" in box for box in words_of_boxes(canvas)) == DRAWN
    assert f"Show {MANY - DRAWN} more, lighter" in words_of_boxes(canvas)
    lowest = max(bottom for _, _, _, bottom in canvas.evaluate(DRAWN_BOXES)[1])
    place = canvas.bounding_box()
    assert place
    assert place["y"] + lowest <= 900, "on a screen of that height all is in view"
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert not any(each.startswith("Show ") for each in words_of_boxes(canvas))
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    reason_box = canvas.evaluate(PLACE_OF, "for")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": reason_box["x"], "y": reason_box["y"]})
    page.wait_for_function(
        "canvas => ![...canvas.kgBoxes.values()].some(({ opens }) => opens)",
        arg=canvas.element_handle(),
    )
    assert sum("Study" in box for box in words_of_boxes(canvas)) == MANY
    expect(page.locator(".kg-graph-lists")).to_be_hidden()
    expect(unfold(page).get_by_role("link", name="Study")).to_have_count(MANY)
    phone = browser.new_page(viewport=NARROW, has_touch=True)
    phone.goto(address)
    reasons = phone.locator(".kg-graph-tree").get_by_role("link", name="Study")
    expect(reasons).to_have_count(3)
    more = phone.locator(".kg-graph-tree").get_by_text(f"Show {MANY - 3} more, lighter")
    room = more.bounding_box()
    assert room is not None
    assert room["height"] >= FINGER
    more.tap()
    expect(reasons).to_have_count(MANY)
    phone.close()


def words_of_boxes(canvas: Locator) -> list[str]:
    words: list[str] = canvas.evaluate(
        "canvas => [...canvas.kgBoxes.values()].map(({ lines }) => lines.join(' '))"
    )
    return words


def test_a_box_that_is_picked_comes_to_the_middle_and_the_way_back_is_the_browsers(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html")
    canvas = canvas_around(page, "asked")
    place = canvas.evaluate(PLACE_OF, "pro")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": place["x"], "y": place["y"]})
    canvas_around(page, "pro")
    assert page.url.endswith("#line=line&at=pro")
    expect(middle(page)).to_contain_text("Pro")
    expect(page.locator(".kg-graph-said li").last).to_contain_text("supports")
    expect(middle(page)).to_have_attribute("href", re.compile("statements/pro.html$"))
    way(page).first.press("Enter")
    canvas_around(page, "asked")
    page.go_back()
    canvas_around(page, "pro")


def test_the_summary_above_a_picture_is_only_for_those_who_go_by_keys(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html#line=line&at=pro")
    canvas_around(page, "pro")
    element = page.locator(".kg-graph-way > li")
    for each in element.all():
        box = each.bounding_box()
        assert box
        assert box["width"] <= 1
    middle(page).focus()
    box = element.last.bounding_box()
    assert box
    assert box["width"] > 100


def test_the_claim_in_the_middle_leads_to_its_page(open_page: Open, address: str) -> None:
    page = open_page(address + "graph.html#line=line&at=pro")
    canvas = canvas_around(page, "pro")
    place = canvas.evaluate(PLACE_OF, "statements/pro.html")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": place["x"], "y": place["y"]})
    page.wait_for_url("**/statements/pro.html")


def test_on_paper_the_picture_is_as_it_was_and_what_the_answer_is_without_a_reason(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html")
    canvas_around(page, "asked")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 690, "height": 900})
    picture = canvas_around(page, "asked").locator("canvas")
    expect(picture).to_be_visible()
    assert picture.evaluate("canvas => canvas.clientWidth <= innerWidth")
    expect(page.locator(".kg-graph-lists")).to_be_hidden()
    assert any(
        box.endswith(" without it the answer is undecided")
        for box in words_of_boxes(canvas_around(page, "asked"))
    )
    page.emulate_media(media="screen")
    page.set_viewport_size(WIDE)
    canvas_around(page, "asked")
    expect(page.locator(".kg-graph-trouble")).to_be_empty()
    expect(unfold(page).locator("li", has_text="Pro").first).to_contain_text(
        re.compile(r"adds \w+ \(\d\.\d\d\)")
    )


def test_a_reason_is_reached_by_key(open_page: Open, address: str) -> None:
    page = open_page(address + "graph.html")
    canvas_around(page, "asked")
    lists = page.locator(".kg-graph-lists")
    expect(lists).to_be_hidden()
    page.get_by_label("Question").focus()
    link = lists.get_by_role("link", name=re.compile("Pro$"))
    for _ in range(10):
        page.keyboard.press("Tab")
        expect(lists).to_be_visible()
        if link.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    canvas_around(page, "pro")
    expect(middle(page)).to_contain_text("Pro")
    expect(page.locator(".kg-graph-said")).to_be_focused()


def test_the_way_down_to_the_source_stays_and_the_address_holds_it(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html#line=line&at=pro")
    canvas = canvas_around(page, "pro")
    place = canvas.evaluate(PLACE_OF, FOUND)
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": place["x"], "y": place["y"]})
    canvas = canvas_around(page, FOUND)
    steps = [[("line", "line")], [("line", "line"), ("at", "pro")]]
    links = way(page).evaluate_all("links => links.map(({ href }) => href)")
    assert [parse_qsl(urlsplit(link).fragment) for link in links[:2]] == steps
    assert links[2:] == [
        address + each for each in ("statements/pro.found.html", "sources/doe2020.html")
    ]
    study = page.locator(".kg-graph-way > li").last
    expect(study).to_have_text("Study: Doe 2020 A Study Read the paper ↗")
    for link in (study.get_by_role("link", name="Read the paper"), page.locator(".kg-graph-paper")):
        expect(link).to_have_attribute("href", "https://doi.org/10.1/j")
    assert parse_qsl(urlsplit(page.url).fragment)[1:] == [("at", "pro"), ("at", FOUND)]
    column = canvas.evaluate(
        "canvas => [...canvas.kgBoxes.values()].filter(({ column }) => column === 0)"
        ".map(({ id, picks, page }) => picks ?? page ?? id)"
    )
    assert column == ["asked", "pro", "statements/pro.found.html", "sources/doe2020.html"]
    page.goto(address + "graph.html#" + urlencode({"line": "line", "at": FOUND}))
    expect(way(page)).to_have_count(4)
    path = page.get_by_role("list", name="The way here")
    expect(path.get_by_role("link")).to_have_count(2)
    path.get_by_role("link").last.click()
    canvas_around(page, "pro")


def test_where_one_came_from_is_marked_among_the_reasons(
    site: Path, open_page: Open, address: str
) -> None:
    back = '{"origin":"asked","target":"pro","title":"contradicts","share":-1,"adds":"much"}'
    text = site.joinpath("lines/line.graph.js").read_text("utf-8")
    page = open_page(address + "404.html")
    mutual = text.replace('"edges":[', f'"edges":[{back},')
    page.route("**/line.graph.js", lambda route: route.fulfill(body=mutual))
    page.goto(address + "graph.html#" + urlencode({"line": "line", "at": "pro"}))
    rows = canvas_around(page, "pro").evaluate(
        "canvas => [...canvas.kgBoxes.values()]"
        ".find(({ picks, column }) => picks === 'asked' && column).lines"
    )
    assert "(where you came from)" in rows
    expect(unfold(page)).to_contain_text("(where you came from)")


def test_a_source_in_the_picture_leads_to_its_page(open_page: Open, address: str) -> None:
    page = open_page(address + "graph.html#" + urlencode({"line": "line", "at": FOUND}))
    canvas = canvas_around(page, FOUND)
    place = canvas.evaluate(PLACE_OF, "sources/doe2020.html")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": place["x"], "y": place["y"]})
    page.wait_for_url("**/sources/doe2020.html")


@pytest.mark.parametrize("position", ["pro&at=asked", "nowhere&at=pro", "pro&at=pro"])
def test_an_address_with_steps_that_do_not_follow_shows_the_shortest_way_to_its_end(
    position: str, open_page: Open, address: str
) -> None:
    page = open_page(f"{address}graph.html#line=line&at={position}")
    end = position.rpartition("=")[2]
    canvas_around(page, end)
    expect(way(page)).to_have_count(1 if end == "asked" else 2)


def test_on_a_narrow_screen_links_in_boxes_are_the_picture(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=NARROW, has_touch=True)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address + "graph.html")
    expect(middle(page)).to_contain_text("Asked")
    page.locator(".kg-graph-tree").get_by_role("link", name="Pro").tap()
    expect(middle(page)).to_contain_text("Pro")
    expect(page.locator(".kg-graph-canvas")).to_be_hidden()
    page.locator(".kg-graph-tree").get_by_role("link", name="Found").tap()
    expect(way(page)).to_have_count(4)
    page.go_back()
    expect(unfold(page).get_by_role("link", name="Found")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not [url for url in requests if "vis-network" in url], (
        "and half a megabyte is not loaded"
    )
    page.set_viewport_size(WIDE)
    canvas_around(page, "pro")
    expect(page.locator(".kg-graph-tree")).to_be_hidden()
    page.close()


def test_without_scripts_each_question_leads_to_its_reasons(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "graph.html")
    expect(page.get_by_text("The graph needs scripts")).to_be_visible()
    page.locator(".kg-graph a").first.click()
    page.wait_for_url("**/lines/line.html#sides")
    context.close()


def test_an_address_that_names_nothing_known_shows_the_first_question(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "graph.html#line=gone&at=nowhere")
    canvas_around(page, "asked")


def test_a_graph_is_drawn_from_the_file_system_too(site: Path, open_page: Open) -> None:
    page = open_page((site / "graph.html").as_uri())
    canvas_around(page, "asked")
    unfold(page).get_by_role("link", name=re.compile("Pro$")).click()
    canvas_around(page, "pro")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_camp_has_its_colour_in_the_picture(scheme: str, browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=WIDE, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address + "graph.html")
    border = canvas_around(page, "asked").evaluate(
        "canvas => canvas.kgNetwork.body.nodes.asked.options.color.border"
    )
    own_result = page.locator(".kg-graph-middle .kg-camp-1").evaluate(
        "link => getComputedStyle(link).getPropertyValue('--camp').trim()"
    )
    assert border == own_result
    page.close()


def test_an_objection_to_a_link_stands_beside_the_reason_where_the_way_leads_over_that_link(
    open_page: Open, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    steps = "supports:: [[asked]] ^first\n- supports:: [[other]] ^second"
    texts = {
        "asked": claim_text("Asked", "optimist"),
        "other": claim_text("Other", "optimist", "supports:: [[asked]]"),
        "found": evidence_text("Found", 0.9, steps),
        "more": evidence_text("More", 0.9, "supports:: [[other]]"),
        "doubt": evidence_text("Doubt", 0.9, "undercuts:: [[found#^second]] — it was small"),
        "line": line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    }
    for name, text in texts.items():
        notes.joinpath(f"{name}.md").write_text(text, "utf-8")
    address = serve(build_site(load_corpus(notes), tmp_path / "site").index.parent) + "graph.html"
    page = open_page(f"{address}#line=line&at=found")
    canvas_around(page, "found")
    expect(page.locator(".kg-graph summary", has_text="As a list")).to_be_hidden()
    page.goto(f"{address}#line=line&at=other&at=found")
    expect(page.get_by_role("list", name="The way here").get_by_role("listitem")).to_have_count(3)
    objection = unfold(page).get_by_role("listitem")
    expect(objection).to_have_count(1)
    expect(objection).to_contain_text("Doubt")
    expect(objection).to_contain_text("doubts the link to “Other”")
    page.goto(f"{address}#line=line&at=doubt")
    canvas_around(page, "doubt")
    expect(way(page)).to_have_text(["Here?", "Other", "Found", "Doubt"])


def test_what_is_said_of_a_reason_leaves_the_middle_in_sight(open_page: Open, address: str) -> None:
    page = open_page(address + "graph.html#" + urlencode({"line": "line"}))
    canvas = canvas_around(page, "asked")
    rims = """canvas => {
      const boxes = [...canvas.kgBoxes.values()];
      const inPage = ({ x, y }) => {
        const at = canvas.kgNetwork.canvasToDOM({ x, y });
        const { left, top } = canvas.getBoundingClientRect();
        return { x: at.x + left, y: at.y + top };
      };
      const middle = boxes.find(({ id }) => id === canvas.dataset.kgMiddle);
      const reason = boxes.find(({ column, edge }) => column === 1 && edge);
      const rim = { x: middle.x + middle.width / 2, y: middle.y };
      return [inPage(reason), inPage(rim)];
    }"""
    reason, rim = canvas.evaluate(rims)
    page.mouse.move(reason["x"] - 4, reason["y"])
    page.mouse.move(reason["x"], reason["y"])
    tip = canvas.locator(".vis-tooltip")
    expect(tip).to_be_visible()
    box = tip.bounding_box()
    assert box is not None
    assert box["x"] > rim["x"]


def test_a_note_on_a_box_waits_for_a_rest_and_a_pick_does_not_bring_the_next(
    open_page: Open, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    """The claim that is picked gives way to a reason for it, which then lies under the pointer."""
    numbers = range(3)
    texts = {
        f"e{n}": evidence_text(f"Study {n}", 0.8, *(f"supports:: [[c{k}]]" for k in numbers))
        for n in numbers
    }
    texts |= {
        f"c{n}": claim_text(f"Claim {n}", "optimist", "supports:: [[asked]]") for n in numbers
    }
    texts["asked"] = claim_text("Asked", "optimist")
    texts["line"] = line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n")
    address = serve(build_site(corpus_of_notes(**texts), tmp_path / "site").index.parent)
    page = open_page(address + "graph.html")
    canvas = canvas_around(page, "asked")
    notes = page.locator(".kg-graph-canvas .vis-tooltip:visible")
    place = canvas.evaluate(IN_WINDOW, "c1")
    rest_at(page, place)
    page.wait_for_timeout(REST / 2)
    expect(notes).to_have_count(0)
    expect(notes).to_have_count(1)
    page.mouse.down()
    page.mouse.up()
    canvas = canvas_around(page, "c1")
    assert canvas.evaluate(HAS_NOTE, place), "there is a reason under the pointer"
    rest_at(page, place)
    page.wait_for_timeout(2 * REST)
    page.mouse.move(place["x"] + 1, place["y"])
    expect(notes).to_have_count(0)
    rest_at(page, canvas.evaluate(IN_WINDOW, "statements/c1.html"))
    rest_at(page, place)
    expect(notes).to_have_count(1)


def rest_at(page: Page, place: dict[str, float]) -> None:
    """Move the pointer there from nearby."""
    page.mouse.move(place["x"] - 3, place["y"])
    page.mouse.move(place["x"], place["y"])
