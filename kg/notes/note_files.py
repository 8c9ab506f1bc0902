"""Files of notes and bibliographies: the bytes of those that were found, and the text of a note."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from kg.files.read_files import (
    CAN_OPEN_BY_HANDLE,
    FolderHandles,
    NotesFolder,
    StrPath,
    read_input,
    read_regular_file,
    real_path_of,
)
from kg.model import Diagnostic, Severity, Span
from kg.notes.note_listing import ListedFile, max_bytes_of, unreadable_problem


class NoteFile(NamedTuple):
    """A file's bytes and their hash; `path` is relative to the notes folder, with slashes."""

    path: str
    data: bytes
    digest: bytes


def read_listed_files(
    files: Sequence[ListedFile],
) -> tuple[tuple[NoteFile, ...], tuple[Diagnostic, ...]]:
    """The bytes of every file that can be read, and a problem for each that cannot."""
    with FolderHandles() as folders:
        results = [read_listed_file(file, folders) for file in files]
    return (
        tuple(file for file in results if isinstance(file, NoteFile)),
        tuple(problem for problem in results if isinstance(problem, Diagnostic)),
    )


def read_listed_file(file: ListedFile, folders: FolderHandles) -> NoteFile | Diagnostic:
    """The bytes of one file, or the problem if it cannot be read; share `folders` between files."""
    path, real_path = file
    try:
        data = read_regular_file(real_path, max_bytes_of(path), folders, listed=True)
    except OSError as error:
        return unreadable_problem(path, error)
    return _note_file(path, data)


def reread_file(folder: StrPath, path: str) -> NoteFile | None:
    """A file of the corpus in `folder` as it is now; None if it cannot be read."""
    path_in_folder = path
    if path.startswith("../") and isinstance(folder, NotesFolder):
        folder = folder.around
        path_in_folder = path.removeprefix("../")
    whole_path = Path(folder) / path_in_folder
    try:
        return _note_file(path, read_input(whole_path, max_bytes_of(path), folder))
    except (OSError, ValueError):
        return None


class CorpusFiles:
    """A context manager that reads files of the corpus in `folder` one by one, as they are now."""

    def __init__(self, folder: StrPath) -> None:
        self._folder = folder
        self._real = real_path_of(folder)
        self._folders = FolderHandles()

    def __enter__(self) -> CorpusFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._folders.close()

    def read(self, path: str) -> NoteFile | None:
        """Return one file, or None if it cannot be read."""
        if not CAN_OPEN_BY_HANDLE or ".." in path:
            return reread_file(self._folder, path)
        try:
            real = f"{self._real}/{path}"
            return _note_file(path, read_regular_file(real, max_bytes_of(path), self._folders))
        except (OSError, ValueError):
            return reread_file(self._folder, path)


def _note_file(path: str, data: bytes) -> NoteFile:
    return NoteFile(path, data, blake2b(data, digest_size=16).digest())


def decode_file(file: NoteFile) -> str | Diagnostic:
    """The text of a file, or the problem if it is not UTF-8 text."""
    data = file.data
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "this file is UTF-16, not UTF-8"
        return _unreadable_text_problem(file.path, message, "save it again as UTF-8")
    if b"\0" in data:
        message = "this is not a text file: it holds NUL bytes"
        return _unreadable_text_problem(file.path, message, "notes are UTF-8 Markdown")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line_number = data.count(b"\n", 0, error.start) + 1
        help = "save it again as UTF-8"
        return _unreadable_text_problem(file.path, "this file is not UTF-8", help, line_number)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _unreadable_text_problem(
    path: str, message: str, help: str, line_number: int = 1
) -> Diagnostic:
    return Diagnostic(
        rule="unreadable-file",
        severity=Severity.ERROR,
        message=message,
        span=Span(path, line_number),
        help=help,
    )
