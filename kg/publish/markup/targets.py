"""What a link of a note leads to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from kg.corpus import Corpus
from kg.notes.markdown.inline import find_target
from kg.text.folding import compose_accents

A_NOTE_LEFT_OUT = ""  # in place of an id


class Targets:
    """Ids by everything a link may call them: id, alias, path, in any case."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._gone = {*(corpus.drafts or ()), *_names_left_out(corpus)}
        self._paths: dict[str, str] = {}
        self._folded: defaultdict[str, set[str]] = defaultdict(set)
        for id, path in _notes(corpus):
            self._paths.setdefault("/" + path, id)
        for id in (*corpus.statements, *corpus.lines, *corpus.sources, *corpus.aliases):
            self._folded[id.casefold()].add(corpus.find_id(id) or id)

    def find(self, destination: str, wiki: bool, path: str) -> str | None:
        """The id that a link on the note at `path` means: `A_NOTE_LEFT_OUT` for a draft or what the
        settings leave out, and None where it leads nowhere.
        """
        target = find_target(destination, wiki, path)
        return None if target is None else self.resolve(target)

    def resolve(self, target: str) -> str | None:
        """The id of what stands at `target`: a name or a path, and the block in it."""
        name, mark, block = target.partition("#")
        note = self._note(name)
        if note is None and (name in self._gone or name.casefold() in self._gone):
            return A_NOTE_LEFT_OUT
        if note is None or not (mark and block.startswith("^")):
            return note
        nested = self._corpus.find_id(f"{note}#{block[1:]}")  # by an alias, too
        return nested if nested in self._corpus.statements else None

    def is_internal(self, destination: str, wiki: bool, path: str) -> bool:
        """Whether the link names a note, known or not."""
        return find_target(destination, wiki, path) is not None

    def _note(self, name: str) -> str | None:
        if name.startswith("/"):
            return self._paths.get(name)
        found = self._corpus.find_id(name)
        folded = self._folded.get(name.casefold(), set())
        return found or (next(iter(folded)) if len(folded) == 1 else None)


def _notes(corpus: Corpus) -> Iterable[tuple[str, str]]:
    for statement in corpus.statements.values():
        if statement.parent is None:
            yield statement.id, statement.span.path
    for line in corpus.lines.values():
        yield line.id, line.span.path
    for source in corpus.sources.values():
        if source.note:
            yield source.key, source.span.path


def _names_left_out(corpus: Corpus) -> Iterable[str]:
    for path in corpus.left_out:
        yield f"/{compose_accents(path)}"
        yield compose_accents(path).rpartition("/")[2].removesuffix(".md").casefold()
