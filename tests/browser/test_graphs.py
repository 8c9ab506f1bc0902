"""Maps and graphs: moved and searched, by hand and by key."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

Open = Callable[[str], Page]
DRAWN_BOXES = """area => [...area.kgBoxes.keys()].map((id) =>
  ({ id, ...area.kgNetwork.getBoundingBox(id) }))"""


BEHIND = """() => {
  const boxes = [...document.querySelectorAll(".kg-map-node")].map((node) =>
    [node.dataset.id, node.querySelector("rect").getBoundingClientRect()]);
  const behind = [];
  for (const edge of document.querySelectorAll(".kg-map-edge")) {
    const path = edge.querySelector("path"), place = path.getScreenCTM();
    if (!edge.dataset.from || !place) continue;
    for (let at = 0; at <= path.getTotalLength(); at += 2) {
      const { x, y } = path.getPointAtLength(at).matrixTransform(place);
      const other = boxes.find(([id, box]) => id !== edge.dataset.from && id !== edge.dataset.to
        && x > box.left && x < box.right && y > box.top && y < box.bottom);
      if (other) behind.push([edge.dataset.from, edge.dataset.to, other[0]]);
    }
  }
  return [boxes.length, behind];
}"""
THROUGH_ALL = """() => {
  const places = [...document.querySelectorAll(".kg-map-node")].map((node) =>
    node.getAttribute("transform").match(/[-\\d.]+/g).map((way) => Number(way) + 9).join(" "));
  const path = document.querySelector(".kg-map-view .kg-map-edge path");
  path.setAttribute("d", `M${places.join("L")}`);
}"""


def overlapping(graph: Locator) -> list[tuple[str, str]]:
    """The boxes of a graph that lie on each other as they are drawn."""
    boxes = graph.evaluate(DRAWN_BOXES)
    assert boxes
    return [
        (one["id"], other["id"])
        for at, one in enumerate(boxes)
        for other in boxes[:at]
        if one["left"] < other["right"]
        and other["left"] < one["right"]
        and one["top"] < other["bottom"]
        and other["top"] < one["bottom"]
    ]


def pixels(canvas: Locator) -> str:
    """What a canvas shows now."""
    return str(canvas.evaluate("canvas => canvas.toDataURL()"))


def expect_change(canvas: Locator, before: str) -> None:
    """Wait until a canvas shows something else."""
    canvas.page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before", arg=[canvas.element_handle(), before]
    )


def test_a_map_shows_what_a_box_is_joined_to(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator(".kg-map-node[data-id=pro]").hover()
    expect(page.locator(".kg-map-node.kg-on[data-id=asked]")).to_have_count(1)
    expect(page.locator(".kg-map-edge.kg-on[data-from=pro]")).to_have_count(1)
    expect(page.locator(".kg-map-node[data-id=con]:not(.kg-on)")).to_have_count(1)
    page.locator(".kg-map-node[data-id=pro]").click()
    page.wait_for_url("**/statements/pro.html")


def test_a_map_is_seen_whole_with_words_of_full_size(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": 1280, "height": 800})
    view, drawing = page.locator(".kg-map-view"), page.locator(".kg-map-view > svg")
    room, drawn = view.bounding_box(), drawing.bounding_box()
    assert room
    assert drawn
    assert drawn["width"] <= room["width"]
    assert drawn["height"] <= 800 - 96, "a screen without the header"
    scale = drawing.evaluate("svg => svg.getScreenCTM().a")
    size = page.locator(".kg-map text").first.evaluate("text => getComputedStyle(text).fontSize")
    assert scale * float(size.removesuffix("px")) >= 13


def test_no_link_of_a_map_runs_behind_a_box(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".kg-map-view")).to_be_visible()
    boxes, behind = page.evaluate(BEHIND)
    assert boxes >= 3
    assert not behind
    page.evaluate(THROUGH_ALL)
    assert page.evaluate(BEHIND)[1], "what the measure is for"


def test_a_card_leaves_the_map_in_sight(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": 1280, "height": 800})
    view, node = page.locator(".kg-map-view"), page.locator(".kg-map-node").last
    node.scroll_into_view_if_needed()
    node.hover()
    expect(page.locator(".kg-preview")).to_be_visible()
    card, drawn = page.locator(".kg-preview").bounding_box(), view.bounding_box()
    assert card
    assert drawn
    assert card["x"] >= drawn["x"] + drawn["width"]


@pytest.mark.parametrize("wide", [800, 360])
def test_where_a_map_does_not_fit_a_sentence_says_where_its_reasons_stand(
    wide: int, open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": 1280, "height": 780})
    view, instead = page.locator(".kg-map-view"), page.locator(".kg-map-left-out")
    expect(view).to_be_visible()
    expect(instead).to_be_hidden()
    page.set_viewport_size({"width": wide, "height": 780})
    expect(view).to_be_hidden()
    expect(instead).to_be_visible()
    expect(instead.get_by_role("link")).to_have_attribute("href", re.compile("#sides$"))
    expect(page.locator("h2#sides")).to_have_count(1)


def test_graphs_are_drawn_from_the_file_system_too(site: Path, open_page: Open) -> None:
    page = open_page((site / "lines/line.html").as_uri() + "#map")
    page.locator("[data-kg-draw]").click()
    expect(page.locator(".kg-graph[data-kg-nodes]")).to_have_count(1)


def draw(page: Page) -> Locator:
    """The graph of the page, drawn."""
    page.get_by_role("button", name="Explore as a graph").click()
    graph = page.locator(".kg-graph[data-kg-nodes]")
    expect(graph).to_have_count(1)
    return graph


def test_a_graph_that_is_drawn_comes_into_view(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": 1280, "height": 500})
    graph = draw(page)
    expect(graph).to_be_in_viewport()
    top = graph.evaluate("area => area.getBoundingClientRect().top")
    assert 0 <= top < 120, "only the header of the page stands above it"


@pytest.mark.parametrize("wide", [1280, 360])
def test_what_is_picked_in_a_graph_comes_to_the_middle_with_what_is_known_of_it(
    wide: int, open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": wide, "height": 800})
    graph, said = draw(page), page.locator(".kg-graph-said")
    canvas = page.locator(".kg-graph-canvas")
    asked = graph.get_attribute("data-kg-middle")
    expect(said.locator("strong a")).to_contain_text("Asked")
    expect(said).to_contain_text("against it in this graph")
    canvas.focus()
    page.keyboard.press("n")
    chosen = said.locator("strong a").inner_text()
    page.keyboard.press(" ")
    expect(graph).not_to_have_attribute("data-kg-middle", str(asked))
    expect(said.locator("strong a")).to_have_text(chosen)
    expect(said.locator("li").first).to_contain_text("Asked")
    before = pixels(canvas.locator("canvas"))
    page.keyboard.press("+")
    expect_change(canvas.locator("canvas"), before)
    page.get_by_role("button", name="Back to what is asked").click()
    expect(graph).to_have_attribute("data-kg-middle", str(asked))
    page.keyboard.press("n")
    canvas.focus()
    page.keyboard.press("n")
    chosen = said.locator("strong a").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url("**/statements/*.html")
    assert page.locator("h1").inner_text() in chosen


@pytest.mark.parametrize("wide", [1280, 800, 360])
def test_all_that_a_graph_draws_is_in_view_at_full_size_and_no_box_lies_on_another(
    wide: int, open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": wide, "height": 800})
    graph, canvas = draw(page), page.locator(".kg-graph-canvas")
    for _ in range(6):  # whatever is in the middle
        assert overlapping(graph) == []
        assert graph.evaluate("area => area.kgNetwork.getScale()") == 1
        room, boxes = graph.evaluate(
            """area => { const { clientWidth, clientHeight } = area.querySelector("canvas");
            return [[clientWidth, clientHeight], [...area.kgBoxes.keys()].map((id) => {
              const { left, top, right, bottom } = area.kgNetwork.getBoundingBox(id);
              const [from, to] = [[left, top], [right, bottom]].map(([x, y]) =>
                area.kgNetwork.canvasToDOM({ x, y }));
              return [from.x, from.y, to.x, to.y];
            })]; }"""
        )
        for left, top, right, bottom in boxes:
            assert left >= 0
            assert top >= 0
            assert right <= room[0]
            assert bottom <= room[1]
        canvas.press("n")
        canvas.press(" ")


def test_a_graph_has_what_speaks_for_a_claim_on_the_right(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    places = draw(page).evaluate("area => area.kgNetwork.getPositions()")
    assert places["pro"]["x"] > places["asked"]["x"] == 0
    assert places["con"]["x"] < 0
