"""Find the notes of a folder, and read their bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from kg.model import Diagnostic, Severity, Span

NOTE_SUFFIX = ".md"
BIBLIOGRAPHIES = ("references.bib", "references.json")
README = "README.md"
_LOOKALIKES = (NOTE_SUFFIX, ".markdown", ".mdown", ".md.txt", *BIBLIOGRAPHIES)
LARGEST_NOTE = 4 * 1024 * 1024
LARGEST_BIBLIOGRAPHY = 64 * 1024 * 1024
CHUNK = 64 * 1024
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class NoSuchFolder(FileNotFoundError):
    """The notes folder is not there; the message says what was looked for."""


class NoteFile(NamedTuple):
    """One file's bytes, and their hash. `path` is relative to the notes folder, with slashes."""

    path: str
    data: bytes
    digest: bytes


class Listed(NamedTuple):
    """A file that is there: its path within the notes folder, and where it is on the disk."""

    path: str
    place: str


class Listing(NamedTuple):
    """What walking a folder brought, in the order of the paths; nothing has been read."""

    notes: tuple[Listed, ...]
    bibliographies: tuple[Listed, ...]
    diagnostics: tuple[Diagnostic, ...]


def need_folder(folder: Path) -> None:
    """Raises `NoSuchFolder` where there is no such folder."""
    if not folder.is_dir():
        raise NoSuchFolder(f"there is no folder {str(folder)!r} to read notes from")


def list_notes(folder: Path) -> Listing:
    """Where every note and bibliography under `folder` is, in the order of their paths.

    Hidden files and folders and `README.md` are left alone. Raises `NoSuchFolder` where
    there is no such folder.
    """
    need_folder(folder)
    problems: list[Diagnostic] = []
    files = sorted(_walk(str(folder), problems))
    return Listing(
        tuple(file for file in files if file.path.endswith(NOTE_SUFFIX)),
        tuple(file for file in files if not file.path.endswith(NOTE_SUFFIX)),
        tuple(problems),
    )


def list_files(folder: Path) -> list[str]:
    """Where every note and bibliography under `folder` is on the disk, unread."""
    return [place for _, place in _walk(str(folder), [])]


def read_files(files: Sequence[Listed]) -> tuple[tuple[NoteFile, ...], tuple[Diagnostic, ...]]:
    """The bytes of every file that can be read, and a problem for each that cannot."""
    found = [read_file(file) for file in files]
    return (
        tuple(file for file in found if isinstance(file, NoteFile)),
        tuple(problem for problem in found if isinstance(problem, Diagnostic)),
    )


def read_file(file: Listed) -> NoteFile | Diagnostic:
    """The bytes of one file, or why it cannot be read."""
    path, place = file
    try:
        data = _read(place)
    except OSError as error:
        return _unreadable(path, error)
    return NoteFile(path, data, blake2b(data, digest_size=16).digest())


def _walk(root: str, problems: list[Diagnostic]) -> Iterator[Listed]:
    """Every file of interest. A folder comes with its real place and those of the folders above."""
    top = os.path.realpath(root)
    waiting = [("", root, top, frozenset({top}))]
    while waiting:
        prefix, place, real, above = waiting.pop()
        try:
            entries = list(os.scandir(place))
        except OSError as error:
            problems.append(_unreadable(prefix or ".", error))
            continue
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            if _is_folder(entry):
                inner = os.path.realpath(entry.path) if entry.is_symlink() else real + os.sep + name
                if inner in above:
                    problems.append(_loop(prefix + name))
                else:
                    waiting.append((f"{prefix}{name}/", entry.path, inner, above | {inner}))
            elif name.lower().endswith(_LOOKALIKES) and not _is_wanted(name, prefix):
                if name != README:
                    problems.append(_unread(prefix + name))
            elif _is_wanted(name, prefix):
                path = prefix + name
                if path.isascii() or _is_unicode(path, problems):
                    yield Listed(path, entry.path)


def _is_wanted(name: str, prefix: str) -> bool:
    if name.endswith(NOTE_SUFFIX):
        return name != README
    return not prefix and name in BIBLIOGRAPHIES


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_unicode(path: str, problems: list[Diagnostic]) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        problems.append(_problem(path, "this file's name is not Unicode", "rename the file"))
        return False
    return True


def _read(place: str) -> bytes:
    handle = os.open(place, _FLAGS)
    try:
        data = os.read(handle, CHUNK)
        if not data:
            _refuse_special(handle)
        if len(data) == CHUNK:
            largest = LARGEST_NOTE if place.endswith(NOTE_SUFFIX) else LARGEST_BIBLIOGRAPHY
            data = _read_on(handle, data, largest)
    finally:
        os.close(handle)
    return data


def _refuse_special(handle: int) -> None:
    """A pipe or device reads as nothing, without an error."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise OSError("it is a pipe or a device, not a file")


def _read_on(handle: int, data: bytes, largest: int) -> bytes:
    chunks = [data]
    size = len(data)
    while size <= largest and (more := os.read(handle, CHUNK)):
        chunks.append(more)
        size += len(more)
    return b"".join(chunks)


def _problem(
    path: str,
    message: str,
    help: str,
    rule: str = "unreadable-file",
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    return Diagnostic(
        rule=rule,
        severity=severity,
        message=message,
        # a name that is not Unicode could be neither printed nor kept
        span=Span(path.encode("utf-8", "backslashreplace").decode("utf-8")),
        help=help,
    )


def _unreadable(path: str, error: OSError) -> Diagnostic:
    return _problem(
        path,
        f"this file cannot be read: {error.strerror or error}",
        "check its permissions, and that a link leads to a file",
    )


def _unread(path: str) -> Diagnostic:
    """What looks like a note or a bibliography, and is neither to us."""
    help = "a note's name ends in `.md`"
    if path.endswith(BIBLIOGRAPHIES):
        help = "move it into the notes folder itself"
    return _problem(path, "this file is not read", help, "unread-file", Severity.WARNING)


def _loop(path: str) -> Diagnostic:
    return _problem(
        path,
        "this link leads back to a folder around it",
        "remove the link; the folder's notes are read where they are",
    )
