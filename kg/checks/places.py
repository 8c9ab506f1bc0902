"""The exact place of a word that a rule objects to."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.model import Diagnostic, InquiryLine, Span, Statement
from kg.notes.discover import Listed, read_file
from kg.notes.places import find_place


def place_of(corpus: Corpus, said: Statement | InquiryLine, key: str, word: str) -> Span:
    """Where a statement or line says `word` under `key`; its title where that cannot be seen."""
    if corpus.folder is None:
        return said.span
    path = said.span.path
    file = read_file(Listed(path, str(corpus.folder / path)))
    if isinstance(file, Diagnostic):
        return said.span
    return find_place(file, said.id.partition("#")[0], said.id, key, word) or said.span
