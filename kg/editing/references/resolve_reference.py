"""Resolve a reference in a corpus, by the corpus's own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kg.corpus import Corpus
from kg.corpus.names.linkable_names import LinkableNames
from kg.editing.references.reference import DEFINITIONS, LINK_KINDS, Reference, ReferenceKind
from kg.model import Relation, SourceKey
from kg.model.ids import note_id_of, part_id
from kg.notes.parsed_note import ParsedNote
from kg.runtime.memoize import memoize


def resolve(corpus: Corpus, reference: Reference) -> str | None:
    """Find what a reference names: an id, a citation key, a camp's id, or a word such as a topic.

    None if nothing has that name, or several things have it.
    """
    resolver = _RESOLVERS.get(reference.kind)
    return resolver(corpus, reference) if resolver else None


def is_camp_word(corpus: Corpus, reference: Reference) -> bool:
    """Return whether a reference is the word before `::` in a line, which names a camp.

    Whether a note is a line is not seen where its words are found, so it comes as a relation.
    """
    return reference.kind is ReferenceKind.RELATION and reference.holder in corpus.lines


def _relation_or_camp(corpus: Corpus, reference: Reference) -> str | None:
    """The word before `::`, which the parser reads in capitals, too; not so `camp:` in a head."""
    word = reference.name.casefold()
    allowed_words = corpus.config.camp_ids if is_camp_word(corpus, reference) else set(Relation)
    return word if word in allowed_words else None


def _resolve_camp(corpus: Corpus, reference: Reference) -> str | None:
    return reference.name if reference.name in corpus.config.camp_ids else None


def _judged_edge(corpus: Corpus, reference: Reference) -> str | None:
    return reference.name if reference.name in corpus.edges_by_id else None


def _resolve_source(corpus: Corpus, reference: Reference) -> str | None:
    return _source_key(corpus, reference.name)


def _resolve_holder(corpus: Corpus, reference: Reference) -> str:
    """Return who holds a view: the key of a work, or anybody by name."""
    return _source_key(corpus, reference.name) or reference.name


def _id_of_alias(corpus: Corpus, reference: Reference) -> str | None:
    return corpus.aliases.get(reference.name)


def _name_itself(_: Corpus, reference: Reference) -> str:
    return reference.name


def _find_linked_note(corpus: Corpus, reference: Reference) -> str | None:
    if not reference.target:
        return None
    names = linkable_names_of(corpus)
    if reference.word == Relation.UNDERCUTS and reference.kind is ReferenceKind.TARGET:
        return names.find_edge(reference.target)
    mentioned = reference.kind in (ReferenceKind.MENTION, ReferenceKind.EMBED)
    ids = names.find_mentioned(reference.target) if mentioned else names.find_ids(reference.target)
    return ids[0] if len(ids) == 1 else None


def _source_key(corpus: Corpus, name: str) -> SourceKey | None:
    id = corpus.find_id(name)
    return id if id in corpus.sources else None


def _resolve_block(corpus: Corpus, reference: Reference) -> str | None:
    """The id of a callout or an edge; None for the name of a paragraph."""
    id = part_id(note_id_of(reference.holder), reference.name)
    return id if id in corpus.statements or id in corpus.edges_by_id else None


# Titles and headings name nothing: they say what their note is called.
_RESOLVERS: Mapping[ReferenceKind, Callable[[Corpus, Reference], str | None]] = {
    **dict.fromkeys(LINK_KINDS, _find_linked_note),
    **dict.fromkeys(DEFINITIONS - {ReferenceKind.TITLE, ReferenceKind.HEADING}, _name_itself),
    ReferenceKind.BLOCK: _resolve_block,
    ReferenceKind.ALIAS: _id_of_alias,
    ReferenceKind.CITATION: _resolve_source,
    ReferenceKind.INHERITED: _resolve_source,
    ReferenceKind.HOLDER: _resolve_holder,
    ReferenceKind.JUDGED_EDGE: _judged_edge,
    ReferenceKind.CAMP: _resolve_camp,
    ReferenceKind.RELATION: _relation_or_camp,
    ReferenceKind.TOPIC: _name_itself,
    ReferenceKind.ABOUT: _name_itself,
}


@memoize
def linkable_names_of(corpus: Corpus) -> LinkableNames:
    """Return every name to which notes can link, including edges."""
    parsed_notes = [ParsedNote(path=path, id=id) for id, path in note_paths(corpus).items()]
    names = LinkableNames(parsed_notes, corpus.statements, corpus.lines, corpus.sources)
    names.add_edges(corpus.edges)
    return names


@memoize
def note_paths(corpus: Corpus) -> Mapping[str, str]:
    """Return each note's path by its id, without glossaries, to which nothing can link."""
    tables = (corpus.statements, corpus.lines, corpus.sources)
    return {
        id: thing.span.path for things in tables for id, thing in things.items() if thing.note == id
    }
