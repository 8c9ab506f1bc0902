"""The corpus as it is on disk now, read again when a file has changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock

from kg.corpus import Corpus
from kg.files.file_signatures import file_signature
from kg.files.read_files import NotesFolder
from kg.files.settings_file import config_places
from kg.loader import (
    FEWEST_NOTES_TO_REMEMBER,
    list_inputs,
    load_changed,
    load_corpus,
    load_remembered,
)
from kg.model.errors import KgError
from kg.notes.note_listing import require_folder
from kg.notes.notes_cache import LatestNotes


class LatestCorpus:
    """A folder of notes, and the corpus last read from it.

    No event reports a changed file, so each request checks all of them; `kg serve` and editors have
    such events, and read notes through `LatestNotes`.
    """

    def __init__(self, folder: NotesFolder, cache: Path | None = None) -> None:
        """Parsed notes are cached in the file `cache`. Raises `NoSuchFolder`."""
        require_folder(folder)
        self.folder = folder
        self._cache = cache
        self._lock = Lock()  # one thread may read ahead while another answers
        self._signatures: object = None
        self._corpus: Corpus | None = None
        self._notes = LatestNotes(cache)

    def read(self) -> Corpus:
        """The current corpus, without drafts. Raises `ConfigError` and `NoSuchFolder`."""
        with self._lock:
            self._forget_what_changed()
            if self._corpus is None:
                self._corpus = self._load_corpus()
            return self._corpus

    def read_ahead(self) -> None:
        """Read and weigh the corpus before the first request, which reports any errors."""
        from kg.reasoning.reading import reading_of

        with suppress(KgError, OSError):
            reading_of(self.read()).solve_whole()

    def read_with_changes(self, files: Mapping[str, bytes | None]) -> Corpus:
        """The current corpus, including drafts, with the contents of these files replaced."""
        with self._lock:
            return load_changed(self.folder, files, self._notes.read_notes)

    def _forget_what_changed(self) -> None:
        signatures = self._file_signatures()
        if signatures is None or signatures != self._signatures:
            self._corpus = None
            self._signatures = signatures

    def _load_corpus(self) -> Corpus:
        if self._cache is None:
            return load_corpus(self.folder, self._notes.read_notes)
        return load_remembered(self.folder, self._cache, FEWEST_NOTES_TO_REMEMBER)

    def _file_signatures(self) -> object:
        """The signatures of all files; None if one may still change unnoticed."""
        paths = [*list_inputs(self.folder), *map(str, config_places(self.folder))]
        signatures = {path: file_signature(path) for path in paths}
        if not all(
            signature is None or signature.is_old_enough for signature in signatures.values()
        ):
            return None
        return {path: signature[:3] for path, signature in signatures.items() if signature}
