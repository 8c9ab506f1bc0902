"""History on pages: what git says of a note, and what pages say where git says nothing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.publish.markup.address import Addresses
from kg.publish.page import Draft, Page
from kg.publish.pages.recent import recent_pages
from kg.publish.pages.statement import statement_page
from kg.publish.site_context import SiteContext
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


def recent_of(notes: Path) -> Page:
    (draft,) = recent_pages(SiteContext(Addresses(load_corpus(notes))))
    assert isinstance(draft, Draft)
    return draft.make()


def test_a_statement_lists_its_commits_and_hostile_subjects_do_nothing(tmp_path: Path):
    notes = tmp_path / "notes"
    commit(notes, CLAIM, "first words")
    commit(notes, CLAIM + "\nMore.\n", HOSTILE)
    page = page_of(notes)
    assert "<script" not in page.html
    assert page.html.index("&lt;script&gt;alert(1)") < page.html.index("first words")
    assert [entry.text for entry in page.toc].count("History") == 1
    assert find_problems(all_pages(load_corpus(notes))) == []


def test_a_long_history_is_folded(tmp_path: Path):
    notes = tmp_path / "notes"
    for number in range(7):
        commit(notes, CLAIM + f"\nText {number}.\n", f"change {number}")
    html = page_of(notes).html
    assert "<summary>2 earlier</summary>" in html
    assert html.index("change 2") < html.index("2 earlier") < html.index("change 1")


def test_a_note_that_was_never_committed_says_so(tmp_path: Path):
    notes = tmp_path / "notes"
    commit(notes, CLAIM, "first words")
    (notes / "draft.md").write_text(CLAIM, "utf-8")
    assert "has not been committed yet" in page_of(notes, "draft").html


def test_a_shallow_clone_says_that_it_holds_a_part(tmp_path: Path):
    notes = tmp_path / "notes"
    commit(notes, CLAIM, "first words")
    commit(notes, CLAIM + "\nMore.\n", "second words")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", notes.as_uri(), str(clone))
    html = page_of(clone).html
    assert "built from a shallow clone" in html
    assert "first words" not in html


def test_without_git_pages_do_not_speak_of_history(tmp_path: Path):
    (tmp_path / "claim.md").write_text(CLAIM, "utf-8")
    assert "History" not in [entry.text for entry in page_of(tmp_path).toc]


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
