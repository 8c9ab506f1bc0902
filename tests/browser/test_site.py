from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kg.corpus import assemble
from kg.publish.build.site import build_site
from kg.publish.page import Heading
from kg.publish.page import Page as SitePage

FORBIDDEN = """<h1>Forbidden</h1>
<script>window.ran = "inline"</script>
<script src="https://example.org/a.js"></script>
<img src="https://example.org/a.png" alt="">
<p id="styled" style="color: rgb(1, 2, 3)">styled</p>
<button id="handler" onclick="window.ran = 'handler'">press</button>
<a id="address" href="javascript:window.ran='address'">follow</a>
<iframe src="https://example.org/"></iframe>
<form action="https://example.org/"><button id="sent">send</button></form>"""


def pages(context: object) -> Iterator[SitePage]:
    link = '<p><a href="statements/one.html">One</a></p>'
    yield SitePage(url="index.html", kind="home", title="Home", html=f"<h1>Home</h1>{link}")
    yield SitePage(
        url="statements/one.html",
        kind="x",
        title="One",
        html='<h1>One</h1><h2 id="part">Part</h2><p>Text</p>',
        toc=(Heading(id="part", text="Part"),),
        aliases=("old",),
        linked_data='{"name": "</script><script>window.ran = 1</script>"}',
    )
    yield SitePage(url="forbidden.html", kind="x", title="Forbidden", html=FORBIDDEN)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = assemble([], [], [])
    return build_site(corpus, tmp_path_factory.mktemp("site"), pages=(pages,)).index.parent


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    return serve(site)


@pytest.mark.parametrize("from_disk", [False, True])
def test_a_reader_walks_in_and_back(
    from_disk: bool, open_page: Callable[[str], Page], site: Path, address: str
) -> None:
    page = open_page((site / "index.html").as_uri() if from_disk else address)
    page.get_by_role("link", name="One", exact=True).click()
    expect(page).to_have_title("One – Inquiry lines")
    expect(page.get_by_role("heading", name="One")).to_be_visible()
    page.get_by_role("link", name="Part").first.click()
    assert page.url.endswith("#part")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()


TRY_EVERYTHING = """async () => {
    for (const id of ["handler", "address", "sent"]) document.getElementById(id).click();
    await new Promise((done) => setTimeout(done, 300));
    const colour = getComputedStyle(document.getElementById("styled")).color;
    return { ran: window.ran ?? null, colour };
}"""
DIRECTIVES = {
    "form-action",
    "frame-src",
    "img-src",
    "script-src-attr",
    "script-src-elem",
    "style-src-attr",
}
NOTE_VIOLATIONS = """window.broken = [];
const note = (event) => window.broken.push(event.effectiveDirective);
document.addEventListener("securitypolicyviolation", note);"""


def test_the_policy_is_enforced(browser: Browser, address: str) -> None:
    page = browser.new_page()
    answered: list[str] = []
    page.on("response", lambda response: answered.append(response.url))
    page.add_init_script(NOTE_VIOLATIONS)
    page.goto(f"{address}forbidden.html")
    effects = page.evaluate(TRY_EVERYTHING)
    assert effects["ran"] is None
    assert effects["colour"] != "rgb(1, 2, 3)"
    page.wait_for_function(f"new Set(window.broken).size >= {len(DIRECTIVES)}")
    assert {*page.evaluate("window.broken")} == DIRECTIVES
    assert [url for url in answered if not url.startswith(address)] == []
    page.close()


def test_an_old_address_leads_on(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(f"{address}statements/old.html")
    page.wait_for_url("**/statements/one.html")
    expect(page.get_by_role("heading", name="One")).to_be_visible()


def test_colours_can_be_chosen_and_are_kept(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address)
    scheme = functools.partial(page.locator("body").get_attribute, "data-md-color-scheme")
    assert scheme() == "default"
    page.locator("label.md-header__button[for^=__palette]:visible").click()
    assert scheme() == "slate"
    page.goto(f"{address}statements/one.html")
    assert scheme() == "slate"


def test_each_press_changes_the_colours_and_where_they_are_the_devices_follows_it(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    body, button = page.locator("body"), page.locator("label.md-header__button[for^=__palette]")
    press = button.locator("visible=true").click
    for device, own, other in (("light", "default", "slate"), ("dark", "slate", "default")):
        page.emulate_media(color_scheme=device)
        for scheme in (other, own):
            press()
            expect(body).to_have_attribute("data-md-color-scheme", scheme)
        page.emulate_media(color_scheme="dark" if device == "light" else "light")
        expect(body).to_have_attribute("data-md-color-scheme", other)


def test_everything_can_be_read_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}statements/one.html")
    expect(page.get_by_text("Text", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Questions").first).to_be_visible()
    expect(page.locator("[data-kg-search] input")).to_be_hidden()
    context.close()


def test_nothing_is_wider_than_the_screen(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(f"{address}statements/one.html")
    for width in (320, 768, 1400):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
