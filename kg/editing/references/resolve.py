"""What a reference names in a corpus, by the corpus's own rules."""

from __future__ import annotations

from collections.abc import Mapping

from kg.corpus import Corpus
from kg.corpus.names import Names
from kg.editing.references.reference import DEFINITIONS, LINKS, Reference, ReferenceKind
from kg.model import Relation
from kg.model.ids import note_id_of, part_id
from kg.notes.parsed import ParsedNote


def resolve(corpus: Corpus, reference: Reference) -> str | None:
    """What a reference names: an id, a citation key, a camp's id, or words as they are.

    None where it leads nowhere, or to several.
    """
    kind = reference.kind
    if kind in LINKS:
        return _find_linked_note(corpus, reference)
    if kind in (ReferenceKind.CITATION, ReferenceKind.INHERITED):
        return _source_key(corpus, reference.name)
    if kind is ReferenceKind.HOLDER:
        return _source_key(corpus, reference.name) or reference.name
    if kind is ReferenceKind.JUDGED_EDGE:
        return reference.name if reference.name in corpus.edges_by_id else None
    if kind is ReferenceKind.CAMP or (
        kind is ReferenceKind.RELATION and reference.holder in corpus.lines
    ):
        camp = reference.name.casefold() if kind is ReferenceKind.RELATION else reference.name
        return camp if camp in corpus.config.camp_ids else None
    if kind is ReferenceKind.RELATION:
        relation = reference.name.casefold()
        return relation if relation in set(Relation) else None
    if kind is ReferenceKind.BLOCK:
        return _block(corpus, reference)
    if kind is ReferenceKind.ALIAS:
        return corpus.aliases.get(reference.name)
    if kind in DEFINITIONS and kind not in (ReferenceKind.TITLE, ReferenceKind.HEADING):
        return reference.name
    return reference.name if kind in (ReferenceKind.TOPIC, ReferenceKind.ABOUT) else None


def _find_linked_note(corpus: Corpus, reference: Reference) -> str | None:
    if not reference.target:
        return None
    names = names_of(corpus)
    if reference.word == Relation.UNDERCUTS and reference.kind is ReferenceKind.TARGET:
        return names.find_edge(reference.target)
    mentioned = reference.kind in (ReferenceKind.MENTION, ReferenceKind.EMBED)
    found = names.find_mentioned(reference.target) if mentioned else names.find(reference.target)
    return found[0] if len(found) == 1 else None


def _source_key(corpus: Corpus, key: str) -> str | None:
    found = corpus.find_id(key)
    return found if found in corpus.sources else None


def _block(corpus: Corpus, reference: Reference) -> str | None:
    """A callout, or an edge; a paragraph's name is not the corpus's."""
    id = part_id(note_id_of(reference.holder), reference.name)
    return id if id in corpus.statements or id in corpus.edges_by_id else None


def names_of(corpus: Corpus) -> Names:
    """Every name by which a note links to something, edges included; made once."""
    return corpus.derive(_names_of)


def _names_of(corpus: Corpus) -> Names:
    notes = [ParsedNote(path=path, id=id) for id, path in corpus.derive(note_paths).items()]
    names = Names(notes, corpus.statements, corpus.lines, corpus.sources)
    names.add_edges(corpus.edges)
    return names


def note_paths(corpus: Corpus) -> Mapping[str, str]:
    """Each note's file by its id; glossaries, to which nothing leads, are left out."""
    tables = (corpus.statements, corpus.lines, corpus.sources)
    return {
        id: thing.span.path for things in tables for id, thing in things.items() if thing.note == id
    }
