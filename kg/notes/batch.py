"""Many files read and parsed: by one process, or shared out among several."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from kg.files.read import FolderHandles
from kg.model import Diagnostic
from kg.model.config import Config
from kg.notes.discover import ListedFile, read_listed_file
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.parsed import ParsedNote
from kg.notes.parser import parse_note

FEWEST_NOTES_TO_SHARE_OUT = 2000  # notes from which a second process saves more than it costs
MOST_CORES = 4  # beyond which joining the notes is what takes time
_OWN_THREADS = Path("/proc/self/task")


class ParsedBatch(msgspec.Struct):
    """Parsed notes in the order of their files, and problems with files that cannot be read.

    `digests` are the hashes of what was parsed.
    """

    notes: list[ParsedNote]
    diagnostics: list[Diagnostic]
    digests: list[bytes] = []


def read_notes(files: Sequence[ListedFile], config: Config | None = None) -> ParsedBatch:
    """Read and parse `files`; very many are shared out among up to four cores.

    What `[map]` of the settings says of notes counts as they are read.
    """
    if len(files) < FEWEST_NOTES_TO_SHARE_OUT or not may_fork():
        return _read(files, config)
    own, *others = _shares(files, min(available_cores(), MOST_CORES))
    children = [(share, *_fork(share, config)) for share in others]
    found: list[ParsedBatch] = []
    try:
        found.append(_read(own, config))
    finally:
        found += [_receive(*child, config) for child in children]
    return ParsedBatch(
        [note for each in found for note in each.notes],
        [problem for each in found for problem in each.diagnostics],
        [digest for each in found for digest in each.digests],
    )


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _shares(files: Sequence[ListedFile], count: int) -> list[Sequence[ListedFile]]:
    """`files` cut into runs of about one length."""
    cuts = [len(files) * number // count for number in range(count + 1)]
    return [files[first:last] for first, last in pairwise(cuts)]


def _receive(
    files: Sequence[ListedFile], child: int, pipe: int, config: Config | None
) -> ParsedBatch:
    """What a child sends; what a lost one should have read is read here."""
    with os.fdopen(pipe, "rb") as sent:
        held = sent.read()
    lost = os.waitpid(child, 0)[1] != 0
    return _read(files, config) if lost else msgspec.msgpack.decode(held, type=ParsedBatch)


def may_fork() -> bool:
    """Whether this process may be copied: on Linux, with two cores, and no thread beside this one.

    A lock that another thread holds at that moment would stay locked in the copy for ever.
    """
    if sys.platform != "linux" or available_cores() < 2:
        return False
    try:
        return len(os.listdir(_OWN_THREADS)) == 1
    except OSError:
        return False


def _read(files: Sequence[ListedFile], config: Config | None) -> ParsedBatch:
    """Each file is parsed as soon as it is read, while its bytes are at hand."""
    batch = ParsedBatch([], [], [])
    parse = note_parser(config) if config and config.map else parse_note
    with FolderHandles() as folders:
        for listed in files:
            file = read_listed_file(listed, folders)
            if isinstance(file, Diagnostic):
                batch.diagnostics.append(file)
            else:
                batch.notes.append(parse(file))
                batch.digests.append(file.digest)
    return batch


def _fork(files: Sequence[ListedFile], config: Config | None) -> tuple[int, int]:
    """A child process that parses `files`, and the pipe on which it sends them."""
    receive, send = os.pipe()
    child = os.fork()
    if child:
        os.close(send)
        return child, receive
    status = 1
    try:
        os.close(receive)
        with os.fdopen(send, "wb") as pipe:
            pipe.write(msgspec.msgpack.encode(_read(files, config)))
        status = 0
    finally:
        os._exit(status)  # never return into a copy of the caller's program
