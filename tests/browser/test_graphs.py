"""Maps and graphs: moved and searched, by hand and by key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from kg.publish.graphics.boxes import BOX_WIDTH

Open = Callable[[str], Page]
DRAWN_BOXES = """area => Object.keys(area.kgNetwork.getPositions()).map((id) =>
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


def test_a_map_shows_what_a_box_is_joined_to_and_zooms(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.locator(".kg-map-node[data-id=pro]").hover()
    expect(page.locator(".kg-map-node.kg-on")).to_have_count(3)
    expect(page.locator(".kg-map-edge.kg-on")).to_have_count(2)
    drawing = page.locator(".kg-map-view > svg")
    before = float(drawing.get_attribute("width") or 0)
    page.get_by_role("button", name="Zoom in").first.click()
    assert float(drawing.get_attribute("width") or 0) > before
    page.locator(".kg-map-node[data-id=pro]").click()
    page.wait_for_url("**/statements/pro.html")


def test_a_map_is_dragged_and_stands_in_words_too(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    for _ in range(8):
        page.get_by_role("button", name="Zoom in").first.click()
    view = page.locator(".kg-map-view").first
    view.scroll_into_view_if_needed()
    room = view.bounding_box()
    assert room
    page.mouse.move(room["x"] + 40, room["y"] + 6)
    page.mouse.down()
    page.mouse.move(room["x"] + 10, room["y"] + 6, steps=3)
    page.mouse.up()
    assert view.evaluate("view => view.scrollLeft") == 30
    page.get_by_text("The same in words").last.click()
    expect(page.locator("#map-words")).to_contain_text("supported by")


def test_where_there_is_little_room_a_map_opens_at_what_is_weighed_in_full_size(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "404.html")
    narrow = "document.querySelector('.kg-map').classList.remove('kg-map-wide')"
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', () => {{ {narrow}; }})")
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto(address + "lines/line.html#map")
    view = page.locator(".kg-map-view")
    expect(page.locator(".kg-map > .kg-map-tools")).to_be_visible()
    weighed, room = page.locator(".kg-map-focus rect").bounding_box(), view.bounding_box()
    assert weighed
    assert room
    assert view.evaluate("view => view.scrollWidth") > 1.5 * room["width"]
    assert weighed["width"] == pytest.approx(BOX_WIDTH, abs=3)  # with its border
    # it stands leftmost, so the view cannot have it in its middle
    assert room["x"] <= weighed["x"] < room["x"] + room["width"] - weighed["width"]
    assert room["y"] < weighed["y"] < room["y"] + room["height"] - weighed["height"]


@pytest.mark.parametrize("wide", [1280, 800])
def test_no_link_of_a_map_runs_behind_a_box(wide: int, open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": wide, "height": 800})
    expect(page.locator(".kg-map > .kg-map-tools")).to_be_visible()
    boxes, behind = page.evaluate(BEHIND)
    assert 3 <= boxes <= 15
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


def test_a_map_wider_than_a_phone_is_left_out_there(open_page: Open, address: str) -> None:
    page = open_page(address + "lines/line.html#map")
    figure, view = page.locator(".kg-map"), page.locator(".kg-map-view")
    expect(view).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 780})
    for part in (view, figure.locator(".kg-legend"), figure.locator(".kg-map-tools")):
        expect(part).to_be_hidden()
    expect(page.locator("summary", has_text="The same in words")).to_be_visible()


def test_graphs_are_drawn_from_the_file_system_too(site: Path, open_page: Open) -> None:
    page = open_page((site / "lines/line.html").as_uri() + "#map")
    page.locator("[data-kg-draw]").click()
    expect(page.locator(".kg-graph[data-kg-nodes]")).to_have_count(1)


@pytest.mark.parametrize("wide", [1280, 360])
def test_a_graph_unfolds_what_bears_on_a_statement_and_no_box_lies_on_another(
    wide: int, open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html#map")
    page.set_viewport_size({"width": wide, "height": 800})
    page.get_by_role("button", name="Explore as a graph").click()
    graph = page.locator(".kg-graph[data-kg-nodes]")
    expect(graph).to_have_count(1)
    assert overlapping(graph) == []
    canvas = page.locator(".kg-graph-canvas")
    canvas.focus()
    page.keyboard.press("n")
    expect(page.locator(".kg-graph-said a")).to_contain_text("Asked")
    page.keyboard.press("n")
    chosen = page.locator(".kg-graph-said a").inner_text()
    few = int(graph.get_attribute("data-kg-nodes") or 0)
    page.keyboard.press(" ")
    expect(graph).not_to_have_attribute("data-kg-nodes", str(few))
    assert overlapping(graph) == []
    before = pixels(canvas.locator("canvas"))
    page.keyboard.press("+")
    expect_change(canvas.locator("canvas"), before)
    page.keyboard.press("Enter")
    page.wait_for_url("**/statements/*.html")
    assert page.locator("h1").inner_text() in chosen


def test_a_graph_has_what_speaks_for_a_claim_on_the_right_and_all_in_view(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html#map")
    page.get_by_role("button", name="Explore as a graph").click()
    graph = page.locator(".kg-graph[data-kg-nodes]")
    expect(graph).to_have_count(1)
    places = graph.evaluate("area => area.kgNetwork.getPositions()")
    assert places["pro"]["x"] > places["asked"]["x"] == 0
    assert places["con"]["x"] < 0
    for _ in range(40):  # until all is unfolded
        page.locator(".kg-graph-canvas").press("n")
        page.locator(".kg-graph-canvas").press(" ")
    assert overlapping(graph) == []


def test_what_is_unfolded_in_a_graph_leaves_all_else_in_its_place(
    open_page: Open, address: str
) -> None:
    page = open_page(address + "lines/line.html#map")
    page.get_by_role("button", name="Explore as a graph").click()
    graph = page.locator(".kg-graph[data-kg-nodes]")
    expect(graph).to_have_count(1)
    places = "area => area.kgNetwork.getPositions()"
    before, unfolded = graph.evaluate(places), False
    for _ in range(40):  # to each statement, until one unfolds
        page.locator(".kg-graph-canvas").press("n")
        page.locator(".kg-graph-canvas").press(" ")
        if unfolded := len(after := graph.evaluate(places)) > len(before):
            break
    assert unfolded
    assert {id: after[id] for id in before} == before
    assert len({(each["x"], each["y"]) for each in after.values()}) == len(after)
