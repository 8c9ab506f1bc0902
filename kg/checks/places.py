"""The exact place of a word that a rule objects to."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.model import Diagnostic, Span, Statement
from kg.notes.discover import Listed, read_file
from kg.notes.places import find_place


def place_of(corpus: Corpus, statement: Statement, key: str, word: str) -> Span:
    """Where `statement` says `word` under `key`; its title where that cannot be seen."""
    if corpus.folder is None:
        return statement.span
    path = statement.span.path
    file = read_file(Listed(path, str(corpus.folder / path)))
    if isinstance(file, Diagnostic):
        return statement.span
    return find_place(file, statement.note, statement.id, key, word) or statement.span
