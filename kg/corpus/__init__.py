"""All notes together: joined, resolved, sealed."""

from kg.corpus.assemble import assemble
from kg.corpus.corpus import Corpus, UnknownId
from kg.corpus.names import Duplicate, Unresolved, UnresolvedReason

__all__ = ["Corpus", "Duplicate", "UnknownId", "Unresolved", "UnresolvedReason", "assemble"]
