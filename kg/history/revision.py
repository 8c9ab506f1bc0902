"""Load a corpus from any git revision."""

from __future__ import annotations

import os
import posixpath
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from kg.corpus import Corpus
from kg.files.read_files import StrPath, real_path_of
from kg.files.settings_file import MAX_CONFIG_BYTES
from kg.git import Git, NoHistory, open_git
from kg.git.committed_files import (
    NoRevision,
    list_regular_files,
    read_blobs,
    resolve_commit,
    sizes_of,
)
from kg.loader import load_corpus
from kg.model.settings.config import CONFIG_NAME, ConfigError, parse_config
from kg.notes.note_listing import (
    BIBLIOGRAPHY_SUFFIXES,
    MAX_BIBLIOGRAPHY_BYTES,
    MAX_NOTE_BYTES,
    NOTE_SUFFIX,
)

MAX_CORPUS_BYTES = 256 * 1024 * 1024  # bytes


def load_revision(notes: StrPath, revision: str, *, drafts: bool = False) -> Corpus:
    """The corpus in the folder `notes` at a git revision. Raises `NoRevision`."""
    try:
        with open_git(notes, logs="@{" in revision) as git:
            return load_revision_from(git, notes, revision, drafts=drafts)
    except NoHistory as error:
        raise NoRevision(str(error)) from None


def load_revision_from(git: Git, notes: StrPath, revision: str, *, drafts: bool) -> Corpus:
    """The corpus at a revision, from an open `git`. Raises `NoRevision` and `NoHistory`."""
    with _write_revision(git, notes, revision) as notes_folder:
        return replace(load_corpus(notes_folder, drafts=drafts), folder=None)


@contextmanager
def committed_folder(notes: StrPath) -> Iterator[Path]:
    """The folder `notes` at the last commit, in a temporary folder. Raises `NoRevision`."""
    try:
        with open_git(notes) as git, _write_revision(git, notes, "HEAD") as notes_folder:
            yield notes_folder
    except NoHistory as error:
        raise NoRevision(str(error)) from None


@contextmanager
def _write_revision(git: Git, notes: StrPath, revision: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="kg-") as folder:
        files = _corpus_files(git, revision)
        notes_folder = _write_files(files, Path(folder), git.prefix, Path(real_path_of(notes)).name)
        try:
            yield notes_folder
        except ConfigError as error:
            raise ConfigError(
                _name_as_in_git(str(error), notes_folder, git.prefix, revision)
            ) from None


def _name_as_in_git(message: str, notes_folder: Path, prefix: str, revision: str) -> str:
    """A message about a file of the temporary folder, with the name that git has for it."""
    home = prefix.rpartition("/")[0]
    git_folders = (
        (str(notes_folder / CONFIG_NAME), prefix),
        (str(notes_folder.parent / CONFIG_NAME), home),
    )
    for git_folder, folder in git_folders:
        path = f"{folder}/{CONFIG_NAME}" if folder else CONFIG_NAME
        message = message.replace(git_folder, f"{revision}:{path}")
    return message


def _write_files(files: Iterator[tuple[str, bytes]], folder: Path, prefix: str, name: str) -> Path:
    """Write files of the repository into a temporary folder; return the folder of notes in it."""
    home = prefix.rpartition("/")[0]
    notes_folder = folder / name
    notes_folder.mkdir()
    base = folder if prefix else notes_folder
    for path, data in files:
        target = base / path[len(home) + 1 if home else 0 :]
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except OSError as error:
            raise NoRevision(f"{path} cannot be read from git: {error.strerror}") from None
    return notes_folder


def _corpus_files(git: Git, revision: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files that make up the corpus at a revision: their paths in the repository, and
    their contents.
    """
    places = []  # all of the repository, if it is the folder of notes itself
    if git.prefix:
        folder_around = git.prefix.rpartition("/")[0]
        settings = f"{folder_around}/{CONFIG_NAME}" if folder_around else CONFIG_NAME
        places = [git.prefix, settings]
    commit = resolve_commit(git, revision)
    entries = [
        (path, hash)
        for path, hash in list_regular_files(git, commit, places, revision)
        if _is_wanted(path, git.prefix, places)
    ]
    entries += _bibliographies_beside(git, commit, dict(entries), revision)
    sizes = sizes_of(git, [hash for _, hash in entries], revision)
    entries_read = [
        (path, hash)
        for (path, hash), size in zip(entries, sizes, strict=True)
        if 0 <= size <= _size_limit(path)  # negative for what is no file
    ]
    if sum(size for size in sizes if size <= MAX_BIBLIOGRAPHY_BYTES) > MAX_CORPUS_BYTES:
        raise NoRevision(f"the notes of {revision!r} hold more than {MAX_CORPUS_BYTES >> 20} MiB")
    contents = read_blobs(git, [hash for _, hash in entries_read])
    yield from zip((path for path, _ in entries_read), contents, strict=True)


def _bibliographies_beside(
    git: Git, commit: str, listed_files: Mapping[str, str], revision: str
) -> list[tuple[str, str]]:
    """Bibliographies in the settings' folder, if that is above the notes, and those they name."""
    home = git.prefix.rpartition("/")[0]
    settings_folder = f"{home}/" if home else ""
    config = f"{settings_folder}{CONFIG_NAME}"
    if (
        not git.prefix
        or config not in listed_files
        or f"{git.prefix}/{CONFIG_NAME}" in listed_files
    ):
        return []
    if sizes_of(git, [listed_files[config]], revision)[0] > MAX_CONFIG_BYTES:
        return []
    (text,) = read_blobs(git, [listed_files[config]])
    with suppress(ConfigError, UnicodeDecodeError):  # the loader reports it
        bibliography_names = parse_config(text.decode("utf-8"), CONFIG_NAME).bibliographies
        paths = [posixpath.normpath(f"{settings_folder}{name}") for name in bibliography_names]
        paths = [
            bibliography
            for bibliography in paths
            if bibliography.startswith(settings_folder) and bibliography[:2] != ".."
        ]
        files = list_regular_files(git, commit, paths, revision) if paths else []
        files += list_regular_files(
            git, commit, [settings_folder] if settings_folder else [], revision, recursive=False
        )
        return [
            (path, hash)
            for path, hash in dict(files).items()
            if path not in listed_files
            and path.startswith(settings_folder)
            and path.lower().endswith(BIBLIOGRAPHY_SUFFIXES)
            and not path.removeprefix(settings_folder).startswith(".")
        ]
    return []


def _is_wanted(path: str, prefix: str, places: list[str]) -> bool:
    """Return whether a corpus is read from this file. A git tree may hold any name: `..` and hidden
    ones are refused, and on Windows those that it would read differently.
    """
    if path in places[1:]:
        return True
    path_in_notes = path.removeprefix(f"{prefix}/") if prefix else path
    if (prefix and path_in_notes == path) or any(
        part[:1] in ("", ".") for part in path_in_notes.split("/")
    ):
        return False
    if os.name == "nt" and any(mark in path for mark in '\\:<>"|?*'):
        return False
    return path_in_notes == CONFIG_NAME or path_in_notes.endswith(
        (NOTE_SUFFIX, *BIBLIOGRAPHY_SUFFIXES)
    )


def _size_limit(path: str) -> int:
    if path.endswith(CONFIG_NAME):
        return MAX_CONFIG_BYTES
    return MAX_NOTE_BYTES if path.endswith(NOTE_SUFFIX) else MAX_BIBLIOGRAPHY_BYTES
