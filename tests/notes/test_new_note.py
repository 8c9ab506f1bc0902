"""New notes are well formed, and nothing is written over."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.checks import check
from kg.corpus import Corpus
from kg.files.read import NotesFolder
from kg.notes.new_note import FOLDER_OF_TYPE, PLACEHOLDERS, find_free_id, render_note, write_note

DAY = dt.date(2026, 11, 20)


@pytest.mark.parametrize("type", FOLDER_OF_TYPE)
def test_a_new_note_is_read_as_what_it_is(corpus_of: Callable[..., Corpus], type: str) -> None:
    text = render_note(type, 'A "title": with colons', "skeptic", ("a, b", "c"), DAY)
    corpus = corpus_of(new=text)
    assert [problem.rule for problem in corpus.diagnostics if problem.severity == "error"] == []
    assert "new" in corpus


def test_what_is_not_filled_in_is_told_as_such(corpus_of: Callable[..., Corpus]) -> None:
    types = ("claim", "counter-claim", "evidence", "line")
    notes = {type: render_note(type, f"About {type}", today=DAY) for type in types}
    found = check(corpus_of(**notes))
    unfilled = [problem for problem in found if "is a place to fill in" in problem.message]
    links = {link for text in notes.values() for link in re.findall(r"\[[@\[][\w-]+\]+", text)}
    assert {problem.message.split("`")[1] for problem in unfilled} == links
    assert len(links) == len(PLACEHOLDERS)
    assert [p for p in found if p.severity == "error" and p not in unfilled] == []
    assert all(problem.help.startswith("replace it by the ") for problem in unfilled)


@pytest.mark.parametrize("type", FOLDER_OF_TYPE)
def test_two_new_notes_leave_each_other_alone(corpus_of: Callable[..., Corpus], type: str) -> None:
    one = {problem.rule for problem in check(corpus_of(one=render_note(type, "Naps help")))}
    pair = {"one": render_note(type, "Naps help"), "two": render_note(type, "Tea wakes")}
    assert {problem.rule for problem in check(corpus_of(**pair))} == one


def test_ids_are_made_of_words_and_stay_unique(tmp_path: Path) -> None:
    assert find_free_id(tmp_path, "Été: is <silence> a move?") == "ete-is-silence-a-move"
    (tmp_path / "naps.md").write_text("", "utf-8")
    assert find_free_id(tmp_path, "Naps!") == "naps-2"
    assert find_free_id(tmp_path, "—") == "note"


def test_nothing_is_written_over(tmp_path: Path) -> None:
    folder = NotesFolder.of(tmp_path)
    place = write_note(folder, "a", "claim", "first")
    with pytest.raises(FileExistsError):
        write_note(folder, "a", "claim", "second")
    assert place.read_text("utf-8") == "first"
