"""The corpus: all notes joined at once, with links resolved, immutable; or note by note."""

from kg.corpus.corpus import Corpus
from kg.corpus.joining.assemble import assemble
from kg.corpus.joining.note_by_note import JoinedNote, join_note_by_note
from kg.corpus.names.asked_names import UnknownId
from kg.corpus.names.linkable_names import Duplicate, Unresolved, UnresolvedReason

__all__ = [
    "Corpus",
    "Duplicate",
    "JoinedNote",
    "UnknownId",
    "Unresolved",
    "UnresolvedReason",
    "assemble",
    "join_note_by_note",
]
