"""The exact place of a word that a rule objects to, and citations not written as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import InquiryLine, Span, Statement
from kg.notes.discover import NoteFile, read_again
from kg.notes.markdown.inline import CITATION
from kg.notes.places import find_headings, find_link, find_place, find_word


def place_of(corpus: Corpus, said: Statement | InquiryLine, key: str, word: str) -> Span:
    """Where a statement or line says `word` under `key`; its title where that cannot be seen."""
    file = _file(corpus, said.span.path)
    found = file and find_place(file, said.id.partition("#")[0], said.id, key, word)
    return found or said.span


def place_of_link(corpus: Corpus, item: Span, target: str) -> Span:
    """Where the list item at `item` links to `target`; its beginning where that cannot be seen."""
    file = _file(corpus, item.path)
    return (file and find_link(file, item, target)) or item


def place_of_key(corpus: Corpus, begin: Span, key: str) -> Span:
    """Where a key or other words first stand behind a place; else that place."""
    file = _file(corpus, begin.path)
    return (file and find_word(file, begin, key)) or begin


def headings_of(corpus: Corpus, path: str) -> list[str] | None:
    """Every heading of a note, its title included; None where the note cannot be seen."""
    file = _file(corpus, path)
    return None if file is None else find_headings(file)


def _file(corpus: Corpus, path: str) -> NoteFile | None:
    return None if corpus.folder is None else read_again(corpus.folder, path)


_BARE = re.compile(r"(?<![\w@/.-])(?:@|\[(?=[^\[\]@]+\](?![(\[:])))(\w[\w:-]*)")

_SQUARE = re.compile(r"\[\w[\w:-]*\](?![(\[:\]])")


def find_bare_citations(corpus: Corpus, statement: Statement) -> Iterator[str]:
    """Keys of sources that a statement's text names, as `@key` or `[key]`, without citing them."""
    body = statement.body
    if body.count("@") <= len(statement.citations) and not _SQUARE.search(body):
        return  # nearly all: each sign stands in a citation
    cited = set(statement.sources)
    for found in _BARE.finditer(CITATION.sub("", body)):
        if found[1] in corpus.sources and found[1] not in cited:
            cited.add(found[1])
            yield found[1]
