"""A file of the records of a corpus, written note by note, from which they are read as needed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from kg.corpus.cache.cached_records import RECORDS_PER_COLUMN
from kg.corpus.cache.corpus_cache import (
    FIELD_TYPES,
    PartNumbers,
    PartReader,
    finish_parts,
    gatherers_of_records,
)
from kg.corpus.corpus import Corpus, Provenance
from kg.corpus.joining.note_by_note import JoinedNote
from kg.files.cache_files import CacheEntry, PartsWriter, open_sealed_parts
from kg.model import Mention
from kg.model.errors import KgError
from kg.model.settings.config import Config
from kg.runtime.gc_pauses import pause_gc

RECORD_FILE_KIND = "rows 2"  # another number where the layout of the file changes
_encode = msgspec.msgpack.Encoder().encode


class DamagedRecords(KgError):
    """The file of a store's records is not what was written: store the notes again."""


class _StoredCorpus(msgspec.Struct, array_like=True):
    """The first part of the file: where the other parts are, and what is read at once."""

    contents: PartNumbers
    config: str
    drafts: dict[str, str] | None


class RecordFileWriter:
    """Gathers the records of notes in a temporary file, then writes them as one file."""

    def __init__(self, spooled: BinaryIO) -> None:
        self._spooled = spooled
        self._parts = PartsWriter(spooled)
        self._gatherers = gatherers_of_records(self._parts)
        self._mentions: list[Mention] = []
        self._camps: dict[str, str] = {}
        self._fields: dict[str, list[int]] = {"mentions": [], "default_camps": []}
        self._aliases: Mapping[str, str] = {}
        self._drafts: Mapping[str, str] | None = None

    def gather(self, joined_notes: Iterable[JoinedNote]) -> Iterator[JoinedNote]:
        """The same notes, whose records are gathered on the way."""
        for note in joined_notes:
            records = note.records
            self._gatherers["statements"].add((each.id, each) for each in records.statements)
            self._gatherers["edges"].add((each.id, each) for each in records.edges)
            self._gatherers["sources"].add((each.key, each) for each in records.sources)
            self._gatherers["lines"].add((each.id, each) for each in records.lines)
            self._mentions += records.mentions
            self._camps |= note.names.default_camps
            if len(self._mentions) + len(self._camps) >= RECORDS_PER_COLUMN:
                self._keep_fields()
            self._aliases = note.names.aliases
            self._drafts = note.names.drafts
            yield note

    def _keep_fields(self) -> None:
        self._fields["mentions"].append(self._parts.keep(_encode(self._mentions)))
        self._fields["default_camps"].append(self._parts.keep(_encode(self._camps)))
        self._mentions = []
        self._camps = {}

    def write(self, path: Path, config: Config, fingerprint: bytes) -> None:
        """Write the file, after all notes have passed."""
        self._keep_fields()
        fields: dict[str, object] = {**dict.fromkeys(FIELD_TYPES, ()), "figures_in_abstracts": {}}
        fields["aliases"] = dict(self._aliases)
        numbers = {name: [self._parts.keep(_encode(value))] for name, value in fields.items()}
        contents = finish_parts(self._parts, self._gatherers, numbers | self._fields)
        drafts = None if self._drafts is None else dict(self._drafts)
        first = _encode(_StoredCorpus(contents, config.model_dump_json(by_alias=True), drafts))
        with path.open("wb") as file:
            file.write(self._parts.head(RECORD_FILE_KIND, first, fingerprint))
            self._spooled.seek(0)
            shutil.copyfileobj(self._spooled, file)


def open_record_file(path: Path, fingerprint: bytes) -> Corpus | None:
    """The corpus whose records are in a file with this fingerprint; None if there is none.

    What only a check of the notes tells is not in it. Raises `DamagedRecords`, also later.
    """
    sealed_parts = open_sealed_parts(path, RECORD_FILE_KIND, fingerprint)
    if sealed_parts is None or (first_part := sealed_parts.part(0)) is None:
        return None
    try:
        stored = msgspec.msgpack.decode(first_part, type=_StoredCorpus)
        config = Config.model_validate_json(stored.config)
    except ValueError:
        return None

    def fail() -> Corpus:
        raise DamagedRecords(f"{path} is damaged: store the notes again")

    reader = PartReader(sealed_parts, path, fail, keeps_all=False)
    with pause_gc():
        provenance = Provenance(record_file=CacheEntry(path, fingerprint))
        return reader.corpus(stored.contents, provenance, config=config, drafts=stored.drafts)
