"""The corpus as N-Quads, written graph by graph, so that its quads need not fit into memory."""

from __future__ import annotations

from pathlib import Path

from kg.corpus import Corpus
from kg.rdf.quads import as_nquads


def write_corpus_nquads(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write the quads of each note, in the order of the notes."""
    with file.open("w", encoding="utf-8", newline="") as output:
        output.writelines(as_nquads(corpus))
