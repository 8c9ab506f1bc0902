"""The files of a corpus as they are on the disk: their bytes, and the text that is edited."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from kg.files.read_files import NotesFolder, StrPath, read_input
from kg.files.settings_file import SettingsFile, parse_settings_file, read_settings_file
from kg.loader import list_corpus
from kg.model import Diagnostic
from kg.model.errors import KgError
from kg.model.settings.config import Config
from kg.notes.note_files import NoteFile, decode_file, read_listed_files
from kg.notes.note_listing import (
    JUDGEMENTS_FOLDER,
    MAX_BIBLIOGRAPHY_BYTES,
    MAX_NOTE_BYTES,
    README,
    list_judgements,
)
from kg.runtime.memoize import ResultsKeeper, memoize
from kg.text.line_starts import TextWithLines

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")


class NotEditable(KgError, ValueError):
    """A file that cannot be changed as asked; the message says which and why."""


class TextEdit(NamedTuple):
    """A range of a text, and its replacement."""

    start: int
    end: int
    text: str


def cut_text(text: str, start: int, end: int, edits: Iterable[TextEdit]) -> str:
    """The text from `start` to `end` with edits applied."""
    pieces = []
    offset = start
    for edit in sorted(edits):
        if edit.start < offset:
            raise NotEditable("two edits of one place")
        pieces += [text[offset : edit.start], edit.text]
        offset = edit.end
    return "".join([*pieces, text[offset:end]])


class FileText(TextWithLines):
    """A file's bytes, and its text without a byte order mark and with `\\n` for all line ends."""

    def __init__(self, path: str, data: bytes, shown_path: str = "") -> None:
        """`shown_path` is the path for messages. Raises `NotEditable` if `data` is not text."""
        self.path = path
        self.data = data
        self.shown_path = shown_path or path
        text = decode_file(NoteFile(path, data, b""))
        if isinstance(text, Diagnostic):
            raise NotEditable(f"{self.shown_path}: {text.message}; {text.help}")
        self.text = text

    @cached_property
    def _file_text(self) -> str:
        return self.data.removeprefix(_BOM).decode("utf-8")

    @cached_property
    def _two_character_line_ends(self) -> list[int]:
        """The offsets in the text of line ends that are two characters in the file."""
        offsets = (match.start() for match in re.finditer("\r\n", self._file_text))
        return [offset - number for number, offset in enumerate(offsets)]

    @cached_property
    def line_end(self) -> str:
        """The file's first line end."""
        match = _LINE_END.search(self.data)
        return match[0].decode() if match else "\n"

    def apply_edits(self, edits: Iterable[TextEdit]) -> bytes:
        """The file's bytes with edits applied and all else unchanged; edits must not overlap."""
        pieces = []
        last = 0
        for start, end, text in sorted(edits):
            first = self._byte_offset(start)
            if first < last:
                raise NotEditable(f"{self.shown_path}: two edits of one place")
            pieces += [self._file_text[last:first], text.replace("\n", self.line_end)]
            last = self._byte_offset(end)
        head = _BOM if self.data.startswith(_BOM) else b""
        return head + "".join([*pieces, self._file_text[last:]]).encode("utf-8")

    def _byte_offset(self, offset: int) -> int:
        """The offset in the file's decoded bytes of an offset in the text."""
        return offset + bisect_left(self._two_character_line_ends, offset)


class FolderFiles(ResultsKeeper):
    """Notes, bibliographies, judgements and settings, by path relative to the notes folder.

    Settings and bibliographies beside the folder are `../kg.toml` and so on. Each file is read
    once.
    """

    def __init__(self, folder: StrPath) -> None:
        self.folder = NotesFolder.from_path(folder)

    @cached_property
    def _settings_file(self) -> SettingsFile | None:
        return read_settings_file(self.folder)

    @cached_property
    def config(self) -> Config:
        """The settings on the disk. Raises `ConfigError` if they are not valid."""
        return parse_settings_file(self._settings_file) if self._settings_file else Config()

    @cached_property
    def _bytes_by_path(self) -> dict[str, bytes]:
        # ignored files may link to notes, too
        listing = list_corpus(self.folder, self.config.model_copy(update={"ignore": ()}))
        files, _ = read_listed_files((*listing.notes, *listing.bibliographies))
        data = {file.path: file.data for file in files}
        with suppress(OSError):  # it is not a note, and optional, but may link to notes
            data[README] = read_input(self.folder / README, MAX_NOTE_BYTES, self.folder)
        for file_path in list_judgements(self.folder):
            path = f"{JUDGEMENTS_FOLDER}/{file_path.name}"
            data[path] = read_input(file_path, MAX_BIBLIOGRAPHY_BYTES, self.folder)
        if self._settings_file:
            data[self._settings_file.path] = self._settings_file.data
        return data

    def with_changes(self, files: Mapping[str, bytes | None]) -> FolderFiles:
        """A copy of these files with some replaced."""
        other = FolderFiles(self.folder)
        other._bytes_by_path = self._bytes_by_path | {
            path: data for path, data in files.items() if data is not None
        }
        return other

    def paths(self) -> list[str]:
        """Return every file that was read."""
        return list(self._bytes_by_path)

    def holds(self, path: str) -> bool:
        """Return whether a path exists, read or not."""
        return path in self._bytes_by_path or os.path.lexists(self.folder.real / path)

    def shown_path(self, path: str) -> str:
        """A file's path as shown to the user."""
        return str(self.folder.shown_path(path))

    @memoize
    def text(self, path: str) -> FileText:
        """Return one file; raises `NotEditable` if it is not text, or not in the corpus."""
        if path not in self._bytes_by_path:
            raise NotEditable(
                f"{self.shown_path(path)} is not a file of this corpus that can be read"
            )
        return FileText(path, self._bytes_by_path[path], self.shown_path(path))

    def texts(self) -> Iterator[FileText]:
        """Yield every file that is text; the others are skipped."""
        for path in self._bytes_by_path:
            try:
                yield self.text(path)
            except NotEditable:
                continue
