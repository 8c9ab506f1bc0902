"""Many files → parsed notes, on a second core where that is safe and pays."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kg.model import Diagnostic
from kg.notes.discover import Listed, read_file
from kg.notes.parse import parse_note
from kg.notes.parsed import ParsedNote

MANY = 2000
_TASKS = Path("/proc/self/task")


class Batch(msgspec.Struct):
    """Parsed notes in the order of their files, and problems with files that cannot be read.

    `digests` are the hashes of what was parsed.
    """

    notes: list[ParsedNote]
    diagnostics: list[Diagnostic]
    digests: list[bytes] = []


def read_notes(files: Sequence[Listed]) -> Batch:
    """Read and parse `files`; of very many, half on a second core."""
    if len(files) < MANY or not may_fork():
        return _read(files)
    half = len(files) // 2
    child, receive = _fork(files[half:])
    try:
        first = _read(files[:half])
    finally:
        with os.fdopen(receive, "rb") as pipe:
            sent = pipe.read()
        status = os.waitpid(child, 0)[1]
    second = msgspec.msgpack.decode(sent, type=Batch) if status == 0 else _read(files[half:])
    return Batch(
        first.notes + second.notes,
        first.diagnostics + second.diagnostics,
        first.digests + second.digests,
    )


def may_fork() -> bool:
    """Whether this process may be doubled: on Linux, with two cores, and no thread beside this one.

    A lock that another thread holds at that moment would stay locked in the copy for ever.
    """
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    try:
        return len(os.listdir(_TASKS)) == 1
    except OSError:
        return False


def _read(files: Sequence[Listed]) -> Batch:
    """Each file is parsed as soon as it is read, while its bytes are at hand."""
    batch = Batch([], [], [])
    for listed in files:
        file = read_file(listed)
        if isinstance(file, Diagnostic):
            batch.diagnostics.append(file)
        else:
            batch.notes.append(parse_note(file))
            batch.digests.append(file.digest)
    return batch


def _fork(files: Sequence[Listed]) -> tuple[int, int]:
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
            pipe.write(msgspec.msgpack.encode(_read(files)))
        status = 0
    finally:
        os._exit(status)  # never return into a copy of the caller's program
