"""The text of notes, read again for rules that say where in a note a word stands.

A corpus keeps where its records begin, and not the text of its notes. So this reads each as it
stands on disk by then: where it has changed meanwhile, a place may be that of the whole record, or
a line off. What was never written to disk is in `Corpus.unwritten`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import Span
from kg.notes.body import read_body
from kg.notes.decode import decode_file
from kg.notes.discover import CorpusFiles, NoteFile, reread_file
from kg.notes.frontmatter.split import FrontMatter, split_front_matter
from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.comments import hide_comments
from kg.notes.markdown.line_starts import LineStarts
from kg.notes.markdown.parts import Body, read_headings
from kg.text.merge_conflicts import settle_conflicts


class NoteText:
    """What a note holds, and what is made of it for the many problems that one note may have."""

    def __init__(self, path: str, whole: str) -> None:
        self.path, self.whole = path, whole
        self._bodies: dict[str, Body] = {}

    @cached_property
    def lines(self) -> list[str]:
        return self.whole.split("\n")

    @cached_property
    def starts(self) -> LineStarts:
        return LineStarts(self.whole)

    @cached_property
    def front(self) -> FrontMatter:
        return split_front_matter(self.whole)

    def body(self, id: str) -> Body:
        """The body, read as that of the note called so."""
        if id not in self._bodies:
            front = self.front
            self._bodies[id] = read_body(front.body, self.path, front.first_line, id)
        return self._bodies[id]


def text_of(corpus: Corpus, path: str) -> NoteText:
    """What a note holds; nothing where it cannot be seen."""
    return corpus.derive(_Reader).text(path)


def find_text(corpus: Corpus, path: str) -> str | None:
    """What a file holds, as it was read or as it is now; None where it cannot be seen."""
    return corpus.derive(_Reader).read(path)


@contextmanager
def reading_many(corpus: Corpus) -> Iterator[None]:
    """Meanwhile folders stay open, from which notes are read: that takes a third of the time."""
    if corpus.folder is None:
        yield
        return
    reader = corpus.derive(_Reader)
    with CorpusFiles(corpus.folder) as reader.files:
        try:
            yield
        finally:
            reader.files = None


class _Reader:
    """Reads notes. It keeps the last one: problems come note by note, and one may have many."""

    def __init__(self, corpus: Corpus) -> None:
        self._folder, self._unwritten = corpus.folder, corpus.unwritten
        self.files: CorpusFiles | None = None
        self._last: NoteText | None = None

    def text(self, path: str) -> NoteText:
        """What a note holds, nothing where it cannot be seen."""
        if self._last is None or self._last.path != path:
            self._last = NoteText(path, self.read(path) or "")
        return self._last

    def read(self, path: str) -> str | None:
        """What a file holds; None where it cannot be seen."""
        if path in self._unwritten:
            file: NoteFile | None = NoteFile(path, self._unwritten[path], b"")
        elif self.files is not None:
            file = self.files.read(path)
        else:
            file = None if self._folder is None else reread_file(self._folder, path)
        if file is None:
            return None
        text = decode_file(file)
        return settle_conflicts(text, markdown=True).text if isinstance(text, str) else ""


def lines_from(corpus: Corpus, place: Span) -> Iterator[tuple[int, str]]:
    """The lines of a note from a place on, with their numbers."""
    lines = text_of(corpus, place.path).lines
    for number in range(place.line, len(lines) + 1):
        yield number, lines[number - 1]


class BodyText(NamedTuple):
    """What a note says below its front matter, comments blanked, and the line it begins on."""

    text: str
    first_line: int


def body_of(corpus: Corpus, path: str) -> BodyText:
    """The body of a note; empty where the note cannot be seen."""
    front = text_of(corpus, path).front
    return BodyText(hide_comments(front.body), front.first_line)


def headings_of(corpus: Corpus, path: str) -> list[str] | None:
    """The words of every heading in a note, its title and those in callouts included; None where
    the note cannot be seen.
    """
    text = find_text(corpus, path)
    if text is None:
        return None
    front = split_front_matter(text)
    title = front.value("title")
    found = [title] if isinstance(title, str) else []
    body = hide_comments(front.body)
    return found + read_headings(body, scan_blocks(body).blocks)


def is_titled(corpus: Corpus, path: str) -> bool:
    """Whether a note has a title, in front matter or as a heading, whatever it says."""
    front = text_of(corpus, path).front
    blocks = scan_blocks(hide_comments(front.body)).blocks
    return bool(front.value("title")) or any(block.level == 1 for block in blocks)
