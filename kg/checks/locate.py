"""The exact place of a word that a rule objects to."""

from __future__ import annotations

import re
from itertools import islice

from kg.checks.note_text import find_text, lines_from, text_of
from kg.corpus import Corpus
from kg.model import Fix, InquiryLine, Source, Span, Statement
from kg.model.config import SETTINGS_PATHS
from kg.model.ids import is_part, note_id_of
from kg.notes.corrections import find_fix
from kg.notes.entries.parsed_bibliography import place_of_field
from kg.notes.frontmatter.yaml import find_value
from kg.notes.markdown.relation_items import find_relation

_MAX_TRIES = 100  # words that only begin or end as a key does, before its place is given up
_ITEM = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s")


def place_of(corpus: Corpus, record: Statement | InquiryLine | Source, key: str, word: str) -> Span:
    """Where a statement or line says `word` under `key`; its title where that cannot be seen."""
    text, path = text_of(corpus, record.span.path), record.span.path
    front = text.front
    if not is_part(record.id):
        written = front.respelled.get(key, key)
        at = find_value(front.text, written, word) if front.value(key) is not None else 0
        return front.span_at(path, at) if at else record.span
    body = text.body(note_id_of(record.id))
    for part in body.parts:
        if part.id == record.id and key in part.places:
            begin = part.places[key][1]
            return body.span_at(max(begin, body.text.find(word, begin)))
    return record.span


def place_in_entry(corpus: Corpus, source: Source, field: str) -> Span:
    """Where a source names a field, in a note or in BibTeX; its beginning where it does not."""
    if source.note:
        return place_of(corpus, source, field, "")
    lines = (line for _, line in lines_from(corpus, source.span))
    return place_of_field(lines, source.span, field)


def place_of_link(corpus: Corpus, item: Span, target: str) -> Span:
    """Where the list item at `item` links to `target`, as an edge holds it; its beginning where
    that cannot be seen.
    """
    name = re.escape(note_id_of(target.rpartition("/")[2]).removesuffix(".md"))
    link = re.compile(rf"(\[)(?:\[|[^\[\]]*\]\(<?)(?:[^\[\]()|]*[/\\])?@?[ ]*{name}(?=[\]\s|#.)>])")
    for number, line in lines_from(corpus, item):
        if number > item.line and (not line.strip(" \t>") or _ITEM.match(line)):
            break
        if found := link.search(line, item.column - 1 if number == item.line else 0):
            return Span(item.path, number, found.start() + 1)
    return item


def place_of_relation(corpus: Corpus, item: Span) -> Span:
    """Where the list item at `item` names its relation or camp."""
    return next((find_relation(line, item) for _, line in lines_from(corpus, item)), item)


def place_of_key(corpus: Corpus, begin: Span, key: str) -> Span:
    """Where a key or other words first stand behind a place; else that place."""
    exact = re.compile(rf"(?<![\w.@/-])@?{re.escape(key)}(?![\w-])")
    tries = 0
    for number, line in lines_from(corpus, begin):
        at = line.find(key)  # much faster than a pattern where a long line names it far behind
        while at >= 0 and (tries := tries + 1) <= _MAX_TRIES:
            first = at - line.startswith("@", max(at - 1, 0), at)
            if exact.match(line, first):
                return Span(begin.path, number, first + 1)
            at = line.find(key, at + 1)
    return begin


def place_in_settings(corpus: Corpus, words: str) -> Span | None:
    """Where words first stand in the settings; None where they cannot be seen."""
    for path in SETTINGS_PATHS:
        if (text := find_text(corpus, path)) is not None:
            at = text.find(words)
            line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
            return Span(path, line, column) if at >= 0 else None
    return None


def fix_word(corpus: Corpus, place: Span, old: str, new: str | None) -> Fix | None:
    """The fix that puts `new` in place of `old`, which stands at a place or soon behind it; None
    where there is no such word to put or to be seen.
    """
    if not new:
        return None
    text = text_of(corpus, place.path)

    def span(at: int) -> Span:
        return Span(place.path, *text.starts.place(at))

    at = text.starts.offset(place.line, place.column)
    return find_fix(text.whole, at, old, new, span)


def end_of_line(corpus: Corpus, item: Span) -> Span | None:
    """Where the line of an item ends, if the item is one line and can be seen."""
    lines = [line for _, line in islice(lines_from(corpus, item), 2)]
    if not lines or (lines[1:] and lines[1].strip(" \t>") and not _ITEM.match(lines[1])):
        return None
    return Span(item.path, item.line, len(lines[0].rstrip()) + 1)
