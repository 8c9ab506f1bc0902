"""The exact place of a word that a rule objects to, and citations not written as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import InquiryLine, Span, Statement
from kg.notes.body import read_body
from kg.notes.discover import NoteFile, read_again
from kg.notes.frontmatter.block import split_front
from kg.notes.frontmatter.yaml import find_value
from kg.notes.markdown.blocks import scan
from kg.notes.markdown.inline import CITATION
from kg.notes.markdown.parts import read_headings
from kg.notes.parser import decode


def place_of(corpus: Corpus, record: Statement | InquiryLine, key: str, word: str) -> Span:
    """Where a statement or line says `word` under `key`; its title where that cannot be seen."""
    file = _file(corpus, record.span.path)
    found = file and find_place(file, record.id.partition("#")[0], record.id, key, word)
    return found or record.span


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


_ITEM = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s")


def find_place(file: NoteFile, note: str, id: str, key: str, word: str) -> Span | None:
    """Where the statement `id` of the note `note` says `word` under `key`, if it says so there."""
    text = decode(file)
    if not isinstance(text, str):
        return None
    front = split_front(text)
    if id == note:
        written = front.respelled.get(key, key)
        at = find_value(front.text, written, word) if front.value(key) is not None else 0
        return front.span_at(file.path, at) if at else None
    body = read_body(front.body, file.path, front.first_line, note)
    for part in body.parts:
        if part.id == id and key in part.places:
            begin = part.places[key][1]
            return body.span_at(max(begin, body.text.find(word, begin)))
    return None


def find_link(file: NoteFile, item: Span, target: str) -> Span | None:
    """Where the list item that begins at `item` links to `target`, as an edge holds it."""
    text = decode(file)
    if not isinstance(text, str):
        return None
    lines = text.split("\n")[item.line - 1 :]
    name = re.escape(target.rpartition("/")[2].partition("#")[0].removesuffix(".md"))
    link = re.compile(rf"(\[)(?:\[|[^\[\]]*\]\(<?)(?:[^\[\]()|]*[/\\])?@?[ ]*{name}(?=[\]\s|#.)>])")
    for number, line in enumerate(lines):
        if number and (not line.strip(" \t>") or _ITEM.match(line)):
            break
        if found := link.search(line, item.column - 1 if number == 0 else 0):
            return Span(item.path, item.line + number, found.start() + 1)
    return None


def find_word(file: NoteFile, begin: Span, word: str) -> Span | None:
    """Where a word first stands from a place on."""
    text = decode(file)
    lines = text.split("\n")[begin.line - 1 :] if isinstance(text, str) else []
    exact = re.compile(rf"(?<![\w.@/-])@?{re.escape(word)}(?![\w-])")
    for number, line in enumerate(lines):
        if found := exact.search(line):
            return Span(begin.path, begin.line + number, found.start() + 1)
    return None


def find_headings(file: NoteFile) -> list[str]:
    """The words of every heading in a note, its title and those in callouts included."""
    text = decode(file)
    if not isinstance(text, str):
        return []
    front = split_front(text)
    title = front.value("title")
    found = [title] if isinstance(title, str) else []
    return found + read_headings(front.body, scan(front.body).blocks)
