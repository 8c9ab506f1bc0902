"""Where in its note a statement says something, read again when a rule must point at one word."""

from __future__ import annotations

from kg.model import Span
from kg.notes.body import read_body
from kg.notes.discover import NoteFile
from kg.notes.front import split_front
from kg.notes.parse import decode
from kg.notes.yaml import find_value


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
