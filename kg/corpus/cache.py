"""The joined corpus, kept between runs for as long as no file changes.

Like the cache of parsed notes it is never needed: what cannot be read, written or trusted costs
time and nothing else.
"""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from pathlib import Path

import msgspec

from kg.corpus.corpus import Corpus
from kg.corpus.names import Duplicate, Unresolved
from kg.files.read import COARSEST_CLOCK, NotesFolder
from kg.files.state import MARK, read_state, write_sealed
from kg.model import Diagnostic, Edge, InquiryLine, Mention, Source, Statement
from kg.model.config import Config
from kg.notes.cache import code_version
from kg.notes.discover import Listing
from kg.notes.parsed import PendingMention

KIND = "corpus 1"


class _Kept(msgspec.Struct, array_like=True):
    """A corpus without its settings and its folder."""

    statements: tuple[Statement, ...]
    edges: tuple[Edge, ...]
    sources: tuple[Source, ...]
    lines: tuple[InquiryLine, ...]
    mentions: tuple[Mention, ...]
    aliases: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]
    unresolved: tuple[Unresolved, ...]
    duplicates: tuple[Duplicate, ...]
    dead_links: tuple[PendingMention, ...]
    loose_links: tuple[PendingMention, ...]
    best_guess: _Kept | None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Kept).decode


def mark_of(listing: Listing, config: Config) -> bytes | None:
    """A hash of how all files look; `None` where one is gone, or so young that it may yet change
    without looking any different.
    """
    looks: list[tuple[str, int, int, int]] = []
    oldest_young = time.time_ns() - COARSEST_CLOCK
    for path, place in (*listing.notes, *listing.bibliographies):
        try:
            found = os.stat(place)
        except OSError:
            return None
        if found.st_mtime_ns >= oldest_young or found.st_ctime_ns >= oldest_young:
            return None
        looks.append((path, found.st_mtime_ns, found.st_ctime_ns, found.st_size))
    made_by = code_version("notes", "model", "corpus")
    whole = _encode((made_by, repr(config), looks, listing.diagnostics))
    return blake2b(whole, digest_size=MARK).digest()


def find_kept(place: Path, mark: bytes, config: Config, folder: NotesFolder) -> Corpus | None:
    """The corpus that was kept at `place` under `mark`, if that is what stands there."""
    kept = read_state(place, KIND, _decode, mark)
    return None if kept is None else _opened(kept, config, folder)


def _opened(kept: _Kept, config: Config, folder: NotesFolder) -> Corpus:
    return Corpus(
        statements={statement.id: statement for statement in kept.statements},
        edges=kept.edges,
        sources={source.key: source for source in kept.sources},
        lines={line.id: line for line in kept.lines},
        mentions=kept.mentions,
        aliases=kept.aliases,
        diagnostics=kept.diagnostics,
        unresolved=kept.unresolved,
        duplicates=kept.duplicates,
        dead_links=kept.dead_links,
        loose_links=kept.loose_links,
        config=config,
        folder=folder,
        best_guess=None if kept.best_guess is None else _opened(kept.best_guess, config, folder),
    )


def _as_kept(corpus: Corpus) -> _Kept:
    return _Kept(
        statements=tuple(corpus.statements.values()),
        edges=corpus.edges,
        sources=tuple(corpus.sources.values()),
        lines=tuple(corpus.lines.values()),
        mentions=corpus.mentions,
        aliases=dict(corpus.aliases),
        diagnostics=corpus.diagnostics,
        unresolved=corpus.unresolved,
        duplicates=corpus.duplicates,
        dead_links=corpus.dead_links,
        loose_links=corpus.loose_links,
        best_guess=None if corpus.best_guess is None else _as_kept(corpus.best_guess),
    )


def keep(place: Path, mark: bytes, corpus: Corpus) -> None:
    """Keep `corpus` at `place`; another process sees the old file or the new one, never a part."""
    write_sealed(place, KIND, _encode(_as_kept(corpus)), mark)
