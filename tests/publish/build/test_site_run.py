"""Pages made by several processes are those that one makes, and so is what is remembered."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.publish.build import site_run
from kg.publish.build.build_memory import renumber_reads
from kg.publish.build.for_programs import sitemap_and_feed
from kg.publish.build.site import build_site
from kg.publish.build.writer import BadAddress
from kg.publish.context.read_log import ReadLog, pack_numbers
from kg.publish.context.site_context import SiteContext
from kg.publish.page import Page
from kg.publish.pages import PAGES
from kg.publish.pages.statement import statement_pages

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform != "linux", reason="copies of a process are made on Linux"),
]
NOTES = Path(__file__).parents[1] / "golden" / "notes"
CORES = 3


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every page is made by several processes; the copies that there were."""
    monkeypatch.setattr(site_run, "FEWEST_PAGES_TO_SHARE_OUT", 2)
    monkeypatch.setattr(site_run, "can_fork", lambda: True)
    monkeypatch.setattr(site_run, "available_cores", lambda: CORES)
    copies: list[int] = []
    fork = os.fork

    def count_fork() -> int:
        child = fork()
        if child:
            copies.append(child)
        return child

    monkeypatch.setattr("kg.runtime.forked_workers.os.fork", count_fork)
    return copies


def site(work: Path) -> dict[str, bytes]:
    html = work / "html"
    files = (place for place in html.rglob("*") if place.is_file())
    return {place.relative_to(html).as_posix(): place.read_bytes() for place in files}


def test_many_processes_make_the_site_that_one_makes(
    tmp_path: Path, shared: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = load_corpus(NOTES)
    build_site(corpus, tmp_path / "many")
    assert len(shared) >= CORES
    shared.clear()
    monkeypatch.setattr(site_run, "can_fork", lambda: False)
    build_site(corpus, tmp_path / "one")
    assert not shared
    assert site(tmp_path / "many") == site(tmp_path / "one")
    report = build_site(corpus, tmp_path / "many")
    assert not report.written, "all that was read is remembered"


def test_reads_of_forked_workers_are_remembered_so_that_few_pages_are_made_anew(
    tmp_path: Path, shared: list[int]
) -> None:
    notes = tmp_path / "notes"
    shutil.copytree(NOTES, notes)
    build_site(load_corpus(notes), tmp_path / "site")
    for number, file in enumerate(sorted(notes.rglob("*.md"))[:6]):
        text = file.read_text("utf-8")
        file.write_text(text.replace("\n# ", "\n# Now ", 1) + "\nMore.\n", "utf-8")
        note_text = build_site(load_corpus(notes), tmp_path / "site").written
        assert len(note_text) < len(site(tmp_path / "site")) / 2, "few pages are made anew"
        if number % 3 == 2:  # a page that was left as it was stays so
            fresh = tmp_path / f"fresh-{file.stem}"
            build_site(load_corpus(notes), fresh)
            assert site(tmp_path / "site") == site(fresh)


def test_pages_of_a_killed_worker_are_made_by_the_main_process(
    tmp_path: Path, shared: list[int]
) -> None:
    corpus, own = load_corpus(NOTES), os.getpid()

    def pages_of_killed_worker(context: SiteContext) -> Iterator[Page]:
        for draft in statement_pages(context):

            def make(draft=draft) -> Page:
                page = draft.make()
                if os.getpid() != own and page.url.endswith("again.html"):
                    os.kill(os.getpid(), 9)
                return page

            yield type(draft)(draft.url, make, draft.about)

    makers = [pages_of_killed_worker if maker is statement_pages else maker for maker in PAGES]
    build_site(corpus, tmp_path / "lost", pages=makers)
    assert shared
    build_site(corpus, tmp_path / "whole")
    assert site(tmp_path / "lost") == site(tmp_path / "whole")


def test_a_page_that_breaks_in_a_copy_breaks_the_build(tmp_path: Path, shared: list[int]) -> None:
    corpus = load_corpus(NOTES)

    def broken(context: SiteContext) -> Iterator[Page]:
        for number, draft in enumerate(statement_pages(context)):
            yield draft if number != 1 else type(draft)(draft.url, lambda: 1 / 0, draft.about)

    with pytest.raises(ZeroDivisionError):
        build_site(corpus, tmp_path / "site", pages=[broken])
    assert not list((tmp_path / "site").glob("**/*.html"))


def test_two_processes_cannot_claim_one_address(tmp_path: Path, shared: list[int]) -> None:
    def twice(context: SiteContext) -> Iterator[Page]:
        for number in range(4):
            yield Page(url=f"a{number // 2}.html", kind="index", title="A", html="<h1>A</h1>")

    with pytest.raises(BadAddress, match="two pages claim the address"):
        build_site(load_corpus(NOTES), tmp_path / "site", pages=[twice])


def test_the_theme_gets_fewer_pages_than_search_engines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap_and_feed, "MAX_PAGES_IN_NAVIGATION", 2)
    report = build_site(load_corpus(NOTES), tmp_path, pages=[statement_pages])
    files = site(tmp_path)
    assert files["sitemap.xml"].count(b"<url>") == 2
    assert files["sitemap-all.xml"].count(b"<url>") == report.pages > 2


def test_numbers_that_a_worker_gave_are_translated_to_those_of_the_build() -> None:
    log, copy = ReadLog(), ReadLog()
    for each in (log, copy):
        assert each.numbers("t", str)["a"] == 1
    assert log.keys["t"]["c"] == 2
    assert [copy.keys["t"][key] for key in ("a", "b", "c")] == [1, 2, 3]
    numbers = log.adopt(copy.entries_from(2))
    assert numbers == [3, 2]
    assert renumber_reads(pack_numbers([1, 2, 3]), 2, numbers) == pack_numbers([1, 3, 2])
    assert renumber_reads(pack_numbers([1]), 2, numbers) == pack_numbers([1])
