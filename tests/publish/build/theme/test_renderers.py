from __future__ import annotations

from pathlib import Path

import pytest

from kg.model.settings.config import Config, Site
from kg.publish.build.theme.renderers import (
    NOT_FOUND,
    PlainProject,
    Splicer,
    alias_urls,
    empty_page,
    parse_page,
    render_redirect,
    render_source,
)
from kg.publish.build.theme.shell import LONE_STENCIL, Shell, get_inputs
from kg.publish.build.theme.stencil import StencilError
from kg.publish.page import Page

HOSTILE = "</title><script>alert(1)</script>\"'&"
CONFIG = Config(site=Site(name="N & M", description="Of the site"))
CHARSET = '<meta charset="utf-8">'
STENCIL = (
    f"<head>{CHARSET}<title>kg-slot-document-title</title>"
    '<meta name="description" content="kg-slot-description"><!--kg-slot-head--></head>'
    '<a href="#x" class="md-skip">Skip</a><p>{}: kg-slot-site-name</p>'
    '<nav class="md-nav md-nav--secondary"><li><a class="md-nav__link" '
    'href="#kg-slot-heading">kg-slot-heading</a></li></nav>'
    '<article class="md-content__inner"><!--kg-slot-article--></article>'
)


def page_at(url: str, html: str = "<h1>A</h1>", **fields: str | tuple[str, ...]) -> Page:
    return Page(url=url, kind="statement", html=html, **{"title": "A", **fields})  # type: ignore[arg-type]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell as the theme would make it: each page of it says its own address."""
    lone = LONE_STENCIL.replace(".md", ".html")
    stencils = ("index.html", "statements/index.html", lone)
    for url in stencils:
        (tmp_path / url).parent.mkdir(exist_ok=True)
        (tmp_path / url).write_text(STENCIL.format(url), "utf-8")
    for url in ("about.html", NOT_FOUND):
        (tmp_path / url).write_text(f"{CHARSET}<p>{url} of kg-slot-site-name</p>", "utf-8")
    return Shell(tmp_path, stencils, ("about.html",))


@pytest.mark.parametrize(
    ("url", "stencil"),
    [
        ("index.html", "index.html"),
        ("statements/index.html", "statements/index.html"),
        ("statements/a.html", "statements/index.html"),
        ("lines/a.html", LONE_STENCIL.replace(".md", ".html")),
        ("a.html", LONE_STENCIL.replace(".md", ".html")),
    ],
)
def test_a_page_takes_its_own_stencil_or_that_of_its_folder_or_the_default(
    url: str, stencil: str, shell: Shell
) -> None:
    assert f"<p>{stencil}: N &amp; M</p>" in Splicer(shell, CONFIG).add(page_at(url)).decode()


def test_a_page_of_the_navigation_that_the_corpus_lacks_says_so(shell: Shell) -> None:
    assert Splicer(shell, CONFIG).sections == ("index.html", "statements/index.html")
    page = empty_page("open-questions/index.html")
    assert page.html == "<h1>Open questions</h1>\n<p>This corpus has nothing here yet.</p>"
    assert not page.in_search


def test_the_title_and_description_of_a_page_are_escaped(shell: Shell) -> None:
    splicer = Splicer(shell, CONFIG)
    text = splicer.add(page_at("a.html", title=HOSTILE, description=HOSTILE)).decode()
    assert "<script>alert" not in text
    assert "<title>&lt;/title&gt;" in text
    assert " – N &amp; M</title>" in text
    home = splicer.add(page_at("index.html")).decode()
    assert "<title>N &amp; M</title>" in home
    assert 'content="Of the site"' in home


def test_links_to_the_folder_of_a_page_are_relative_to_it(shell: Shell) -> None:
    html = '<a href="../statements/b.html">B</a><a href="../lines/c.html">C</a>'
    splicer = Splicer(shell, CONFIG)
    text = splicer.add(page_at("statements/a.html", html)).decode()
    assert '<a href="b.html">B</a><a href="../lines/c.html">C</a>' in text
    assert html in splicer.add(page_at("statements/x/a.html", html)).decode()


def test_pages_written_by_hand_and_the_page_for_lost_readers_come_last(shell: Shell) -> None:
    pages = dict(Splicer(shell, CONFIG).finish())
    assert [*pages] == ["about.html", NOT_FOUND]
    assert "about.html of N &amp; M" in pages["about.html"]


def test_a_theme_without_a_place_for_the_article_is_refused(shell: Shell) -> None:
    place = shell.folder / "index.html"
    place.write_text(place.read_text("utf-8").replace("<!--kg-slot-article-->", ""), "utf-8")
    with pytest.raises(StencilError, match="kg-slot-article"):
        Splicer(shell, CONFIG)


def test_search_finds_a_handwritten_page_by_its_text_and_the_questions_in_its_headings() -> None:
    html = (
        "<nav><h2>Menu?</h2></nav><article class='x'><h1>Terms &amp; <i>words</i></h1><p>One.</p>"
        "<h2>Short. How <em>sure</em>?</h2><h3>No question</h3><p>Two.</p></article>"
    )
    page = parse_page("terms.html", html)
    assert (page.title, page.html) == ("Terms & words", "")
    assert [*map(str.split, page.names)] == [["How", "sure", "?"]]
    assert page.keywords.split() == ["Short.", "How", "sure", "?", "No", "question"]
    assert "Menu" not in page.search_text
    assert [part.strip() for part in page.search_text.split("\n\n")][1] == "One."


def test_a_handwritten_page_without_title_or_article_is_called_by_its_address() -> None:
    page = parse_page("terms.html", "<p>Words</p>")
    assert (page.title, page.search_text, page.names) == ("terms.html", "", ())


def test_former_addresses_are_aliases_but_for_questions() -> None:
    aliases = ("old name", "lines/b.html", "Is it so?")
    page = page_at("statements/a.html", aliases=aliases)
    assert [*alias_urls(page)] == ["statements/old~20~name.html", "lines/b.html"]


def test_a_redirect_leads_to_the_page_and_runs_nothing() -> None:
    text = render_redirect("lines/b.html", page_at("statements/a.html", title=HOSTILE))
    assert '<meta http-equiv="refresh" content="0; url=../statements/a.html">' in text
    assert '<link rel="canonical" href="../statements/a.html">' in text
    assert '<meta name="robots" content="noindex">' in text
    assert "default-src 'none'" in text
    assert "<script>" not in text


def test_the_source_of_a_page_holds_its_html_and_escapes_its_title() -> None:
    text = render_source(page_at("a.html", "<p>*x*</p>", title="A & <b>"))
    head, _, body = text.removeprefix("---\n").partition("---\n")
    assert "A &amp; &lt;b&gt;" in head
    assert "exclude: true" in head
    assert body == '\n<div markdown="0">\n<p>*x*</p>\n</div>\n'


def test_a_project_of_the_builder_has_a_source_for_each_page(tmp_path: Path) -> None:
    project = PlainProject(tmp_path / "project", get_inputs(), CONFIG)
    assert "statements/index.html" in project.sections
    assert "how-to-read.html" not in project.sections, "it is written by hand"
    project.add(page_at("statements/a.html"))
    source = tmp_path / "project" / "pages" / "statements" / "a.md"
    assert "<h1>A</h1>" in source.read_text("utf-8")


def test_a_page_on_the_method_is_found_by_its_title_alone() -> None:
    html = "<article><h1>Quality</h1><h2>Does it hold?</h2><p>Words</p></article>"
    other, page = (parse_page(url, html) for url in ("terms.html", "quality.html"))
    assert (bool(other.search_text), bool(other.names)) == (True, True)
    assert (page.title, page.search_text, page.names) == (other.title, "", ())
