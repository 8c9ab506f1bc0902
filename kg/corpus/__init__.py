"""All notes together: joined, resolved, sealed."""

from kg.corpus.corpus import Corpus, UnknownId, nearest

__all__ = ["Corpus", "UnknownId", "nearest"]
