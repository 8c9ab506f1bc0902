"""Ids as IRIs and back: no id can leave its IRI, and no two ids share one."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from kg.corpus import Corpus

STATEMENTS = "statements/"
LINES = "lines/"
SOURCES = "sources/"
EDGES = "edges/"
CAMPS = "camps/"
NOTES = "notes/"
FIELDS = "fields/"
ENTRY = "entry/"


_PLAIN = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*").fullmatch


class Iris:
    """IRIs under one base. Parts of notes are fragments, so that they lead to their note's page."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._mark = "%23" if "#" in base else "#"

    @property
    def corpus(self) -> str:
        """The corpus itself, and the graph of what belongs to no note."""
        return self.base + "corpus"

    def of(self, folder: str, id: str) -> str:
        """The IRI of `id` among the things of one kind."""
        if _PLAIN(id):
            return f"{self.base}{folder}{id}"
        name, mark, part = id.partition("#")
        if not mark:
            return f"{self.base}{folder}{_quoted(name)}"
        return f"{self.base}{folder}{_quoted(name)}{self._mark}{_quoted(part)}"

    def note(self, path: str) -> str:
        """The IRI of a note's graph, from its path."""
        return f"{self.base}{NOTES}{'/'.join(map(_quoted, path.split('/')))}"

    def part(self, whole: str, name: str, number: int) -> str:
        """The IRI of what has no id of its own, such as the second citation inside `whole`."""
        mark = "/" if self._mark in whole[len(self.base) :] else self._mark
        return f"{whole}{mark}{name}/{number}"

    def section(self, whole: str, name: str) -> str:
        """The IRI of a named section of `whole`, which is no part of anything."""
        return f"{whole}{self._mark}{name}"

    def field(self, folder: str, key: str) -> str:
        """The property of a field that the ontology does not know, in a form that XML can name."""
        name = quote(key, safe="", errors="surrogatepass")
        return f"{self.base}{folder}{name if name[-1:].isalpha() else name + '_'}"

    def key_of(self, property: str) -> str:
        """The field that such a property stands for."""
        return _plain(property[len(self.base) :].partition("/")[2].removesuffix("_"))

    def thing(self, corpus: Corpus, id: str) -> str:
        """The IRI of a statement, line, source or edge, whichever `id` names."""
        if id in corpus.statements:
            return self.of(STATEMENTS, id)
        if id in corpus.lines:
            return self.of(LINES, id)
        if id in corpus.sources:
            return self.of(SOURCES, id)
        return self.of(EDGES, id)

    def id_of(self, iri: str) -> str:
        """The id that an IRI of this corpus stands for."""
        local = iri[len(self.base) :].partition("/")[2]
        name, mark, part = local.partition(self._mark)
        return _plain(name) + ("#" + _plain(part) if mark else "")

    def path_of(self, note: str) -> str:
        """The path that a note's IRI stands for."""
        return _plain(note[len(self.base) + len(NOTES) :])


def note_around(id: str, parent: str | None) -> str:
    """The note that a statement's id names: itself, or what holds the nested one."""
    return id if parent is None else id.partition("#")[0]


def _quoted(text: str) -> str:
    """Letters, digits, `-`, `_`, `~` and inner dots as they are, all else as percent escapes."""
    if _PLAIN(text):
        return text
    found = quote(text, safe="", errors="surrogatepass")
    return found.replace(".", "%2E") if found in {".", ".."} else found


def _plain(text: str) -> str:
    return unquote(text, errors="surrogatepass")
