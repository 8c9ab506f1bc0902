"""What a link in a note leads to, and what a note's text becomes where it is shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from kg.corpus import Corpus
from kg.model import Value
from kg.notes.markdown.inline import find_target
from kg.publish.markup.html import Child, Html
from kg.publish.page import Heading


class Targets:
    """Ids by everything a link may call them: id, alias, path, in any case."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._paths: dict[str, str] = {}
        self._folded: defaultdict[str, set[str]] = defaultdict(set)
        for id, path in _notes(corpus):
            self._paths.setdefault("/" + path, id)
        for id in (*corpus.statements, *corpus.lines, *corpus.sources, *corpus.aliases):
            self._folded[id.casefold()].add(corpus.find_id(id) or id)

    def find(self, destination: str, wiki: bool, path: str) -> str | None:
        """The id that a link on the note at `path` means; None where it leads nowhere."""
        target = find_target(destination, wiki, path)
        return None if target is None else self.resolve(target)

    def resolve(self, target: str) -> str | None:
        """The id of what stands at `target`: a name or a path, and the block in it."""
        name, mark, block = target.partition("#")
        note = self._note(name)
        if note is None or not (mark and block.startswith("^")):
            return note
        nested = f"{note}#{block[1:]}"
        return nested if nested in self._corpus.statements else None

    def is_internal(self, destination: str, wiki: bool, path: str) -> bool:
        """Whether the link is meant to lead to a note, known or not."""
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


class Prose(Value, frozen=True):
    """Rendered Markdown, and its headings for the table of contents."""

    html: str
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where text stands and is shown: its note, the way to the site's root, the line it is read in.

    `mark` keeps ids apart where one page shows several texts; `deeper` is added to heading levels;
    `flat` leaves nothing but running text, for places inside a paragraph; `beside` makes the
    margin of a paragraph from the ids it links to and its length, `signs` what stands behind a
    link's words.
    """

    path: str
    root: str = ""
    line: str | None = None
    mark: str = ""
    deeper: int = 0
    flat: bool = False
    beside: Callable[[list[str], int], Html] | None = None
    signs: Callable[[str], Html] | None = None


Close: TypeAlias = Callable[[list[Child]], Html]
"""Makes an element of what stood between its beginning and its end."""


@dataclass(slots=True)
class Open:
    """An element whose children are still being read."""

    what: str
    close: Close
    children: list[Child] = field(default_factory=list)
    raw: str = ""
