"""The corpus as it is on the disk now: read again when a file has changed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from kg.corpus import Corpus
from kg.files.read import NotesFolder, file_signature
from kg.loader import config_places, list_inputs, load_corpus, load_remembered
from kg.notes.discover import need_folder

FEWEST_NOTES_TO_REMEMBER = 500  # notes from which that saves more than it costs


class LatestCorpus:
    """A folder of notes, and the corpus last read from it."""

    def __init__(self, folder: NotesFolder, cache: Path | None = None) -> None:
        """Parsed notes are remembered in the file `cache`. Raises `NoSuchFolder`."""
        need_folder(folder)
        self.folder = folder
        self._cache = cache
        self._seen: object = None

    def read(self) -> Corpus:
        """The corpus of now, without drafts. Raises `ConfigError` and `NoSuchFolder`."""
        now = self._look()
        if now is None or now != self._seen:
            self.__dict__.pop("_corpus", None)
            self._seen = now
        return self._corpus

    @cached_property
    def _corpus(self) -> Corpus:
        if self._cache is None:
            return load_corpus(self.folder)
        return load_remembered(self.folder, self._cache, FEWEST_NOTES_TO_REMEMBER)

    def _look(self) -> object:
        """What tells whether a file changed; None where one may yet change unseen."""
        places = [*list_inputs(self.folder), *map(str, config_places(self.folder))]
        looks = {place: file_signature(place) for place in places}
        if not all(look is None or look.is_settled for look in looks.values()):
            return None
        return {place: look[:3] for place, look in looks.items() if look}
