"""Notes that need not fit into memory, stored as quads, records and a graph of strengths."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.corpus.record_file import RecordFileWriter, open_record_file
from kg.files.cache_files import FINGERPRINT_SIZE
from kg.files.read_files import NotesFolder, StrPath
from kg.judgements.edge_labels import load_judgements, store_judgements
from kg.loader import load_note_by_note
from kg.notes.notes_cache import code_version
from kg.rdf.quad_store import fingerprint_of_store, replace_store
from kg.rdf.quads import nquads_of_notes
from kg.runtime.gc_pauses import pause_gc

_RECORD_FILE = "notes.rows"


def store_notes(notes_folder: StrPath, folder: Path, *, drafts: bool = False) -> None:
    """Store all notes of a folder in another, in place of the store that may be there.

    Drafts are left out without `drafts`. Raises `NotAStore` for a folder with anything else in it,
    and as `kg.loader.load_corpus` does.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with pause_gc(), ExitStack() as stack:
        file, spooled = (
            stack.enter_context(tempfile.TemporaryFile(dir=folder.parent)) for _ in range(2)
        )
        records = RecordFileWriter(spooled)
        config, joined_notes = load_note_by_note(notes_folder, file, drafts=drafts)
        texts = nquads_of_notes(config, records.gather(joined_notes))

        def write_beside(fresh: Path) -> None:
            fingerprint = _fingerprint_of_folder(fresh)
            records.write(fresh / _RECORD_FILE, config, fingerprint)
            _store_graph_and_judgements(notes_folder, fresh / _RECORD_FILE, fingerprint)

        replace_store(folder, texts, write_beside)


def _store_graph_and_judgements(
    notes_folder: StrPath, record_file: Path, fingerprint: bytes
) -> None:
    from kg.reasoning.reading import store_reading

    corpus = open_record_file(record_file, fingerprint)
    assert corpus is not None
    store_judgements(
        corpus, load_judgements(NotesFolder.from_path(notes_folder), corpus.edges_by_id)
    )
    store_reading(corpus)


def open_stored_notes(folder: Path) -> tuple[ox.Store, Corpus | None]:
    """A store that is only read, and the corpus in it, whose records are read as needed. None if
    the store was not made by `store_notes` of this release, or was opened for writing since.
    """
    before = _fingerprint_of_folder(folder)
    store = ox.Store.read_only(str(folder))
    corpus = open_record_file(folder / _RECORD_FILE, before)
    return store, corpus if _fingerprint_of_folder(folder) == before else None


def _fingerprint_of_folder(folder: Path) -> bytes:
    """A hash of a store as it is, and of the program that reads records and weighs them."""
    code = code_version("notes", "model", "corpus", "judgements", "reasoning")
    content = fingerprint_of_store(folder) + code.encode()
    return blake2b(content, digest_size=FINGERPRINT_SIZE).digest()
