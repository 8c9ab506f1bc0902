"""Earlier answers: those of each day's last commit, told apart, remembered, and within bounds."""

from __future__ import annotations

from itertools import count, pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from kg.corpus import Corpus
from kg.files.cache_files import state_folder
from kg.git import Git
from kg.history import past_answers as module
from kg.history.past_answers import (
    EARLIER_DAYS,
    LATEST_DAYS,
    AnswerHistory,
    choose_days,
    find_answer_history,
)
from kg.history.revision import load_revision, load_revision_from
from kg.loader import load_corpus
from kg.reasoning import verdict
from kg.reasoning.answers.verdict import Verdict
from tests.support.repository import CLAIM, LINE, commit, experiment_text, git, moving_corpus_folder

pytestmark = pytest.mark.integration


def clock(work: int) -> SimpleNamespace:
    """A clock of work done, which goes on by so many seconds whenever somebody looks."""
    return SimpleNamespace(process_time=count(0, work).__next__)


def past_of(notes: Path, *, weigh: bool = True) -> AnswerHistory:
    return find_answer_history(load_corpus(notes), weigh=weigh)


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing takes any time, however slow the machine, unless a test says so."""
    monkeypatch.setattr(module, "time", clock(0))


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commits that are loaded."""
    revisions: list[str] = []

    def load(git: Git, notes: Path, revision: str, *, drafts: bool) -> Corpus:
        revisions.append(revision)
        return load_revision_from(git, notes, revision, drafts=drafts)

    monkeypatch.setattr(module, "load_revision_from", load)
    return revisions


def test_each_point_is_the_verdict_on_the_last_commit_of_its_day(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    past = past_of(notes)
    answers = past.of("it")
    assert [str(day) for day, _ in answers] == ["2026-01-02", "2026-01-05", "2026-01-09"]
    assert [answer.word for _, answer in answers] == ["open", "leans supported", "refuted"]
    assert [answer.side for _, answer in answers] == [0, 1, -1]
    for point in past.points[1:]:
        whole_verdict = verdict(load_revision(notes, point.commit), "it")
        assert isinstance(whole_verdict, Verdict)
        answer = point.answers["it"]
        assert (answer.strength, answer.word, answer.side) == (
            whole_verdict.strength,
            whole_verdict.word,
            whole_verdict.side,
        )


def test_each_step_counts_what_was_added_removed_and_reworded(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    pro = experiment_text("It helped a lot", "supports")
    commit(notes, "2026-01-10", pro=pro, **{"it-helps": CLAIM.format("It helps much")})
    steps = past_of(notes).steps
    counts = [{(g.sort, g.fate): (g.count, g.first) for g in step.summary.groups} for step in steps]
    assert counts == [
        {("statement", "reworded"): (1, ("it-helps",)), ("evidence", "added"): (1, ("pro",))},
        {
            ("evidence", "added"): (3, ("con0", "con1", "con2")),
            ("evidence", "removed"): (1, ("pro",)),
        },
        {("evidence", "added"): (1, ("pro",))},
        {("statement", "added"): (1, ("it-helps",))},
        {("line", "added"): (1, ("it",))},
    ]
    assert steps[1].summary.titles["pro"] == "It helped"
    assert [[v.word_after for v in step.summary.moved_answers] for step in steps] == [
        [],  # of a claim in other words nobody asked before
        ["refuted"],
        ["leans supported"],
        [],
        [],
    ]
    assert [step.summary.links for step in steps[:2]] == [(1, 0, 0), (3, 0, 1)]


def test_a_line_that_weighs_another_claim_is_recast_and_not_moved(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    other = {"it-harms": CLAIM.format("It harms"), "it": LINE.format("it-harms")}
    commit(notes, "2026-01-10", **other, pro=experiment_text("It harmed", "supports", "it-harms"))
    past = past_of(notes)
    assert [answer.word for _, answer in past.of("it")] == ["leans supported"]
    assert past.steps[0].summary.moved_answers == ()
    (answer,) = past.steps[0].summary.recast_answers
    assert (answer.line, answer.word_before, answer.word_after) == (
        "it",
        "refuted",
        "leans supported",
    )
    assert ("line", "recast") in [(g.sort, g.fate) for g in past.steps[0].summary.groups]


def test_a_line_that_was_renamed_keeps_its_past(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    text = LINE.format("it-helps").replace("---\n\n", "aliases: [it]\n---\n\n", 1)
    commit(notes, "2026-01-10", it=None, helping=text)
    assert len(past_of(notes).of("helping")) == 4


def test_remembered_points_are_not_weighed_again(tmp_path: Path, loads: list[str]) -> None:
    notes = moving_corpus_folder(tmp_path)
    first = past_of(notes)
    assert len(loads) == 4
    loads.clear()
    assert past_of(notes) == first
    assert past_of(notes, weigh=False) == first, "what is remembered"
    assert loads == []
    latest = commit(notes, "2026-01-12", pro=experiment_text("It helped", "supports"))
    assert past_of(notes, weigh=False) == first, "as of the last time that it was weighed"
    assert past_of(notes).points[:4] == first.points
    assert loads == [latest, first.points[-1].commit], "to be compared with"


def test_a_damaged_memory_is_weighed_again(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    first = past_of(notes)
    room = state_folder(load_corpus(notes).folder or notes)
    assert room is not None
    (room / "past").write_bytes((room / "past").read_bytes()[:-1])
    assert past_of(notes, weigh=False) == AnswerHistory()
    assert past_of(notes) == first


def test_of_many_statements_only_the_latest_states_are_weighed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loads: list[str]
) -> None:
    notes = moving_corpus_folder(tmp_path)
    statements = len(load_corpus(notes))
    monkeypatch.setattr(module, "MAX_STATEMENTS_WEIGHED", 3 * statements)
    few = past_of(notes)
    assert [str(point.day) for point in few.points] == ["2026-01-02", "2026-01-05", "2026-01-09"]
    assert len(few.steps) == 2, "the earliest of these is no step from nothing"
    assert len(loads) == 3
    assert past_of(notes) == few
    monkeypatch.setattr(module, "MAX_STATEMENTS_WEIGHED", 0)
    commit(notes, "2026-01-09")
    assert len(past_of(notes).points) == 2, "of the largest corpus, too, today and the day before"


def test_if_the_present_notes_take_too_long_no_past_ones_are_weighed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loads: list[str]
) -> None:
    notes = moving_corpus_folder(tmp_path)
    with monkeypatch.context() as slow:
        slow.setattr(module, "time", clock(11))
        assert past_of(notes) == AnswerHistory()
    commit(notes, "2026-01-10", new=CLAIM.format("New"))
    assert past_of(notes) == AnswerHistory()
    assert loads == []
    commit(notes, "2026-01-11", new=None, con0=None)
    assert len(past_of(notes).points) == 6, "there is less to weigh"


def test_what_lies_before_a_shallow_clone_is_left_out(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", notes.parent.as_uri(), str(clone))
    past = past_of(clone / "notes")
    assert [str(point.day) for point in past.points] == ["2026-01-05", "2026-01-09"]
    assert len(past.steps) == 1


def test_a_commit_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    settings = notes.parent / "kg.toml"
    claim = {day: CLAIM.format(f"Number {day}") for day in range(1, 5)}
    commit(notes, "2026-01-01", a=claim[1])
    commit(notes, "2026-01-02", a=claim[2])
    settings.write_text("nonsense =", "utf-8")
    git(notes.parent, "add", "kg.toml")
    commit(notes, "2026-01-03", a=claim[3])
    settings.unlink()
    git(notes.parent, "add", "kg.toml")
    commit(notes, "2026-01-04")
    commit(notes, "2026-01-05", line="---\ntype: line\n---\n\n# Why?\n")
    commit(notes, "2026-01-06", line="---\ntype: line\n---\n\n# Why?\n\nAn essay.\n")
    past = past_of(notes)
    assert [point.day.day for point in past.points] == [1, 2, 4, 5, 6]
    days = [(step.since.day, step.day.day) for step in past.steps]
    assert days == [(5, 5), (3, 4), (2, 2), (1, 1)], "of an essay there is nothing to tell"


def test_what_comes_after_an_unreadable_beginning_is_not_all_new(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    commit(notes, "2026-01-01")
    settings = notes.parent / "kg.toml"
    settings.write_text("nonsense =", "utf-8")
    git(notes.parent, "add", "kg.toml")
    commit(notes, "2026-01-02", a=CLAIM.format("A"))
    settings.unlink()
    git(notes.parent, "add", "kg.toml")
    commit(notes, "2026-01-03")
    past = past_of(notes)
    assert [point.day.day for point in past.points] == [3]
    assert past.steps == ()


def test_what_was_written_on_a_branch_counts_where_it_was_merged(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    git(notes.parent, "checkout", "-q", "-b", "side")
    commit(notes, "2026-01-10", pro=experiment_text("It helped", "supports"))
    git(notes.parent, "checkout", "-q", "main")
    git(notes.parent, "merge", "-q", "--no-ff", "-m", "so", "side", day="2026-01-12")
    assert [point.day.day for point in past_of(notes).points] == [1, 2, 5, 9, 12]


def test_without_git_and_in_large_corpora_there_is_no_past(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text(CLAIM.format("A"), "utf-8")
    assert past_of(tmp_path) == AnswerHistory()
    notes = moving_corpus_folder(tmp_path)
    monkeypatch.setattr(module, "MAX_STATEMENTS", 3)
    assert past_of(notes) == AnswerHistory()


def test_a_new_day_changes_no_choice_of_earlier_days() -> None:
    most = LATEST_DAYS + EARLIER_DAYS
    assert choose_days(range(most)) == list(range(most))
    for number in range(1, 200):
        chosen_value, later = choose_days(range(number)), choose_days(range(number + 1))
        assert len(chosen_value) <= LATEST_DAYS + EARLIER_DAYS
        assert chosen_value[0] == 0
        assert chosen_value[-LATEST_DAYS:] == list(range(number))[-LATEST_DAYS:]
        assert set(later) - set(chosen_value) <= {number}
        gaps = [after - before for before, after in pairwise(chosen_value[:-LATEST_DAYS])]
        assert len(set(gaps)) <= 1, number
