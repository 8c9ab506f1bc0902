"""A joined corpus kept between runs, of which only what is asked for is read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from kg.corpus.corpus import Corpus
from kg.corpus.names import Duplicate, Unresolved
from kg.corpus.read_later import read_later
from kg.files.read import NotesFolder, settled_looks
from kg.files.sealed_parts import SealedParts, open_sealed_parts, write_sealed_parts
from kg.files.state import MARK_SIZE
from kg.model import Diagnostic, Edge, InquiryLine, Mention, Source, Statement
from kg.model.config import Config
from kg.model.records import GlossaryTerm
from kg.model.value import pause_gc
from kg.notes.cache import code_version
from kg.notes.discover import Listing
from kg.notes.parsed import FileLink, PendingMention

CORPUS_CACHE_KIND = "corpus 5"

_TYPES: dict[str, Any] = {
    "statements": tuple[Statement, ...],
    "edges": tuple[Edge, ...],
    "sources": tuple[Source, ...],
    "lines": tuple[InquiryLine, ...],
    "mentions": tuple[Mention, ...],
    "terms": tuple[GlossaryTerm, ...],
    "aliases": dict[str, str],
    "diagnostics": tuple[Diagnostic, ...],
    "unresolved": tuple[Unresolved, ...],
    "duplicates": tuple[Duplicate, ...],
    "dead_links": tuple[PendingMention, ...],
    "loose_links": tuple[PendingMention, ...],
    "files": tuple[FileLink, ...],
    "abstracts": dict[str, str],
    "left_out": tuple[str, ...],
}
"""The fields of a corpus that are parts of the file; its settings and folder are no part of it."""
_KEYS = {"statements": "id", "sources": "key", "lines": "id"}
"""Fields that are kept as rows, and by what the rows are found."""


class _Contents(msgspec.Struct, array_like=True):
    """The first part: the numbers of the parts that hold the fields, of the corpus and of its best
    guess, which have most of them in common.
    """

    fields: list[int]
    of_guess: list[int] | None
    drafts: dict[str, str] | None


class KeptPlace(NamedTuple):
    """Where a corpus is kept, and the hash of what it was made from."""

    file: Path
    mark: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode_contents = msgspec.msgpack.Decoder(_Contents).decode


def mark_of_listing(listing: Listing, config: Config, *, drafts: bool) -> bytes | None:
    """A hash of how all files look; `None` where one is gone, or so young that it may yet change
    without looking any different.
    """
    files = (*listing.notes, *listing.bibliographies)
    looks = settled_looks([file.place for file in files])
    if looks is None:
        return None
    paths = [file.path for file in files]
    made_by = code_version("notes", "model", "corpus")
    whole = _encode((made_by, repr(config), paths, looks, listing.diagnostics, drafts))
    return blake2b(whole, digest_size=MARK_SIZE).digest()


def keep_corpus(place: KeptPlace, corpus: Corpus) -> None:
    """Keep `corpus`; another process sees the old file or the new one, never a part."""
    parts: list[bytes] = [b""]
    numbers: dict[bytes, int] = {}

    def numbers_of(corpus: Corpus) -> list[int]:
        found = []
        for name in _TYPES:
            value = getattr(corpus, name)
            if name in _KEYS:
                value = tuple(value.values())
            part = _encode(dict(value) if isinstance(value, Mapping) else value)
            if part not in numbers:
                numbers[part] = len(parts)
                parts.append(part)
            found.append(numbers[part])
        return found

    guess = corpus.best_guess
    drafts = None if corpus.drafts is None else dict(corpus.drafts)
    of_guess = None if guess is None else numbers_of(guess)
    parts[0] = _encode(_Contents(numbers_of(corpus), of_guess, drafts))
    write_sealed_parts(place.file, CORPUS_CACHE_KIND, parts, place.mark)


def load_kept(
    place: KeptPlace, config: Config, folder: NotesFolder, read_again: Callable[[], Corpus]
) -> Corpus | None:
    """The corpus that was kept, if that is what stands there; its fields are read when asked for.

    `read_again` gives the same corpus from its notes, for a field that turns out to be damaged.
    """
    parts = open_sealed_parts(place.file, CORPUS_CACHE_KIND, place.mark)
    if parts is None or (listed := parts.part(0)) is None:
        return None
    try:
        contents = _decode_contents(listed)
    except msgspec.DecodeError:
        return None
    reader = _Reader(parts, place.file, read_again)
    known: dict[str, Any] = {"config": config, "folder": folder}
    guess = None
    if contents.of_guess is not None:
        guess = reader.corpus(known, contents.of_guess, lambda again: again.best_guess)
    known |= {"drafts": contents.drafts, "best_guess": guess}
    return reader.corpus(known, contents.fields, lambda again: again)


class _Reader:
    """Reads the fields of a kept corpus."""

    def __init__(self, parts: SealedParts, file: Path, read_again: Callable[[], Corpus]) -> None:
        self._parts, self._file, self._read_again = parts, file, read_again
        self._again: Corpus | None = None

    def corpus(
        self,
        known: dict[str, Any],
        numbers: list[int],
        find: Callable[[Corpus], Corpus | None],
    ) -> Corpus:
        """The corpus whose fields are these parts; `find` finds it in what is read again."""
        later = {
            name: partial(self._field, name, number, find)
            for name, number in zip(_TYPES, numbers, strict=True)
        }
        return read_later(Corpus, {"unwritten": {}, "_derived": {}, **known}, later)

    def _field(self, name: str, number: int, find: Callable[[Corpus], Corpus | None]) -> Any:
        part = None if self._again else self._parts.part(number)
        if part is not None:
            # what bytes of another release do to a decoder is not known: nothing kept is needed
            with suppress(Exception), pause_gc():
                return _as_field(name, msgspec.msgpack.decode(part, type=_TYPES[name]))
        if self._again is None:
            with suppress(OSError):
                self._file.unlink()
            self._again = self._read_again()
        return getattr(find(self._again), name)


def _as_field(name: str, value: Any) -> Any:
    if key := _KEYS.get(name):
        value = {getattr(record, key): record for record in value}
    return MappingProxyType(value) if name in ("aliases", *_KEYS) else value
