"""The notes as an editor shows them: unsaved texts over the files on disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from kg.checks import RULES
from kg.corpus import Corpus, assemble
from kg.editing.references.resolve_reference import linkable_names_of
from kg.files.read_files import NotesFolder
from kg.files.settings_file import load_config
from kg.loader import (
    join_corpus,
    list_corpus,
    load_corpus,
    load_remembered,
    read_bibliographies,
    with_unsaved_files,
)
from kg.lsp.text_ranges import DocumentText
from kg.model import Diagnostic, InquiryLine, RecordId, Source, Span, Statement
from kg.model.settings.config import CONFIG_NAME, Config, ConfigError
from kg.notes.bibliography import Bibliography
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.note_files import NoteFile, reread_file
from kg.notes.note_listing import BIBLIOGRAPHY_SUFFIXES, NOTE_SUFFIX, README, Listing
from kg.notes.notes_cache import LatestNotes, NotesCache
from kg.notes.parsed_note import ParsedNote
from kg.runtime.gc_pauses import pause_gc
from kg.runtime.memoize import memoize

MAX_NAMES_OFFERED = 40  # an editor asks again when more letters are typed


class SearchableName(NamedTuple):
    """A record's id, title, description and path, and the text in which it is searched.

    The description is its kind, or the authors and year of a source.
    """

    id: RecordId
    title: str
    description: str
    path: str
    search_text: str


@memoize
def names_index(corpus: Corpus) -> tuple[SearchableName, ...]:
    """Return all statements, lines and sources."""
    records: list[tuple[str, str, str, Statement | InquiryLine | Source]] = [
        *((each.id, each.title, each.kind.value, each) for each in corpus.statements.values()),
        *((each.id, each.title, "line", each) for each in corpus.lines.values()),
        *((each.key, each.title, author_and_year(each), each) for each in corpus.sources.values()),
    ]
    return tuple(
        SearchableName(
            id, title, description, record.span.path, f"{id}\n{title}\n{description}".casefold()
        )
        for id, title, description, record in records
    )


def author_and_year(source: Source) -> str:
    """The authors and year of a source."""
    return " ".join(filter(None, (source.short_authors, str(source.year or "")))) or "source"


def find_names(
    corpus: Corpus, typed_text: str, *, only_sources: bool = False
) -> tuple[list[SearchableName], bool]:
    """Up to `MAX_NAMES_OFFERED` things whose id, title or description contains all typed words,
    the best match first, and whether these are all.
    """
    names: Sequence[SearchableName] = names_index(corpus)
    if only_sources:
        names = [each for each in names if each.id in corpus.sources]
    for word in typed_text.casefold().split():
        names = [each for each in names if word in each.search_text]
    start = typed_text.casefold().strip()
    if start:
        names = [each for _, _, each in nsmallest(MAX_NAMES_OFFERED + 1, _rank_names(names, start))]
    return list(names[:MAX_NAMES_OFFERED]), len(names) <= MAX_NAMES_OFFERED


def _rank_names(
    names: Sequence[SearchableName], start: str
) -> Iterator[tuple[int, int, SearchableName]]:
    """Ranks: ids that begin with the typed letters, then ids that contain them, then the others."""
    for number, each in enumerate(names):
        offset = each.search_text.find(start)
        rank = 0 if offset == 0 else 1 if 0 < offset < len(each.id) else 2
        yield rank, number, each


Problems = Mapping[str, list[Diagnostic]]  # problems by file


class Workspace:
    """The files of one corpus, and the texts of those that are open, which differ from the files.

    `corpus` is the latest whole one; `known_problems` are its problems. What a note tells by itself
    is found in its text as typed, before all notes are joined again.
    """

    def __init__(self, folder: NotesFolder, cache: Path | None = None) -> None:
        self.folder = folder
        self.cache = cache
        self.config = Config()
        self.listing = Listing((), (), ())
        with suppress(ConfigError):  # a note may be typed before all are read
            self.config = load_config(folder)
        self.texts: dict[str, DocumentText] = {}
        self._typed_notes: dict[str, ParsedNote] = {}
        self._latest_notes = LatestNotes(cache)
        self._bibliography: Bibliography | None = None
        self.unreadable: tuple[Diagnostic, ...] = ()
        self.corpus: Corpus | None = None
        self.weighed: Corpus | None = None
        self.known_problems: Problems = {}
        self._corpus_problems: Problems = {}  # those of rules that need more than one note
        self._joined_texts: Mapping[str, DocumentText] = {}

    # -- files -------------------------------------------------------------------------

    def path_of(self, real_path: str) -> str | None:
        """The path within the notes of a file on disk; None if it is elsewhere."""
        try:
            real = os.path.realpath(real_path)
            path = os.path.relpath(real, self.folder.real).replace(os.sep, "/")
        except ValueError:  # a name with NUL, or another drive on Windows
            return None
        bibliography_paths = {file.path for file in self.listing.bibliographies}
        if path == f"../{CONFIG_NAME}" or path in bibliography_paths:
            return path
        return None if path.startswith("../") or os.path.isabs(path) else path

    def place_of(self, path: str) -> str:
        """The path on disk of a file, by its path within the notes."""
        return os.path.normpath(self.folder.real / path)

    def text(self, path: str) -> DocumentText:
        """The text of a file, as typed if it is open, else as on disk."""
        if path in self.texts:
            return self.texts[path]
        file = reread_file(self.folder, path)
        return DocumentText(path, file.data.decode("utf-8", "replace") if file else "")

    def type(self, path: str, text: str) -> None:
        """Take in the text that an editor shows of a file."""
        valid_text = text.encode("utf-8", "replace").decode()  # lone surrogates cannot be written
        self.texts[path] = DocumentText(path, valid_text)
        self._parse_typed(path)

    def _parse_typed(self, path: str) -> None:
        is_note = path.endswith(NOTE_SUFFIX) and os.path.basename(path) != README
        if is_note and not path.startswith(("../", ".")):
            file = NoteFile(path, self.texts[path].text.encode(), b"")
            self._typed_notes[path] = note_parser(self.config)(file)

    def close(self, path: str) -> None:
        """Forget the typed text of a file, and read it from disk again."""
        self.texts.pop(path, None)
        self._typed_notes.pop(path, None)
        self.forget([path])

    def forget(self, paths: Iterable[str]) -> None:
        """Forget files that have changed on disk, so that they are read again."""
        self.read_settings()
        if any(path.lower().endswith(BIBLIOGRAPHY_SUFFIXES) for path in paths):
            self._bibliography = None

    # -- the whole ---------------------------------------------------------------------

    def read_settings(self) -> None:
        """Read the settings and the list of files; broken settings are ignored."""
        old_map = self.config.map
        with suppress(ConfigError):
            self.config = load_config(self.folder)
        self.listing = list_corpus(self.folder, self.config)
        if self.config.map != old_map:
            for path in self.texts:
                self._parse_typed(path)

    def open(self) -> None:
        """Load the corpus as on disk, from the cache if nothing has changed; the parsed notes may
        still be missing.
        """
        self.read_settings()
        with suppress(ConfigError):
            if self.cache:
                self._set_latest_corpus(load_remembered(self.folder, self.cache))
            else:
                self._set_latest_corpus(load_corpus(self.folder))

    def _read_bibliography(self) -> Bibliography:
        files = self.listing.bibliographies
        if self.cache is None:
            return read_bibliographies(files)
        return NotesCache(self.cache, self.config).read_bibliographies(files)

    def join(self) -> Corpus:
        """Join all notes again, open ones as typed."""
        with pause_gc():
            batch = self._latest_notes.read_notes(self.listing.notes, self.config)
            self.unreadable = tuple(batch.diagnostics)
            self._joined_texts = dict(self.texts)
            notes_by_path = {note.path: note for note in batch.parsed_notes} | self._typed_notes
            batch.parsed_notes = [note for _, note in sorted(notes_by_path.items())]
            bibliography = self._bibliography = self._bibliography or self._read_bibliography()
            corpus = join_corpus(batch, bibliography, self.listing, self.config, self.folder)
        corpus = with_unsaved_files(corpus, self.typed_contents()) if self.texts else corpus
        self._set_latest_corpus(corpus)
        return corpus

    def _set_latest_corpus(self, corpus: Corpus) -> None:
        """Make a corpus the latest, and prepare what answers to keystrokes need."""
        linkable_names_of(corpus)
        names_index(corpus)
        self.corpus = corpus

    def weigh(self) -> Corpus:
        """Compute the strengths of the latest corpus."""
        from kg.reasoning.reading import reading_of

        corpus = self.corpus or self.join()
        reading_of(corpus).solve_whole()
        self.weighed = corpus
        return corpus

    def check(self, stop: Callable[[], bool] = lambda: False) -> Problems | None:
        """Return every problem of the whole corpus; None if stopped between two rules."""
        corpus = self.corpus or self.join()
        best_guess = corpus.with_guesses
        problems = list(corpus.diagnostics)
        corpus_problems = [*self.listing.diagnostics, *self.unreadable]
        with pause_gc():
            for rule in RULES:
                if stop():
                    return None
                rule_problems = list(rule.run(best_guess))
                problems += rule_problems
                corpus_problems += () if rule.of_one_note else rule_problems
        self.known_problems = by_path(problems)
        self._corpus_problems = by_path(corpus_problems)
        return self.known_problems

    def problems(self, path: str) -> list[Diagnostic]:
        """The problems that a note has by itself as typed, with those last found among all notes:
        without their fixes, if it was typed since.
        """
        note = self._typed_notes.get(path)
        if note is None:
            return list(self.known_problems.get(path, ()))
        note_corpus = assemble((note,), (), (), self.config, self.folder)
        problems = list(note_corpus.diagnostics)
        best_guess = with_unsaved_files(note_corpus.with_guesses, self.typed_contents())
        for rule in RULES:
            problems += rule.run(best_guess) if rule.of_one_note else ()
        is_typed_since = self.texts[path] is not self._joined_texts.get(path)
        for problem in self._corpus_problems.get(path, ()):
            problems.append(replace(problem, fix=None) if is_typed_since else problem)
        return sorted(problems, key=_order)

    def typed_contents(self) -> dict[str, bytes]:
        """The contents of the open files, by path."""
        return {path: text.text.encode() for path, text in self.texts.items()}


def by_path(problems: Iterable[Diagnostic]) -> Problems:
    """Problems by file, in reading order."""
    problems_by_path: dict[str, list[Diagnostic]] = {}
    for problem in sorted(problems, key=_order):
        problems_by_path.setdefault(problem.span.path, []).append(problem)
    return problems_by_path


def _order(problem: Diagnostic) -> tuple[Span, str]:
    return problem.span, problem.rule
