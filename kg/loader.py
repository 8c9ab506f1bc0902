"""Folder → settings and notes → corpus: how a corpus is loaded, and kept between runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from kg.corpus import Corpus, JoinedNote, assemble, join_note_by_note
from kg.corpus.cache.corpus_cache import (
    cache_corpus,
    fingerprint_of_listing,
    load_cached,
)
from kg.corpus.drafts import without_drafts
from kg.files.cache_files import CacheEntry
from kg.files.read_files import (
    NotesFolder,
    StrPath,
    allowed_folders,
    is_inside,
)
from kg.files.settings_file import config_places, load_config
from kg.model import Diagnostic, Severity, Span
from kg.model.errors import KgError
from kg.model.settings.config import CONFIG_NAME, Config, ConfigError, parse_config
from kg.notes.bibliography import Bibliography, join_bibliographies, parse_bibliography
from kg.notes.body import list_attachments
from kg.notes.corrections import note_problem
from kg.notes.ignore_globs import IgnoreGlobs, nothing_left_problem
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.note_files import NoteFile, read_listed_files
from kg.notes.note_listing import (
    BIBLIOGRAPHY_SUFFIXES,
    NOTE_SUFFIX,
    README,
    ListedFile,
    Listing,
    NoSuchFolder,
    list_notes,
)
from kg.notes.notes_cache import NotesCache
from kg.notes.parse_files import ParsedBatch, parse_note_files
from kg.notes.parsed_note import ParsedNote
from kg.runtime.gc_pauses import pause_gc

# With fewer notes, to keep them between runs costs a command more time than it saves.
FEWEST_NOTES_TO_REMEMBER = 500

NOTES_AT_ONCE = 20_000  # parsed notes in memory: 160 MB


def with_listed_bibliographies(
    listing: Listing, folder: NotesFolder, home: Path, paths_in_settings: Iterable[str]
) -> Listing:
    """The listing with the bibliographies that the settings name, and those in `home`, the folder
    of the settings; each file once.
    """
    problems = [*listing.diagnostics]
    listed_paths = {file.real_path for file in listing.bibliographies}
    new_files = []
    named_files = [home / name for name in paths_in_settings]
    for path_on_disk in [*named_files, *_bibliographies_in(folder, home)]:
        path = os.path.relpath(path_on_disk, folder.real).replace(os.sep, "/")
        real = os.path.realpath(path_on_disk)
        if real in listed_paths:
            continue
        listed_paths.add(real)
        if not is_inside(real, (str(home), str(folder.real), *allowed_folders())):
            problems.append(_outside_folder_problem(path))
        elif os.path.isfile(real):
            new_files.append(ListedFile(path, real))
        elif path_on_disk in named_files:
            problems.append(_missing_file_problem(path))
    bibliographies = tuple(sorted((*listing.bibliographies, *new_files)))
    return listing._replace(bibliographies=bibliographies, diagnostics=tuple(problems))


def _bibliographies_in(folder: NotesFolder, home: Path) -> list[Path]:
    """The bibliographies in `home`; none if the notes are in `home` itself, as those are listed."""
    if home == folder.real:
        return []
    return [
        home / name
        for name in sorted(os.listdir(home))
        if name.lower().endswith(BIBLIOGRAPHY_SUFFIXES) and not name.startswith(".")
    ]


def _outside_folder_problem(path: str) -> Diagnostic:
    message = "this bibliography is outside the folder of the settings, so it is not read"
    help = "put it beside `kg.toml`, or export it there"
    return note_problem("outside-link", message, Span(path), help, Severity.WARNING)


def _missing_file_problem(path: str) -> Diagnostic:
    message = "`kg.toml` names this bibliography, but there is no such file"
    help = "`bibliographies` gives paths from the folder of `kg.toml`"
    return note_problem("unreadable-file", message, Span(path), help)


ReadNotes: TypeAlias = Callable[[Sequence[ListedFile], Config], ParsedBatch]


def load_corpus(
    folder: StrPath,
    reader: ReadNotes = parse_note_files,
    *,
    drafts: bool = False,
    config: Config | None = None,
) -> Corpus:
    """Read, parse and join every note under `folder`; nothing is written.

    Drafts are left out without `drafts`; `config` are the settings, if they were read before.
    A broken note does not stop the others: its problems are in the corpus's `diagnostics`.
    `reader` may reuse notes that it has read before, since a parsed note depends on its file only.
    Raises `NoSuchFolder` if the folder does not exist, and `ConfigError` for a broken `kg.toml`.
    """
    return _finish(_read_corpus(_list_files(folder, config), reader), drafts)


def load_remembered(
    folder: StrPath,
    cache: Path,
    minimum: int = 0,
    *,
    drafts: bool = False,
    config: Config | None = None,
) -> Corpus:
    """The same as `load_corpus`, but the file `cache` keeps parsed notes between runs.

    It is not used for a corpus of fewer than `minimum` notes.
    """
    listing = _list_files(folder, config)
    if len(listing.files.notes) < minimum:
        return _finish(_read_corpus(listing, parse_note_files), drafts)
    with pause_gc():
        return _load_remembered(cache, listing, drafts)


def list_corpus(folder: NotesFolder, config: Config) -> Listing:
    """Return all files of a corpus, including bibliographies outside its folder."""
    homes = (path.parent for path in config_places(folder) if os.path.lexists(path))
    home = next(homes, folder.real)
    ignored = IgnoreGlobs(config.ignore)
    listing = with_listed_bibliographies(
        list_notes(folder, ignored), folder, home, config.bibliographies
    )
    if not ignored:
        return listing
    bibliographies = tuple(
        file for file in listing.bibliographies if not ignored.matches(file.path)
    )
    problems = listing.diagnostics
    if not listing.notes and (left_out := len(list_notes(folder).notes)):
        problems += (nothing_left_problem(left_out),)
    return listing._replace(bibliographies=bibliographies, diagnostics=problems)


def list_inputs(folder: StrPath, config: Config | None = None) -> list[str]:
    """The paths of the notes, bibliographies, pictures and other files of a corpus.

    `config` are the settings, if they were read before.
    """
    folder = NotesFolder.from_path(folder)
    try:
        config = config or load_config(folder)
        listing = list_corpus(folder, config)
        ignored = IgnoreGlobs(config.ignore)
    except ConfigError:  # reported when the corpus is read
        listing = list_notes(folder)
        ignored = IgnoreGlobs()
    except NoSuchFolder:
        return []
    files = list_attachments(folder, ignored).values()
    return [*(file.real_path for file in (*listing.notes, *listing.bibliographies)), *files]


class _Listing(NamedTuple):
    """A folder, its settings and all files of its corpus."""

    folder: NotesFolder
    config: Config
    files: Listing


def _list_files(folder: StrPath, config: Config | None) -> _Listing:
    folder = NotesFolder.from_path(folder)
    config = config or load_config(folder)
    return _Listing(folder, config, list_corpus(folder, config))


def _read_corpus(listing: _Listing, reader: ReadNotes) -> Corpus:
    folder, config, files = listing
    with pause_gc():
        bibliography = read_bibliographies(files.bibliographies)
        return join_corpus(reader(files.notes, config), bibliography, files, config, folder)


def _finish(corpus: Corpus, drafts: bool) -> Corpus:
    return corpus if drafts else without_drafts(corpus)


def _load_remembered(cache: Path, listing: _Listing, drafts: bool) -> Corpus:
    """The corpus from the cache, if no file has changed; else joined from the parsed notes there.

    The corpus is only kept once a second run finds the notes unchanged, so that no author who is
    writing waits for that.
    """
    entry = None
    folder, config, files = listing
    fingerprint = fingerprint_of_listing(files, config, drafts=drafts)
    if fingerprint is not None:
        entry = CacheEntry(cache.with_suffix(".drafts" if drafts else ".corpus"), fingerprint)
        read_again = partial(_read_unchanged, fingerprint, listing, drafts)
        if (cached_corpus := load_cached(entry, config, folder, read_again)) is not None:
            return cached_corpus
    with NotesCache(cache, config) as notes_cache:
        batch = notes_cache.read_notes(files.notes)
        bibliography = notes_cache.read_bibliographies(files.bibliographies)
    corpus = join_corpus(batch, bibliography, files, config, folder)
    # a file that an editor had locked may have the same fingerprint once it can be read
    was_read = not any(p.rule == "unreadable-file" for p in corpus.diagnostics)
    corpus = _finish(corpus, drafts)
    if entry and notes_cache.is_unchanged and was_read:
        cache_corpus(entry, corpus)
    return corpus


def load_note_by_note(
    folder: StrPath, file: BinaryIO, *, drafts: bool = False
) -> tuple[Config, Iterator[JoinedNote]]:
    """The settings of `folder`, and the records of its notes one note after the other.

    So the notes need not fit into memory; meanwhile they are kept in `file`, which is empty.
    Raises as `load_corpus` does. Only a check reports what is wrong with the notes.
    """
    _, config, files = _list_files(folder, None)
    sources = read_bibliographies(files.bibliographies).sources
    parsed_notes = _read_in_runs(files.notes, config)
    return config, join_note_by_note(parsed_notes, sources, config, file, drafts=drafts)


def _read_in_runs(files: Sequence[ListedFile], config: Config) -> Iterator[ParsedNote]:
    for start in range(0, len(files), NOTES_AT_ONCE):
        with pause_gc():
            batch = parse_note_files(files[start : start + NOTES_AT_ONCE], config)
        yield from batch.parsed_notes


class NotesChanged(KgError, RuntimeError):
    """Notes were changed by somebody else while they were in use."""


def _read_unchanged(digest: bytes, listing: _Listing, drafts: bool) -> Corpus:
    """The corpus, read again from the notes, which must still have this digest."""
    folder, config, _ = listing
    corpus = load_corpus(folder, drafts=drafts)
    digest_now = fingerprint_of_listing(list_corpus(folder, config), config, drafts=drafts)
    if corpus.config != config or digest_now != digest:
        raise NotesChanged(f"the notes in {folder} changed while they were being read: try again")
    return corpus


def join_corpus(
    batch: ParsedBatch,
    bibliography: Bibliography,
    listing: Listing,
    config: Config,
    folder: NotesFolder,
) -> Corpus:
    """The corpus of all the files in a listing, after they have been read."""
    problems = (*listing.diagnostics, *batch.diagnostics, *bibliography.diagnostics)
    corpus = assemble(batch.parsed_notes, bibliography.sources, problems, config, folder)
    return _with_fields(corpus, figures_in_abstracts=bibliography.figures_in_abstracts)


def read_bibliographies(files: Sequence[ListedFile]) -> Bibliography:
    """The sources of some bibliographies, and the problems found in them."""
    contents, problems = read_listed_files(files)
    return join_bibliographies(map(parse_bibliography, contents), problems)


def load_changed(
    folder: StrPath, files: Mapping[str, bytes | None], reader: ReadNotes = parse_note_files
) -> Corpus:
    """The corpus in `folder` as it would be with these files, by path; None for a deleted file.

    Nothing is written. `../kg.toml` is the file beside the folder. `reader` may reuse notes.
    """
    folder = NotesFolder.from_path(folder)
    config = _changed_config(folder, files)
    listing = list_corpus(folder, config)
    # what is given replaces what is on disk
    unchanged = Listing(
        tuple(each for each in listing.notes if each.path not in files),
        tuple(each for each in listing.bibliographies if each.path not in files),
        listing.diagnostics,
    )
    given_files = [
        NoteFile(path, data, b"")
        for path, data in files.items()
        if data is not None and not IgnoreGlobs(config.ignore).matches(path)
    ]
    with pause_gc():
        parse = note_parser(config)
        batch = reader(unchanged.notes, config)
        note_files = (file for file in given_files if file.path.endswith(NOTE_SUFFIX))
        batch.parsed_notes += [
            parse(file) for file in note_files if os.path.basename(file.path) != README
        ]
        batch.parsed_notes.sort(key=lambda note: note.path)
        unchanged_bibliographies, problems = read_listed_files(unchanged.bibliographies)
        given_bibliographies = (
            file for file in given_files if file.path.lower().endswith(BIBLIOGRAPHY_SUFFIXES)
        )
        parsed = map(parse_bibliography, sorted((*unchanged_bibliographies, *given_bibliographies)))
        bibliography = join_bibliographies(parsed, problems)
        corpus = join_corpus(batch, bibliography, unchanged, config, folder)
    return with_unsaved_files(corpus, {path: data or b"" for path, data in files.items()})


def with_unsaved_files(corpus: Corpus, files: Mapping[str, bytes]) -> Corpus:
    """`corpus`, with the contents it was read from where they differ from those on disk."""
    return _with_fields(corpus, unwritten=files)


def _with_fields(corpus: Corpus, **values: Any) -> Corpus:
    """The corpus with other values in some fields, the same in its best guess."""
    guess = None if corpus.best_guess is None else replace(corpus.best_guess, **values)
    return replace(corpus, best_guess=guess, **values)


def _changed_config(folder: NotesFolder, files: Mapping[str, bytes | None]) -> Config:
    for path in (CONFIG_NAME, f"../{CONFIG_NAME}"):
        if data := files.get(path):
            return parse_config(data.decode("utf-8"), path)
    return load_config(folder)
