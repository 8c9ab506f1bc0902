"""The corpus in an Oxigraph store: in memory, or on disk, updated graph by graph."""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.corpus.note_records import NoteRecords, records_by_note
from kg.files.cache_files import FINGERPRINT_SIZE
from kg.files.staging_folder import remove_abandoned, staging_folder
from kg.model.errors import KgError
from kg.rdf.quads import (
    DIGEST_PROPERTY,
    as_nquads,
    corpus_graph_name,
    corpus_quads,
    graph_name,
    note_digest,
    note_quads,
)

# Beginnings of RocksDB's messages that a store is open, in this process or another.
LOCK_ERRORS = ("io error: lock hold by current process", "io error: while lock file")
# Names of RocksDB's files, and of our own.
_STORE_FILES = re.compile(
    r"CURRENT|IDENTITY|LOCK|LOG(?:\.old\.\d+)?|(?:MANIFEST|OPTIONS)-\d+(?:\.dbtmp)?"
    r"|\d{6,}\.(?:sst|log|blob|dbtmp)|notes\.(?:rows|judgements|graph)"
)
_FILES_OF_QUADS = re.compile(r"\d{6,}\.(?:sst|log|blob)")
# The share of changed graphs from which a new store is faster, since to replace a graph is to look
# up and remove its old quads first (`python -m bench rdf` times both).
REBUILD_FRACTION = 0.3
# N-Quads that are loaded at once where memory is short: 420 MB. Without runs, Oxigraph works on
# three times as much and more at a time.
CHARACTERS_IN_A_RUN = 100_000_000


Fill: TypeAlias = Callable[[ox.Store, Iterator[str]], None]


class NotAStore(KgError, FileExistsError):
    """A folder given for a store contains something else: `corpus.stored(Path("thesis"))`."""


def as_store(corpus: Corpus) -> ox.Store:
    """The corpus in an Oxigraph store in memory."""
    store = ox.Store()
    _fill_store(store, as_nquads(corpus))
    return store


def _fill_store(store: ox.Store, nquads: Iterator[str]) -> None:
    """Load N-Quads into an empty store, in bulk."""
    texts = io.BufferedReader(_TextStream(nquads), 1 << 20)
    store.bulk_load(texts, format=ox.RdfFormat.N_QUADS)


def _fill_store_in_runs(store: ox.Store, nquads: Iterator[str]) -> None:
    """The same in runs, of which one is in memory; the store is half as large again on disk."""
    for first in nquads:
        _fill_store(store, chain([first], _texts_up_to(CHARACTERS_IN_A_RUN, nquads)))


def _texts_up_to(characters: int, texts: Iterator[str]) -> Iterator[str]:
    while characters > 0 and (text := next(texts, "")):
        yield text
        characters -= len(text)


class _TextStream(io.RawIOBase):
    """Texts joined as a readable file that is never in memory as a whole."""

    def __init__(self, texts: Iterator[str]) -> None:
        self._texts = texts
        self._unread = b""  # rest of the current text

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._unread = self._unread or next(self._texts, "").encode()
        size = min(len(buffer), len(self._unread))
        buffer[:size] = self._unread[:size]
        self._unread = self._unread[size:]
        return size


class StoreUpdate:
    """The changes that bring a store up to date with a corpus, found by the digests in it."""

    def __init__(self, corpus: Corpus, digests: Mapping[str, str]) -> None:
        self.corpus = corpus
        self.digests = digests
        # the graph of what belongs to no note is named by the corpus's IRI
        self.name = corpus_graph_name(corpus)
        self.parts = [(graph_name(corpus, part.path), part) for part in records_by_note(corpus)]
        note_digests = [note_digest(corpus, part) for _, part in self.parts]
        self.corpus_quads = corpus_quads(corpus, note_digests)
        self.current = {name.value for name, _ in self.parts} | {self.name.value}
        self.changed = [
            (name, part)
            for (name, part), digest in zip(self.parts, note_digests, strict=True)
            if digests.get(name.value) != digest
        ]
        self.has_corpus_changed = (
            digests.get(self.name.value) not in as_digests(self.corpus_quads).values()
        )

    def graphs(self) -> Iterator[tuple[ox.NamedNode, list[ox.Quad]]]:
        """The graphs to be rewritten, with their quads; the corpus's own graph last."""
        for name, part in self.changed:
            yield name, self.quads(part)
        if self.has_corpus_changed:
            yield self.name, self.corpus_quads

    def quads(self, part: NoteRecords) -> list[ox.Quad]:
        """The quads of one note's graph."""
        return note_quads(self.corpus, part)

    def graphs_to_remove(self, names: Iterable[str]) -> list[str]:
        """Graphs in a store whose notes no longer exist."""
        return [name for name in names if name not in self.current]


def open_store(corpus: Corpus, folder: Path) -> ox.Store:
    """A store in `folder` that holds exactly this corpus.

    Only graphs of changed notes are written. The store is rebuilt if it cannot be read or if much
    has changed; while another process has it open, a store in memory is returned.
    Raises `NotAStore` for a folder with anything else in it, which is left unchanged.
    """
    _require_store_folder(folder)
    remove_abandoned(folder.parent, _staging_prefix(folder))
    try:
        store = ox.Store(str(folder)) if folder.is_dir() else None
    except (OSError, RuntimeError) as error:
        if str(error).casefold().startswith(LOCK_ERRORS):
            return as_store(corpus)
        store = None
    try:
        if store is not None and _update_store(store, corpus):
            return store
    except (OSError, RuntimeError, ValueError):
        pass  # it can be opened, but its content is damaged
    del store  # releases its files
    _rebuild_store(as_nquads(corpus), folder)
    return ox.Store(str(folder))


def replace_store(
    folder: Path, nquads: Iterator[str], write_beside: Callable[[Path], None]
) -> None:
    """Make a store of N-Quads that need not fit into memory, in place of the one that may be there.

    `write_beside` may add files to its folder. Raises `NotAStore` for a folder with anything else.
    """
    _require_store_folder(folder)
    _rebuild_store(nquads, folder, _fill_store_in_runs, write_beside)


def fingerprint_of_store(folder: Path) -> bytes:
    """A hash of which files with quads a store consists of.

    RocksDB writes each file once, under a name of its own, but for its log, which only grows. So
    quads that are added or removed change it; so may opening the store for writing.
    """
    sizes = [
        (entry.name, entry.stat().st_size)
        for entry in os.scandir(folder)
        if _FILES_OF_QUADS.fullmatch(entry.name)
    ]
    identity = b""
    with suppress(FileNotFoundError):  # then it is no store, which says whoever opens it
        identity = (folder / "IDENTITY").read_bytes()
    files = sorted((name, size) for name, size in sizes if size)
    return blake2b(repr((identity, files)).encode(), digest_size=FINGERPRINT_SIZE).digest()


def remove_store(folder: Path) -> None:
    """Remove the store in `folder`. Raises `NotAStore` for a folder with anything else in it."""
    _require_store_folder(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _require_store_folder(folder: Path) -> None:
    """Raise `NotAStore` unless `folder` is a store or missing, as unreadable stores are deleted."""
    if not os.path.lexists(folder):
        return
    others = [] if folder.is_dir() else [folder.name]
    others = others or [
        name for name in sorted(os.listdir(folder)) if not _STORE_FILES.fullmatch(name)
    ]
    if others:
        raise NotAStore(f"{folder} holds {others[0]!r}, so it is not a store: name another folder")


def _update_store(store: ox.Store, corpus: Corpus) -> bool:
    """Bring a store up to date; False if it should be rebuilt instead."""
    # a partly written graph has no digest
    digests = as_digests(store.quads_for_pattern(None, DIGEST_PROPERTY, None, None))
    changes = StoreUpdate(corpus, digests)
    graphs_to_remove = changes.graphs_to_remove(
        name.value for name in store.named_graphs() if not isinstance(name, ox.BlankNode)
    )
    if len(changes.changed) + len(graphs_to_remove) > REBUILD_FRACTION * len(changes.parts) + 1:
        return False
    # the corpus is only in named graphs, so anything in the default graph is foreign
    if next(store.quads_for_pattern(None, None, None, ox.DefaultGraph()), None) is not None:
        return False
    for name in graphs_to_remove:
        store.remove_graph(ox.NamedNode(name))
    for graph, quads in changes.graphs():
        replace_graph(store, graph, quads)
    return True


def as_digests(quads: Iterable[ox.Quad]) -> dict[str, str]:
    """The digests in quads, by graph. One with several, written by two pushes at once, has none."""
    digests_by_graph: dict[str, set[str]] = {}
    for quad in quads:
        if (
            quad.predicate == DIGEST_PROPERTY
            and quad.subject == quad.graph_name
            and isinstance(quad.subject, ox.NamedNode)
            and isinstance(quad.object, ox.Literal)
        ):
            digests_by_graph.setdefault(quad.subject.value, set()).add(quad.object.value)
    return {
        graph: digests.pop() for graph, digests in digests_by_graph.items() if len(digests) == 1
    }


def replace_graph(store: ox.Store, graph: ox.NamedNode, quads: Iterable[ox.Quad]) -> None:
    """Make a graph hold exactly these quads. Its digest is removed first and added last, so that an
    interrupted update has none.
    """
    new = set(quads)
    missing = {quad for quad in new if quad not in store}
    to_remove = _quads_to_remove(store, graph, new, missing)
    # a graph without a digest is rewritten when the store is next opened
    for quad in sorted(to_remove, key=lambda quad: quad.predicate != DIGEST_PROPERTY):
        store.remove(quad)
    if missing:
        store.extend(missing)


def _quads_to_remove(
    store: ox.Store, graph: ox.NamedNode, new: set[ox.Quad], missing: set[ox.Quad]
) -> set[ox.Quad]:
    """The quads of a graph that are not among the new ones.

    Reading a graph means looking up every text in it. So the quads replaced by missing ones are
    tried first; if the count shows that these are all, nothing else is read.
    """
    places = {(quad.subject, quad.predicate) for quad in missing}
    old = {quad for s, p in places for quad in store.quads_for_pattern(s, p, None, graph)} - new
    if _count_quads(store, graph) == len(new) - len(missing) + len(old):
        return old
    return set(store.quads_for_pattern(None, None, None, graph)) - new


def _count_quads(store: ox.Store, graph: ox.NamedNode) -> int:
    rows = store.query(f"SELECT (COUNT(*) AS ?n) {{ GRAPH {graph} {{ ?s ?p ?o }} }}")
    return int(next(iter(rows))["n"].value)  # type: ignore[arg-type]


def _rebuild_store(
    nquads: Iterator[str],
    folder: Path,
    fill: Fill = _fill_store,
    write_beside: Callable[[Path], None] = lambda fresh: None,
) -> None:
    # built beside it and then renamed, so that others find the old store, the new one or none
    folder.parent.mkdir(parents=True, exist_ok=True)
    with staging_folder(folder.parent, _staging_prefix(folder)) as staging:
        fresh = staging / "fresh"
        store = ox.Store(str(fresh))
        fill(store, nquads)
        store.flush()
        del store  # releases its files
        write_beside(fresh)
        # moved away rather than deleted in place, as a partly deleted store might open
        with suppress(FileNotFoundError):
            folder.rename(staging / "old")
        fresh.rename(folder)


def _staging_prefix(folder: Path) -> str:
    return f".{folder.name}-"
