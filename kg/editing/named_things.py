"""Things that a user names to be changed: a note, a callout or edge, a topic."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.editing.folder_files import NotEditable
from kg.editing.references.resolve_reference import note_paths
from kg.model.ids import is_part, split_id


def get_note(corpus: Corpus, name: str) -> tuple[str, str]:
    """The id and path of a note; raises `UnknownId`, and `NotEditable` for a callout."""
    id = corpus.look_up(name)
    if id is None:
        raise corpus.unknown_id_error(
            name, [*corpus.statements, *corpus.lines, *corpus.sources], "note"
        )
    path = note_paths(corpus).get(id)
    if path is None:
        raise NotEditable(
            f"{id!r} has no note of its own" + (f": first `kg promote {id}`" if is_part(id) else "")
        )
    return id, path


def get_block_id(corpus: Corpus, block_name: str) -> str:
    """The id of a callout or an edge given as `note#name` or `note#^name`."""
    plain = block_name.replace("#^", "#")
    note, _, name = split_id(plain)
    id = f"{corpus.find_id(note) or note}#{name}"
    if id in corpus.statements or id in corpus.edges_by_id:
        return id
    part_ids = (*corpus.statements, *corpus.edges_by_id)
    within = [each for each in part_ids if each.startswith(f"{note}#")]
    raise corpus.unknown_id_error(plain, within or list(corpus.statements), "callout or edge")


def topics_of(corpus: Corpus) -> set[str]:
    """Return every topic in use."""
    tables = (corpus.statements, corpus.lines, corpus.sources)
    return {topic for things in tables for thing in things.values() for topic in thing.topics}
