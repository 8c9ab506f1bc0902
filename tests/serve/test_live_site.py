"""Pages as the notes are now, and what open ones hear of it.

Of `kg/serve/site_server.py`, too.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from kg.model import Diagnostic, Severity, Span
from kg.publish.page import Alternate, LazyPage, Page, alternate_url
from kg.serve.live_site import LiveSite, lines_of_errors, messages_for_writer
from kg.serve.site_server import SCRIPT_PATH, LastBuild, SiteServer
from tests.serve.asking import EventStream, ask
from tests.support.patience import PATIENCE
from tests.support.publish_pages import PAGES

pytestmark = pytest.mark.integration


def test_a_page_that_cannot_be_made_says_why_and_is_shown_when_it_can(
    notes: Path, work: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = [True]

    def make() -> Page:
        if broken:
            raise ValueError("no <b>good</b>")
        return Page(url="x.html", kind="", title="X", html="<p>Good.</p>")

    live = LiveSite(notes, pages=[*PAGES, lambda *_: [LazyPage("x.html", make)]])
    live.refresh()
    with SiteServer(live, LastBuild(tmp_path), 0) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            status, kind, text = ask(server, "/x.html")
            assert (status, kind) == (500, "text/html")
            assert "ValueError: no &lt;b&gt;good&lt;/b&gt;" in text
            assert SCRIPT_PATH in text
            assert "ValueError: no <b>good</b>" in capfd.readouterr().err
            news = EventStream(server, "/x.html")
            news.wait_for_event("problems")
            broken.clear()
            (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps hinder\n")
            live.refresh()
            news.wait_for_event("reload")
            assert "<p>Good.</p>" in ask(server, "/x.html")[2]
        finally:
            live.close()
            server.shutdown()


def test_a_page_that_reconnects_reloads_for_an_edit_it_missed(
    server: SiteServer, live: LiveSite, notes: Path
) -> None:
    news = EventStream(server, "/statements/a.html")
    news.wait_for_event("problems")
    news.link.close()
    (notes / "a.md").write_text("---\ntype: claim\n---\n# Sleep helps\n\nOften.\n")
    live.refresh()
    again = EventStream(server, "/statements/a.html", news.last)
    again.wait_for_event("reload")
    assert again.last != news.last


def test_notes_are_read_on_when_a_check_breaks(
    live: LiveSite, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("a check")

    with monkeypatch.context() as patch:
        patch.setattr("kg.serve.live_site.check", broken)
        (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps hinder\n")
        live.refresh()
        assert live.state.problems == ("ZeroDivisionError: a check",)
    live.refresh()
    assert live.state.problems == ()


def test_closing_the_site_ends_a_waiting_thread_at_once(notes: Path) -> None:
    live = LiveSite(notes, pages=PAGES)
    waiting = threading.Thread(target=live.wait_for_state, args=(0, 10 * PATIENCE), daemon=True)
    waiting.start()
    live.close()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()


def test_what_stands_beside_a_page_is_served_by_its_own_address(
    notes: Path, work: Path, tmp_path: Path
) -> None:
    beside = (Alternate("json", "application/json", "1"), Alternate("bib", "text/plain", b"2"))
    page = Page(url="x.html", kind="", title="X", html="", alternates=beside)
    live = LiveSite(notes, pages=[*PAGES, lambda *_: [LazyPage("x.html", lambda: page)]])
    live.refresh()
    site = live.state.site
    assert site is not None
    answers = [site.find_file(alternate_url(page, each)) for each in beside]
    assert (answers, site.find_file("x.csv")) == ([b"1", b"2"], None)


def test_an_open_page_hears_of_its_own_changes_alone(
    server: SiteServer, live: LiveSite, notes: Path
) -> None:
    one, other = (
        EventStream(server, "/statements/a.html"),
        EventStream(server, "/statements/b.html"),
    )
    assert json.loads(one.wait_for_event("problems")) == []
    assert json.loads(other.wait_for_event("problems")) == []
    (notes / "a.md").write_text("---\ntype: claim\n---\n# Sleep helps\n\nIt does, often.\n")
    live.refresh()
    one.wait_for_event("reload")
    assert "It does, often." in ask(server, "/statements/a.html")[2]
    (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps hinder\n")
    live.refresh()
    while (event := other.next())[0] != "reload":
        assert event[0] in {"beat", "problems"}


def test_an_edit_between_page_and_connection_is_not_missed(server: SiteServer) -> None:
    news = EventStream(server, "/statements/a.html&shown=0123")
    news.wait_for_event("reload")


def test_a_broken_note_is_named_and_its_mending_too(
    server: SiteServer, live: LiveSite, notes: Path
) -> None:
    news = EventStream(server, "/statements/b.html")
    news.wait_for_event("problems")
    (notes / "a.md").write_text("---\ntype: [claim\n---\n# Sleep helps\n")
    live.refresh()
    problems = json.loads(news.wait_for_event("problems"))
    assert problems[0].startswith(f"{Path('notes/a.md')}:")
    assert "broken-front-matter" in problems[0]
    assert ask(server, "/statements/b.html")[0] == 200
    (notes / "a.md").write_text("---\ntype: claim\n---\n# Sleep helps\n")
    live.refresh()
    while json.loads(news.wait_for_event("problems")):
        pass


def test_what_breaks_everything_is_reported_and_the_last_pages_stay(
    server: SiteServer, live: LiveSite, notes: Path
) -> None:
    (notes / "kg.toml").write_text("name = ")
    live.refresh()
    assert "ConfigError" in live.state.problems[0]
    assert "It does." in ask(server, "/statements/a.html")[2]


def test_new_problems_are_reported_with_their_place_and_so_is_their_end(
    live: LiveSite, notes: Path
) -> None:
    before = live.state.problems
    (notes / "b.md").write_text("---\ncamp: [\n---\n# Naps help\n")
    live.refresh()
    broken = live.state.problems
    assert before == ()
    assert messages_for_writer(before, broken) == broken
    assert broken[0].startswith(f"{Path('notes/b.md')}:2:7: broken-front-matter: ")
    assert messages_for_writer(broken, (*broken, "more")) == ("more",)
    assert messages_for_writer(broken, broken) == ()
    assert messages_for_writer(broken, ()) == ("no more errors",)
    (notes / "b.md").write_text("---\ntype: claim\n---\n# Naps help\n\n- supports:: [[gone]]\n")
    live.refresh()
    [dead_link] = live.state.problems
    assert "gone" in dead_link
    live.refresh_pages()  # which the whole check found
    assert live.state.problems == (dead_link,)


def test_of_many_problems_the_first_are_listed_and_the_others_counted(
    live: LiveSite, notes: Path
) -> None:
    for number in range(10):
        (notes / f"x{number}.md").write_text("---\ncamp: [\n---\n# X\n")
    live.refresh()
    problems = live.state.problems
    assert [Path(line.partition(":")[0]).stem for line in problems[:-1]] == [
        f"x{n}" for n in range(8)
    ]
    assert problems[-1] == "and 2 more; see `kg check`"


def test_an_edit_of_a_text_weighs_nothing_again(notes: Path) -> None:
    live = LiveSite(notes)
    live.refresh_pages()
    first = live.state.site
    assert first is not None
    assert first.find_file("statements/a.html")
    standings = first.standings
    assert standings is not None
    with (notes / "a.md").open("a") as note:
        note.write("\nMore.\n")
    live.refresh_pages()
    second = live.state.site
    assert second is not None
    assert second is not first
    assert b"More." in (second.find_file("statements/a.html") or b"")
    assert second.standings is standings


def test_changed_settings_change_the_pages_at_the_next_refresh(notes: Path) -> None:
    (notes / "c.md").write_text(
        "---\ntype: evidence\nquality: 0.8\n---\n# Study\n\n- supports:: [[a]] — so\n"
    )
    live = LiveSite(notes)
    pages = []
    for gain in (1.0, 4.0):
        (notes / "kg.toml").write_text(f"[reasoning]\ngain = {gain}\n")
        live.refresh_pages()
        assert live.state.site is not None
        pages.append(live.state.site.find_file("statements/a.html"))
        assert pages[-1] is not None
    assert pages[0] != pages[1]


def test_errors_alone_are_reported_with_their_help_if_they_have_one() -> None:
    def problem(severity: Severity, help: str) -> Diagnostic:
        return Diagnostic("a-rule", severity, "it is wrong", Span("a.md", 5, 3), help)

    problems = [problem(Severity.ERROR, ""), problem(Severity.ERROR, "mend it")]
    place = f"{Path('notes/a.md')}:5:3: a-rule: it is wrong"
    assert lines_of_errors([*problems, problem(Severity.WARNING, "")], Path("x/notes")) == (
        place,
        f"{place} (mend it)",
    )


def test_the_page_of_an_alias_leads_on_in_its_own_folder_alone(live: LiveSite) -> None:
    site = live.state.site
    assert site is not None
    assert b'href="a.html' in (site.find_file("statements/old.html") or b"")
    assert site.find_file("lines/old.html") is None
    assert site.find_file("statements/older.html") is None
