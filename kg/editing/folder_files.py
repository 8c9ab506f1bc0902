"""The files of a corpus in which something may be named, as they are on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from kg.editing.source_text import NotEditable, SourceText
from kg.files.read import NotesFolder, StrPath, read_file, read_input
from kg.loader import MAX_CONFIG_BYTES, config_places, list_corpus, load_config
from kg.model.config import CONFIG_NAME
from kg.notes.discover import (
    JUDGEMENTS_FOLDER,
    MAX_BIBLIOGRAPHY_BYTES,
    MAX_NOTE_BYTES,
    README,
    list_judgements,
    read_listed_files,
)


class FolderFiles:
    """Notes, bibliographies, judgements and settings, by path relative to the notes folder.

    Settings and bibliographies beside the folder are `../kg.toml` and so on. Each file is read
    once.
    """

    def __init__(self, folder: StrPath) -> None:
        self.folder = NotesFolder.of(folder)
        self._texts: dict[str, SourceText] = {}

    @cached_property
    def _data(self) -> dict[str, bytes]:
        # what is ignored may link to notes, too
        listing = list_corpus(
            self.folder, load_config(self.folder).model_copy(update={"ignore": ()})
        )
        found, _ = read_listed_files((*listing.notes, *listing.bibliographies))
        data = {file.path: file.data for file in found}
        with suppress(OSError):  # it is no note, and need not be there, and yet may link to notes
            data[README] = read_input(self.folder / README, MAX_NOTE_BYTES, self.folder)
        for place in list_judgements(self.folder):
            path = f"{JUDGEMENTS_FOLDER}/{place.name}"
            data[path] = read_input(place, MAX_BIBLIOGRAPHY_BYTES, self.folder)
        own, beside = config_places(self.folder)
        for path, place in ((CONFIG_NAME, own), (f"../{CONFIG_NAME}", beside)):
            if os.path.lexists(place):
                data[path] = read_file(place, MAX_CONFIG_BYTES)
                break
        return data

    def changed(self, files: Mapping[str, bytes | None]) -> FolderFiles:
        """These files as they would be with others in their place."""
        other = FolderFiles(self.folder)
        other._data = self._data | {path: data for path, data in files.items() if data is not None}
        return other

    def paths(self) -> list[str]:
        """Every file that was read."""
        return list(self._data)

    def holds(self, path: str) -> bool:
        """Whether something stands at a path, read or not."""
        return path in self._data or os.path.lexists(self.folder.real / path)

    def shown_path(self, path: str) -> str:
        """A file as whoever asks names it."""
        return str(self.folder.shown_path(path))

    def text(self, path: str) -> SourceText:
        """One file; raises `NotEditable` where it is no text, or none of ours."""
        if path not in self._texts:
            if path not in self._data:
                raise NotEditable(
                    f"{self.shown_path(path)} is no file of this corpus that can be read"
                )
            self._texts[path] = SourceText(path, self._data[path], self.shown_path(path))
        return self._texts[path]

    def texts(self) -> Iterator[SourceText]:
        """Every file that is a text, the others being left as they are."""
        for path in self._data:
            try:
                yield self.text(path)
            except NotEditable:
                continue
