"""A new note is planned for whoever asks: its id, its text, and why it would be refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.corpus import UnknownId
from kg.editing.change_effect import RefusedChange
from kg.editing.plan_note import plan_note
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.model.errors import Misuse
from kg.notes.new_note import NewEdge, NewNote
from tests.support.every_row import every_row


@pytest.fixture
def folder(tmp_path: Path) -> NotesFolder:
    (tmp_path / "naps.md").write_text("---\ntype: claim\n---\n\n# Naps help memory\n", "utf-8")
    return NotesFolder.from_path(tmp_path)


def test_a_note_gets_a_free_id_and_remarks_on_its_title(folder: NotesFolder) -> None:
    corpus = load_corpus(folder)
    for title, id, remark in (
        ("Naps!", "naps-2", ""),
        ("Naps help memories", "naps-help-memories", "`naps` has a similar title: kg show naps"),
        ("Do they?", "do-they", "this title is a question, which a line should ask: kg new line"),
    ):
        plan = plan_note(folder, corpus, NewNote("claim", title), is_complete=False)
        assert (plan.id, plan.remarks) == (id, [remark] if remark else [])
        assert f"\n# {title}\n" in plan.text


@every_row(
    ("new_note", "is_complete", "error", "message"),
    [
        (NewNote("claim", "Tea", "naps"), False, Misuse, "`naps` already exists"),
        (NewNote("claim", "naps help MEMORY"), False, Misuse, "`naps` has the same title"),
        (NewNote("claim", "Tea", fields={"camp": "left"}), False, UnknownId, "left"),
        (
            NewNote("claim", "Tea", edges=[NewEdge("supports", "cake")]),
            True,
            RefusedChange,
            "nothing was written",
        ),
    ],
)
def test_a_note_that_would_be_wrong_is_refused(
    new_note: NewNote, is_complete: bool, error: type[Exception], message: str, folder: NotesFolder
) -> None:
    with pytest.raises(error, match=message):
        plan_note(folder, load_corpus(folder), new_note, is_complete)
