"""What changed lately, and the feed, as readers meet them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from kg.corpus import Corpus
from kg.git import Git
from kg.history import past_answers
from kg.history.revision import load_revision_from
from kg.loader import load_corpus
from kg.publish.build.for_programs import sitemap_and_feed
from kg.publish.build.for_programs.sitemap_and_feed import news_of_answers, render_feed
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import LazyPage, Page
from kg.publish.pages.recent import recent_pages
from tests.support.note_texts import visible_text
from tests.support.page_checks import PageElements
from tests.support.repository import CLAIM, LINE, commit, experiment_text, git, moving_corpus_folder

pytestmark = pytest.mark.integration

HOSTILE = "<script>alert(1)</script> \"' onload=x & more"
TURN = (
    "It turned round, from “perhaps” (0.65 added up; depends on one source) to “probably not” "
    "(0.14)."
)


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still: a busy machine weighs as many days as an idle one."""
    still = SimpleNamespace(monotonic=lambda: 0.0, process_time=lambda: 0.0)
    monkeypatch.setattr(past_answers, "time", still)


@pytest.fixture(scope="module", autouse=True)
def commits_are_loaded_once() -> Iterator[None]:
    """Most tests begin with the same commits, and git takes most of the time."""
    loaded: dict[str, Corpus] = {}

    def load(git: Git, notes: Path, revision: str, *, drafts: bool) -> Corpus:
        if revision not in loaded:
            loaded[revision] = load_revision_from(git, notes, revision, drafts=drafts)
        return loaded[revision]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(past_answers, "load_revision_from", load)
        yield


def context_of(notes: Path) -> SiteContext:
    return SiteContext(Addresses(load_corpus(notes)))


def recent_of(notes: Path) -> Page:
    (draft,) = recent_pages(context_of(notes))
    assert isinstance(draft, LazyPage)
    return draft.make()


def entries_of(notes: Path) -> list[tuple[str, str, str]]:
    """The id, the title and the sentence of each entry of the feed."""
    context = context_of(notes)
    feed = ET.fromstring(render_feed(news_of_answers(context), context.corpus.config))
    names = ("id", "title", "summary")
    rows = [[entry.findtext(f"{{*}}{name}") or "" for name in names] for entry in feed]
    return [(id, title, text) for id, title, text in rows if text]


def rows_of(page: Page, day: str) -> list[str]:
    """The texts of the answers of a day, without signs for screen readers."""
    return _texts(page.html.partition(f'id="day-{day}"')[2])


def rest_of(page: Page, day: str) -> list[str]:
    """The texts of what else changed on a day."""
    return _texts(page.html.partition(f'id="else-{day}"')[2].partition('<li id="else-')[0])


def _texts(html: str) -> list[str]:
    part = html.partition("</section>")[0]
    text = re.sub(r'<span class="kg-sr">.*?</span>', "", part)
    return re.sub(r"<[^>]+>", "", text.replace("<li", "\n<li").replace("<p", "\n<p")).split("\n")


def test_days_say_what_happened_and_nothing_of_git(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    page = recent_of(notes)
    assert [entry.text for entry in page.toc] == [
        "The answers now",
        "9 January 2026",
        "5 January 2026",
        "All else that changed",
    ]
    lead = visible_text(page.html.partition("</h1>")[2].partition("</p>")[0])
    recorded = "Changes since 1 January 2026, the last on 9 January 2026. "
    assert lead.startswith(f"{recorded}9 January 2026: one answer shifted, that to Does it help?")
    assert rows_of(page, "2026-01-09")[1:] == [
        f"Does it help? {TURN}",
        "Mostly because",
        *(f"It harmed {number} is a new reason" for number in range(3)),
    ]
    assert rest_of(page, "2026-01-09") == [
        ">9 January 2026: 3 findings added, 1 finding removed, 4 smaller changes",
        *("", "3 findings added:", "It harmed 0", "It harmed 1", "It harmed 2"),
        *("", "1 finding removed:", "It helped"),
        *("", "3 links added, 1 link removed."),
    ]
    assert "<li><strong><a" in page.html, "an answer that turned stands in bold"
    assert not re.search(r"FIRST|SECOND|THIRD|FOURTH|A-SLIP", page.html)
    assert git(notes.parent, "rev-parse", "HEAD")[:7] not in page.html


def test_moves_of_answers_before_the_question_had_its_words_are_folded_as_drafts(
    tmp_path: Path,
) -> None:
    notes = moving_corpus_folder(tmp_path)
    commit(notes, "2026-01-11", it=LINE.format("it-helps").replace("help?", "serve?"))
    more = {f"more{n}": experiment_text(f"It served {n}", "supports") for n in range(9)}
    commit(notes, "2026-01-12", **more)
    page = recent_of(notes)
    drafts = "While the questions were still reworded"
    assert rest_of(page, "2026-01-11")[0] == ">11 January 2026: 1 change"
    titles = ["The answers now", "12 January 2026", drafts, "All else that changed"]
    assert [entry.text for entry in page.toc] == titles
    folded = page.html.partition(f">{drafts}<")[2].partition("</section>")[0]
    labels = re.findall(r"<summary>(.*?)</summary>", folded)
    moves = (("11", "no answers"), ("9", "1 answer"), ("5", "1 answer"))
    days = [f"{day} January 2026: {moved} moved" for day, moved in moves]
    assert [each for each in labels if "January" in each] == days
    assert "Does it help? (since reworded)" in " ".join(rows_of(page, "2026-01-09"))


def test_where_nothing_is_recorded_notes_are_listed_by_date_and_no_parts_of_them(
    tmp_path: Path,
) -> None:
    text = CLAIM.format("It helps").replace("---\n", "---\nupdated: 2026-01-02\n", 1)
    (tmp_path / "a.md").write_text(
        f"{text}\n> [!evidence] It was seen ^seen\n> So. (updated:: 2026-01-03)\n"
    )
    page = recent_of(tmp_path)
    assert [each.text for each in page.toc] == ["2 January 2026"]
    assert "It helps" in page.html
    assert "It was seen" not in page.html


def test_where_no_answer_has_moved_it_says_since_when_at_the_latest(tmp_path: Path) -> None:
    def lead_of(notes: Path) -> str:
        return visible_text(recent_of(notes).html.partition("</h1>")[2].partition("</p>")[0])

    notes = moving_corpus_folder(tmp_path)
    commit(notes, "2026-01-11", it=LINE.format("it-helps").replace("help?", "serve?"))
    commit(notes, "2026-01-13", other=CLAIM.format("Another"))
    lead = lead_of(notes)
    assert "No answer has moved since the last question got its present words on 11 Jan" in lead
    assert "Before that, answers moved 2 times: see below." in lead
    commit(notes, "2026-01-14", more=LINE.format("other"))
    assert "on 14 January 2026" in lead_of(notes)


def test_questions_in_other_words_whose_answers_hardly_moved_share_one_entry(
    tmp_path: Path,
) -> None:
    notes = moving_corpus_folder(tmp_path)
    note_texts = {"a": LINE.format("p"), "b": LINE.format("p")}
    commit(notes, "2026-01-10", **note_texts)
    words = {name: text.replace("help?", f"serve {name}?") for name, text in note_texts.items()}
    commit(notes, "2026-01-11", **words)
    commit(
        notes,
        "2026-01-12",
        **{
            k: v.replace("proposition:", "doubt: Who knows?\nproposition:")
            for k, v in words.items()
        },
    )
    rows = " ".join(rows_of(recent_of(notes), "2026-01-11"))
    assert rows.count("The question was reworded; its answer hardly moved") == 2
    assert "Does it serve a?" in rows


def test_lines_worded_otherwise_say_what_they_asked_and_ask(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    note_texts = {"a": LINE.format("p")}
    commit(notes, "2026-01-10", **note_texts)
    commit(notes, "2026-01-11", a=note_texts["a"].replace("help?", "serve?"))
    rows = " ".join(rows_of(recent_of(notes), "2026-01-11"))
    assert "Questionbefore: Does it help?now: Does it serve?" in rows
    assert "<del>help?</del>" in recent_of(notes).html
    assert "<ins>serve?</ins>" in recent_of(notes).html
    assert "<summary>The words before and now</summary>" in recent_of(notes).html
    added = " ".join(rest_of(recent_of(notes), "2026-01-10"))
    assert "1 question added: Does it help? (since reworded)" in added
    doubted = note_texts["a"].replace("proposition:", "doubt: Who knows?\nproposition:")
    commit(notes, "2026-01-12", a=doubted.replace("help?", "serve?"))
    assert "Does it serve? The question was reworded; its answer hardly moved." in " ".join(
        rows_of(recent_of(notes), "2026-01-11")
    )
    assert "new: Who knows?" in " ".join(rest_of(recent_of(notes), "2026-01-12"))


def test_a_reason_that_moved_by_what_is_far_beneath_it_says_so(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    targets = ["p", *(f"step{n}" for n in range(6))]
    steps = {
        f"step{n}": f"{CLAIM.format(f'Step {n}')}\n- supports:: [[{target}]]\n"
        for n, target in enumerate(targets)
    }
    first = experiment_text("First", "supports", "step6")
    commit(notes, "2026-01-10", p=CLAIM.format("So"), b=LINE.format("p"), one=first, **steps)
    commit(notes, "2026-01-11", two=experiment_text("Second", "supports", "step6"))
    rows = " ".join(rows_of(recent_of(notes), "2026-01-11"))
    assert (
        "Step 0 counts more: its own reasons are the same; marks or reasons beneath them changed"
        in rows
    )


def test_answers_that_turned_come_first_and_the_rest_is_counted(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    first = LINE.format("harm").replace("help?", "harm?")
    harm = {"a": first, "harm": CLAIM.format("It harms")}
    commit(notes, "2026-01-10", **harm, also=experiment_text("Harm", "supports", "harm"))
    more = {f"more{n:02}": CLAIM.format(f"More {n}") for n in range(10)}
    strong = {f"pro{n}": experiment_text(f"Help {n}", "supports") for n in range(9)}
    commit(notes, "2026-01-11", **strong, **more, too=experiment_text("Harm 2", "supports", "harm"))
    page = recent_of(notes)
    rest = rest_of(page, "2026-01-11")
    assert rest.index("More 7") < rest.index("and 2 more")
    assert "More 8" not in rest
    rows = rows_of(page, "2026-01-11")
    answers = [row.partition("? ")[::2] for row in rows if "? It " in row]
    assert [(name, text.split()[1]) for name, text in answers] == [
        ("Does it help", "turned"),
        ("Does it harm", "went"),
    ]


def test_a_line_that_weighs_another_claim_says_so_among_the_answers(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    harm = {"harm": CLAIM.format("It harms"), "also": experiment_text("Harm", "supports", "harm")}
    commit(notes, "2026-01-10", **harm)
    commit(notes, "2026-01-11", it=LINE.format("harm"))
    rows = rows_of(recent_of(notes), "2026-01-11")
    assert rows[1:] == [
        "Does it help? It went from “probably not” (0.14) to “perhaps” (0.65 added up; depends on "
        "one source). Another claim decides it.The words before and now"
        "Claim weighedbefore: It helpsnow: It harms"
    ]


def test_a_move_says_what_happened_to_its_reasons(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    weak = experiment_text("It harmed 0", "contradicts").replace("]] —", "]] (strength:: weak) —")
    commit(notes, "2026-01-11", con0=weak)
    rows = " ".join(rows_of(recent_of(notes), "2026-01-11"))
    message = "It harmed 0 counts less: we now think it bears weakly on the question, not in full"
    assert message in rows


def test_hostile_titles_are_inert_even_of_what_is_gone(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    commit(notes, "2026-01-10", HOSTILE, bad=experiment_text(HOSTILE, "supports"))
    commit(notes, "2026-01-11", HOSTILE, bad=None)
    page = recent_of(notes)
    assert PageElements(page.html).wrong == []
    assert page.html.count("&lt;script&gt;") == 4, "as a reason and as evidence, on either day"


def test_days_between_two_commits_that_are_compared_are_named(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    for day in range(1, 15):
        commit(notes, f"2026-01-{day:02}", a=CLAIM.format(f"Number {day}"))
    days = re.findall(r"<summary>([^:]+):", recent_of(notes).html)
    assert days[-2:] == ["2 January 2026 to 3 January 2026", "1 January 2026"]
    assert days[:2] == ["14 January 2026", "13 January 2026"]


def test_a_feed_tells_answers_that_turned_or_moved_far_under_lasting_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = moving_corpus_folder(tmp_path)
    entries = entries_of(notes)
    assert [(title, words) for _, title, words in entries] == [
        ("Does it help? – now “probably not” (0.14)", TURN),
        (
            "Does it help? – now “perhaps” (0.65 added up; depends on one source)",
            "It went from “undecided” (0.50; too little evidence) "
            "to “perhaps” (0.65 added up; depends on one source).",
        ),
    ]
    commits = git(notes.parent, "log", "--format=%H").split()
    ids = [id for id, _, _ in entries]
    assert len({*ids}) == 2
    assert all(id.startswith("urn:uuid:") for id in ids), "the corpus has no address of its own"
    (notes.parent / "kg.toml").write_text('base_iri = "https://naps.test/lines/"\n')
    assert [id for id, _, _ in entries_of(notes)] == [
        f"tag:naps.test,2026-01-09:/lines/it:{commits[0][:10]}",
        f"tag:naps.test,2026-01-05:/lines/it:{commits[1][:10]}",
    ]
    (notes.parent / "kg.toml").unlink()
    commit(notes, "2026-01-12", con3=experiment_text("It harmed 3", "contradicts"))
    far = entries_of(notes)
    assert far[0][2] == "It is still “probably not”; its strength went from 0.14 to 0.08."
    assert far[1:] == entries
    commit(notes, "2026-01-13", con4=experiment_text("It harmed 4", "contradicts"))
    assert (
        "from “probably not” (0.08) to “very probably not” ("
        in rows_of(recent_of(notes), "2026-01-13")[1]
    )
    assert entries_of(notes) == far, "which is no news"
    monkeypatch.setattr(sitemap_and_feed, "LEAST_MOVE_IN_FEED", 1.0)
    assert entries_of(notes) == entries, "however far: they came to another side"


def test_a_feed_says_what_the_answer_is_now(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    answers = "answers:\n  holds: Yes, it does.\n  fails: No, it does not.\n---\n\n#"
    commit(notes, "2026-01-10", it=LINE.format("it-helps").replace("---\n\n#", answers, 1))
    strong = {f"pro{n}": experiment_text(f"Help {n}", "supports") for n in range(9)}
    commit(notes, "2026-01-11", **strong)
    assert entries_of(notes)[0][2].endswith(" opposite). Yes, it does.")


def test_a_move_is_credited_to_the_question_that_was_asked_then(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    commit(notes, "2026-01-11", it=LINE.format("it-helps").replace("help?", "serve?"))
    page = recent_of(notes)
    moved_row = rows_of(page, "2026-01-09")[1]
    expected = f"Does it help? (since reworded) {TURN}"
    assert moved_row.removesuffix("Mostly because") == expected
    assert "shifted, that to" not in page.html, "the latest move is that of a draft"
    assert "Does it help?</a>" not in page.html
    assert entries_of(notes) == []
    assert context_of(notes).past.of("it")[:-1] == ()


def test_an_answer_to_a_claim_in_other_words_counts_as_moved_and_says_why(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    strong = {f"pro{n}": experiment_text(f"Help {n}", "supports") for n in range(9)}
    commit(notes, "2026-01-11", **{"it-helps": CLAIM.format("It helps at all")}, **strong)
    rows = rows_of(recent_of(notes), "2026-01-11")
    assert (
        "Does it help? It went from “probably not” (0.14) to “perhaps” (0.97 added up; " in rows[1]
    )
    assert "Its claim was reworded." in rows[1]
    assert "Help 0 is a new reason" in rows
    page = visible_text(recent_of(notes).html)
    assert "11 January 2026: one answer shifted, that to Does it help?" in page
    _, title, words = entries_of(notes)[0]
    assert "asked anew, now “perhaps” (0.97 added up; " in title
    assert words in rows[1]
