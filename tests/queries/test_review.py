"""What is due for another look, why, and in which order."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from kg.git.note_history import History
from kg.loader import load_corpus
from kg.queries.review import DueNote, review, statements_changed_since_review
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.repository import commit

DAY = dt.date(2026, 6, 30)
FOUND = "\n\n> [!evidence] Seen ^seen\n> Here.\n> (method:: experiment) (sample:: 100 people)\n"


def note(head: str, body: str = "", *, type: str = "claim") -> str:
    return f"---\ntype: {type}\ncreated: 2026-06-01\n{head}\n---\n\n# {type} {head}\n\n{body}\n"


NOTES = {
    "asked": note("reviewed: 2026-06-20", FOUND),
    "near": note("updated: 2026-06-21", "- supports:: [[asked]] — so" + FOUND),
    "far": note("updated: 2026-06-21", "- supports:: [[near]] (strength:: weak) — so"),
    "open": note("open: argued", "- supports:: [[near]] — so"),
    "hearsay": note("reported: true", "- supports:: [[near]] — so"),
    "gone": note("status: retired", "- supports:: [[near]] — so"),
    "old": note("reviewed: 2026-04-29", FOUND + "\n- contradicts:: [[asked]] — so"),
    "aside": note("reviewed: 2026-06-01", FOUND + "\n- depends-on:: [[near]]"),
    "line": note(
        "reviewed: 2026-06-21\nproposition: asked", "It leans on [near](near.md).", type="line"
    ),
    "other": note("reviewed: 2026-06-20", "It leans on [[near]] and [[old]].", type="line"),
}


@pytest.fixture
def due() -> dict[str, DueNote]:
    return {each.id: each for each in review(corpus_of_notes(**NOTES), 2, DAY).due}


def test_a_review_gives_the_reason_for_each_note_that_is_due(due: dict[str, DueNote]) -> None:
    assert {id: each.reasons for id, each in due.items()} == {
        "other": ("undecided", "stale: near changed since"),
        "asked": ("stale: near changed since",),
        "old": ("not reviewed since 2026-04-29",),
        "far": ("without evidence",),
        "aside": ("stale: near changed since",),
    }
    assert due["asked"].changed == due["other"].changed == due["aside"].changed == ("near",)


def test_what_moves_an_answer_most_comes_first(due: dict[str, DueNote]) -> None:
    assert list(due) == ["other", "asked", "old", "far", "aside"]
    moves = [each.moves for each in due.values()]
    assert moves[0] is moves[1] is moves[-1] is None  # the line's own proposition moves no answer
    assert moves[2:-1] == sorted(filter(None, moves), reverse=True)
    assert [each.line for each in due.values()] == ["other", "line", "line", "line", None]
    assert due["other"].see == "kg crux other"
    assert due["far"].see == "kg why far"


def test_a_note_without_dates_was_written_with_its_first_commit(tmp_path: Path) -> None:
    text = "---\ntype: claim\n---\n\n# A\n"
    commit(tmp_path / "notes", "2026-03-01", a=text)
    commit(tmp_path / "notes", "2026-06-01", a=f"{text}\nMore.\n")
    [due] = review(load_corpus(tmp_path / "notes"), 2, DAY).due
    assert due.reasons == ("without evidence", "not reviewed since it was written, 2026-03-01")


def test_a_callout_is_reviewed_with_its_note() -> None:
    head = "reviewed: 2026-06-20\nproposition: asked"
    parted = FOUND.replace("(method::", "(reviewed:: 2026-01-01) (method::")
    corpus = corpus_of_notes(
        asked=note("reviewed: 2026-06-20", parted), line=note(head, type="line")
    )
    assert "asked#seen" not in {each.id for each in review(corpus, 2, DAY).due}


@every_row(
    ("months", "today", "is_due"),
    [(2, "2026-06-29", False), (2, "2026-06-30", True), (3, "2026-06-30", False)],
)
def test_a_review_lasts_so_many_months(months: int, today: str, is_due: bool) -> None:
    answer = review(corpus_of_notes(old=NOTES["old"]), months, dt.date.fromisoformat(today))
    assert any("2026-04-29" in reason for each in answer.due for reason in each.reasons) is is_due


def test_the_last_day_of_a_short_month_is_one() -> None:
    corpus = corpus_of_notes(
        old=note("reviewed: 2026-02-27", FOUND), new=note("reviewed: 2026-02-28")
    )
    assert {each.id for each in review(corpus, 1, dt.date(2026, 3, 31)).due} == {"old", "new"}
    assert [each.id for each in review(corpus, 1, dt.date(2026, 3, 27)).due] == ["new"]
    assert review(corpus_of_notes(), 1, DAY).report().parts[0].text == "nothing is due"


def test_statements_of_an_essay_that_changed_since_its_review_are_listed() -> None:
    corpus = corpus_of_notes(**NOTES)
    assert statements_changed_since_review(corpus, corpus.lines["other"], History()) == ("near",)
    assert statements_changed_since_review(corpus, corpus.lines["line"], History()) == ()


def test_a_reason_names_a_few_of_many() -> None:
    notes = {f"n{n}": note("updated: 2026-06-21", "- supports:: [[asked]] — so") for n in range(5)}
    due = review(corpus_of_notes(**notes, asked=NOTES["asked"]), 2, DAY).due
    first_result = next(each for each in due if each.id == "asked")
    assert "stale: n0, n1, n2 and 2 more changed since" in first_result.reasons
    assert len(first_result.changed) == 5
    three = {id: text for id, text in notes.items() if id < "n3"}
    (due_note,) = (
        each
        for each in review(corpus_of_notes(**three, asked=NOTES["asked"]), 2, DAY).due
        if each.id == "asked"
    )
    assert due_note.reasons == ("stale: n0, n1 and n2 changed since",)
