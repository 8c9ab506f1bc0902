"""Plan a new note: its id, its text, and what speaks against writing it."""

from __future__ import annotations

from typing import NamedTuple

from kg.checks import check, diagnostics_in
from kg.corpus import Corpus
from kg.editing.change_effect import RefusedChange
from kg.files.read_files import NotesFolder
from kg.loader import load_changed
from kg.model import RecordId, Severity
from kg.model.errors import Misuse
from kg.notes.new_note import FOLDER_OF_TYPE, NewNote, free_id, render_new_note, render_template
from kg.text.folding import fold_title
from kg.text.questions import is_question
from kg.text.spelling import most_similar_name

SIMILAR_TITLE = 0.8  # similarity from which two titles are reported as close


class PlannedNote(NamedTuple):
    """A note to write, and remarks for its author."""

    id: RecordId
    text: str
    remarks: list[str]


def plan_note(
    folder: NotesFolder, corpus: Corpus, new_note: NewNote, is_complete: bool
) -> PlannedNote:
    """A new note as it is given, or, unless it `is_complete`, from the template of its type.

    Raises `Misuse` for an id or a title that is taken, and for a camp that does not exist, and
    `RefusedChange` for a complete note with errors.
    """
    id, title, camps = new_note.id, new_note.title, corpus.config.camp_ids
    if id and (existing_id := corpus.find_id(id)):
        alias_note = "" if id == existing_id else f", as `{existing_id}`"
        raise Misuse(f"`{id}` already exists{alias_note}")
    if not is_complete and (camp := str(new_note.fields.get("camp", ""))) not in ("", *camps):
        raise corpus.unknown_id_error(camp, camps, "camp")
    remarks = _remarks_on_title(corpus, new_note)
    id = id or free_id(folder, title, corpus.find_id)
    if not is_complete:
        return PlannedNote(id, render_template(new_note, camps), remarks)
    text, path = render_new_note(new_note), f"{FOLDER_OF_TYPE[new_note.type]}/{id}.md"
    problems = diagnostics_in(check(load_changed(folder, {path: text.encode("utf-8")})), (path,))
    if errors := tuple(each for each in problems if each.severity is Severity.ERROR):
        raise RefusedChange(errors, folder)
    return PlannedNote(id, text, remarks)


def _remarks_on_title(corpus: Corpus, new_note: NewNote) -> list[str]:
    """Remarks on a similar title, and on a question; raises `Misuse` for a title that is taken."""
    groups = (corpus.statements, corpus.lines, corpus.sources)
    ids_by_title = {
        fold_title(each.title): name for group in groups for name, each in group.items()
    }
    folded_title = fold_title(new_note.title)
    if id := ids_by_title.get(folded_title):
        raise Misuse(f"`{id}` has the same title; link to it, or say what differs")
    remarks = []
    if similar_title := most_similar_name(folded_title, ids_by_title, SIMILAR_TITLE):
        id = ids_by_title[similar_title]
        remarks.append(f"`{id}` has a similar title: kg show {id}")
    if new_note.type not in ("line", "source") and is_question(new_note.title):
        remarks.append("this title is a question, which a line should ask: kg new line")
    return remarks
