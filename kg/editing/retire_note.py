"""Retire a note, with or without a successor; links to it stay."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import are_of_one_sort
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import set_word
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.references.resolve_reference import note_paths
from kg.model import Relation, Status
from kg.model.ids import is_part
from kg.notes.markdown import relation_items


def retire_note(files: FolderFiles, corpus: Corpus, old: str, new: str = "") -> Change:
    """Mark a note as retired, superseded by `new` if given. Raises `NotEditable`, `UnknownId`."""
    id, path = get_note(corpus, old)
    if id in corpus.sources:
        raise NotEditable(f"{id!r} is a source: record `integrity: retracted`, or `kg merge` it")
    builder = ChangeBuilder(files)
    set_word(builder, path, "status", Status.RETIRED.value)
    title = f"retire {id}"
    if new:
        successor, place = get_note(corpus, new)
        if successor == id:
            raise NotEditable(f"{id!r} cannot supersede itself")
        if (
            not are_of_one_sort(corpus, successor, id)
            and not {successor, id} <= corpus.lines.keys()
        ):
            raise NotEditable(
                f"{successor!r} is not of the kind of {id!r}, and cannot supersede it"
            )
        superseded_ids = [
            e.target for e in corpus.edges_from.get(successor, ()) if e.relation == "supersedes"
        ]
        if id not in superseded_ids:
            append_relations(builder, place, f"- {Relation.SUPERSEDES.value}:: [[{id}]]")
        title += f" for {successor}"
    return builder.change(title)


def get_note(corpus: Corpus, name: str) -> tuple[str, str]:
    """The id and path of a note; raises `UnknownId`, and `NotEditable` for a callout."""
    id = corpus.look_up(name)
    if id is None:
        raise corpus.unknown_id_error(
            name, [*corpus.statements, *corpus.lines, *corpus.sources], "note"
        )
    path = corpus.derive(note_paths).get(id)
    if path is None:
        raise NotEditable(
            f"{id!r} has no note of its own" + (f": first `kg promote {id}`" if is_part(id) else "")
        )
    return id, path


def append_relations(builder: ChangeBuilder, path: str, relation_lines: str) -> None:
    """Append list items of relations to a note, directly below any that end it."""

    def ending(text: str) -> str:
        ends_in_relation = relation_items.RELATION.match(text.rpartition("\n")[2])
        gap = "\n" if ends_in_relation else "\n\n"
        return f"{gap}{relation_lines}\n"

    builder.append_at_end(path, ending)
