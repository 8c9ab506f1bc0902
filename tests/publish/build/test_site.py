"""A folder of notes becomes a site, and after edits the same one as made anew.

Of `kg/publish/build/site_run.py`, too.
"""

from __future__ import annotations

import datetime as dt
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kg.model.settings.config import Builder, Config, Site
from kg.publish.build.site import build_site
from kg.publish.build.theme.shell import METHOD_PAGES, get_inputs
from kg.publish.build.writer import BadAddress
from kg.publish.context.site_context import SiteContext
from kg.publish.page import Page
from tests.support.corpora import corpus_of_notes
from tests.support.effort import TIMES, examples
from tests.support.publish_pages import BUILDERS, PAGES, URL, home, skip_without, statements

pytestmark = pytest.mark.integration

HOSTILE = "</title><script>alert(1)</script>\"'&"
ADDRESS = Config(site=Site(name=f"N {HOSTILE}", description="D", url=URL))


def site(work: Path) -> dict[str, bytes]:
    html = work / "html"
    return {
        place.relative_to(html).as_posix(): place.read_bytes()
        for place in html.rglob("*")
        if place.is_file()
    }


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "site"


def test_a_site_has_pages_guides_and_assets(work: Path) -> None:
    corpus = corpus_of_notes(a="---\ntype: claim\n---\n# Sleep helps\n\nIt does.\n", config=ADDRESS)
    report = build_site(corpus, work, pages=PAGES)
    files = site(work)
    assert report.index == work / "html" / "index.html"
    assert report.pages == files["sitemap.xml"].count(b"<url>") >= 2
    assert {"index.html", "statements/a.html", "statements/a.json", "404.html"} <= files.keys()
    assert {"sitemap.xml", "robots.txt", "llms.txt", "feed.xml", "search/index.js"} <= files.keys()
    page = files["statements/a.html"].decode()
    assert "<p>It does.</p>" in page
    assert '<link rel="canonical" href="https://example.org/notes/statements/a.html">' in page
    kind = "application/vnd.citationstyles.csl+json"
    assert f'<link rel="describedby" type="{kind}" href="a.json">' in page
    assert files["statements/a.json"] == b'{"id": "x"}'
    assert b"https://example.org/notes/statements/a.html" in files["sitemap.xml"]
    assert b"Sitemap: https://example.org/notes/sitemap-all.xml" in files["robots.txt"]


def test_hostile_names_are_inert(work: Path) -> None:
    corpus = corpus_of_notes(a=f"---\ntype: claim\n---\n# {HOSTILE}\n", config=ADDRESS)
    build_site(corpus, work, pages=PAGES)
    assert {name.rpartition(".")[2] for name in site(work)} >= {"html", "xml"}
    for name, content in site(work).items():
        if name.endswith((".html", ".xml")):
            assert b"<script>alert" not in content, name
    for name in ("sitemap.xml", "sitemap-all.xml", "feed.xml"):
        ET.parse(work / "html" / name)


def test_a_section_without_pages_says_so(work: Path) -> None:
    build_site(corpus_of_notes(config=ADDRESS), work, pages=(home,))
    assert b"nothing here yet" in site(work)["lines/index.html"]


def test_building_again_writes_nothing(work: Path) -> None:
    corpus = corpus_of_notes(config=ADDRESS, a="# A\n", b="# B\n")
    build_site(corpus, work, pages=PAGES)
    report = build_site(corpus, work, pages=PAGES)
    assert (report.written, report.removed) == ((), ())


def test_a_page_that_breaks_leaves_the_last_site_whole(work: Path) -> None:
    build_site(corpus_of_notes(config=ADDRESS, a="# A\n"), work, pages=PAGES)
    before = site(work)

    def broken(context: SiteContext) -> Iterator[Page]:
        yield Page(url="new.html", kind="x", title="New", html="")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        build_site(corpus_of_notes(config=ADDRESS, b="# B\n"), work, pages=(*PAGES, broken))
    assert site(work) == before


def test_two_pages_at_one_address_are_an_error(work: Path) -> None:
    with pytest.raises(BadAddress, match=r"index\.html"):
        build_site(corpus_of_notes(config=ADDRESS), work, pages=(home, home))


def test_an_alias_leads_on_and_a_page_wins_over_it(work: Path) -> None:
    corpus = corpus_of_notes(
        config=ADDRESS,
        a="---\ntype: claim\naliases: [old name, b]\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n",
    )
    build_site(corpus, work, pages=PAGES)
    redirect = site(work)["statements/old~20~name.html"].decode()
    assert '<meta http-equiv="refresh" content="0; url=a.html">' in redirect
    assert "default-src 'none'" in redirect
    assert b"<h1>B</h1>" in site(work)["statements/b.html"]


def test_a_page_written_by_hand_is_listed_and_found(work: Path, tmp_path: Path) -> None:
    inputs = Path(shutil.copytree(get_inputs(), tmp_path / "inputs"))
    (inputs / "pages").mkdir(exist_ok=True)
    (inputs / "pages" / "how-to-read.md").write_text("# How to read\n\nPatiently.\n", "utf-8")
    build_site(corpus_of_notes(config=ADDRESS), tmp_path / "work", pages=(home,), inputs=inputs)
    files = site(tmp_path / "work")
    assert b"<p>Patiently.</p>" in files["how-to-read.html"]
    assert b"/how-to-read.html" in files["sitemap.xml"]
    assert any(b"How to read" in text for name, text in files.items() if "search/d-" in name)


def test_the_feed_has_the_latest_first(work: Path) -> None:
    days = {
        f"n{day}": f"---\ntype: claim\nupdated: 2026-03-{day:02}\n---\n# N{day}\n"
        for day in (1, 3, 2)
    }
    build_site(corpus_of_notes(config=ADDRESS, **days), work, pages=PAGES)
    feed = ET.parse(work / "html" / "feed.xml").getroot()
    names = [entry.text for entry in feed.findall("{*}entry/{*}title")]
    assert names == ["N3", "N2", "N1"]
    assert feed.findtext("{*}updated") == f"{dt.date(2026, 3, 3)}T00:00:00Z"


@pytest.mark.parametrize("builder", BUILDERS if TIMES > 1 else ("mkdocs",))
def test_when_the_theme_cannot_be_cut_the_builder_renders_every_page(
    builder: Builder, work: Path, tmp_path: Path
) -> None:
    skip_without(builder)
    inputs = Path(shutil.copytree(get_inputs(), tmp_path / "inputs"))
    for name in METHOD_PAGES:  # as a wheel has them
        shutil.copy(get_inputs().parent / "docs" / name, inputs / "pages")
    main = inputs / "overrides" / "main.html"
    main.write_text(main.read_text("utf-8").replace("<!--kg-slot-article-->", ""), "utf-8")
    config = Config(site=ADDRESS.site.model_copy(update={"builder": builder}))
    corpus = corpus_of_notes(a="---\ntype: claim\n---\n# A & <b>\n\nText *one*.\n", config=config)
    report = build_site(corpus, tmp_path / "work", pages=PAGES, inputs=inputs)
    assert report.fallback.startswith(f"{builder} renders every page itself")
    assert "<!--kg-slot-article-->" in report.fallback
    files = site(tmp_path / "work")
    page = files["statements/a.html"].decode()
    assert "<h1>A &amp; &lt;b&gt;</h1>" in page
    assert "<title>A &amp; &lt;b&gt; - N &lt;/title&gt;" in page
    assert '<link rel="canonical" href="https://example.org/notes/statements/a.html">' in page
    assert "Content-Security-Policy" in page
    assert "<script>alert" not in page
    build_site(corpus, work, pages=PAGES)
    assert files.keys() == site(work).keys()


EDIT = st.tuples(
    st.sampled_from(["a", "b", "c", "d"]),
    st.none()
    | st.tuples(st.sampled_from(["Sleep", "Rest", "Naps & more"]), st.text("ab ", max_size=9)),
)


@examples(3, suppress_health_check=list(HealthCheck))
@given(history=st.lists(st.lists(EDIT, min_size=1, max_size=3), min_size=2, max_size=3))
def test_edits_give_the_same_site_as_building_anew(
    history: list[list[tuple[str, tuple[str, str] | None]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Over any history of edits, additions, renames and deletions, to the byte."""
    edited = tmp_path_factory.mktemp("edited")
    notes: dict[str, str] = {}
    for edits in history:
        for id, note in edits:
            notes.pop(id, None)
            if note:
                notes[id] = (
                    f"---\ntype: claim\naliases: [was-{id}]\n---\n# {note[0]}\n\n{note[1]}\n"
                )
        build_site(corpus_of_notes(config=ADDRESS, **notes), edited, pages=PAGES)
    anew = tmp_path_factory.mktemp("anew")
    build_site(corpus_of_notes(config=ADDRESS, **notes), anew, pages=(home, statements))
    assert site(edited) == site(anew)
