"""When notes were written and changed, on pages: by the notes, and by git where they are silent."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import LazyPage, Page
from kg.publish.pages.recent import recent_pages
from kg.publish.pages.statement import statement_page
from tests.support.note_texts import visible_text
from tests.support.page_checks import all_pages, find_problems

pytestmark = pytest.mark.integration

HOSTILE = "<script>alert(1)</script> \"' onload=x & more"
CLAIM = "---\ntype: claim\n---\n\n# It is so\n"


def git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *name, *arguments], check=True, capture_output=True)


def commit(notes: Path, text: str, subject: str) -> None:
    notes.mkdir(exist_ok=True)
    (notes / "claim.md").write_text(text, "utf-8")
    git(notes, "init", "-q")
    git(notes, "add", "-A")
    git(notes, "commit", "-q", "-m", subject)


def page_of(notes: Path, id: str = "claim") -> Page:
    corpus = load_corpus(notes)
    return statement_page(SiteContext(Addresses(corpus)), corpus.statements[id])


def record_of(notes: Path) -> str:
    return visible_text(page_of(notes).html.partition(">Record<")[2])


def recent_of(notes: Path) -> Page:
    (draft,) = recent_pages(SiteContext(Addresses(load_corpus(notes))))
    assert isinstance(draft, LazyPage)
    return draft.make()


def test_a_record_says_when_a_note_was_written_and_changed_and_no_more_of_git(tmp_path: Path):
    notes = tmp_path / "notes"
    commit(notes, CLAIM, "first words")
    assert "change" not in record_of(notes)
    commit(notes, CLAIM + "\nMore.\n", HOSTILE)
    assert re.search(r"Written\d+ \w+ 20\d\d; 1 change", record_of(notes))
    page = page_of(notes)
    assert "first words" not in page.html
    assert "alert" not in page.html
    assert find_problems(all_pages(load_corpus(notes))) == []


def test_days_of_the_note_itself_come_before_those_of_git(tmp_path: Path):
    notes = tmp_path / "notes"
    dated = CLAIM.replace("claim\n", "claim\ncreated: 2020-01-02\nupdated: 2020-03-04\n", 1)
    commit(notes, dated, "first words")
    record = record_of(notes)
    assert "Written2 January 2020, last changed 4 March 2020" in record


def test_a_shallow_clone_counts_no_changes(tmp_path: Path):
    notes = tmp_path / "notes"
    commit(notes, CLAIM, "first words")
    commit(notes, CLAIM + "\nMore.\n", "second words")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", notes.as_uri(), str(clone))
    assert "Written" not in record_of(clone)


def test_without_git_and_days_a_record_says_nothing_of_them(tmp_path: Path):
    (tmp_path / "claim.md").write_text(CLAIM, "utf-8")
    assert "Written" not in record_of(tmp_path)


def test_without_git_what_changed_lately_follows_the_dates_of_notes(tmp_path: Path):
    for name, kind, day in (
        *(("b", "line", "02-03"), ("d", "claim", "01-05")),
        *(("c", "claim", "03-01"), ("a", "claim", "02-03")),
    ):
        dated = f"---\ntype: {kind}\nupdated: 2026-{day}\n---\n\n# It is {name}\n"
        (tmp_path / f"{name}.md").write_text(dated, "utf-8")
    page = recent_of(tmp_path)
    days = ["1 March 2026", "3 February 2026", "5 January 2026"]
    assert [entry.text for entry in page.toc] == days, "the latest first"
    assert re.findall(r'href="(?:lines|statements)/(\w)\.html"', page.html) == list("cabd")
