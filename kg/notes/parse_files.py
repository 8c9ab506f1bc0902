"""Read and parse many files, in one process or in several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import msgspec

from kg.files.read_files import FolderHandles
from kg.model import Diagnostic
from kg.model.settings.config import Config
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.note_files import read_listed_file
from kg.notes.note_listing import ListedFile
from kg.notes.parse_note import parse_note
from kg.notes.parsed_note import ParsedNote
from kg.runtime.forked_workers import MAX_CORES, available_cores, can_fork, fork_process

FEWEST_NOTES_TO_SHARE_OUT = 2000  # with fewer, a second process costs more time than it saves


class ParsedBatch(msgspec.Struct):
    """Parsed notes in the order of their files, and problems with files that cannot be read.

    `digests` are the hashes of the parsed files.
    """

    parsed_notes: list[ParsedNote]
    diagnostics: list[Diagnostic]
    digests: list[bytes] = []


def parse_note_files(files: Sequence[ListedFile], config: Config | None = None) -> ParsedBatch:
    """Read and parse `files`, very many of them in up to four processes.

    Notes are mapped as `[map]` in the settings says.
    """
    if len(files) < FEWEST_NOTES_TO_SHARE_OUT or not can_fork():
        return _read_and_parse(files, config)
    own_batch, *other_batches = _equal_batches(files, min(available_cores(), MAX_CORES))
    copies = [
        fork_process(partial(_read_packed, batch_files, config)) for batch_files in other_batches
    ]
    packed_batches: list[bytes | None] = []
    try:
        batches = [_read_and_parse(own_batch, config)]
    finally:  # also after an error: a process whose answer nobody takes would wait for ever
        packed_batches += [copy.receive() for copy in copies]
    # the files of a process that has died are read in this one
    batches += [
        msgspec.msgpack.decode(packed, type=ParsedBatch)
        if packed
        else _read_and_parse(batch_files, config)
        for batch_files, packed in zip(other_batches, packed_batches, strict=True)
    ]
    return ParsedBatch(
        [note for each in batches for note in each.parsed_notes],
        [problem for each in batches for problem in each.diagnostics],
        [digest for each in batches for digest in each.digests],
    )


def _equal_batches(files: Sequence[ListedFile], count: int) -> list[Sequence[ListedFile]]:
    """`files` cut into runs of about equal length."""
    cuts = [len(files) * number // count for number in range(count + 1)]
    return [files[start:stop] for start, stop in pairwise(cuts)]


def _read_and_parse(files: Sequence[ListedFile], config: Config | None) -> ParsedBatch:
    """Parse each file as soon as it is read, so that its bytes can be freed."""
    batch = ParsedBatch([], [], [])
    parse = note_parser(config) if config and config.map else parse_note
    with FolderHandles() as folders:
        for listed_file in files:
            file = read_listed_file(listed_file, folders)
            if isinstance(file, Diagnostic):
                batch.diagnostics.append(file)
            else:
                batch.parsed_notes.append(parse(file))
                batch.digests.append(file.digest)
    return batch


def _read_packed(files: Sequence[ListedFile], config: Config | None) -> bytes:
    return msgspec.msgpack.encode(_read_and_parse(files, config))
