"""A sealed file of several parts, each read and held to its own sum only when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path

import msgspec

from kg.files.state import MAGIC, MARK_SIZE, SUM_SIZE, checksum, write_whole

_SIZE_SIZE = 8  # bytes: how long the list of parts is
_HEAD_SIZE = len(MAGIC) + MARK_SIZE + SUM_SIZE + _SIZE_SIZE
_MAX_LIST_BYTES = 16 * 1024 * 1024  # bytes: the list of some 400,000 parts
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_CAN_STAY_OPEN = os.name == "posix"  # elsewhere nobody could replace the file meanwhile

_Sums = list[tuple[int, bytes]]
_encode = msgspec.msgpack.Encoder().encode
_decode_sums = msgspec.msgpack.Decoder(_Sums).decode


class SealedParts:
    """The parts of one sealed file, as it was when it was opened.

    It stays open, so that another process may put a new file in its place.
    """

    def __init__(self, handle: int, sums: _Sums, begin: int, whole: bytes | None) -> None:
        self._handle, self._sums, self._whole = handle, sums, whole
        self._starts = [*accumulate((size for size, _ in sums), initial=begin)]

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self._handle)

    def __len__(self) -> int:
        return len(self._sums)

    def part(self, number: int) -> bytes | None:
        """One part; None if its sum does not match, so that it is not as it was sealed."""
        (size, sum), start = self._sums[number], self._starts[number]
        try:
            part = self._bytes_at(start, size)
        except OSError:
            return None
        return part if _sum_of(part) == sum else None

    def _bytes_at(self, start: int, size: int) -> bytes:
        if self._whole is not None:
            return self._whole[start : start + size]
        chunks = []
        while chunk := os.pread(self._handle, size, start) if size else b"":
            chunks.append(chunk)
            start, size = start + len(chunk), size - len(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def open_sealed_parts(place: Path, kind: str, mark: bytes) -> SealedParts | None:
    """What was sealed at `place` as this `kind` under this `mark`.

    The list of parts is whole; each of them may yet turn out to be damaged.
    """
    try:
        handle = os.open(place, _FLAGS)
    except (OSError, ValueError):
        return None
    with suppress(OSError, msgspec.DecodeError):
        head = os.read(handle, _HEAD_SIZE)
        given, length = head[:-_SIZE_SIZE], int.from_bytes(head[-_SIZE_SIZE:], "big")
        listed = os.read(handle, length) if length <= _MAX_LIST_BYTES else b""
        if given == MAGIC + mark + checksum(kind, mark, listed):
            sums, whole = _decode_sums(listed), None if _CAN_STAY_OPEN else place.read_bytes()
            return SealedParts(handle, sums, _HEAD_SIZE + length, whole)
    os.close(handle)
    return None


def write_sealed_parts(place: Path, kind: str, parts: Sequence[bytes], mark: bytes) -> bool:
    """Seal `parts` at `place`, and say whether that could be done; a reader finds the old file or
    the new one.
    """
    listed = _encode([(len(part), _sum_of(part)) for part in parts])
    size = len(listed).to_bytes(_SIZE_SIZE, "big")
    try:
        write_whole(place, MAGIC, mark, checksum(kind, mark, listed), size, listed, *parts)
    except OSError:
        return False
    return True


def _sum_of(part: bytes) -> bytes:
    return blake2b(part, digest_size=SUM_SIZE).digest()
