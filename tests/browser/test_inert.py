"""A name that would be a picture, a form and a link if anything read it as HTML stays a text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kg.loader import load_corpus
from kg.publish.build.site import build_site
from tests.browser.sample_notes import FOUND

EVIL = (
    "<img class=evil src=x onerror=window.ran=1>"
    "<form class=evil action=//evil.example><a class=evil href=//evil.example>click</a>"
)
# No slash stands in the name of a file.
FILE = "<img class=evil src=x onerror=window.ran=1>" if os.name == "posix" else "evil"
CONFIG = """name = '{evil}'
[site]
name = '{evil}'
description = '{evil}'
builder = '{builder}'
[[camps]]
id = "optimist"
label = '{evil}'
[[camps]]
id = "skeptic"
label = "Sceptic"
"""
CLAIM = """---
type: claim
camp: {camp}
topics: ['{evil}']
about: ['{evil}']
aliases: ['{evil}']
---

# {title}

Text with "{evil}", [a link](https://example.org "{evil}"), `{evil}` and *{evil}*.

## {evil} as a heading {evil}

{more}
"""
LINE = """---
type: line
proposition: asked
topics: ['{evil}']
reviewed: 2026-01-01
---

# Is it so, {evil}?

A standfirst {evil}.

## {evil} as a heading that is far too long for the table of contents

The essay leans on [[pro|{evil}]] and on [[pro#^found|a finding]] [@doe2020, {evil}].

## Camps

- optimist:: [[pro]] — {evil}
- skeptic:: [[con]] — {evil}
"""
BIB = """@article{{doe2020, title = {{{evil}}}, author = {{{evil}, Ann}}, year = {{2020}},
  journal = {{{evil}}}, publisher = {{{evil}}}, abstract = {{{evil}}}, keywords = {{{evil}}}}}
"""

# Whatever is added, however briefly, is seen: by its mark, or by what it would do.
WATCH = """window.seen = [];
const hostile = ".evil, img[src=x], [onerror], [action*=evil], [href*='//evil']";
new MutationObserver((records) => {
  for (const { addedNodes } of records) for (const node of addedNodes) {
    if (node.nodeType !== 1) continue;
    for (const one of [node, ...node.querySelectorAll("*")]) {
      if (one.matches(hostile)) window.seen.push(one.outerHTML);
    }
  }
}).observe(document, { childList: true, subtree: true });"""
TOUCH_ALL = """async () => {
  const shown = (one) => !one.closest("script, style");
  const all = [...document.body.querySelectorAll("*")].filter(shown);
  const pointer = { bubbles: true, pointerType: "mouse" };
  for (const one of all) {
    one.dispatchEvent(new PointerEvent("pointerover", pointer));
    one.dispatchEvent(new MouseEvent("mouseenter"));
    one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    if (one.tabIndex >= 0 || one.matches("a, [tabindex]")) one.focus();
  }
  await new Promise((done) => setTimeout(done, 800));
  return all.length;
}"""
PAGES = (
    "index.html",
    "lines/line.html",
    "lines/index.html",
    "statements/asked.html",
    "statements/index.html",
    "sources/doe2020.html",
    "sources/index.html",
    "topics/index.html",
    "camps/optimist.html",
    "graph.html",
    "disputes.html",
    "gaps.html",
    "figures.html",
    "recent.html",
    "how-to-read.html",
    "404.html",
)
Builder = Literal["mkdocs", "zensical"]
# Articles are the same in each shell.
OPENED: dict[Builder, tuple[str, ...]] = {
    "mkdocs": PAGES,
    "zensical": ("lines/line.html", "404.html"),
}


def write_hostile(folder: Path, builder: Builder) -> Path:
    """A corpus with the name in every field that takes words."""
    notes = folder / "notes"
    notes.mkdir()
    passage = FOUND.replace("Found 77% of it", f"Found {EVIL}")
    texts = {
        "asked": _claim("optimist", f"Asked {EVIL}"),
        "pro": _claim("optimist", EVIL, f"{passage}- supports:: [[asked]] — {EVIL}"),
        "con": _claim("skeptic", f"Con {EVIL}", f"- contradicts:: [[asked]] — {EVIL}"),
        FILE: _claim("skeptic", f"Named {EVIL}", f"- contradicts:: [[pro]] — {EVIL}"),
        "line": LINE.format(evil=EVIL),
    }
    for name, text in texts.items():
        notes.joinpath(f"{name}.md").write_text(text, "utf-8")
    notes.joinpath("references.bib").write_text(BIB.format(evil=EVIL), "utf-8")
    notes.joinpath("README.md").write_text(f"# {EVIL}\n\n{EVIL}\n", "utf-8")
    folder.joinpath("kg.toml").write_text(CONFIG.format(evil=EVIL, builder=builder), "utf-8")
    return notes


def _claim(camp: str, title: str, more: str = "") -> str:
    return CLAIM.format(camp=camp, title=title, more=more, evil=EVIL)


@pytest.fixture(scope="module", params=["mkdocs", "zensical"])
def builder(request: pytest.FixtureRequest) -> Builder:
    return request.param


@pytest.fixture(scope="module")
def hostile(
    builder: Builder, tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]
) -> str:
    """The address of that corpus' site, with the theme of each builder."""
    notes = write_hostile(tmp_path_factory.mktemp("hostile"), builder)
    report = build_site(load_corpus(notes), tmp_path_factory.mktemp("site"))
    assert report.fallback == ""
    return serve(report.index.parent)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that notes every hostile element."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(WATCH)
    yield page
    page.close()


def test_a_hostile_name_is_a_text_on_every_page_whatever_is_pointed_at(
    context: BrowserContext, hostile: str, builder: Builder
) -> None:
    """All pages are open at once, so that what comes late has its time in all together."""
    context.add_init_script(WATCH)
    pages = {url: context.new_page() for url in OPENED[builder]}
    for url, page in pages.items():
        page.goto(hostile + url)
        page.evaluate(f"() => {{ window.touched = ({TOUCH_ALL})(); }}")
    for url, page in pages.items():
        assert page.evaluate("window.touched") > 50
        assert page.evaluate("window.seen") == [], url
        assert page.evaluate("window.ran") is None


def test_a_hostile_name_is_a_text_where_a_reader_rests(page: Page, hostile: str) -> None:
    page.clock.install()
    page.goto(hostile + "lines/line.html")
    for part in (".md-header .md-logo", ".md-header__title"):
        page.locator(part).hover()
        page.clock.run_for(1000)  # as if it rested there
    page.locator(".kg-verdict a.kg-chip").first.hover()
    expect(page.locator(".kg-preview")).to_contain_text("onerror")
    page.keyboard.press("Escape")
    page.goto(hostile + "graph.html")
    expect(page.locator(".kg-graph[data-kg-shown]")).to_have_count(1)
    place = page.locator(".kg-graph-canvas").evaluate("""canvas => {
      const [box] = [...canvas.kgBoxes.values()].filter(({ picks }) => picks);
      return canvas.kgNetwork.canvasToDOM({ x: box.x, y: box.y });
    }""")
    canvas = page.locator(".kg-graph-canvas").bounding_box()
    assert canvas
    page.mouse.click(canvas["x"] + place["x"], canvas["y"] + place["y"])
    page.clock.run_for(1000)
    expect(page.get_by_role("list", name="The way here")).to_be_visible()
    expect(page.locator(".kg-graph-said")).to_contain_text("onerror")
    assert page.evaluate("window.seen") == []


def test_a_hostile_name_is_a_text_among_results(page: Page, hostile: str) -> None:
    page.goto(hostile)
    page.keyboard.press("/")
    page.locator("[name=query]").fill("onerror")
    expect(page.locator(".kg-search-result__item").first).to_contain_text("<img")
    assert page.evaluate("window.seen") == []
