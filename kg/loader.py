"""Folder → corpus: the whole flow in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kg.corpus import Corpus, assemble
from kg.corpus.cache import find_kept, keep, mark_of
from kg.files.read import NotesFolder, Place
from kg.model.config import Config
from kg.model.value import no_collection
from kg.notes.bibliography import Library, join_libraries, parse_library
from kg.notes.cache import Cache, ParsedBatch, read_notes
from kg.notes.discover import Listed, Listing, list_notes, read_files
from kg.notes.settings import load_config


def load_corpus(
    folder: Place, read: Callable[[Sequence[Listed]], ParsedBatch] = read_notes
) -> Corpus:
    """Read, parse and join every note under `folder`; nothing is written.

    A broken note never stops the rest: its problems are the corpus's `diagnostics`.
    `read` may remember notes it has read, since a parsed note depends on one file alone.
    Raises `NoSuchFolder` where there is no such folder, and `ConfigError` for a broken `kg.toml`.
    """
    folder = NotesFolder.of(folder)
    return _read(list_notes(folder), load_config(folder), folder, read)


def load_remembered(folder: Place, cache: Path, fewest: int = 0) -> Corpus:
    """What `load_corpus` gives; the file `cache` remembers parsed notes between runs.

    A corpus of fewer than `fewest` notes is read without it.
    """
    folder = NotesFolder.of(folder)
    config, listing = load_config(folder), list_notes(folder)
    if len(listing.notes) < fewest:
        return _read(listing, config, folder, read_notes)
    with no_collection():
        return _remembered(cache, listing, config, folder)


def _read(
    listing: Listing,
    config: Config,
    folder: NotesFolder,
    read: Callable[[Sequence[Listed]], ParsedBatch],
) -> Corpus:
    with no_collection():
        library = _library(listing.bibliographies)
        return _joined(read(listing.notes), library, listing, config, folder)


def _remembered(cache: Path, listing: Listing, config: Config, folder: NotesFolder) -> Corpus:
    """The corpus as it was kept, if no file has changed; else of what is known of each file.

    It is kept when it was the same twice: whoever is writing does not wait for that.
    """
    place, mark = cache.with_suffix(".corpus"), mark_of(listing, config)
    kept = None if mark is None else find_kept(place, mark, config, folder)
    if kept is not None:
        return kept
    with Cache(cache) as known:
        batch = known.read_notes(listing.notes)
        library = known.read_libraries(listing.bibliographies)
    corpus = _joined(batch, library, listing, config, folder)
    # a file that could not be read, since an editor held it, may look the same when it can be
    was_read = not any(p.rule == "unreadable-file" for p in corpus.diagnostics)
    if mark is not None and known.unchanged and was_read:
        keep(place, mark, corpus)
    return corpus


def _joined(
    batch: ParsedBatch, library: Library, listing: Listing, config: Config, folder: NotesFolder
) -> Corpus:
    problems = (*listing.diagnostics, *batch.diagnostics, *library.diagnostics)
    return assemble(batch.notes, library.sources, problems, config, folder)


def _library(files: Sequence[Listed]) -> Library:
    found, problems = read_files(files)
    return join_libraries(map(parse_library, found), problems)
