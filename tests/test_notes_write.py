"""New notes are well formed, and nothing is written over."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.notes.write import FOLDERS, find_free_id, render_note, write_note

DAY = dt.date(2026, 11, 20)


@pytest.mark.parametrize("type", FOLDERS)
def test_a_new_note_is_read_as_what_it_is(corpus_of: Callable[..., Corpus], type: str) -> None:
    text = render_note(type, 'A "title": with colons', "skeptic", ("a, b", "c"), DAY)
    corpus = corpus_of(new=text)
    assert [problem.rule for problem in corpus.diagnostics if problem.severity == "error"] == []
    assert "new" in corpus


def test_ids_are_made_of_words_and_stay_unique(tmp_path: Path) -> None:
    assert find_free_id(tmp_path, "Été: is <silence> a move?") == "ete-is-silence-a-move"
    (tmp_path / "naps.md").write_text("", "utf-8")
    assert find_free_id(tmp_path, "Naps!") == "naps-2"
    assert find_free_id(tmp_path, "—") == "note"


def test_nothing_is_written_over(tmp_path: Path) -> None:
    place = write_note(tmp_path, "a", "claim", "first")
    with pytest.raises(FileExistsError):
        write_note(tmp_path, "a", "claim", "second")
    assert place.read_text("utf-8") == "first"
