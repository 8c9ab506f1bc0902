"""The exact place of a word that a rule objects to, in the text of a note, read again.

A corpus stores the places of its records, but not the text of its notes, so this reads the files
again. If a file has changed meanwhile, a place may be that of the whole record, or a line off.
Text that was never written to disk is in `Corpus.unwritten`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import Fix, InquiryLine, Source, Span, Statement
from kg.model.ids import is_part, note_id_of
from kg.model.settings.config import SETTINGS_PATHS
from kg.notes.bibliography import place_of_field
from kg.notes.body import Body, find_relation, read_body, read_headings
from kg.notes.corrections import find_fix
from kg.notes.frontmatter import FrontMatter, offset_of_value, split_front_matter
from kg.notes.markdown import hide_comments, scan_blocks
from kg.notes.note_files import CorpusFiles, NoteFile, decode_file, reread_file
from kg.runtime.memoize import ResultsKeeper, memoize
from kg.text.line_starts import TextWithLines
from kg.text.merge_conflicts import keep_first_versions

_MAX_TRIES = 100  # partial matches before the search gives up
_MOST_NAME_ENDS = 40  # of words in a link after which its name may end
_MOST_NAME_CHARACTERS = 1000
_LINK_START = re.compile(r"\[(?=(\[|[^\[\]]*\]\(<?))")
_FOLDER_OF_TARGET = re.compile(r"[^\[\]()|#]*[/\\]")
_NAME_START = re.compile(r"@?[ ]*")
_NAME_END = re.compile(r"[\]\s|#.)>]")
_ITEM = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s")


class NoteText(TextWithLines, ResultsKeeper):
    """A note's text, and what is derived from it, cached for the many problems a note may have."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def front(self) -> FrontMatter:
        return split_front_matter(self.text)

    @memoize
    def body(self, id: str) -> Body:
        """The body, read as that of the note `id`."""
        return read_body(self.front.body, self.path, self.front.first_line, id)

    @memoize
    def links_in_line(self, number: int) -> dict[str, list[int]]:
        """Return the offsets at which links begin in a line, by each name that they may lead to.

        One look for all: a line may have thousands of links, each with a problem.
        """
        text_line = self.lines[number - 1]
        offsets_by_name = dict[str, list[int]]()
        for link in _LINK_START.finditer(text_line):
            folder = _FOLDER_OF_TARGET.match(text_line, link.end(1))
            for start in sorted({link.end(1), folder.end() if folder else link.end(1)}):
                for name in _names_at(text_line, start):
                    offsets_by_name.setdefault(name, []).append(link.start())
        return offsets_by_name


def text_of(corpus: Corpus, path: str) -> NoteText:
    """The text of a note; empty if it cannot be read."""
    return _text_reader(corpus).text(path)


def find_text(corpus: Corpus, path: str) -> str | None:
    """The text of a file, unwritten or as it is on disk now; None if it cannot be read."""
    return _text_reader(corpus).read(path)


@contextmanager
def keep_folders_open(corpus: Corpus) -> Iterator[None]:
    """Keep folders open while many notes are read, which takes a third of the time."""
    if corpus.folder is None:
        yield
        return
    reader = _text_reader(corpus)
    with CorpusFiles(corpus.folder) as reader.files:
        try:
            yield
        finally:
            reader.files = None


class _NoteTextReader:
    """Reads notes and caches the last one, as problems come note by note."""

    def __init__(self, corpus: Corpus) -> None:
        self._folder = corpus.folder
        self._unwritten = corpus.unwritten
        self.files: CorpusFiles | None = None
        self._last: NoteText | None = None

    def text(self, path: str) -> NoteText:
        """The text of a note, empty if it cannot be read."""
        if self._last is None or self._last.path != path:
            self._last = NoteText(path, self.read(path) or "")
        return self._last

    def read(self, path: str) -> str | None:
        """The text of a file; None if it cannot be read, empty if it is not text."""
        if path in self._unwritten:
            file: NoteFile | None = NoteFile(path, self._unwritten[path], b"")
        elif self.files is not None:
            file = self.files.read(path)
        else:
            file = None if self._folder is None else reread_file(self._folder, path)
        if file is None:
            return None
        text = decode_file(file)
        return keep_first_versions(text, markdown=True).text if isinstance(text, str) else ""


@memoize
def _text_reader(corpus: Corpus) -> _NoteTextReader:
    return _NoteTextReader(corpus)


def text_rows_from(corpus: Corpus, span: Span) -> Iterator[tuple[int, str]]:
    """The lines of a note from a place on, with their numbers."""
    lines = text_of(corpus, span.path).lines
    for number in range(span.line, len(lines) + 1):
        yield number, lines[number - 1]


class BodyText(NamedTuple):
    """A note's text below its front matter, comments blanked out, and its first line's number."""

    text: str
    first_line: int


def body_of(corpus: Corpus, path: str) -> BodyText:
    """The body of a note; empty if the note cannot be read."""
    front = text_of(corpus, path).front
    return BodyText(hide_comments(front.body), front.first_line)


def headings_of(corpus: Corpus, path: str) -> list[str] | None:
    """The words of every heading in a note, including its title and those in callouts; None if
    the note cannot be read.
    """
    text = find_text(corpus, path)
    if text is None:
        return None
    front = split_front_matter(text)
    title = front.value("title")
    headings = [title] if isinstance(title, str) else []
    body = hide_comments(front.body)
    return headings + read_headings(body, scan_blocks(body).blocks)


def is_titled(corpus: Corpus, path: str) -> bool:
    """Return whether a note has a title, in front matter or as a heading."""
    front = text_of(corpus, path).front
    blocks = scan_blocks(hide_comments(front.body)).blocks
    return bool(front.value("title")) or any(block.level == 1 for block in blocks)


def place_of(corpus: Corpus, record: Statement | InquiryLine | Source, key: str, word: str) -> Span:
    """The place of `word` in the field `key` of a record; the record's own place if not found."""
    text = text_of(corpus, record.span.path)
    path = record.span.path
    front = text.front
    if not is_part(record.id):
        key_in_note = front.key_as_written.get(key, key)
        offset = (
            offset_of_value(front.text, key_in_note, word) if front.value(key) is not None else 0
        )
        return front.span_at(path, offset) if offset else record.span
    body = text.body(note_id_of(record.id))
    for part in body.parts:
        if part.id == record.id and key in part.places:
            start = part.places[key][1]
            return body.span_at(max(start, body.text.find(word, start)))
    return record.span


def place_in_entry(corpus: Corpus, source: Source, field: str) -> Span:
    """The place of a source's field, in a note or in BibTeX; else the source's own place."""
    if source.note:
        return place_of(corpus, source, field, "")
    lines = (line for _, line in text_rows_from(corpus, source.span))
    return place_of_field(lines, source.span, field)


def place_of_link(corpus: Corpus, place: Span, target: str) -> Span:
    """The place of the link to `target`, in the form edges use, in a list item; `place` if it is
    not found.
    """
    name = note_id_of(target.rpartition("/")[2]).removesuffix(".md")
    text = text_of(corpus, place.path)
    for number, text_line in text_rows_from(corpus, place):
        if number > place.line and (not text_line.strip(" \t>") or _ITEM.match(text_line)):
            break
        least_offset = place.column - 1 if number == place.line else 0
        offsets = text.links_in_line(number).get(name, [])
        if (nearest := bisect_left(offsets, least_offset)) < len(offsets):  # they are in order
            return Span(place.path, number, offsets[nearest] + 1)
    return place


def _names_at(text_line: str, name_start: int) -> Iterator[str]:
    """The names that a link may lead to whose target begins there."""
    if start := _NAME_START.match(text_line, name_start):
        name_start = start.end()
    for end in islice(_NAME_END.finditer(text_line, name_start), _MOST_NAME_ENDS):
        if end.start() - name_start > _MOST_NAME_CHARACTERS:
            return
        yield text_line[name_start : end.start()]
        if end[0] in "]|#":  # which no name has
            return


def place_of_relation(corpus: Corpus, place: Span) -> Span:
    """The place of the relation or camp in the list item at `place`."""
    return next(
        (find_relation(text_line, place) for _, text_line in text_rows_from(corpus, place)), place
    )


def place_of_key(corpus: Corpus, first_place: Span, key: str) -> Span:
    """The first place of a key or other words from `first_place` on; `first_place` if not found."""
    key_pattern = re.compile(rf"(?<![\w.@/-])@?{re.escape(key)}(?![\w-])")
    tries = 0
    for number, text_line in text_rows_from(corpus, first_place):
        offset = text_line.find(key)  # much faster than a pattern on long lines
        while offset >= 0 and (tries := tries + 1) <= _MAX_TRIES:
            start = offset - text_line.startswith("@", max(offset - 1, 0), offset)
            if key_pattern.match(text_line, start):
                return Span(first_place.path, number, start + 1)
            offset = text_line.find(key, offset + 1)
    return first_place


def place_in_settings(corpus: Corpus, words: str) -> Span | None:
    """The first place of `words` in the settings; None if not found."""
    for path in SETTINGS_PATHS:
        if (text := find_text(corpus, path)) is not None:
            offset = text.find(words)
            if offset < 0:
                return None
            line_number = text.count("\n", 0, offset) + 1
            return Span(path, line_number, offset - text.rfind("\n", 0, offset))
    return None


def fix_word(corpus: Corpus, place: Span, old: str, new: str | None) -> Fix | None:
    """The fix that replaces `old`, at a place or soon after it, with `new`; None if there is no
    `new`, or if `old` is not found.
    """
    if not new:
        return None
    text = text_of(corpus, place.path)

    def span(offset: int) -> Span:
        return Span(place.path, *text.starts.place(offset))

    start = text.starts.offset(place.line, place.column)
    return find_fix(text.text, start, old, new, span)


def end_of_line(corpus: Corpus, place: Span) -> Span | None:
    """The end of a one-line item; None if the item has more lines or cannot be read."""
    lines = [text_line for _, text_line in islice(text_rows_from(corpus, place), 2)]
    if not lines or (lines[1:] and lines[1].strip(" \t>") and not _ITEM.match(lines[1])):
        return None
    return Span(place.path, place.line, len(lines[0].rstrip()) + 1)
