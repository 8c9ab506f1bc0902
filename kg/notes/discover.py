"""Find the notes of a folder, and read their bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from kg.model import Diagnostic, Severity, Span

NOTE_SUFFIX = ".md"
BIBLIOGRAPHIES = ("references.bib", "references.json")
LARGEST_NOTE = 4 * 1024 * 1024
CHUNK = 64 * 1024


class NoSuchFolder(FileNotFoundError):
    """The notes folder is not there; the message says what was looked for."""


@dataclass(frozen=True, slots=True)
class NoteFile:
    """One file's bytes, and their hash. `path` is relative to the notes folder, with slashes."""

    path: str
    data: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Found:
    """What walking a folder brought: files that could be read, and problems with the rest."""

    notes: tuple[NoteFile, ...]
    bibliographies: tuple[NoteFile, ...]
    diagnostics: tuple[Diagnostic, ...]


def find_notes(folder: Path) -> Found:
    """Every note and bibliography under `folder`, in the order of their paths.

    Hidden files and folders and `README.md` are left alone. Raises `NoSuchFolder` where
    there is no such folder.
    """
    if not folder.is_dir():
        raise NoSuchFolder(f"there is no folder {str(folder)!r} to read notes from")
    problems: list[Diagnostic] = []
    files: list[NoteFile] = []
    for path, place in _walk(str(folder), problems):
        try:
            files.append(_read(path, place))
        except OSError as error:
            problems.append(_unreadable(path, error))
    files.sort(key=lambda file: file.path)
    return Found(
        tuple(file for file in files if file.path.endswith(NOTE_SUFFIX)),
        tuple(file for file in files if not file.path.endswith(NOTE_SUFFIX)),
        tuple(problems),
    )


def list_files(folder: Path) -> list[str]:
    """Where every note and bibliography under `folder` is, unread."""
    return [place for _, place in _walk(str(folder), [])]


def _walk(root: str, problems: list[Diagnostic]) -> Iterator[tuple[str, str]]:
    waiting = [("", root, frozenset({os.path.realpath(root)}))]
    while waiting:
        prefix, place, above = waiting.pop()
        try:
            entries = list(os.scandir(place))
        except OSError as error:
            problems.append(_unreadable(prefix or ".", error))
            continue
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            if name.endswith(NOTE_SUFFIX) or (not prefix and name in BIBLIOGRAPHIES):
                if name != "README.md" and not _is_folder(entry):
                    yield prefix + name, entry.path
            elif _is_folder(entry):
                real = os.path.realpath(entry.path) if entry.is_symlink() else ""
                if real in above:
                    problems.append(_loop(prefix + name))
                else:
                    waiting.append((f"{prefix}{name}/", entry.path, above | {real or entry.path}))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _read(path: str, place: str) -> NoteFile:
    handle = os.open(place, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        data = os.read(handle, CHUNK)
        if len(data) == CHUNK:
            data = _read_on(handle, data)
    finally:
        os.close(handle)
    return NoteFile(path, data, blake2b(data, digest_size=16).digest())


def _read_on(handle: int, data: bytes) -> bytes:
    chunks = [data]
    size = len(data)
    while size <= LARGEST_NOTE and (more := os.read(handle, CHUNK)):
        chunks.append(more)
        size += len(more)
    return b"".join(chunks)


def _unreadable(path: str, error: OSError) -> Diagnostic:
    return Diagnostic(
        rule="unreadable-file",
        severity=Severity.ERROR,
        message=f"this file cannot be read: {error.strerror or error}",
        span=Span(path),
        help="check its permissions, and that a link leads to a file",
    )


def _loop(path: str) -> Diagnostic:
    return Diagnostic(
        rule="unreadable-file",
        severity=Severity.ERROR,
        message="this link leads back to a folder around it",
        span=Span(path),
        help="remove the link; the folder's notes are read where they are",
    )
