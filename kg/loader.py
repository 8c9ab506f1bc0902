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
    folder: Place,
    read: Callable[[Sequence[Listed]], ParsedBatch] = read_notes,
    *,
    cache: Path | None = None,
    cache_from: int = 0,
) -> Corpus:
    """Read, parse and join every note under `folder`.

    A broken note never stops the rest: its problems are the corpus's `diagnostics`.
    `cache` is a file that remembers parsed notes between runs, for corpora of `cache_from`
    notes or more; without it nothing is written. `read` may remember notes it has read,
    since a parsed note depends on one file alone.
    Raises `NoSuchFolder` where there is no such folder, and `ConfigError` for a broken `kg.toml`.
    """
    folder = NotesFolder.of(folder)
    config = load_config(folder)
    listing = list_notes(folder)
    with no_collection():
        if cache is not None and read is read_notes and len(listing.notes) >= cache_from:
            return _remembered(cache, listing, config, folder)
        return _joined(
            read(listing.notes), _library(listing.bibliographies), listing, config, folder
        )


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
