"""Where in its note something stands, read again when a rule must point at one word."""

from __future__ import annotations

import re

from kg.model import Span
from kg.notes.body import read_body
from kg.notes.discover import NoteFile
from kg.notes.frontmatter.block import split_front
from kg.notes.frontmatter.yaml import find_value
from kg.notes.markdown.blocks import scan
from kg.notes.markdown.headings import read_headings
from kg.notes.parser import decode

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
