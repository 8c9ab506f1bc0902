"""Parsed files kept between runs, and within a run, so that only changed files are parsed again.

A row is valid while its file has the size and times it had when it was read, unless those
times are so recent that the file may have changed again within the clock's resolution; then,
and wherever only the times differ, the file's hash decides. The cache is optional: one that
cannot be read or written costs time and nothing else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from kg.files.cache_files import FINGERPRINT_SIZE, read_sealed_as, state_folder, write_sealed
from kg.files.file_signatures import FileSignature, file_signature
from kg.files.read_files import FolderHandles
from kg.model.settings.config import Config
from kg.notes.bibliography.bibliography import Bibliography, join_bibliographies, parse_bibliography
from kg.notes.note_files import NoteFile, read_listed_file, read_listed_files
from kg.notes.note_listing import ListedFile
from kg.notes.parse_files import ParsedBatch, parse_note_files
from kg.notes.parsed_note import ParsedNote
from kg.version import VERSION

PARSER_PACKAGES = ("pyromark", "yaml-rs", "bibtexparser", "pylatexenc")  # which parse the files
NOTES_CACHE_KIND = "notes 1"
LATEST_TIME = 1 << 63  # nanoseconds: a file may claim any year, but rows hold 64-bit numbers

_encode = msgspec.msgpack.Encoder().encode
_decode_note = msgspec.msgpack.Decoder(ParsedNote).decode
_decode_bibliography = msgspec.msgpack.Decoder(Bibliography).decode
CachedValue = TypeVar("CachedValue")


class _CachedFile(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A file as it was when it was read, and the parsed note."""

    path: str
    mtime: int
    ctime: int
    size: int
    seen: int
    digest: bytes
    parsed: bytes

    @property
    def signature(self) -> FileSignature:
        """The file's signature when it was read."""
        return FileSignature(self.mtime, self.ctime, self.size, self.seen)


_decode_rows = msgspec.msgpack.Decoder(list[_CachedFile]).decode


class _CacheLookup(NamedTuple, Generic[CachedValue]):
    """The values of unchanged files; the changed files; and the signature of each of those."""

    values_by_path: dict[str, CachedValue]
    changed_files: list[ListedFile]
    signatures: dict[str, FileSignature]


def notes_cache_file(folder: str | os.PathLike[str]) -> Path | None:
    """The path of the cache for the notes in `folder`; None if there can be none."""
    state_dir = state_folder(folder)
    return None if state_dir is None else state_dir / "notes"


class NotesCache:
    """The parsed files of one folder; as a context manager, it writes the cache at the end."""

    def __init__(self, path: Path, config: Config | None) -> None:
        self._place = path
        self._config = config
        self._made_by = _version_of_parser(config)
        rows = read_sealed_as(path, NOTES_CACHE_KIND, _decode_rows, self._made_by)
        self._rows = {row.path: row for row in rows or ()}
        self._fresh: list[_CachedFile] = []
        self._wanted: set[str] = set()

    def __enter__(self) -> NotesCache:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self._write_rows()

    @property
    def is_unchanged(self) -> bool:
        """Whether no file had to be parsed or hashed."""
        return not self._fresh

    def read_notes(self, files: Sequence[ListedFile]) -> ParsedBatch:
        """Read notes as `kg.notes.parse_files.parse_note_files` does, parsing only what is not
        cached.
        """
        lookup = self._cached_values(files, _decode_note)
        notes_by_path = lookup.values_by_path
        batch = parse_note_files(lookup.changed_files, self._config)
        for note, digest in zip(batch.parsed_notes, batch.digests, strict=True):
            notes_by_path[note.path] = note
            self._remember_file(note.path, lookup.signatures, digest, note)
        parsed_notes = [notes_by_path[file.path] for file in files if file.path in notes_by_path]
        return ParsedBatch(parsed_notes, batch.diagnostics)

    def read_bibliographies(self, files: Sequence[ListedFile]) -> Bibliography:
        """The sources of bibliographies, parsing only what is not cached."""
        lookup = self._cached_values(files, _decode_bibliography)
        bibliographies_by_path = lookup.values_by_path
        readable_files, problems = read_listed_files(lookup.changed_files)
        for file in readable_files:
            bibliographies_by_path[file.path] = parse_bibliography(file)
            self._remember_file(
                file.path, lookup.signatures, file.digest, bibliographies_by_path[file.path]
            )
        bibliographies = [
            bibliographies_by_path[file.path]
            for file in files
            if file.path in bibliographies_by_path
        ]
        return join_bibliographies(bibliographies, problems)

    # -- cached rows -------------------------------------------------------------------

    def _cached_values(
        self, files: Sequence[ListedFile], decode: Callable[[bytes], CachedValue]
    ) -> _CacheLookup[CachedValue]:
        lookup: _CacheLookup[CachedValue] = _CacheLookup({}, [], {})
        with FolderHandles() as folders:
            for file in files:
                self._wanted.add(file.path)
                row = self._rows.get(file.path)
                signature = file_signature(file.real_path)
                if (row and signature) and (
                    row.signature.is_surely_unchanged(signature)
                    or self._refresh_row(row, file, signature, folders)
                ):
                    lookup.values_by_path[file.path] = decode(row.parsed)
                    continue
                lookup.changed_files.append(file)
                if signature:
                    lookup.signatures[file.path] = signature
        return lookup

    def _refresh_row(
        self, row: _CachedFile, file: ListedFile, signature: FileSignature, folders: FolderHandles
    ) -> bool:
        """Update the row of a file whose times changed or are recent, if its hash is the same."""
        if row.size != signature.size:
            return False
        note_file = read_listed_file(file, folders)
        if not isinstance(note_file, NoteFile) or note_file.digest != row.digest:
            return False
        self._fresh.append(_CachedFile(row.path, *signature, row.digest, row.parsed))
        return True

    def _remember_file(
        self, path: str, signatures: dict[str, FileSignature], digest: bytes, value: object
    ) -> None:
        if path in signatures and max(signatures[path]) < LATEST_TIME:
            self._fresh.append(_CachedFile(path, *signatures[path], digest, _encode(value)))

    def _write_rows(self) -> None:
        """Write all rows if any was added, removed or changed."""
        if not self._fresh and self._rows.keys() <= self._wanted:
            return
        rows = {path: row for path, row in self._rows.items() if path in self._wanted}
        rows |= {row.path: row for row in self._fresh}
        write_sealed(self._place, NOTES_CACHE_KIND, _encode(list(rows.values())), self._made_by)


class LatestNotes:
    """The notes as they are on disk now, for a program that runs on.

    The first time, they come from the file `cache` as far as it holds them; that is written by
    the loader alone. A note is read again once its file may have changed.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._notes: dict[ListedFile, tuple[FileSignature, ParsedNote]] = {}
        self._settings = ""

    def read_notes(self, files: Sequence[ListedFile], config: Config | None = None) -> ParsedBatch:
        """Read notes as `kg.notes.parse_files.parse_note_files` does; notes not among `files` are
        forgotten.
        """
        if (settings := _settings_of_parsing(config)) != self._settings:
            self._settings = settings
            self._notes = {}
        signatures = {file: file_signature(file.real_path) for file in files}
        notes_by_path = {
            file.path: self._notes[file][1]
            for file, signature in signatures.items()
            if signature
            and file in self._notes
            and self._notes[file][0].is_surely_unchanged(signature)
        }
        changed_files = [file for file in files if file.path not in notes_by_path]
        if self._cache and not self._notes:
            batch = NotesCache(self._cache, config).read_notes(changed_files)
        else:
            batch = parse_note_files(changed_files, config)
        notes_by_path |= {note.path: note for note in batch.parsed_notes}
        self._notes = {
            file: (signature, notes_by_path[file.path])
            for file, signature in signatures.items()
            if signature and file.path in notes_by_path
        }
        in_order = [notes_by_path[file.path] for file in files if file.path in notes_by_path]
        return ParsedBatch(in_order, batch.diagnostics)


def _settings_of_parsing(config: Config | None) -> str:
    """The settings on which a parsed note depends: none without `[map]`."""
    return repr((config.map, config.camp_ids)) if config and config.map else ""


def _version_of_parser(config: Config | None) -> bytes:
    version_text = code_version("notes", "model") + _settings_of_parsing(config)
    return blake2b(version_text.encode(), digest_size=FINGERPRINT_SIZE).digest()


@lru_cache(maxsize=16)
def code_version(*rooms: str) -> str:
    """The program's version, and a hash of all code on which cached values depend."""
    versions = (sys.version, *map(package_version, PARSER_PACKAGES))
    digest = blake2b("\n".join(versions).encode(), digest_size=16)
    for room in rooms:
        for file in sorted((Path(__file__).parents[1] / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return f"{VERSION} {digest.hexdigest()}"


def package_version(package: str) -> str:
    """The installed version of a package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
