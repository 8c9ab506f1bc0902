"""The corpus: all notes joined, with links resolved, immutable."""

from kg.corpus.corpus import Corpus
from kg.corpus.joining.assemble import assemble
from kg.corpus.linkable_names import Duplicate, UnknownId, Unresolved, UnresolvedReason

__all__ = ["Corpus", "Duplicate", "UnknownId", "Unresolved", "UnresolvedReason", "assemble"]
