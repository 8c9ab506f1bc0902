"""Retire a note, with or without a successor; links to it stay."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import are_of_one_sort
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import set_word
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.named_things import get_note
from kg.model import Relation, Status


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
        edges = corpus.edges_from.get(successor, ())
        if not any(e.relation is Relation.SUPERSEDES and e.target == id for e in edges):
            builder.append_relations(place, f"- {Relation.SUPERSEDES.value}:: [[{id}]]")
        title += f" for {successor}"
    return builder.change(title)
