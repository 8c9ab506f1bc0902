"""Ids as IRIs and back: a folder for each kind of record, under the base of a corpus."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from kg.corpus.note_records import NoteContext
from kg.model.ids import note_id_of, split_id

STATEMENTS = "statements/"
LINES = "lines/"
SOURCES = "sources/"
EDGES = "edges/"
CAMPS = "camps/"
NOTES = "notes/"
FIELDS = "fields/"
ENTRY = "entry/"


_UNRESERVED = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*").fullmatch


class Iris:
    """IRIs under one base. Parts of notes are fragments, so that they lead to the note's page."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._mark = "%23" if "#" in base else "#"  # an IRI has one fragment, here the base's

    @property
    def corpus(self) -> str:
        """The IRI of the corpus, and of the graph of what belongs to no note."""
        return self.base + "corpus"

    def iri_of(self, folder: str, id: str) -> str:
        """The IRI of `id` in the folder of one kind of record."""
        if _UNRESERVED(id):
            return f"{self.base}{folder}{id}"
        name, mark, part = split_id(id)
        if not mark:
            return f"{self.base}{folder}{_percent_escape(name)}"
        return f"{self.base}{folder}{_percent_escape(name)}{self._mark}{_percent_escape(part)}"

    def note(self, path: str) -> str:
        """The IRI of a note's graph, from its path."""
        return f"{self.base}{NOTES}{'/'.join(map(_percent_escape, path.split('/')))}"

    def part(self, owner: str, name: str, number: int) -> str:
        """The IRI of a part without an id, such as the second citation in `owner`."""
        mark = "/" if self._mark in owner[len(self.base) :] else self._mark
        return f"{owner}{mark}{name}/{number}"

    def section(self, owner: str, name: str) -> str:
        """The IRI of a named section of `owner`."""
        return f"{owner}{self._mark}{name}"

    def field(self, folder: str, key: str) -> str:
        """The property of a field not in the ontology, in a form that is a valid XML name."""
        name = quote(key, safe="", errors="surrogatepass")
        return f"{self.base}{folder}{name if name[-1:].isalpha() else name + '_'}"

    def key_of(self, property: str) -> str:
        """The field of a property made by `field`."""
        return _percent_unescape(property[len(self.base) :].partition("/")[2].removesuffix("_"))

    def thing(self, corpus: NoteContext, id: str) -> str:
        """The IRI of the statement, line, source or edge with this id."""
        if id in corpus.statements:
            return self.iri_of(STATEMENTS, id)
        if id in corpus.lines:
            return self.iri_of(LINES, id)
        if id in corpus.sources:
            return self.iri_of(SOURCES, id)
        return self.iri_of(EDGES, id)

    def id_of(self, iri: str) -> str:
        """The id in an IRI of this corpus."""
        local = iri[len(self.base) :].partition("/")[2]
        name, mark, part = local.partition(self._mark)
        return _percent_unescape(name) + ("#" + _percent_unescape(part) if mark else "")

    def path_of(self, note: str) -> str:
        """The path in a note's IRI."""
        return _percent_unescape(note[len(self.base) + len(NOTES) :])


def note_of_statement(id: str, parent: str | None) -> str:
    """The id of a statement's note: the statement's own id, or that before the `#` if nested."""
    return id if parent is None else note_id_of(id)


def _percent_escape(text: str) -> str:
    """`text` with all but letters, digits, `-`, `_`, `~` and inner dots percent-encoded."""
    if _UNRESERVED(text):
        return text
    escaped = quote(text, safe="", errors="surrogatepass")
    # dots alone would lead to another folder
    return escaped.replace(".", "%2E") if escaped in {".", ".."} else escaped


def _percent_unescape(text: str) -> str:
    return unquote(text, errors="surrogatepass")
