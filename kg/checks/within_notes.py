"""What links may lead to within notes: headings, statements, and paragraphs that bear a name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from kg.checks.note_text import headings_of
from kg.corpus import Corpus
from kg.model.ids import split_id
from kg.notes.markdown.parts import Headings

_MARK = re.compile(r"\^([^\s^]+)[ \t]*$", re.MULTILINE)


class NamesInNote(NamedTuple):
    """What a link within a note may lead to; `blocks` are its statements, by title and by name."""

    headings: Headings
    all_names: Headings
    blocks: Mapping[str, str]


class WithinNotes:
    """Each note is looked at once, however many links lead there: `corpus.derive(WithinNotes)`."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._names: dict[str, NamesInNote | None] = {}
        self._marks: dict[str, frozenset[str]] = {}
        self._aliases = {alias.casefold(): id for alias, id in corpus.aliases.items()}
        self._paths: dict[str, str] = {}
        for things in (corpus.statements, corpus.lines, corpus.sources):
            for id, thing in things.items():
                if thing.span.path.endswith(".md"):
                    self._paths.setdefault(id.casefold(), thing.span.path)
        self._statements, self._in_file = defaultdict(list), defaultdict(list)
        for statement in corpus.statements.values():
            self._statements[statement.note].append(statement)
            self._in_file[statement.span.path].append(statement)
        self._parts = defaultdict(list)
        for name in (*corpus.statements, *corpus.edges_by_id):
            note, mark, part = split_id(name)
            if mark:
                self._parts[note].append(part)

    def path_of(self, name: str) -> str | None:
        """The file of the note that a link names, whatever its case."""
        name = name.removeprefix("@")
        id = self._corpus.find_id(name) or self._aliases.get(name.casefold()) or name
        return self._paths.get(id.casefold())

    def parts_of(self, id: str) -> list[str]:
        """The names of the statements and edges within a note."""
        return self._parts.get(id, [])

    def names_in(self, path: str) -> NamesInNote | None:
        """The headings and statements of a note; None where it cannot be seen."""
        if path not in self._names:
            headings = headings_of(self._corpus, path)
            self._names[path] = None if headings is None else self._with_blocks(path, headings)
        return self._names[path]

    def marks_in(self, note: str) -> frozenset[str]:
        """Names (`^name`) that paragraphs and edges of a note bear."""
        if note not in self._marks:
            id = self._corpus.find_id(note) or note
            texts = [statement.body for statement in self._statements.get(id, ())]
            if line := self._corpus.lines.get(id):
                texts += [line.standfirst, line.essay]
            if source := self._corpus.sources.get(id):
                texts.append(source.body)
            marks = {mark for text in texts for mark in _MARK.findall(text)}
            self._marks[note] = frozenset(marks.union(self.parts_of(id)))
        return self._marks[note]

    def _with_blocks(self, path: str, headings: list[str]) -> NamesInNote:
        blocks: dict[str, str] = {}
        for statement in self._in_file[path]:
            _, mark, name = split_id(statement.id)
            if mark:
                blocks |= {statement.title: f"^{name}", f"^{name}": f"^{name}"}
        return NamesInNote(Headings(headings), Headings([*headings, *blocks]), blocks)
